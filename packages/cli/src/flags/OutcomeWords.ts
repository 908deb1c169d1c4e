/** Lists of kinds and codes of outcomes, and of other words, as flags take them. */
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Effect from "effect/Effect"
import * as Failure from "../Failure.ts"
import * as Suggestion from "../text/Suggestion.ts"

/** Reads `WORD,…` of a flag. `others` are those of the words that are neither kinds nor codes. */
export const parse = <Word extends string>(
  flag: string,
  text: string,
  words: ReadonlyArray<Word>,
  others: ReadonlyArray<Word>
): Effect.Effect<ReadonlyArray<Word>, Failure.Failure> =>
  Effect.map(
    Effect.forEach(text.split(","), (written) => {
      const asked = written.trim()
      const known = words.find((word) => word === asked)
      if (known !== undefined) return Effect.succeed(known)
      const near = Suggestion.of(asked, words)
      return Effect.fail(Failure.usage(
        `${flag}: "${asked}" is no code${near.length === 0 ? "" : `; did you mean ${near.join(" or ")}?`}`,
        `Kinds: ${[...Outcome.Kind.literals, ...others].join(", ")}`,
        `Codes: ${Outcome.Code.literals.join(", ")}`
      ))
    }),
    (found) => Array.from(new Set(found))
  )
