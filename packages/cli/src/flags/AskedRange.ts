/** What the flags of a range ask for together: moments instead of words. */
import * as Broker from "@tallystick/core/Broker"
import { InvalidRange } from "@tallystick/core/InvalidRange"
import type * as Timeline from "@tallystick/core/Timeline"
import * as Clock from "effect/Clock"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Configured from "../config/Configured.ts"
import * as Setting from "../config/Setting.ts"
import * as Failure from "../Failure.ts"
import { END_OF_TIME } from "../files/FileCoverage.ts"
import * as Moment from "../text/Moment.ts"
import type { Flags } from "./RangeFlags.ts"

/** The range that was asked for; an absent bound was left open. Unix ms, `to` not included. */
export interface Asked {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly zone: DateTime.TimeZone | undefined
}

/** The source of this text: the flag, or for the zone the setting where the flag is not given. */
const speaker = Effect.fnUntraced(function*(flag: string, text: string) {
  const { variable } = Setting.inputs.zone
  const isConfigured = flag === "zone" && (yield* Configured.value(variable))?.value === text
  return isConfigured ? yield* Configured.nameOf(variable) : `--${flag}`
})

const read = <A>(flag: string, text: Option.Option<string>, parse: (text: string) => Result.Result<A, string>) =>
  Option.match(text, {
    onNone: () => Effect.undefined,
    onSome: (text) =>
      Effect.catch(
        Effect.fromResult(parse(text)),
        (problem) => Effect.flatMap(speaker(flag, text), (name) => Effect.fail(Failure.usage(`${name}: ${problem}`)))
      )
  })

/** The zone of `--zone`; UTC without one. */
export const zone = (text: Option.Option<string>): Effect.Effect<DateTime.TimeZone | undefined, Failure.Failure> =>
  read("zone", text, Moment.zone)

/** A flag that names a moment, in Unix ms. */
export const moment = Effect.fnUntraced(function*(
  flag: string,
  text: Option.Option<string>,
  inZone: Option.Option<string>
): Effect.fn.Return<number | undefined, Failure.Failure> {
  const parsed = yield* read("zone", inZone, Moment.zone)
  return yield* read(flag, text, (text) => Moment.moment(text, parsed))
})

/** The days of `--day`, each as `YYYY-MM-DD`; none without it. */
export const days = Effect.fnUntraced(
  function*(flags: Flags): Effect.fn.Return<ReadonlyArray<string>, Failure.Failure> {
    const zone = yield* read("zone", flags.zone, Moment.zone)
    const now = yield* Clock.currentTimeMillis
    return (yield* read("day", flags.day, (text) => Moment.days(text, zone, now))) ?? []
  }
)

/** Reads the flags, and refuses those that contradict each other. `clock` is Unix ms, by this machine unless given. */
export const asked = Effect.fnUntraced(
  function*(flags: Flags, clock?: number): Effect.fn.Return<Asked, Failure.Failure> {
    const given = (["day", "from", "to", "since"] as const).filter((name) => Option.isSome(flags[name]))
    const zone = yield* read("zone", flags.zone, Moment.zone)
    if (given.includes("day") && given.length > 1) {
      return yield* Failure.usage(`--day is a range of its own; it cannot be combined with --${given.at(-1)}`)
    }
    if (given.includes("from") && given.includes("since")) {
      return yield* Failure.usage("--from and --since both say where to begin; give one of them")
    }
    const now = clock ?? (yield* Clock.currentTimeMillis)
    const day = yield* read("day", flags.day, (text) => Moment.day(text, zone, now))
    if (day !== undefined) return { ...day, zone }
    const moment = (text: string) => Moment.moment(text, zone)
    const since = yield* read(
      "since",
      flags.since,
      (text) =>
        Result.orElse(
          Result.map(Moment.ago(text), (ago) => now - ago),
          () => Result.mapError(moment(text), () => Moment.noStart(text))
        )
    )
    const from = since ?? (yield* read("from", flags.from, moment))
    const to = yield* read("to", flags.to, moment)
    if (from !== undefined && to !== undefined && from >= to) {
      return yield* Failure.usage("the range is empty: its end must lie behind its beginning")
    }
    const invalid = InvalidRange.of({ from: from ?? 0, to: to ?? END_OF_TIME })
    if (invalid !== undefined) return yield* Failure.fromRange(invalid)
    return { from, to, zone }
  }
)

const MINUTE = 60_000

const DAY = 86_400_000

/** The same with both bounds: the last 24 hours where nothing was asked. `settled`: the end where none was asked, Unix ms. */
export const bounded = Effect.fnUntraced(function*(
  asked: Pick<Asked, "from" | "to">,
  clock?: number,
  settled?: number
): Effect.fn.Return<Timeline.Interval, Failure.Failure> {
  const now = clock ?? (yield* Clock.currentTimeMillis)
  const end = settled === undefined || (asked.from !== undefined && asked.from >= settled) ? now : settled
  const to = asked.to ?? end
  const from = asked.from ?? to - DAY
  if (from >= now) return yield* Failure.usage("the range lies in the future: it begins now or later")
  return { from, to }
})

/** Where scans end that do not reach the end of their range. */
const minuteBefore = (time: number): number => Math.floor(time / MINUTE) * MINUTE

/** The range of a question to the service, by the service's clock: a wrong clock of this machine would silently ask for another. */
export const ofService = Effect.fnUntraced(function*(flags: Flags, end: "now" | "settled" = "now") {
  yield* asked(flags)
  const { conventions, serverTime } = yield* Broker.Broker
  const now = yield* serverTime
  return yield* bounded(yield* asked(flags, now), now, end === "now" ? now : minuteBefore(now - conventions.settle))
})

/** Whether the flags say where the range ends: then all up to there is asked for, also what is not settled. */
export const hasEnd = ({ day, to }: Flags): boolean => Option.isSome(day) || Option.isSome(to)
