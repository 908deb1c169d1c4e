import { assert, describe, it } from "@effect/vitest"
import type * as Entry from "../src/Entry.ts"
import * as Run from "./support/Run.ts"

const { deposit, transfer } = Run

interface Entries {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
}

/** As many deposits as transfers of 1 USDT, all within half an hour; their references differ. */
const throng = (size: number): Entries => {
  const entries = (make: typeof deposit, prefix: string, from: number): ReadonlyArray<Entry.Entry> =>
    Array.from(
      { length: size },
      (_, index) =>
        make(`${prefix}${index}`, from + Math.floor(30 * index / size), {
          asset: "USDT",
          reference: `${prefix}${index}`
        })
    )
  return { deposits: entries(deposit, "d", 0), transfers: entries(transfer, "t", 5) }
}

/** What is said of the entries of one asset, with the codes of their outcomes. */
const codesOf = (asset: string, input: Run.Input): ReadonlyArray<string> =>
  Run.match(input).outcomes
    .filter(({ deposits, transfers }) => [...deposits, ...transfers].some((entry) => entry.asset === asset))
    .map(({ code }) => code)

describe("entries that nothing connects with others", () => {
  it("are a class, however many they are, whatever is forbidden to entries of another", () => {
    const { deposits, transfers } = throng(2100)
    const pair = { deposits: [deposit("other", 0)], transfers: [transfer("another", 5)] }
    const input = { deposits: [...deposits, ...pair.deposits], transfers: [...transfers, ...pair.transfers] }
    const between = (left: string, right: string) =>
      codesOf("USDT", { ...input, policy: { forbid: [{ deposit: left, transfer: right }] } })
    assert.deepStrictEqual(between("other", "another"), ["class-balanced"])
    assert.deepStrictEqual(between("d7", "another"), ["class-balanced"])
    // A pair of their own may keep any of them apart, and there are too many to try.
    assert.deepStrictEqual(between("d7", "t7"), ["search-exhausted"])
  })

  it("are a class, however many they are, whatever becomes of equal ones that are out of their reach", () => {
    const { deposits, transfers } = throng(1000)
    const known = ({ reference: _, ...entry }: Entry.Entry): Entry.Entry => ({ ...entry, account: "a" })
    const far = (id: string, account?: string) => ({
      id,
      minutes: 9999,
      fields: { asset: "USDT", ...(account === undefined ? {} : { account }) }
    })
    const others = {
      deposits: [far("b1", "b"), far("b2", "b")].map(({ fields, id, minutes }) => deposit(id, minutes, fields)),
      transfers: [far("u")].map(({ fields, id, minutes }) => transfer(id, minutes, fields))
    }
    assert.deepStrictEqual(
      codesOf("USDT", {
        deposits: [...deposits.map(known), ...others.deposits],
        transfers: [...transfers.map(known), ...others.transfers]
      }),
      ["class-balanced", "class-short"]
    )
  })

  it("are called those of another account only where they are, whatever accounts others have", () => {
    const of = (make: typeof deposit, prefix: string, minutes: number): ReadonlyArray<Entry.Entry> =>
      Array.from({ length: 720 }, (_, index) => make(`${prefix}${index}`, minutes, { asset: "USDT", account: "a" }))
    const [unsettledAt, settledAt] = [Run.T0 + 180 * Run.MINUTE, Run.T0 + 184 * Run.MINUTE]
    const delayed = deposit("d", 0, { asset: "USDT", account: "a", past: { statuses: [], unsettledAt, settledAt } })
    const input = {
      deposits: [...of(deposit, "d", 0), delayed],
      transfers: [transfer("first", 5, { asset: "USDT", account: "a" }), ...of(transfer, "t", 185)],
      policy: { lagFrom: "settled" }
    } as const
    const fact = "It fits as well, counted from when the deposit settled, but belongs to another break."
    for (const others of [[], [deposit("other", 0, { account: "b" })]]) {
      const { outcomes } = Run.match({ ...input, deposits: [...input.deposits, ...others] })
      const short = outcomes.find(({ deposits }) => deposits.some(({ id }) => id === "d"))
      assert.deepStrictEqual(short?.candidates.map(({ reason }) => reason), [fact, fact, fact])
    }
  })
})
