/** The words of outcomes. Every sentence about an outcome is made here, from its facts. */
import * as Struct from "effect/Struct"
import type * as Entry from "./Entry.ts"
import type * as Because from "./internal/explain/Because.ts"
import * as Moments from "./internal/explain/Moments.ts"
import * as Note from "./internal/explain/Note.ts"
import * as Rule from "./internal/explain/Rule.ts"
import * as Sentence from "./internal/explain/Sentence.ts"
import type { Unexplained } from "./internal/explain/Unexplained.ts"
import * as Lacking from "./internal/Lacking.ts"
import type * as Outcome from "./Outcome.ts"

export {
  /** Writes the times of sentences for a reader of this zone, who knows this year. Without them a sentence stands alone. */
  make as moments,
  type Moments,
  type Reading
} from "./internal/explain/Moments.ts"

/** What each doubt adds to a sentence. */
const additions: Readonly<Record<Exclude<Because.Doubt, "unusable-deposits" | "unusable-transfers">, string>> = {
  "in-another-outcome": "An entry of another item may belong here instead (see the candidates).",
  "lacking-in-dispute": "An equal entry in dispute may be what is lacking (see the candidates).",
  "counterpart-in-dispute": "An equal entry in dispute may be the counterpart instead (see the candidates).",
  "conflict-beside":
    "An entry of another amount, of which the source gave several versions, may belong here (see the candidates)."
}

/** Says that records of these sides could not be used. */
const unusable = (sides: ReadonlyArray<Entry.Side>, code: Outcome.Code): string =>
  `Some ${sides.join(" and ")} records could not be used, and ${
    Lacking.isMissing(code) ? "what is missing may be among them" : "with them it may be otherwise"
  }.`

const withDoubts = (told: Unexplained, moments: Moments.Moments): string => {
  const { because: { doubts = [] }, code } = told
  const unread: Array<Entry.Side> = []
  const said = [Sentence.of(told, moments)]
  for (const doubt of doubts) {
    if (doubt === "unusable-deposits") unread.push("deposit")
    else if (doubt === "unusable-transfers") unread.push("transfer")
    else said.push(additions[doubt])
  }
  return [...said, ...(unread.length === 0 ? [] : [unusable(unread, code)])].join(" ")
}

/** Says who accepted an outcome, and why. */
const acceptance = ({ by, decision, provisional, reason, words }: Outcome.Accepted): string =>
  `It is accepted${
    provisional === true ? " for the time being" : ""
  } by ${by}: ${words} (${reason}; decision ${decision}).`

/** Marks an outcome as accepted by a person, and says so in its sentence. */
export const accept = (outcome: Outcome.Outcome, accepted: Outcome.Accepted): Outcome.Outcome => ({
  ...outcome,
  explanation: `${outcome.explanation} ${acceptance(accepted)}`,
  accepted
})

/** Moments of a sentence that stands alone. */
const alone = Moments.make()

/**
 * An outcome with its sentence, its rule and the reasons of its candidates in words. It is the engine's own last step; call it
 * again after facts were changed, as masking does, or with `moments` for a reader in another zone.
 */
export const explain = (
  told: Omit<Outcome.Outcome, "because" | "candidates" | "explanation"> & {
    readonly because: Outcome.Because
    readonly candidates: ReadonlyArray<
      Omit<Outcome.Candidate, "because" | "reason"> & { readonly because: Outcome.Note }
    >
  },
  moments: Moments.Moments = alone
): Outcome.Outcome => {
  const rest = Struct.omit(told, ["rule"])
  const rule = Rule.of(told)
  const said = withDoubts(told, moments)
  return {
    ...rest,
    ...(rule === undefined ? {} : { rule }),
    explanation: told.accepted === undefined ? said : `${said} ${acceptance(told.accepted)}`,
    candidates: told.candidates.map((candidate) => Note.explain(candidate, moments))
  }
}
