/** The order of the list, without a browser. */
import { assert, describe, it } from "@effect/vitest"
import type { Line } from "../page/src/Book.ts"
import * as Sorting from "../page/src/breaks/Sorting.ts"

const line = (place: number, amount: string, worth: string | null = null): Line => ({
  place,
  id: String(place),
  kind: "discrepancy",
  code: "missing-transfer",
  asset: "BTC",
  amount,
  worth,
  difference: { missing: amount, excess: "0", amount, size: amount, bound: "exact" },
  at: place,
  ofDay: place,
  isOfRange: true,
  assets: ["BTC"],
  accounts: [],
  deposits: 1,
  transfers: 0,
  explanation: "",
  finality: "final",
  isAccepted: false,
  accepted: null,
  cause: null
})

const amountsOf = (lines: ReadonlyArray<Line>, order: Sorting.Order): ReadonlyArray<string> =>
  Sorting.sorted(lines, order).map(({ amount }) => amount)

describe("the list", () => {
  it("tells amounts apart that differ in the last of a hundred digits, and numbers from texts", () => {
    const digits = "1234567890".repeat(5)
    const ascending = ["0.5", "9", "10", "10.05", "10.5", `${digits}.${digits}1`, `${digits}.${digits}2`]
    const lines = ascending.toReversed().map((amount, place) => line(place, amount))
    assert.deepStrictEqual(amountsOf(lines, { key: "difference", descending: false }), ascending)
    assert.deepStrictEqual(amountsOf(lines, { key: "difference", descending: true }), ascending.toReversed())
  })

  it("puts what has no worth last, whichever way it is sorted", () => {
    const lines = [line(0, "1"), line(1, "2", "0.1"), line(2, "3", "0.2")]
    assert.deepStrictEqual(amountsOf(lines, { key: "worth", descending: true }), ["3", "2", "1"])
    assert.deepStrictEqual(amountsOf(lines, { key: "worth", descending: false }), ["2", "3", "1"])
  })

  it("keeps the order of the file among what is alike", () => {
    const lines = [line(0, "7"), line(1, "7.0"), line(2, "07")]
    assert.deepStrictEqual(amountsOf(lines, { key: "difference", descending: true }), ["7", "7.0", "07"])
  })
})
