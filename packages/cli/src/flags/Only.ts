/** `--only WORD,…` and `--without-matches`: which outcomes a report shows. */
import * as Extract from "@tallystick/reconcile/Extract"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Failure from "../Failure.ts"
import * as OutcomeWords from "./OutcomeWords.ts"
import type * as ReportFlags from "./ReportFlags.ts"

/** Everything that `--only` takes. */
export const words = Extract.Word.literals

const [open] = words

/** The words that were asked for; undefined where every outcome is shown. */
export type Words = ReadonlyArray<Extract.Word> | undefined

/** Reads both flags. */
export const parse = (
  { only, withoutMatches }: Pick<ReportFlags.Flags, "only" | "withoutMatches">
): Effect.Effect<Words, Failure.Failure> => {
  if (Option.isNone(only)) return Effect.succeed(withoutMatches ? Extract.withoutMatches : undefined)
  return withoutMatches
    ? Effect.fail(Failure.usage("--only and --without-matches both choose the outcomes: leave one of them out"))
    : OutcomeWords.parse("--only", only.value, words, [open])
}
