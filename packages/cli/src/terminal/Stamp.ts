/** Lets the lines of a log begin with their time. A person at a terminal sees them when they are written, and needs none. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Stamp {
  /** Undefined: lines begin without a time. */
  times: ZonedTimes.ZonedTimes | undefined
}

/** The times of the lines of one run of the command. */
export const Stamp = Context.Reference<Stamp>("@tallystick/cli/Stamp", { defaultValue: () => ({ times: undefined }) })

/** Runs with lines that begin without a time, until `inZone` or `ofLog`. */
export const within = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => Effect.provideService(effect, Stamp, { times: undefined }))

/** Lets every line from now on begin with its time, as these write it. */
export const inZone = (times: ZonedTimes.ZonedTimes): Effect.Effect<void> =>
  Effect.map(Stamp, (stamp) => {
    stamp.times = times
  })

/** The same in UTC, where stderr is no terminal. */
export const ofLog: Effect.Effect<void, never, Stdio.Stdio> = Effect.flatMap(
  Stdio.Stdio,
  ({ stderrIsTerminal }) =>
    Effect.flatMap(stderrIsTerminal, (isTerminal) => (isTerminal ? Effect.void : inZone(ZonedTimes.make())))
)

/** Whether lines begin with their time. */
export const isOn: Effect.Effect<boolean> = Effect.map(Stamp, ({ times }) => times !== undefined)

/** The beginning of a line that is written at this time, Unix ms: `2026-11-22 09:12:03 UTC `, or nothing. */
export const of = ({ times }: Stamp, now: number): string =>
  times === undefined ? "" : `${times.second(now)}${times.suffix} `
