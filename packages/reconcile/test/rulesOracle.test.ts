import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import type * as Outcome from "../src/Outcome.ts"
import * as Generator from "./support/Generator.ts"
import * as Books from "./support/oracle/Books.ts"
import * as Rules from "./support/Rules.ts"
import * as Run from "./support/Run.ts"

vi.setConfig({ testTimeout: 3_600_000 })

const told = ({ deposits, law, transfers }: Books.Books): ReadonlyArray<string> => {
  const { after, before, forbid, late, noise, ratio, reference, rivals } = law
  return Run.match({
    deposits,
    transfers,
    policy: {
      window: { before, after },
      late,
      tolerance: { absolute: String(law.absolute) },
      ambiguity: { ratio, rivals, residual: String(noise) },
      reference,
      forbid
    }
  }).outcomes.map(({ candidates, code, deposits, explanation, final, transfers }) => {
    const far = candidates.find(({ because }) => because?.code === "beyond-lateness")
    const isDoubted = explanation.includes("may belong here instead")
    assert.isFalse(isDoubted && final)
    return Rules.line(code, [...deposits, ...transfers], far?.id, isDoubted)
  }).toSorted()
}

/** All codes but those of what the books do not hold: links, fees, groups, gaps. */
const codes: ReadonlyArray<Outcome.Code> = [
  "reference",
  "exact",
  "tolerant",
  "class-balanced",
  "missing-transfer",
  "missing-deposit",
  "amount-mismatch",
  "late",
  "early",
  "class-short",
  "ambiguous",
  "split-incomplete",
  "failed-attempt",
  "wrong-direction",
  "account-mismatch",
  "reversed",
  "duplicate-suspect",
  "source-conflict",
  "vanished",
  "status-regressed",
  "asset-mismatch",
  "unconfirmed",
  "unknown-status",
  "not-settled",
  "out-of-flow"
]

describe("every tier and rule", () => {
  it("says of books that were read completely what the design says", () => {
    for (let seed = 1; seed <= Generator.cases(500); seed++) {
      const books = Books.make(Generator.make(seed))
      const expected = Rules.answer(books.law, [...books.deposits, ...books.transfers])
      assert.deepStrictEqual(told(books), expected, `seed ${seed}`)
    }
  })

  it("is tried in books that bring about every code they can, and counterparts that lie too far away or are in other outcomes", () => {
    const found = new Set<string>()
    let far = 0
    let doubted = 0
    for (let seed = 1; seed <= 1000; seed++) {
      const { deposits, law, transfers } = Books.make(Generator.make(seed))
      for (const line of Rules.answer(law, [...deposits, ...transfers])) {
        found.add(line.split(" ")[0] ?? "")
        if (line.includes(" not ")) far++
        if (line.endsWith(" perhaps")) doubted++
      }
    }
    assert.isAbove(far, 50)
    assert.isAbove(doubted, 50)
    assert.deepStrictEqual([...found].toSorted(), codes.toSorted())
  })
})
