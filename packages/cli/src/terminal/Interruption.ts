/** Says of a command that is interrupted what became of its result. The parts of a command note here what they have done. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stderr from "./Stderr.ts"

interface Result {
  written: "nothing" | "part" | "all"
  /** The run that the archive keeps of it; null while there is none, undefined where none is meant to be kept. */
  run: string | null | undefined
}

const Result = Context.Reference<Result>("@tallystick/cli/Interruption", {
  defaultValue: () => ({ written: "nothing", run: undefined })
})

/** Notes what has been done of the result. */
export const note = (facts: Partial<Result>): Effect.Effect<void> =>
  Effect.map(Result, (result) => {
    Object.assign(result, facts)
  })

/** `file`: the name of the file that the result goes to; none: stdout. */
const sentences = ({ run, written }: Result, file: Option.Option<string>): string => {
  const to = Option.match(file, { onNone: () => "", onSome: (name) => ` to ${name}` })
  const result = {
    nothing: `Nothing was written${to}.`,
    part: `What was written${to} is not complete.`,
    all: `What was written${to} is complete.`
  }[written]
  if (run === undefined) return result
  return run === null
    ? `${result} The run was not recorded.`
    : `${result} The run was recorded: tallystick show ${run} prints its report.`
}

/** Runs a command whose result goes to this file, or to stdout. */
export const told = (file: Option.Option<string>) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const result: Result = { written: "nothing", run: undefined }
    return effect.pipe(
      Effect.provideService(Result, result),
      Effect.onInterrupt(() => Effect.suspend(() => Stderr.complain(`Interrupted. ${sentences(result, file)}`)))
    )
  })
