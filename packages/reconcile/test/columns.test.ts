import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import { vi } from "vitest"
import * as Columns from "../src/Columns.ts"
import type * as Entry from "../src/Entry.ts"
import type * as Policy from "../src/Policy.ts"
import { cases, type Generator, make } from "./support/Generator.ts"
import { match, policy, T0 } from "./support/Run.ts"

vi.setConfig({ testTimeout: 3_600_000 })

interface Row {
  readonly asset: number
  readonly amount: number
  readonly at: number
}

const columns = (rows: ReadonlyArray<Row>): Columns.Side => ({
  asset: Int32Array.from(rows, ({ asset }) => asset),
  amount: Float64Array.from(rows, ({ amount }) => amount),
  at: Float64Array.from(rows, ({ at }) => at)
})

const entries = (
  side: Entry.Side,
  rows: ReadonlyArray<Row>,
  scales: ReadonlyArray<number>
): ReadonlyArray<Entry.Entry> =>
  rows.map(({ amount, asset, at }, index) => ({
    side,
    id: String(index).padStart(6, "0"),
    asset: `A${asset}`,
    amount: Amount.format(BigInt(amount), scales[asset]!),
    at,
    status: "settled"
  }))

const names = (indices: Iterable<number>): string =>
  Array.from(indices, (index) => String(index).padStart(6, "0")).join(" ")

/** Everything that the columns say, a line each. */
const said = (
  deposits: ReadonlyArray<Row>,
  transfers: ReadonlyArray<Row>,
  { components, decidedBy, transferOf }: Columns.Output
): ReadonlyArray<string> =>
  [
    ...Array.from(transferOf).flatMap((transfer, deposit) => {
      if (transfer < 0) return []
      const code = deposits[deposit]!.amount === transfers[transfer]!.amount ? "exact" : "tolerant"
      return [`${code} ${names([deposit])} | ${names([transfer])} ${Columns.decisions[decidedBy[deposit]!]}`]
    }),
    ...components.map((part) => `${part.code} ${names(part.deposits)} | ${names(part.transfers)} ${part.matched}`)
  ].toSorted()

const compared = new Set<string>([
  "exact",
  "tolerant",
  "class-balanced",
  "class-short",
  "ambiguous",
  "search-exhausted"
])

/** The same of what the engine says about entries. What it calls ambiguous on its own is no component, but left over. */
const expected = (
  deposits: ReadonlyArray<Row>,
  transfers: ReadonlyArray<Row>,
  scales: ReadonlyArray<number>,
  written: Policy.Policy
): ReadonlyArray<string> =>
  match({
    deposits: entries("deposit", deposits, scales),
    transfers: entries("transfer", transfers, scales),
    policy: written
  }).outcomes
    .filter(({ code, deposits, transfers }) => compared.has(code) && deposits.length > 0 && transfers.length > 0)
    .map(({ code, decidedBy, matchedCount, ...members }) => {
      const [left, right] = [members.deposits.map(({ id }) => id), members.transfers.map(({ id }) => id)]
      return `${code} ${left.join(" ")} | ${right.join(" ")} ${decidedBy ?? matchedCount ?? 0}`
    })
    .toSorted()

const check = (
  deposits: ReadonlyArray<Row>,
  transfers: ReadonlyArray<Row>,
  scales: ReadonlyArray<number>,
  written: Policy.Policy,
  name: string
): ReadonlyArray<string> => {
  const lines = said(
    deposits,
    transfers,
    Columns.match({
      deposits: columns(deposits),
      transfers: columns(transfers),
      scales: Int32Array.from(scales),
      policy: policy(written)
    })
  )
  assert.deepStrictEqual(lines, expected(deposits, transfers, scales, written), name)
  return lines
}

const offGrouping = { grouping: { manyToOne: false, oneToMany: false }, late: 0 } as const

const anyPolicy = ({ chance, int, pick }: Generator): Policy.Policy => {
  const before = int(-20, 20)
  return {
    ...offGrouping,
    window: { before, after: int(-before, 60) },
    tolerance: {
      absolute: pick(["0", "0.1", "0.25", "2"]),
      relative: pick(["0", "0.01", "0.3", "1.5"]),
      base: pick(["deposit", "transfer", "larger"]),
      inclusive: chance(0.7),
      maxShare: pick(["0.5", "0.05"])
    },
    ambiguity: {
      mode: chance(0.8) ? "report" : "assign",
      ratio: pick([1, 2, 3.5]),
      rivals: int(0, 6),
      residual: pick(["0", "0", "0.15", "1", "2"])
    }
  }
}

const anyRows = ({ int, pick }: Generator, size: number, most: number, span: number): ReadonlyArray<Row> =>
  Array.from({ length: size }, () => ({ asset: pick([0, 0, 1, 2]), amount: int(1, most), at: T0 + int(0, span) }))

/** Histories of all densities: from a lone pair here and there to one crowd. */
const anyHistory = (seed: number) => {
  const generator = make(seed)
  const { int, pick } = generator
  const span = pick([20, 200, 2000])
  const most = pick([1, 5, 40, 400])
  return {
    deposits: anyRows(generator, int(0, 40), most, span),
    transfers: anyRows(generator, int(0, 40), most, span),
    scales: [0, 1, 3],
    policy: anyPolicy(generator)
  }
}

describe("columns", () => {
  it("state what the engine states of the same entries", () => {
    const seen = new Set<string>()
    for (let seed = 1; seed <= cases(600); seed++) {
      const { deposits, policy, scales, transfers } = anyHistory(seed)
      for (const line of check(deposits, transfers, scales, policy, `seed ${seed}`)) {
        const words = line.split(" ")
        seen.add(words[0]!)
        if (words[0] === "exact" || words[0] === "tolerant") seen.add(`${words[0]} ${words.at(-1)}`)
      }
    }
    assert.includeMembers(Array.from(seen), [
      "class-balanced",
      "class-short",
      "ambiguous",
      "exact forced",
      "exact time",
      "exact assigned",
      "tolerant forced",
      "tolerant time",
      "tolerant amount",
      "tolerant assigned"
    ])
  })

  it("state the same facts whatever the order of the columns", () => {
    for (let seed = 1; seed <= cases(100); seed++) {
      const generator = make(seed)
      const { deposits, policy: written, scales, transfers } = anyHistory(seed)
      const places = (rows: ReadonlyArray<Row>) => generator.shuffle(rows.map((_, index) => index))
      const [left, right] = [places(deposits), places(transfers)]
      // Where it is asked to assign, entries of one time take their turn by place.
      const resolved = policy({ ...written, ambiguity: "report" })
      const input = { scales: Int32Array.from(scales), policy: resolved }
      const shuffled = Columns.match({
        ...input,
        deposits: columns(left.map((index) => deposits[index]!)),
        transfers: columns(right.map((index) => transfers[index]!))
      })
      const straight = Columns.match({ ...input, deposits: columns(deposits), transfers: columns(transfers) })
      const times = (pairs: Columns.Output, lefts: ReadonlyArray<number>, rights: ReadonlyArray<number>) =>
        Array.from(pairs.transferOf).flatMap((transfer, deposit) => {
          if (transfer < 0) return []
          const [from, to] = [deposits[lefts[deposit]!]!, transfers[rights[transfer]!]!]
          return [`${from.asset} ${from.amount} ${from.at} ${to.amount} ${to.at} ${pairs.decidedBy[deposit]}`]
        }).toSorted()
      const [same, other] = [deposits.map((_, index) => index), transfers.map((_, index) => index)]
      assert.deepStrictEqual(times(shuffled, left, right), times(straight, same, other), `seed ${seed}`)
      assert.strictEqual(shuffled.components.length, straight.components.length)
    }
  })

  it("keep apart what only the hash table brings together", () => {
    const { int } = make(7)
    const size = 20_000
    const deposits = Array.from(
      { length: size },
      (_, index) => ({ asset: index % 3, amount: index + 1, at: T0 + index })
    )
    const transfers = deposits.map((row) => ({ ...row, at: row.at + int(0, 3_600_000) }))
    const { components, transferOf } = Columns.match({
      deposits: columns(deposits),
      transfers: columns(transfers),
      scales: new Int32Array(3),
      policy: policy()
    })
    assert.deepStrictEqual(transferOf, Int32Array.from(deposits.keys()))
    assert.deepStrictEqual(components, [])
  })

  it("keep assets apart, however many share an amount and a moment", () => {
    const deposits = Array.from({ length: 1000 }, (_, asset) => ({ asset, amount: 5, at: T0 }))
    const transfers = Array.from({ length: 500 }, (_, half) => ({ asset: 2 * half, amount: 5, at: T0 + 1 }))
    const { components, transferOf } = Columns.match({
      deposits: columns(deposits),
      transfers: columns(transfers),
      scales: new Int32Array(deposits.length),
      policy: policy()
    })
    assert.deepStrictEqual(Array.from(transferOf), deposits.map(({ asset }) => (asset % 2 === 0 ? asset / 2 : -1)))
    assert.deepStrictEqual(components, [])
  })

  it("let time decide among equal residuals when the others are farther than the ratio", () => {
    const written: Policy.Policy = { ...offGrouping, tolerance: { absolute: "0.1" } }
    const deposit = { asset: 0, amount: 100, at: T0 }
    const of = (later: number) =>
      check(
        [deposit],
        [{ asset: 0, amount: 101, at: T0 + 60_000 }, { asset: 0, amount: 99, at: T0 + later }],
        [1],
        written,
        ""
      )
    assert.deepStrictEqual(of(120_000), ["ambiguous 000000 | 000000 000001 1"])
    assert.deepStrictEqual(of(120_001), ["tolerant 000000 | 000000 time"])
  })

  it("take amounts of 2^53 - 1 to the unit", () => {
    const amount = Number.MAX_SAFE_INTEGER
    const written: Policy.Policy = { ...offGrouping, tolerance: { absolute: "1" } }
    const row = (less: number, minutes: number) => ({ asset: 0, amount: amount - less, at: T0 + minutes * 60_000 })
    assert.deepStrictEqual(check([row(1, 0), row(0, 1)], [row(0, 2), row(2, 3)], [0], written, "largest amounts"), [
      "exact 000001 | 000000 forced",
      "tolerant 000000 | 000001 forced"
    ])
  })

  it("say of a crowd within the tolerance that it was not searched", () => {
    const rows = (shift: number) =>
      Array.from({ length: 720 }, (_, index) => ({ asset: 0, amount: 10_000 + 2 * index + shift, at: T0 + index }))
    const written: Policy.Policy = { ...offGrouping, tolerance: { relative: "0.5" } }
    const lines = check(rows(0), rows(1), [0], written, "a crowd")
    assert.strictEqual(lines.length, 1)
    assert.match(lines[0] ?? "", /^search-exhausted /)
  })

  it("refuse columns that hold anything but whole units, known assets and times", () => {
    const row = { asset: 0, amount: 1, at: T0 }
    const run = (rows: ReadonlyArray<Row>) => () =>
      Columns.match({
        deposits: columns(rows),
        transfers: columns([]),
        scales: new Int32Array(1),
        policy: policy()
      })
    assert.throws(run([row, { ...row, amount: 0.5 }]), /deposits 1: wanted an asset from 0 to 0/)
    assert.throws(run([{ ...row, amount: 0 }]), RangeError)
    assert.throws(run([{ ...row, amount: 2 ** 53 }]), RangeError)
    assert.throws(run([{ ...row, asset: 1 }]), RangeError)
    assert.throws(run([{ ...row, at: Number.NaN }]), RangeError)
    assert.doesNotThrow(run([row]))
  })
})
