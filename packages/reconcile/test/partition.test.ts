import { assert, describe, it } from "@effect/vitest"
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { vi } from "vitest"
import type * as Accounts from "../src/Accounts.ts"
import type * as Entry from "../src/Entry.ts"
import type * as Outcome from "../src/Outcome.ts"
import type * as Policy from "../src/Policy.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Report from "../src/Report.ts"
import * as Crowd from "./support/Crowd.ts"
import * as Generator from "./support/Generator.ts"
import * as Pasts from "./support/Pasts.ts"
import * as Run from "./support/Run.ts"

vi.setConfig({ testTimeout: 3_600_000 })

type Slices = ReadonlyArray<Slice.Slice<Entry.Entry>>

interface Books {
  readonly deposits: Slices
  readonly transfers: Slices
  readonly options: Reconciliation.Options
}

/** Names of which some are aliases, and some look alike. */
const familiesOfNames = [
  ["BTC"],
  ["ETH", "eth"],
  ["USDT", "USDT-TRX", "USDTERC20", "TETHER"],
  ["ADA"],
  ["XRP", "XRP.OLD"]
]

const changed = (entry: Entry.Entry, fields: Partial<Entry.Entry>): Entry.Entry => Object.assign({}, entry, fields)

/** Entries of a few families, each with ids of its own but for some that come with several contents. */
const entriesOf = (random: Generator.Generator, side: Entry.Side): ReadonlyArray<Entry.Entry> => {
  const entries = familiesOfNames.filter(() => random.chance(0.7)).flatMap((assets) => {
    const kind = {
      ...Crowd.kindOf(random),
      assets,
      references: random.pick([[undefined], [undefined, "r", "s"]]),
      most: random.pick([3, 14]),
      amounts: random.pick([["10", "11", "12"], Array.from({ length: 12 }, (_, index) => `${index + 5}`)]),
      minutes: random.pick([60, 200, 600]),
      unsettled: ["failed", "pending", "unknown"] as const
    }
    const own = Crowd.entries(random, side, kind).map((entry) => changed(entry, { id: `${entry.id}${assets[0]}` }))
    return random.chance(0.3) ? Pasts.some(random, own, 0.3) : own
  })
  const again = entries.filter(() => random.chance(0.03)).map((entry) =>
    random.chance(0.5) ? entry : changed(entry, { asset: random.pick(familiesOfNames.flat()) })
  )
  // The archive has seen other contents of some, of which some are of another family.
  const share = random.pick([0, 0, 0.2])
  return [...entries, ...again].map((entry): Entry.Entry =>
    random.chance(share)
      ? changed(entry, {
        past: {
          statuses: [],
          conflicts: [JSON.stringify({ asset: random.pick(familiesOfNames.flat()), amount: entry.amount })]
        }
      })
      : entry
  ).toSorted((one, other) => one.at - other.at)
}

const badOf = (random: Generator.Generator, side: Entry.Side): ReadonlyArray<BadRecord.BadRecord> =>
  Array.from({ length: random.pick([0, 0, 1, 4]) }, () => ({
    side,
    source: "a file, line 3",
    path: random.pick(["amount", "at"]),
    reason: "no",
    raw: "x"
  }))

const coverageOf = (random: Generator.Generator, side: Entry.Side, from: number, to: number): Coverage.Coverage => {
  const operation = side === "deposit" ? "deposits" : "transfers"
  const readAt = Run.T0 + random.pick([700, 700, 100_000]) * Run.MINUTE
  return random.chance(0.8)
    ? { operation, from, to, readAt: Math.max(readAt, to), state: "complete" }
    : { operation, from, to, readAt, state: "incomplete", gap: { code: "failed-page", detail: "HTTP 503" } }
}

const slicesOf = (random: Generator.Generator, side: Entry.Side): Slices => {
  const entries = entriesOf(random, side)
  const cuts = [-600, random.int(-100, 200), random.int(200, 400), 700].map((minutes) => Run.T0 + minutes * Run.MINUTE)
  return cuts.slice(1).map((to, index): Slice.Slice<Entry.Entry> => {
    const from = cuts[index] ?? to
    return {
      from,
      to,
      records: entries.filter(({ at }) => at >= from && at < to),
      bad: badOf(random, side),
      coverage: [coverageOf(random, side, from, to)]
    }
  })
}

/** Decisions about entries: links, of which some join different assets, exclusions and forbidden pairs. */
const decisionsOf = (
  random: Generator.Generator,
  deposits: ReadonlyArray<Entry.Entry>,
  transfers: ReadonlyArray<Entry.Entry>
): Policy.Policy => {
  const anyOf = (entries: ReadonlyArray<Entry.Entry>): Entry.Entry => entries[random.int(0, entries.length - 1)]!
  if (deposits.length * transfers.length === 0) return {}
  const deposit = anyOf(deposits)
  const like = transfers.filter(({ asset }) => asset === deposit.asset)
  const transfer = like.length === 0 || random.chance(0.1) ? anyOf(transfers) : anyOf(like)
  const set = [anyOf(deposits), anyOf(transfers)].filter(({ id }) => id !== deposit.id && id !== transfer.id)
  return {
    links: random.chance(0.3) && (like.length > 0 || random.chance(0.2))
      ? [{ deposits: [deposit.id, ...(random.chance(0.5) ? ["absent"] : [])], transfers: [transfer.id] }]
      : [],
    exclude: random.chance(0.3) ? [...set.map(({ id, side }) => ({ id, side })), { id: "unheard" }] : [],
    forbid: random.chance(0.4) ? [{ deposit: anyOf(deposits).id, transfer: anyOf(transfers).id }] : []
  }
}

const policyOf = (random: Generator.Generator): Policy.Policy => ({
  assets: { aliases: random.pick([[["TETHER", "USDT"]], [["USDT", "TETHER"], ["XBT", "BTC"]], [["ETH", "WETH"]]]) },
  window: { before: random.pick(["1 minute", "10 minutes"]), after: random.pick(["20 minutes", "40 minutes"]) },
  late: random.pick(["0 minutes", "30 minutes", "2 hours"]),
  tolerance: { absolute: random.pick(["0", "0", "1"]) },
  fees: random.pick([[], [], [{ flat: "1" }]]),
  per: random.pick([[], [{ asset: "ADA", window: { after: "3 hours" }, late: "5 hours" }]]),
  reference: random.pick(["prefer", "require", "ignore"]),
  lagFrom: random.pick(["seen", "settled"]),
  grouping: { manyToOne: random.chance(0.3), oneToMany: random.chance(0.3) }
})

const accountsOf = (random: Generator.Generator): Accounts.Accounts =>
  random.pick([{ list: [], complete: false }, { list: ["a"], complete: true }, {
    list: ["a", "b", "c"],
    complete: true
  }])

/** Accepts some breaks, whoever asks. */
const accepted = ({ code, id }: Outcome.Outcome): Outcome.Accepted | undefined =>
  id < "5" && code !== "class-short"
    ? { decision: 3, by: "a controller", reason: "timing", words: "as agreed" }
    : undefined

const booksOf = (random: Generator.Generator): Books => {
  const [deposits, transfers] = [slicesOf(random, "deposit"), slicesOf(random, "transfer")]
  const entries = (slices: Slices) => slices.flatMap(({ records }) => records)
  const range = random.pick([undefined, [-600, 700], [50, 200]] as const)
  return {
    deposits,
    transfers,
    options: {
      policy: Run.policy({ ...policyOf(random), ...decisionsOf(random, entries(deposits), entries(transfers)) }),
      accounts: accountsOf(random),
      ...(range === undefined
        ? {}
        : { range: { from: Run.T0 + range[0] * Run.MINUTE, to: Run.T0 + range[1] * Run.MINUTE } }),
      ...(random.chance(0.5) ? { accepted } : {})
    }
  }
}

const sums = Schema.fromJsonString(Report.Sums)
const outcomesOf = Schema.decodeSync(Schema.fromJsonString(Schema.Array(Report.ReportOutcome)))

/** Sends a part to another machine. */
const sent = (part: Report.Part): Report.Part => ({
  sums: Schema.decodeSync(sums)(Schema.encodeSync(sums)(part.sums)),
  outcomes: outcomesOf(JSON.stringify(part.outcomes.map(Report.written)))
})

/** Deals the families out to some parts, and decides each. */
const partsOf = Effect.fnUntraced(function*(
  random: Generator.Generator,
  { deposits, options, transfers }: Books,
  { whole }: Reconciliation.Survey
) {
  const dealt = Array.from({ length: random.int(1, 6) }, () => new Array<string>())
  for (const { assets } of whole.families) random.pick(dealt).push(...assets)
  const parts = yield* Effect.forEach(dealt, (assets) => {
    // Some sources know the assets beforehand.
    const of = (slices: Slices): Slices =>
      slices.map((slice) => ({ ...slice, records: slice.records.filter(({ asset }) => assets.includes(asset)) }))
    const [left, right] = random.chance(0.5) ? [deposits, transfers] : [of(deposits), of(transfers)]
    return Reconciliation.part(Stream.fromIterable(left), Stream.fromIterable(right), { ...options, assets, whole })
  })
  return random.shuffle(parts.map(sent))
})

const written = (report: Report.Report): string =>
  JSON.stringify({ ...report, outcomes: report.outcomes.map(Report.writtenIn(report.range)) })

const streams = ({ deposits, transfers }: Books) =>
  [Stream.fromIterable(deposits), Stream.fromIterable(transfers)] as const

const ENOUGH = 60

/** What the books of so many seeds bring about. */
const wanted = [
  "failure",
  "parts",
  "alike",
  "accepted",
  "links",
  "excludes",
  "vouched",
  "came again",
  "could not be used",
  "asset-mismatch",
  "source-conflict",
  "duplicate-suspect",
  "linked",
  "coverage-gap",
  "bad-record"
]

describe("the report of a run that is decided in parts", () => {
  it.effect("is that of the run decided at once, byte for byte, whichever families each part has", () =>
    Effect.gen(function*() {
      const met = new Set<string>()
      for (let seed = 1; seed <= Math.max(Generator.cases(ENOUGH), ENOUGH); seed++) {
        const random = Generator.make(seed)
        const books = booksOf(random)
        const whole = yield* Effect.result(Reconciliation.reconcile(...streams(books), books.options))
        const survey = yield* Reconciliation.survey(...streams(books), books.options)
        const parts = yield* partsOf(random, books, survey)
        const merged = yield* Effect.result(Reconciliation.merge(parts, { ...books.options, ...survey }))
        if (Result.isFailure(whole)) {
          assert.deepStrictEqual(Result.isFailure(merged) ? merged.failure.message : "", whole.failure.message)
          met.add("failure")
          continue
        }
        if (Result.isFailure(merged)) throw merged.failure
        assert.strictEqual(written(merged.success), written(whole.success), `seed ${seed}`)
        const { outcomes, ...summary } = whole.success
        const added = yield* Reconciliation.mergeSums(parts.map((part) => part.sums), { ...books.options, ...survey })
        assert.deepStrictEqual(added.summary, summary)
        assert.deepStrictEqual(added.outcomes, outcomes.filter(({ bad }) => bad !== undefined))
        for (const { outcomes: own, sums: { assets } } of parts) {
          const isForeign = ({ asset }: Entry.Entry): boolean => !assets.includes(asset)
          assert.isFalse(own.some(({ deposits, transfers }) => deposits.some(isForeign) || transfers.some(isForeign)))
        }
        if (parts.filter((part) => part.outcomes.length > 0).length > 2) met.add("parts")
        if (new Set(added.outcomes.map(({ bad }) => JSON.stringify(bad))).size < added.outcomes.length) met.add("alike")
        for (const { accepted: is, code } of outcomes) met.add(is === undefined ? code : "accepted")
        for (const words of ["links", "excludes", "vouched", "came again", "could not be used"]) {
          if (summary.warnings.some((warning) => warning.includes(words))) met.add(words)
        }
      }
      assert.deepStrictEqual(wanted.filter((what) => !met.has(what)), [])
    }))
})

describe("parts that do not make one run", () => {
  const books = (() => {
    for (let seed = 1;; seed++) {
      const found = booksOf(Generator.make(seed))
      if (found.deposits.some(({ bad }) => bad.length > 0)) return found
    }
  })()
  const merged = (
    change: (all: ReadonlyArray<Report.Part>) => ReadonlyArray<Report.Part>,
    otherwise: Partial<Reconciliation.MergeOptions> = {}
  ) =>
    Effect.gen(function*() {
      const survey = yield* Reconciliation.survey(...streams(books), books.options)
      const [first, ...rest] = survey.whole.families.map(({ assets }) => assets)
      const { whole } = survey
      const parts = yield* Effect.forEach([first ?? [], rest.flat()], (assets) =>
        Reconciliation.part(...streams(books), { ...books.options, assets, whole }))
      const result = yield* Effect.result(
        Reconciliation.merge(change(parts), { ...books.options, ...survey, ...otherwise })
      )
      return Result.isFailure(result) ? result.failure : undefined
    })
  const reasonOf = (...of: Parameters<typeof merged>) =>
    Effect.map(merged(...of), (error) => (error?._tag === "NotParts" ? error.reason : error))

  it.effect("are refused", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* reasonOf((all) => all), undefined)
      assert.strictEqual(yield* reasonOf((all) => all.slice(1)), "family")
      assert.strictEqual(yield* reasonOf((all) => [...all, ...all.slice(1)]), "family")
      const renamed = (part: Report.Part, index: number): Report.Part => ({
        ...part,
        sums: { ...part.sums, assets: index === 0 ? part.sums.assets.slice(1) : part.sums.assets }
      })
      assert.strictEqual(yield* reasonOf((all) => all.map(renamed)), "family")
      const one = (change: (part: Report.Part) => Report.Part) => (all: ReadonlyArray<Report.Part>) =>
        all.map((part, index) => index === 1 ? change(part) : part)
      assert.strictEqual(
        yield* reasonOf(one(({ outcomes, sums }) => ({ sums, outcomes: outcomes.slice(1) }))),
        "outcomes"
      )
      assert.strictEqual(
        yield* reasonOf(([left, right]) =>
          left === undefined || right === undefined ? [] : [
            { ...left, outcomes: right.outcomes.slice(0, left.outcomes.length) },
            { ...right, outcomes: [...right.outcomes.slice(left.outcomes.length), ...left.outcomes] }
          ]
        ),
        "outcomes"
      )
      assert.strictEqual(yield* reasonOf((all) => all, { bad: [] }), "bad")
      assert.strictEqual(yield* reasonOf((all) => all, { policy: Run.policy({ late: "7 hours" }) }), "question")
      assert.strictEqual(
        yield* reasonOf((all) => all, { accounts: { list: ["z"], complete: false } }),
        "question"
      )
      assert.strictEqual(
        yield* reasonOf((all) => all, { range: { from: Run.T0, to: Run.T0 + Run.MINUTE } }),
        "question"
      )
    }))

  it.effect("say what came, what was wanted, and what to do", () =>
    Effect.gen(function*() {
      const error = yield* merged((all) => all.slice(1))
      assert.match(
        error?.message ?? "",
        /^the parts do not make one run: none of them has the family of "[^;]+; give all assets of each family to one part, /
      )
    }))

  it.effect("are not decided where one reads more bad records than its run has", () =>
    Effect.gen(function*() {
      const { whole } = yield* Reconciliation.survey(...streams(books), books.options)
      const none = { ...whole, bad: { deposit: 0, transfer: 0 } }
      const error = yield* Effect.flip(
        Reconciliation.part(...streams(books), { ...books.options, assets: ["BTC"], whole: none })
      )
      assert.strictEqual(error._tag === "NotParts" ? error.reason : error._tag, "bad")
    }))

  const alone = (side: Entry.Side, id: string, asset: string): Entry.Entry =>
    side === "deposit" ? Run.deposit(id, 0, { asset }) : Run.transfer(id, 10, { asset })
  const decided = (
    read: (assets: ReadonlyArray<string>) => readonly [ReadonlyArray<Entry.Entry>, ReadonlyArray<Entry.Entry>],
    all: readonly [ReadonlyArray<Entry.Entry>, ReadonlyArray<Entry.Entry>]
  ) =>
    Effect.gen(function*() {
      const slices = (records: ReadonlyArray<Entry.Entry>): Stream.Stream<Slice.Slice<Entry.Entry>> =>
        Stream.make({ from: Run.T0 - Run.DAY, to: Run.T0 + Run.DAY, records, bad: [], coverage: [] })
      const sides = ([deposits, transfers]: typeof all) => [slices(deposits), slices(transfers)] as const
      const survey = yield* Reconciliation.survey(...sides(all))
      const parts = yield* Effect.forEach([["BTC"], ["ETH"]], (assets) =>
        Reconciliation.part(...sides(read(assets)), { assets, whole: survey.whole }))
      return yield* Effect.flip(Reconciliation.merge(parts, survey))
    })

  it.effect("are refused where they tear assets apart that one id joins, although their names have nothing in common", () =>
    Effect.gen(function*() {
      const all = [
        [alone("deposit", "x", "BTC"), alone("deposit", "x", "ETH")],
        [alone("transfer", "t1", "BTC"), alone("transfer", "t2", "ETH")]
      ] as const
      const error = yield* decided(() => all, all)
      assert.strictEqual(error._tag === "NotParts" ? error.reason : error._tag, "family")
    }))

  it.effect("are refused where one lacks an entry and another has one too many", () =>
    Effect.gen(function*() {
      const transfers = [alone("transfer", "ta", "BTC"), alone("transfer", "tb", "ETH")]
      const [a, b, late] = [alone("deposit", "a", "BTC"), alone("deposit", "b", "ETH"), alone("deposit", "late", "ETH")]
      const error = yield* decided((assets) => [assets.includes("BTC") ? [] : [b, late], transfers], [
        [a, b],
        transfers
      ])
      assert.strictEqual(error._tag === "NotParts" ? error.reason : error._tag, "entries")
      assert.include(error.message, `1 entry of "BTC" came, and the run has 2; let all parts read`)
    }))
})
