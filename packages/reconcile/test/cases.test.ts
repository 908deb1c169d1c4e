import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import type * as Outcome from "../src/Outcome.ts"
import * as Case from "./support/Case.ts"
import * as Generator from "./support/Generator.ts"
import * as Run from "./support/Run.ts"

const file = new URL("fixtures/matching-sample.json", import.meta.url)
const cases = Schema.decodeSync(Schema.fromJsonString(Schema.Array(Case.Case)))(readFileSync(file, "utf8"))

const matched = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<string> =>
  outcomes.flatMap(({ deposits, outcome, pairs, transfers }) =>
    outcome !== "matched"
      ? []
      : pairs?.map(({ deposit, transfer }) => `${deposit} = ${transfer}`) ??
        [`${deposits.map(({ id }) => id).toSorted().join()} = ${transfers.map(({ id }) => id).toSorted().join()}`]
  ).toSorted()

const pairsOf = ({ matched = [] }: Case.Answer): ReadonlyArray<string> =>
  matched.map(({ deposits, transfers }) => `${deposits.toSorted().join()} = ${transfers.toSorted().join()}`).toSorted()

const open = (outcomes: ReadonlyArray<Outcome.Outcome>, side: "deposits" | "transfers"): ReadonlyArray<string> =>
  outcomes.flatMap((outcome) => (outcome.outcome === "matched" ? [] : outcome[side].map(({ id }) => id))).toSorted()

const counts = (outcomes: ReadonlyArray<Outcome.Outcome>) => {
  const sum = (of: (outcome: Outcome.Outcome) => number): number => outcomes.reduce((total, one) => total + of(one), 0)
  const pairs = sum((one) => one.matchedCount ?? (one.outcome === "matched" ? one.deposits.length : 0))
  return {
    matched: pairs,
    unmatchedDeposits: sum(({ deposits }) => deposits.length) - pairs,
    unmatchedTransfers: sum(({ transfers }) => transfers.length) - pairs
  }
}

const verify = (sample: Case.Case, outcomes: ReadonlyArray<Outcome.Outcome>): void => {
  const { expected } = sample
  if (expected.counts !== undefined) {
    assert.deepStrictEqual(counts(outcomes), expected.counts)
    return
  }
  const answers = [expected, ...(expected.alsoAcceptable ?? [])]
  const found = matched(outcomes)
  const answer = answers.find((answer) => pairsOf(answer).join() === found.join())
  assert.isDefined(answer, `matched ${found.join("; ")}, but wanted ${pairsOf(expected).join("; ")}`)
  const ambiguous = answer?.ambiguous ?? []
  for (const side of ["deposits", "transfers"] as const) {
    const unmatched = side === "deposits" ? answer?.unmatchedDeposits : answer?.unmatchedTransfers
    assert.deepStrictEqual(
      open(outcomes, side),
      [...(unmatched ?? []), ...ambiguous.flatMap((one) => one[side])].toSorted()
    )
  }
}

describe("the situations of other matching engines", () => {
  it("are 29, some of them with groups", () => {
    assert.strictEqual(cases.length, 29)
    assert.isAtLeast(cases.filter(({ config }) => config.grouping !== undefined).length, 4)
  })
  for (const sample of cases) {
    it(`${sample.id} ends as its origin says`, () => {
      verify(sample, Run.match(Case.toInput(sample)).outcomes)
    })
    it(`${sample.id} ends the same in any order`, () => {
      const input = Case.toInput(sample)
      const expected = Run.match(input)
      for (let seed = 1; seed <= 5; seed++) {
        const random = Generator.make(seed)
        const shuffled = Run.match({
          ...input,
          deposits: random.shuffle(input.deposits),
          transfers: random.shuffle(input.transfers)
        })
        assert.deepStrictEqual(shuffled, expected)
      }
    })
  }
})
