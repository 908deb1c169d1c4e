/** An equal entry is called taken by another one only where an outcome states that the two belong together. */
import { assert, describe, it } from "@effect/vitest"
import * as Run from "./support/Run.ts"

const { deposit, transfer } = Run

const reasonsOf = (input: Run.Input, id: string): ReadonlyArray<string> => {
  const found = Run.match(input).outcomes.find(({ deposits, transfers }) =>
    [...deposits, ...transfers].some((entry) => entry.id === id)
  )
  assert.isDefined(found)
  return found.candidates.map(({ reason }) => reason)
}

describe("an equal entry that is in another outcome", () => {
  it("is taken by its partner where the two are matched", () => {
    const input: Run.Input = {
      deposits: [deposit("d1", 0), deposit("d2", 1)],
      transfers: [transfer("t1", 1)],
      policy: { links: [{ deposits: ["d1"], transfers: ["t1"], by: "us", reason: "known" }] }
    }
    assert.include(reasonsOf(input, "d2"), "It is equal, but belongs to deposit d1.")
  })

  it("is taken by nobody where the outcome only lists what cannot be told apart", () => {
    const bearing = { reference: "r" }
    const input = {
      deposits: [deposit("d1", 0, bearing), deposit("d2", 5)],
      transfers: [1, 2, 3].map((minute) => transfer(`t${minute}`, 10 + minute, bearing))
    }
    assert.deepStrictEqual(reasonsOf(input, "d2"), [
      "It is equal, but belongs to another break.",
      "It is equal, but belongs to another break.",
      "It is equal, but belongs to another break."
    ])
  })
})
