/** What holds of every sentence, whatever it says. */
import { assert, describe, it } from "@effect/vitest"
import * as Explanation from "../src/Explanation.ts"
import * as Outcome from "../src/Outcome.ts"
import * as Run from "./support/Run.ts"
import { samples } from "./support/Samples.ts"

const verbs =
  /\b(?:is|are|was|were|has|have|arrived|carry|gave|failed|fit|fits|came|could|may|make|went|equals|cannot|also came)\b/

/** Codes of programs that are no words of ours: they have a hyphen. */
const hyphened = (codes: ReadonlyArray<string>): ReadonlyArray<string> => codes.filter((code) => code.includes("-"))
const codes = hyphened([
  ...Object.values(Outcome.codes).flat(),
  ...Outcome.Because.members.map(({ fields }) => fields.code.literal),
  ...Outcome.Note.members.map(({ fields }) => fields.code.literal)
])

const assertPlain = (text: string): void => {
  assert.match(text, /^[A-Z\d].*\.$/s)
  assert.match(text, verbs, text)
  for (const code of codes) assert.notInclude(text, code)
}

describe("every sentence", () => {
  it.each(Object.entries(samples))("of %s says when it happened, unless the record could not be used", (_, input) => {
    for (const { code, explanation } of Run.match(input).outcomes) {
      if (code !== "bad-record") assert.match(explanation, / \d\d:\d\d\b/)
    }
  })

  it("says of several entries where they are, if that is one account", () => {
    const equal = (account: string, other = account): string | undefined =>
      Run.match({
        deposits: [Run.deposit("d1", 0, { account }), Run.deposit("d2", 5, { account: other })],
        transfers: [],
        policy: { links: [{ deposits: ["d1", "d2"], transfers: ["t9"] }] }
      }).outcomes[0]?.explanation
    assert.match(equal("a") ?? "", /^2 deposits of a between 15 Jan 2027 08:00 UTC and 08:05 are linked by hand /)
    assert.match(equal("a", "b") ?? "", /^2 deposits between /)
  })

  it.each(Object.entries(samples))("of %s has a verb, a full stop, and no code of programs", (_, input) => {
    for (const { candidates, explanation } of Run.match(input).outcomes) {
      assertPlain(explanation)
      for (const { reason } of candidates) assertPlain(reason)
    }
  })

  it.each(Object.entries(samples))("of %s tells the amounts of one entry, or of one and one", (_, input) => {
    for (const { code, deposits, explanation, transfers } of Run.match(input).outcomes) {
      if (deposits.length > 1 || transfers.length > 1 || ["bad-record", "linked"].includes(code)) continue
      const told = code === "ambiguous" ? [] : [...deposits, ...transfers]
      for (const { amount } of told) assert.include(explanation, amount)
    }
  })

  it.each(Object.entries(samples))(
    "of %s is the same but for its times where it is read in the report's year",
    (_, input) => {
      const moments = Explanation.moments({ year: 2027 })
      for (const outcome of Run.match(input).outcomes) {
        const { because } = outcome
        const candidates = outcome.candidates.flatMap((one) =>
          one.because === undefined ? [] : [{ ...one, because: one.because }]
        )
        assert.isDefined(because)
        const { explanation } = Explanation.explain({ ...outcome, because, candidates }, moments)
        assert.strictEqual(explanation, outcome.explanation.replaceAll(/ 2027 (\d\d:\d\d) UTC/g, " $1"))
      }
    }
  )
})
