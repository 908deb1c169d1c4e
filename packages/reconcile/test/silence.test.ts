import { assert, describe, it } from "@effect/vitest"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type * as Entry from "../src/Entry.ts"
import * as Share from "../src/internal/Share.ts"
import type * as Outcome from "../src/Outcome.ts"
import type * as Partition from "../src/Partition.ts"
import type * as Policy from "../src/Policy.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import type * as Report from "../src/Report.ts"
import * as Crowd from "./support/Crowd.ts"
import * as Generator from "./support/Generator.ts"
import * as Pasts from "./support/Pasts.ts"
import * as Run from "./support/Run.ts"
import * as Sent from "./support/Sent.ts"

const { DAY, HOUR, MINUTE } = Run

interface Entries {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
}

const changed = (entry: Entry.Entry, fields: Partial<Entry.Entry>): Entry.Entry => Object.assign({}, entry, fields)

/** Amounts with as many digits as some coins have, so that their sums are no safe integers of the finest unit. */
const fine = ["10.000000000000000001", "11.5", "12"]

const crowd = (random: Generator.Generator, kind: Crowd.Kind): Entries => ({
  deposits: Pasts.some(random, Crowd.entries(random, "deposit", kind)),
  transfers: Pasts.some(random, Crowd.entries(random, "transfer", kind))
})

/** Moves entries in time, and gives them other ids. */
const moved = ({ deposits, transfers }: Entries, by: number): Entries => {
  const move = (entry: Entry.Entry): Entry.Entry => {
    const { at, id, past } = entry
    return changed(entry, {
      id: `other ${id}`,
      at: at + by,
      ...(past?.settledAt === undefined ? {} : { past: { ...past, settledAt: past.settledAt + by } })
    })
  }
  return { deposits: deposits.map(move), transfers: transfers.map(move) }
}

const policyOf = (random: Generator.Generator): Policy.Policy => ({
  window: { before: random.pick(["1 minute", "10 minutes"]), after: random.pick(["20 minutes", "40 minutes"]) },
  late: random.pick(["0 minutes", "30 minutes", "2 hours"]),
  tolerance: { absolute: random.pick(["0", "0", "1"]) },
  fees: random.pick([[], [], [{ flat: "1" }], [{ rate: "0.1" }]]),
  reference: random.pick(["prefer", "require", "ignore", "only"]),
  lagFrom: random.pick(["seen", "settled"]),
  ambiguity: { mode: random.pick(["report", "report", "assign"]) },
  grouping: { manyToOne: random.chance(0.5), oneToMany: random.chance(0.5) }
})

const isOwn = ({ deposits, transfers }: Outcome.Outcome): boolean =>
  [...deposits, ...transfers].every(({ id }) => !id.startsWith("other"))

describe("entries that lie far from all others of their asset", () => {
  it("are told alike, whatever those are", () => {
    const codes = new Set<Outcome.Code>()
    for (let seed = 1; seed <= Generator.cases(80); seed++) {
      const random = Generator.make(seed)
      const kind = { ...Crowd.kindOf(random), amounts: random.pick([["10", "11", "12"], ["3", "4", "7", "11"]]) }
      const own = crowd(random, kind)
      const others = moved(
        crowd(random, { ...kind, amounts: random.pick([random.shuffle(kind.amounts), fine]) }),
        random.pick([-30, 30]) * DAY
      )
      const rest = { policy: policyOf(random) }
      const alone = Run.match({ ...own, ...rest }).outcomes
      const beside = Run.match({
        deposits: [...own.deposits, ...others.deposits],
        transfers: [...own.transfers, ...others.transfers],
        ...rest
      }).outcomes
      assert.deepStrictEqual(beside.filter(isOwn), alone, `seed ${seed}`)
      for (const { code } of alone) codes.add(code)
    }
    assert.isAbove(codes.size, 15)
  })

  it("are named in an order of their own where one outcome could have several of them", () => {
    const ofAccount = (account: string, amount: string) => ({ account, amount })
    const input = {
      deposits: [
        Run.deposit("short", 0, ofAccount("a", "10")),
        ...["p", "q"].map((id) => Run.deposit(`3${id}`, 0, ofAccount("b", "3"))),
        ...["p", "q"].map((id) => Run.deposit(`4${id}`, 0, ofAccount("b", "4")))
      ],
      transfers: [
        Run.transfer("part", 10, ofAccount("a", "3")),
        Run.transfer("another part", 10, ofAccount("a", "4")),
        ...["p", "q"].map((id) => Run.transfer(`10${id}`, 10, ofAccount("b", "10")))
      ],
      policy: { grouping: { manyToOne: false, oneToMany: true } }
    }
    const named = (others: ReadonlyArray<Entry.Entry>) => {
      const { outcomes } = Run.match({ ...input, deposits: [...input.deposits, ...others] })
      const short = outcomes.find(({ code }) => code === "split-incomplete")
      return short?.candidates.map(({ id }) => id)
    }
    assert.deepStrictEqual(named([]), ["3p", "3q", "4p"])
    assert.deepStrictEqual(named([Run.deposit("other", -99_999, { account: "a", amount: "4" })]), ["3p", "3q", "4p"])
  })

  it("may be parts of a sum or not, in whatever units others are counted", () => {
    // The transfer could take 127 of about 1016.9, which is less than one in eight.
    const deposits = Array.from(
      { length: 1001 },
      (_, index) => Run.deposit(`d${index}`, index / 100, { amount: index === 0 ? "2" : "1" })
    )
    const codesOf = (others: ReadonlyArray<Entry.Entry>) =>
      new Set(
        Run.match({
          deposits: [...deposits, ...others],
          transfers: [Run.transfer("t", 20, { amount: "127" })],
          policy: { grouping: { manyToOne: true, oneToMany: false } }
        }).outcomes.filter((outcome) => isOwn(outcome) && outcome.deposits.length > 0).map(({ code }) => code)
      )
    assert.deepStrictEqual(codesOf([]), codesOf([Run.deposit("other", 99_999, { amount: "0.1" })]))
  })
})

/** Gives all entries of a side at once. */
const sideOf = (
  entries: ReadonlyArray<Entry.Entry>,
  operation: "deposits" | "transfers"
): Slice.Slice<Entry.Entry> => ({
  from: Run.T0 - 900 * DAY,
  to: Run.T0 + 900 * DAY,
  records: entries,
  bad: [],
  coverage: Run.complete.filter((one) => one.operation === operation)
})

const streams = ({ deposits, transfers }: Entries) =>
  [Stream.make(sideOf(deposits, "deposits")), Stream.make(sideOf(transfers, "transfers"))] as const

/** Cuts each family into all its stretches, but for some that stay together, and decides each part. */
const partsOf = Effect.fnUntraced(function*(
  entries: Entries,
  options: Reconciliation.Options,
  { whole }: Reconciliation.Survey,
  isCut: () => boolean = () => true
) {
  const wanted = whole.families.flatMap(({ assets, stretches }) => {
    const times: Array<Partition.Times> = []
    for (const { from, to } of stretches) {
      times.push(Share.times(times.length === 0 || isCut() ? from : times.pop()?.from, to))
    }
    return times.map((times) => ({ assets, times }))
  })
  const parts = yield* Effect.forEach(
    wanted,
    (own) => Reconciliation.part(...streams(entries), { ...options, ...own, whole })
  )
  return parts.map(Sent.sent)
})

/** Compares the report of the stretches, or its error, with that of the whole. Returns their number in each family, and the codes. */
const compared = Effect.fnUntraced(function*(
  entries: Entries,
  options: Reconciliation.Options,
  label?: string,
  isCut?: () => boolean
) {
  const whole = yield* Effect.result(Reconciliation.reconcile(...streams(entries), options))
  const survey = yield* Reconciliation.survey(...streams(entries), options)
  const parts = yield* partsOf(entries, options, survey, isCut)
  const merged = yield* Effect.result(Reconciliation.merge(parts, { ...options, ...survey }))
  const told = (result: Result.Result<Report.Report, { readonly message: string }>): string =>
    Result.isSuccess(result) ? Sent.written(result.success) : result.failure.message
  assert.strictEqual(told(merged), told(whole), label)
  for (const { entries, stretches } of survey.whole.families) {
    assert.strictEqual(stretches.reduce((sum, stretch) => sum + stretch.entries, 0), entries)
  }
  return {
    counts: survey.whole.families.map(({ stretches }) => stretches.length),
    codes: Result.isSuccess(whole) ? whole.success.outcomes.map(({ code }) => code) : []
  }
})

describe("a family of assets", () => {
  const reach = 2 * (40 * MINUTE + 2 * HOUR)
  const written: Policy.Policy = { window: { before: "10 minutes", after: "40 minutes" }, late: "2 hours" }
  const at = <A extends Entry.Entry>(entry: A, time: number): A => ({ ...entry, at: Run.T0 + time })
  const [d, t] = [Run.deposit("d", 0), Run.transfer("t", 0)]
  const stretches = (
    deposits: ReadonlyArray<Entry.Entry>,
    transfers: ReadonlyArray<Entry.Entry>,
    policy: Policy.Policy = {}
  ) =>
    Effect.map(
      compared({ deposits, transfers }, { policy: Run.policy({ ...written, ...policy }) }),
      ({ counts }) => counts
    )

  it.effect("is cut where it is silent for longer than any rule looks, and nowhere else", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* stretches([d], [at(t, reach)]), [1])
      assert.deepStrictEqual(yield* stretches([d], [at(t, reach + 1)]), [2])
      assert.deepStrictEqual(yield* stretches([at(d, reach)], [t]), [1])
      assert.deepStrictEqual(yield* stretches([at(d, reach + 1)], [t]), [2])
      const far = { ...t, asset: "btc" }
      assert.deepStrictEqual(yield* stretches([d], [at(far, reach)]), [1])
      assert.deepStrictEqual(yield* stretches([d], [at(far, reach + 1)]), [2])
      assert.deepStrictEqual(yield* stretches([d], [at({ ...t, asset: "ETH" }, 1)]), [1, 1])
      const wide = { per: [{ asset: "ADA", late: "30 hours" }] }
      assert.deepStrictEqual(yield* stretches([d], [at(t, reach + 1)], wide), [1])
      assert.deepStrictEqual(yield* stretches([d], [at(t, reach + 56 * HOUR + 1)], wide), [2])
    }))

  it.effect("is not cut while a deposit settles, or may be shown to settle", () =>
    Effect.gen(function*() {
      const late = { ...d, past: { statuses: [], settledAt: Run.T0 + 3 * DAY } }
      const settled = { lagFrom: "settled" } as const
      assert.deepStrictEqual(yield* stretches([late], [at(t, 3 * DAY + reach)], settled), [1])
      assert.deepStrictEqual(yield* stretches([late], [at(t, 3 * DAY + reach + 1)], settled), [2])
      const pending = { ...d, status: "pending" } as const
      const shown = 7 * DAY + reach / 2
      assert.deepStrictEqual(yield* stretches([pending], [at(t, shown)], settled), [1])
      assert.deepStrictEqual(yield* stretches([pending], [at(t, shown + reach)], settled), [1])
      assert.deepStrictEqual(yield* stretches([pending], [at(t, shown + reach + 1)], settled), [2])
      assert.deepStrictEqual(yield* stretches([pending], [at(t, reach + 1)], { lagFrom: "seen" }), [2])
    }))

  it.effect("is not cut between entries of one id, or of one link", () =>
    Effect.gen(function*() {
      const far = at(t, 30 * DAY)
      const between = at({ ...d, id: "e" }, 15 * DAY)
      assert.deepStrictEqual(yield* stretches([d, at({ ...d, amount: "2" }, 30 * DAY), between], [far]), [1])
      assert.deepStrictEqual(yield* stretches([d, at(d, 30 * DAY), between], [far]), [1])
      assert.deepStrictEqual(yield* stretches([d, at({ ...d, id: "f" }, 30 * DAY), between], [far]), [3])
      const links = [{ deposits: ["d"], transfers: ["t", "absent"] }] as const
      assert.deepStrictEqual(yield* stretches([d, between], [far, at({ ...t, id: "u" }, 60 * DAY)], { links }), [2])
    }))

  it.effect("has the report of the whole, byte for byte, whichever of its stretches are decided together", () =>
    Effect.gen(function*() {
      const codes = new Set<Outcome.Code>()
      let [cut, silent] = [0, 0]
      for (let seed = 1; seed <= Generator.cases(80); seed++) {
        const random = Generator.make(seed)
        const policy = policyOf(random)
        const { late, window } = Run.policy(policy)
        const reach = 2 * (Math.max(window.before, window.after) + late)
        const kind = {
          ...Crowd.kindOf(random),
          most: random.pick([1, 2, 8]),
          minutes: random.pick([10, 200]),
          amounts: random.pick([["10"], ["10", "11", "12"], ["3", "4", "7", "11"]])
        }
        const all = { deposits: new Array<Entry.Entry>(), transfers: new Array<Entry.Entry>() }
        const number = random.int(2, 5)
        let [end, isSilent] = [Run.T0, false]
        for (let session = 0; session < number; session++) {
          const gap = random.pick([-1, 0, 1, 1, HOUR, 30 * DAY]) + random.pick([reach, reach, reach, reach / 2])
          const some = crowd(random, { ...kind, amounts: random.chance(0.1) ? fine : kind.amounts })
          const times = [...some.deposits, ...some.transfers].map(({ at }) => at)
          const by = end + gap - Math.min(...times)
          end = Math.max(...times) + by
          isSilent ||= session > 0 && gap > reach
          const isTwice = random.chance(0.05)
          const own = moved(some, by)
          const named = (
            entry: Entry.Entry
          ): Entry.Entry => (isTwice ? entry : { ...entry, id: `${session} ${entry.id}` })
          all.deposits.push(...own.deposits.map(named))
          all.transfers.push(...own.transfers.map(named))
        }
        const [deposit, transfer] = [all.deposits[0]!, all.transfers.at(-1)!]
        const isLinked = random.chance(0.1) && deposit.asset === transfer.asset
        const links = isLinked ? [{ deposits: [deposit.id], transfers: [transfer.id] }] as const : []
        const options: Reconciliation.Options = {
          policy: Run.policy({ ...policy, links }),
          accounts: { list: ["a", "b"], complete: random.chance(0.5) },
          ...(random.chance(0.5) ? { range: { from: Run.T0, to: Run.T0 + 31 * DAY } } : {})
        }
        const { codes: own, counts } = yield* compared(all, options, `seed ${seed}`, () => random.chance(0.8))
        if (isSilent) silent++
        if (counts.some((count) => count > 1)) cut++
        for (const code of own) codes.add(code)
      }
      assert.isAbove(codes.size, 15)
      assert.isAbove(cut, silent / 2)
      assert.isAbove(silent, Generator.cases(80) / 3)
    }))

  /** A few entries of which each lies 1 ms before, on, or 1 ms behind the farthest moment at which a rule looks from the one before. */
  const onTheEdge = (random: Generator.Generator, policy: Policy.Resolved): Entries => {
    const { late, window: { after, before } } = policy
    const reach = 2 * (Math.max(after, before) + late)
    const gaps = [0, before, after, before + after, after - before, late, before + late, after + late, reach / 2, reach]
    const kind = Crowd.kindOf(random)
    const [account, reference] = [random.pick(kind.accounts), random.pick(kind.references)]
    const all = { deposits: new Array<Entry.Entry>(), transfers: new Array<Entry.Entry>() }
    let time = Run.T0
    const number = random.int(2, 6)
    const far = random.int(1, number - 1)
    for (let index = 0; index < number; index++) {
      time += index === far ? reach + random.pick([1, 1, 2]) : random.pick(gaps) + random.int(-1, 1)
      const side = random.pick(["deposit", "transfer"] as const)
      const settledAt = time + random.pick([0, 1, ...gaps])
      const own = random.chance(0.8) ? account : random.pick(kind.accounts)
      const isLate = side === "deposit" && random.chance(0.3)
      const entry: Entry.Entry = {
        side,
        id: `${index}`,
        asset: random.pick(kind.assets),
        amount: random.pick(["10", "10", "10", "11", "20"]),
        at: time,
        status: random.chance(0.85) ? "settled" : random.pick(["failed", "pending", "unknown"]),
        ...(own === undefined ? {} : { account: own }),
        ...(reference === undefined || random.chance(0.3) ? {} : { reference }),
        ...(isLate ? { past: { statuses: [], settledAt } } : {}),
        ...(side === "transfer" && kind.routed && own !== undefined
          ? random.pick([{ from: own, to: "" }, { from: "", to: own }])
          : {})
      }
      all[`${side}s`].push(entry)
      // What comes next lies behind the whole time that the entry takes.
      if (isLate && random.chance(0.8)) time = settledAt
    }
    return all
  }

  it.effect("has the report of the whole where rules look as far as they can, or 1 ms farther", () =>
    Effect.gen(function*() {
      const codes = new Set<Outcome.Code>()
      let cut = 0
      const cases = Generator.cases(100)
      for (let seed = 1; seed <= cases; seed++) {
        const random = Generator.make(seed)
        const policy = Run.policy(policyOf(random))
        const entries = onTheEdge(random, policy)
        const options = { policy, accounts: { list: ["a", "b"], complete: random.chance(0.5) } }
        const { codes: own, counts } = yield* compared(entries, options, `seed ${seed}`)
        if (counts.some((count) => count > 1)) cut++
        for (const code of own) codes.add(code)
      }
      assert.isAbove(codes.size, 12)
      assert.isAbove(cut, cases / 2)
    }))

  /** Decides BTC in times with these ends, and says why the parts are refused. */
  const refused = Effect.fnUntraced(
    function*(
      entries: Entries,
      ends: ReadonlyArray<readonly [from: number | undefined, to: number | undefined]>,
      change: (parts: ReadonlyArray<Report.Part>) => ReadonlyArray<Report.Part> = (parts) => parts,
      read: (entries: Entries) => Entries = (entries) => entries
    ) {
      const options = { policy: Run.policy(written) }
      const survey = yield* Reconciliation.survey(...streams(entries), options)
      const parts = yield* Effect.forEach(ends, ([from, to]) =>
        Reconciliation.part(...streams(read(entries)), {
          ...options,
          assets: ["BTC"],
          times: Share.times(from, to),
          whole: survey.whole
        }))
      const error = yield* Effect.flip(Reconciliation.merge(change(parts), { ...options, ...survey }))
      return error._tag === "NotParts" ? `${error.reason}: ${error.detail}` : error._tag
    }
  )
  const [second, third] = [Run.T0 + 10 * DAY, Run.T0 + 20 * DAY]
  const [day10, day20] = ["2027-01-25T08:00:00.000Z", "2027-02-04T08:00:00.000Z"]
  const three = { deposits: [d, at({ ...d, id: "e" }, 10 * DAY)], transfers: [at(t, 20 * DAY)] }

  it.effect("is refused where a stretch of it is not in one part", () =>
    Effect.gen(function*() {
      const within = `"BTC" from ${day10} to ${day20}`
      assert.deepStrictEqual(
        yield* Effect.forEach(
          [
            [[undefined, second], [third, undefined]],
            [[undefined, third], [second, undefined]],
            [[undefined, second], [second, third]],
            [[second, third], [third, undefined]],
            [[undefined, second], [undefined, undefined]],
            [[undefined, second], [second, second + 1], [second + 1, undefined]],
            [[undefined, second], [second + 1, undefined]]
          ] as const,
          (ends) => refused(three, ends)
        ),
        [
          `family: none of them has the family of ${within}`,
          `family: 2 of them have some of the family of ${within}`,
          `family: none of them has the family of "BTC" from ${day20} on`,
          `family: none of them has the family of "BTC" before ${day10}`,
          `family: 2 of them have some of the family of "BTC" before ${day10}`,
          `family: 2 of them have some of the family of ${within}`,
          `family: one of them has some of the family of ${within}, and not all`
        ]
      )
    }))

  it.effect("is refused where a cut is between entries of one id", () =>
    Effect.gen(function*() {
      const again = { ...three, deposits: [d, at(d, 10 * DAY)] }
      assert.strictEqual(
        yield* refused(again, [[undefined, second], [second, undefined]]),
        `family: 2 of them have some of the family of "BTC" before ${day20}`
      )
    }))

  it.effect("is refused where a stretch lacks an entry and another has one too many", () =>
    Effect.gen(function*() {
      const late = at({ ...d, id: "late" }, 20 * DAY)
      assert.strictEqual(
        yield* refused(three, [[undefined, third], [third, undefined]], undefined, ({ deposits, transfers }) => ({
          deposits: [...deposits.slice(1), late],
          transfers
        })),
        `entries: 1 entry of "BTC" before ${day20} came, and the run has 2`
      )
    }))

  it.effect("is refused where a stretch comes with the outcomes of another", () =>
    Effect.gen(function*() {
      const swapped = (parts: ReadonlyArray<Report.Part>): ReadonlyArray<Report.Part> =>
        parts.map(({ sums }, index) => ({ sums, outcomes: parts.at(index - 1)?.outcomes ?? [] }))
      assert.strictEqual(
        yield* refused(three, [[undefined, second], [second, third], [third, undefined]], swapped),
        `outcomes: a part of "BTC" before ${day10} has 1 outcome, and its sums count 1 of these entries`
      )
    }))
})
