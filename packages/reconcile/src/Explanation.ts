/** The words of outcomes. Every sentence about an outcome is made here, from its facts. */
import * as Struct from "effect/Struct"
import type * as Because from "./internal/explain/Because.ts"
import * as Note from "./internal/explain/Note.ts"
import * as Rule from "./internal/explain/Rule.ts"
import * as Sentence from "./internal/explain/Sentence.ts"
import type { Unexplained } from "./internal/explain/Unexplained.ts"
import * as Lacking from "./internal/Lacking.ts"
import type * as Outcome from "./Outcome.ts"

/** What each doubt adds to a sentence. */
const additions: Readonly<Record<Exclude<Because.Doubt, "unusable-deposits" | "unusable-transfers">, string>> = {
  "in-another-outcome": "what is in another outcome may belong here instead (see the candidates)",
  "lacking-in-dispute": "what is equal but in dispute may be what is lacking (see the candidates)",
  "counterpart-in-dispute": "what is equal but in dispute may be the counterpart instead (see the candidates)",
  "conflict-beside": "an entry of another amount that was told in several versions may belong here (see the candidates)"
}

const withDoubts = (told: Unexplained): string => {
  const sentence = Sentence.of(told)
  const { because: { doubts = [] }, code } = told
  if (doubts.length === 0) return sentence
  const isMissing = Lacking.isMissing(code)
  const unusable: Array<string> = []
  let said = sentence.replace(/\.$/, "")
  for (const doubt of doubts) {
    if (doubt === "unusable-deposits") unusable.push("deposit")
    else if (doubt === "unusable-transfers") unusable.push("transfer")
    else said += `; ${additions[doubt]}`
  }
  if (unusable.length === 0) return `${said}.`
  const records = `ome ${unusable.join(" and ")} records could not be used`
  return isMissing
    ? `${said}; s${records}, and it may be among them.`
    : `${said}. S${records}; with them it may be otherwise.`
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

/**
 * An outcome with its sentence, its rule and the reasons of its candidates in words. It is the engine's own last step; call it
 * again after facts were changed, as masking does.
 */
export const explain = (
  told: Omit<Outcome.Outcome, "because" | "candidates" | "explanation"> & {
    readonly because: Outcome.Because
    readonly candidates: ReadonlyArray<
      Omit<Outcome.Candidate, "because" | "reason"> & { readonly because: Outcome.Note }
    >
  }
): Outcome.Outcome => {
  const rest = Struct.omit(told, ["rule"])
  const rule = Rule.of(told)
  const said = withDoubts(told)
  return {
    ...rest,
    ...(rule === undefined ? {} : { rule }),
    explanation: told.accepted === undefined ? said : `${said} ${acceptance(told.accepted)}`,
    candidates: told.candidates.map(Note.explain)
  }
}
