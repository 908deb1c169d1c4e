import { assert, describe, it } from "@effect/vitest"
import * as History from "@tallystick/sandbox/History"
import * as HistoryOptions from "@tallystick/sandbox/HistoryOptions"
import type * as Truth from "@tallystick/sandbox/Truth"
import {
  addressOf,
  ascending,
  ends,
  everyKind,
  full,
  HOUR,
  index,
  MINUTE,
  ofKind,
  owners,
  TO,
  unitsOf
} from "./histories.ts"

describe("groups", () => {
  const { deposits, transfers } = index(full)
  const { groups } = full.truth
  const largest = (sizes: ReadonlyArray<number>) => Math.max(...sizes)

  it("are as many as were asked for, of all sizes, one and several or several and one", () => {
    const sweeps = groups.filter((group) => group.transfers.length === 1)
    const splits = groups.filter((group) => group.deposits.length === 1)
    assert.deepStrictEqual([sweeps.length, splits.length, groups.length], [150, 100, 250])
    assert.deepStrictEqual(
      new Set(sweeps.map((group) => group.deposits.length)),
      new Set([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    )
    assert.deepStrictEqual(new Set(splits.map((group) => group.transfers.length)), new Set([2, 3, 4, 5, 6]))
  })

  it("move exactly what came to one sub-account in one asset, each deposit within fifty minutes", () => {
    for (const group of groups) {
      const [all, moved] = [
        group.deposits.map((id) => deposits.get(id)),
        group.transfers.map((id) => transfers.get(id))
      ]
      assert.strictEqual(unitsOf(moved), unitsOf(all))
      const lanes = [
        ...all.map((d) => d === undefined ? "" : `${owners.get(addressOf(d))} ${d.coin}`),
        ...moved.map((t) => `${t?.fromAccount} ${t?.asset}`)
      ]
      assert.strictEqual(new Set(lanes).size, 1)
      const arrived = all.map((d) => d?.insertTime ?? 0)
      const went = moved.map((t) => t?.timestamp ?? 0)
      assert.isAbove(Math.min(...went), largest(arrived))
      assert.isAtMost(largest(went) - Math.min(...arrived), 50 * MINUTE)
    }
  })

  it("grow no larger than allowed, and are there without any break", () => {
    const { truth } = History.generate({
      ...ends,
      deposits: 2000,
      breaks: 0,
      sweeps: 40,
      splits: 30,
      largest: { sweep: 3, split: 2 }
    })
    assert.deepStrictEqual(truth.breaks, [])
    assert.strictEqual(truth.groups.length, 70)
    assert.strictEqual(largest(truth.groups.map((group) => group.deposits.length)), 3)
    assert.strictEqual(largest(truth.groups.map((group) => group.transfers.length)), 2)
  })
})

describe("planted breaks", () => {
  const { both, deposits, transfers } = index(full)
  const amountsOf = (found: Truth.Group) => [
    ...found.deposits.map((id) => deposits.get(id)?.amount),
    ...found.transfers.map((id) => transfers.get(id)?.amount)
  ]

  it("have amounts that nothing else has, and so have groups", () => {
    const counts = new Map<string, number>()
    const add = (amount: string) => counts.set(amount, (counts.get(amount) ?? 0) + 1)
    for (const { amount } of full.deposits) add(amount)
    for (const { amount } of full.transfers) add(amount)
    for (const found of [...full.truth.breaks, ...full.truth.groups]) {
      const amounts = amountsOf(found)
      for (const amount of amounts) {
        const own = amounts.filter((other) => other === amount).length
        assert.strictEqual(counts.get(amount ?? ""), own, JSON.stringify(found))
      }
    }
  })

  it("and groups stand at least three hours apart within one account and asset", () => {
    const places = [
      ...full.truth.breaks.filter((found) => found.kind !== "in-flight"),
      ...full.truth.groups
    ].flatMap((found) => {
      const [d, t] = [deposits.get(found.deposits[0] ?? ""), transfers.get(found.transfers[0] ?? "")]
      const owner = d === undefined ? undefined : owners.get(addressOf(d))
      const place = (account: string | undefined, at: number) => ({
        at,
        lane: `${account} ${d?.coin ?? t?.asset}`
      })
      const [from, at] = [t?.fromAccount, t?.timestamp ?? 0]
      if (d === undefined) return [place(from, at)]
      if (from === undefined || from === owner || from === "master") return [place(owner, d.insertTime)]
      return [place(owner, d.insertTime), place(from, d.insertTime)]
    })
    for (const lane of Map.groupBy(places, (place) => place.lane).values()) {
      const times = lane.map(({ at }) => at).toSorted((a, b) => a - b)
      times.forEach((time, i) => assert.isTrue(i === 0 || time - (times[i - 1] ?? 0) >= HistoryOptions.APART))
    }
  })

  it("are missing, late, short, failed or doubled by as much as their kind says", () => {
    for (const found of full.truth.breaks) {
      const [pair] = found.pairs
      const shape = [found.deposits.length, found.transfers.length]
      switch (found.kind) {
        case "deposit-without-transfer":
        case "pending-deposit":
        case "in-flight":
          assert.deepStrictEqual(shape, [1, 0])
          break
        case "transfer-without-deposit":
          assert.deepStrictEqual(shape, [0, 1])
          break
        case "late": {
          assert.isDefined(pair)
          const { lag } = both(pair)
          assert.isTrue(lag > HOUR && lag <= 6 * HOUR)
          break
        }
        case "early": {
          assert.isDefined(pair)
          const { lag } = both(pair)
          assert.isTrue(lag <= -5 * MINUTE && lag >= -2 * HOUR)
          break
        }
        case "amount-off": {
          assert.isDefined(pair)
          const { deposit, transfer } = both(pair)
          const [left, right] = [Number(deposit.amount), Number(transfer.amount)]
          assert.isTrue(right < left && (left - right) / right <= 0.1)
          break
        }
        case "failed-transfer":
          assert.isDefined(pair)
          assert.strictEqual(both(pair).transfer.status, "FAILED")
          break
        case "duplicate-transfer": {
          assert.deepStrictEqual(shape, [1, 2])
          assert.isDefined(pair)
          const second = both({ ...pair, transfer: found.transfers[1] ?? "" }).lag
          assert.isTrue(second > 2 * both(pair).lag && second <= HOUR)
          break
        }
        case "interchangeable-burst":
          assert.isAtLeast(found.deposits.length, 3)
          assert.strictEqual(found.transfers.length, found.deposits.length)
          assert.strictEqual(new Set(amountsOf(found)).size, 1)
          break
        case "burst-short-of-one":
          assert.strictEqual(found.transfers.length, found.deposits.length - 1)
          assert.strictEqual(new Set(amountsOf(found)).size, 1)
          break
        case "account-mismatch": {
          assert.isDefined(pair)
          const { deposit, lag, transfer } = both(pair)
          assert.strictEqual(transfer.amount, deposit.amount)
          assert.isTrue(lag >= 0 && lag <= HOUR)
          assert.strictEqual(owners.get(addressOf(deposit)), found.account)
          assert.notStrictEqual(transfer.fromAccount, found.account)
          break
        }
        case "asset-mismatch": {
          assert.isDefined(pair)
          const { deposit, lag, transfer } = both(pair)
          assert.strictEqual(transfer.amount, deposit.amount)
          assert.isTrue(lag >= 0 && lag <= HOUR)
          assert.isTrue(transfer.asset.startsWith(`${deposit.coin}-`))
          break
        }
        case "wrong-direction": {
          assert.isDefined(pair)
          const { deposit, transfer } = both(pair)
          assert.strictEqual(transfer.amount, deposit.amount)
          assert.deepStrictEqual([transfer.fromAccount, transfer.toAccount], ["master", found.account])
          break
        }
        case "reversed": {
          const sources = found.transfers.map((id) => transfers.get(id)?.fromAccount)
          assert.deepStrictEqual(sources, [found.account, "master", found.account].slice(0, sources.length))
          assert.strictEqual(new Set(amountsOf(found)).size, 1)
          assert.strictEqual(pair?.transfer, found.transfers[2])
          assert.isTrue(ascending(found.transfers.map((id) => transfers.get(id)?.timestamp ?? 0)))
          break
        }
      }
    }
    const again = ofKind(full, "reversed").filter((found) => found.pairs.length > 0).length
    assert.isTrue(again > 0 && again < ofKind(full, "reversed").length)
  })

  it("fall short of a group by what was left out or never came", () => {
    const sums = (group: Truth.Group) => ({
      deposited: unitsOf(group.deposits.map((id) => deposits.get(id))),
      moved: unitsOf(group.transfers.map((id) => transfers.get(id)))
    })
    for (const found of full.truth.breaks) {
      const [group] = found.groups
      const shape = [found.deposits.length, found.transfers.length]
      switch (found.kind) {
        case "deposit-left-out": {
          assert.isDefined(group)
          assert.deepStrictEqual([group.deposits.length + 1, group.transfers.length], shape)
          assert.isTrue(shape[0] !== undefined && shape[0] >= 3 && shape[0] <= 7)
          assert.strictEqual(sums(group).moved, sums(group).deposited)
          break
        }
        case "incomplete-sweep":
          assert.deepStrictEqual(group, { deposits: found.deposits, transfers: found.transfers })
          assert.isTrue(shape[0] !== undefined && shape[0] >= 2 && shape[1] === 1)
          assert.isTrue(sums(found).moved > sums(found).deposited)
          break
        case "incomplete-split":
          assert.deepStrictEqual(group, { deposits: found.deposits, transfers: found.transfers })
          assert.isTrue(shape[0] === 1 && shape[1] !== undefined && shape[1] >= 2)
          assert.isTrue(sums(found).moved < sums(found).deposited)
          break
        default:
          assert.deepStrictEqual(found.groups, [])
      }
    }
  })

  it("are all there when all are asked for", () => {
    for (const kind of everyKind) assert.isAtLeast(ofKind(full, kind).length, 10, kind)
  })

  it("have closed windows, but for those in flight, whose windows are open", () => {
    for (const found of full.truth.breaks) {
      for (const id of found.deposits) {
        const at = deposits.get(id)?.insertTime ?? 0
        if (found.kind === "in-flight") assert.isAbove(at, TO - 30 * MINUTE - 1)
        else assert.isBelow(at + HOUR, TO - 5 * MINUTE)
      }
    }
  })
})
