/** Each entry and each outcome belongs to exactly one day, so that the reports of days add up to the report of all of them. */
import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import type * as Coverage from "@tallystick/core/Coverage"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Entry from "../src/Entry.ts"
import * as Matching from "../src/Matching.ts"
import type * as Outcome from "../src/Outcome.ts"
import * as Policy from "../src/Policy.ts"
import * as Report from "../src/Report.ts"
import * as Generator from "./support/Generator.ts"
import * as Run from "./support/Run.ts"

const { DAY, HOUR, MINUTE } = Run

interface Book {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly policy?: Policy.Resolved
  /** Records that could not be read. */
  readonly bad?: number
}

const within = (coverage: ReadonlyArray<Coverage.Coverage>, { from, to }: Coverage.Interval) =>
  coverage.map((one) => ({ ...one, from: Math.max(one.from, from), to: Math.min(one.to, to) }))

/** The report of a range, made of the entries of `read` alone; both are everything unless given. */
const reportOf = (
  { bad = 0, deposits, policy = Policy.defaults, transfers }: Book,
  range?: Coverage.Interval,
  read: Coverage.Interval = { from: 0, to: Number.MAX_SAFE_INTEGER }
): Report.Report => {
  const isRead = Report.isInRange(read)
  const about = {
    policy,
    coverage: within(Run.complete, read),
    accounts: { list: ["a"], complete: true },
    ...(range === undefined ? {} : { range })
  }
  const output = Matching.match({
    ...about,
    deposits: deposits.filter(isRead),
    transfers: transfers.filter(isRead),
    bad: Array.from({ length: bad }, (_, index) => ({
      side: "deposit" as const,
      source: `a file, line ${index}`,
      path: "amount",
      reason: "no",
      raw: "x"
    }))
  })
  return Report.make({ ...about, ...output })
}

/** Every number of a report that is of entries or of outcomes, by its name; those that are zero are left out. */
const numbersOf = ({ ageing, counts, lags, matchRate, totals }: Report.Report): ReadonlyMap<string, bigint> => {
  const SCALE = 64
  const units = (text: string): bigint =>
    text.startsWith("-") ? -Amount.units(text.slice(1), SCALE) : Amount.units(text, SCALE)
  const numbers = new Map<string, bigint>()
  const add = (name: string, number: bigint | number): void => {
    const sum = (numbers.get(name) ?? 0n) + BigInt(number)
    if (sum === 0n) numbers.delete(name)
    else numbers.set(name, sum)
  }
  for (const { asset, net, ...total } of totals) {
    for (const side of ["deposits", "transfers"] as const) {
      for (const [line, { count, sum }] of Object.entries(total[side])) {
        add(`${asset} ${side} ${line} count`, count)
        add(`${asset} ${side} ${line} sum`, units(sum))
      }
    }
    for (const [line, sum] of Object.entries(net)) add(`${asset} net ${line}`, units(sum))
  }
  for (const { code, deposits, outcomes, transfers } of counts) {
    // A record that could not be read has no time, and is in the report of each day beside which it was read.
    if (code === "bad-record") continue
    for (const [name, number] of Object.entries({ deposits, outcomes, transfers })) add(`${code} ${name}`, number)
  }
  for (const side of ["deposits", "transfers"] as const) {
    add(`rate of ${side}, matched`, matchRate[side].matched)
    add(`rate of ${side}, of`, matchRate[side].of)
  }
  add("lags", lags?.count ?? 0)
  for (const { entries, from, outcomes } of ageing) {
    add(`outcomes aged ${from}`, outcomes)
    add(`entries aged ${from}`, entries)
  }
  return numbers
}

const added = (reports: ReadonlyArray<Report.Report>): Record<string, bigint> => {
  const sums: Record<string, bigint> = {}
  for (const report of reports) {
    for (const [name, number] of numbersOf(report)) sums[name] = (sums[name] ?? 0n) + number
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n))
}

/** The days of a zone around a moment, as the command names them: one before its own day, and two after it. */
const daysAround = (zone: string, at: number): ReadonlyArray<Coverage.Interval> => {
  const there = DateTime.toParts(DateTime.makeZonedUnsafe(at, { timeZone: zone }))
  return [-1, 0, 1, 2].flatMap((days) => {
    const day = DateTime.makeUnsafe({ year: there.year, month: there.month, day: there.day + days })
    // A day that the clocks of the zone jumped over is none.
    const range = TimeRange.businessDay(DateTime.formatIsoDateUtc(day), zone)
    return Result.isSuccess(range) ? [range.success] : []
  })
}

const offsetAt = (zone: string, at: number): number =>
  DateTime.zonedOffset(DateTime.makeZonedUnsafe(at, { timeZone: zone }))

/** A moment within an hour of a change of the zone's clocks in that year; any moment of a year without one. */
const changeOf = (zone: string, year: number, random: Generator.Generator): number => {
  const months = Array.from({ length: 13 }, (_, month) => Date.UTC(year, month))
  const changes = months.slice(1).flatMap((end, index) => {
    let [low, high] = [months[index] ?? end, end]
    const before = offsetAt(zone, low)
    if (before === offsetAt(zone, high)) return []
    while (high - low > HOUR) {
      const middle = Math.floor((low + high) / 2)
      if (offsetAt(zone, middle) === before) low = middle
      else high = middle
    }
    return [high]
  })
  return changes.length === 0 ? Date.UTC(year, 0, random.int(4, 360)) : random.pick(changes)
}

const policy = Run.policy({
  // What is late is looked for nearer than from one midnight to the next, so that a day is decided by what surrounds it.
  late: "6 hours",
  assets: { aliases: [["USDT", "USDT-TRX"]] },
  fees: [{ asset: "BTC", flat: "0.001" }],
  grouping: { manyToOne: true, oneToMany: true },
  minAmount: { DUST: "1000" }
})

/** Entries near the ends of the inner days: midnight cuts pairs, groups, classes and attempts that failed. */
const bookOf = (random: Generator.Generator, days: ReadonlyArray<Coverage.Interval>): Book => {
  const deposits: Array<Entry.Entry> = []
  const transfers: Array<Entry.Entry> = []
  const add = (side: Entry.Side, at: number, fields: Partial<Entry.Entry>): void => {
    const entries = side === "deposit" ? deposits : transfers
    entries.push({
      side,
      id: `${side[0]}${entries.length}`,
      asset: "BTC",
      amount: "1",
      status: "settled",
      ...fields,
      at
    })
  }
  const ends = days.slice(1, -1).map(({ to }) => to)
  for (let count = random.int(5, 14); count > 0; count--) {
    const at = random.pick(ends) + random.int(-90, 90) * MINUTE + random.pick([0, 0, -1, random.int(0, 59_999)])
    const account = random.pick([undefined, "a"])
    const fields = {
      asset: random.pick(["BTC", "BTC", "USDT", "USDT-TRX", "DUST"]),
      amount: random.pick(["1", "2", "2", "0.75", `10.${random.int(1, 999_999_999)}`]),
      status: random.chance(0.9) ? "settled" as const : random.pick(["pending", "failed", "unknown"] as const),
      ...(account === undefined ? {} : { account })
    }
    const later = (): number => at + random.int(-1, 80) * MINUTE
    const kind = random.next()
    if (kind < 0.9) add("deposit", at, fields)
    if (kind < 0.5) add("transfer", later(), fields)
    else if (kind < 0.6) add("transfer", later(), { ...fields, asset: "BTC", amount: "0.999" })
    else if (kind < 0.7) add("transfer", later(), { ...fields, status: "failed" })
    else if (kind < 0.8) {
      add("deposit", at + random.int(0, 20) * MINUTE, fields)
      const [units, scale] = [2n * Amount.units(fields.amount, 9), 9]
      add("transfer", later(), { ...fields, amount: Amount.format(units, scale) })
    } else if (kind > 0.9) add("transfer", at, fields)
  }
  return { deposits, transfers, policy, bad: random.int(0, 1) }
}

/** Names that an earlier edition of the time zones had, or a later one has, are as good: whatever this machine knows is tried. */
const zones = [...Intl.supportedValuesOf("timeZone"), "+05:45", "-12:00"]

/** Days that were jumped over, halves of an hour, clocks that are turned at midnight, and changes for good. */
const odd = [
  ["Pacific/Apia", Date.UTC(2011, 11, 30, 10)],
  ["Pacific/Fakaofo", Date.UTC(2011, 11, 30, 12)],
  ["Australia/Lord_Howe", Date.UTC(2026, 3, 4, 15)],
  ["America/Sao_Paulo", Date.UTC(2018, 10, 4, 3)],
  ["America/Havana", Date.UTC(2026, 10, 1, 5)],
  ["Asia/Beirut", Date.UTC(2026, 2, 28, 22)],
  ["Asia/Pyongyang", Date.UTC(2018, 4, 4, 15)],
  ["Africa/Casablanca", Date.UTC(2026, 1, 15, 2)]
] as const

interface Tried {
  readonly whole: Report.Report
  readonly days: ReadonlyArray<Report.Report>
}

/** Reconciles a book as a whole, and each day with what surrounds it, as far as the policy looks; then compares them. */
const tried = (zone: string, at: number, random: Generator.Generator): Tried => {
  const days = daysAround(zone, at)
  const name = `${zone} at ${new Date(at).toISOString()}`
  days.slice(1).forEach(({ from }, index) => assert.strictEqual(from, days[index]?.to, name))
  const book = bookOf(random, days)
  const whole = reportOf(book)
  const wide = Policy.horizon(policy)
  const reports = days.map((day) => reportOf(book, day, { from: day.from - wide, to: day.to + wide }))
  assert.deepStrictEqual(added(reports), added([whole]), name)
  assert.strictEqual(reports.every(({ clean }) => clean), whole.clean, name)
  const own = reports.flatMap(({ outcomes, range }) => outcomes.filter(Report.isOfRange(range)))
  const ids = (outcomes: ReadonlyArray<Outcome.Outcome>) =>
    outcomes.filter(({ code }) => code !== "bad-record").map(({ id }) => id).toSorted()
  assert.deepStrictEqual(ids(own), ids(whole.outcomes), name)
  return { whole, days: reports }
}

describe("the reports of days", () => {
  it("add up to the report of all of them, in every zone and over changes of its clocks", () => {
    const codes = new Map<Outcome.Code, number>()
    const turned = new Set<number>()
    const moments = [
      ...odd,
      ...zones.map((zone, index) => {
        const random = Generator.make(index)
        return [zone, changeOf(zone, random.int(2010, 2037), random)] as const
      })
    ]
    for (const [index, [zone, at]] of moments.entries()) {
      const { days } = tried(zone, at, Generator.make(1000 + index))
      for (const { counts, range } of days) {
        turned.add((range?.to ?? 0) - (range?.from ?? 0))
        for (const { code, ofOtherDays } of counts) {
          codes.set(code, (codes.get(code) ?? 0) + (ofOtherDays?.outcomes ?? 0))
        }
      }
    }
    // Days of 23, 23½, 24, 24½ and 25 hours at least, and outcomes of most kinds that midnight cuts.
    for (const hours of [23, 23.5, 24, 24.5, 25]) assert.isTrue(turned.has(hours * HOUR), `${hours} hours`)
    for (const code of ["exact", "fee", "grouped", "class-short", "failed-attempt", "late", "ambiguous"] as const) {
      assert.isAbove(codes.get(code) ?? 0, 0, code)
    }
  })

  it("add up for one zone over many books", () => {
    for (let seed = 0; seed < Generator.cases(100); seed++) {
      tried("Europe/Berlin", Date.UTC(2026, 9, 25, 1), Generator.make(seed))
    }
  })
})

const MIDNIGHT = Date.UTC(2026, 10, 20)
const monday = { from: MIDNIGHT - DAY, to: MIDNIGHT }
const tuesday = { from: MIDNIGHT, to: MIDNIGHT + DAY }

const minutes = (at: number): number => (MIDNIGHT - Run.T0) / MINUTE + at
const deposit = (id: string, at: number, fields: Partial<Entry.Entry> = {}) => Run.deposit(id, minutes(at), fields)
const transfer = (id: string, at: number, fields: Partial<Entry.Entry> = {}) => Run.transfer(id, minutes(at), fields)

/** What both days say of a book: deposits and transfers of a line, of the day and of other days. */
const both = (book: Book, line: Report.Bucket | "in" = "in") =>
  [monday, tuesday].map((day) => {
    const { totals: [total] } = reportOf(book, day)
    return [
      [total?.deposits[line].count, total?.transfers[line].count],
      [total?.ofOtherDays?.deposits[line].count ?? 0, total?.ofOtherDays?.transfers[line].count ?? 0]
    ]
  })

const countsOf = (book: Book, day: Coverage.Interval) => reportOf(book, day).counts

describe("a pair that midnight cuts", () => {
  const book = { deposits: [deposit("d", -10)], transfers: [transfer("t", 5)] }

  it("has its deposit in the totals of one day, and its transfer in those of the next", () => {
    assert.deepStrictEqual(both(book), [[[1, 0], [0, 1]], [[0, 1], [1, 0]]])
    assert.deepStrictEqual(both(book, "matched"), [[[1, 0], [0, 1]], [[0, 1], [1, 0]]])
  })

  it("belongs to the day of its deposit, which alone counts it and its lag", () => {
    const code = { outcome: "matched", code: "exact" } as const
    assert.deepStrictEqual(countsOf(book, monday), [{
      ...code,
      outcomes: 1,
      deposits: 1,
      transfers: 0,
      ofOtherDays: { outcomes: 0, deposits: 0, transfers: 1 }
    }])
    assert.deepStrictEqual(countsOf(book, tuesday), [{
      ...code,
      outcomes: 0,
      deposits: 0,
      transfers: 1,
      ofOtherDays: { outcomes: 1, deposits: 1, transfers: 0 }
    }])
    assert.strictEqual(reportOf(book, monday).lags?.p50, 15 * MINUTE)
    assert.isNull(reportOf(book, tuesday).lags)
  })

  it("belongs to the day of its deposit also where the transfer came first", () => {
    const early = {
      ...book,
      transfers: [transfer("t", -11)],
      deposits: [deposit("d", 1)],
      policy: Run.policy({ window: { before: "1 hour" } })
    }
    assert.deepStrictEqual(countsOf(early, monday).map(({ outcomes }) => outcomes), [0])
    assert.deepStrictEqual(countsOf(early, tuesday).map(({ outcomes }) => outcomes), [1])
  })

  it("is matched on both days, each of which has all of its own entries matched", () => {
    const [first, second] = [reportOf(book, monday), reportOf(book, tuesday)]
    assert.deepStrictEqual(first.matchRate, { deposits: { matched: 1, of: 1 }, transfers: { matched: 0, of: 0 } })
    assert.deepStrictEqual(second.matchRate, { deposits: { matched: 0, of: 0 }, transfers: { matched: 1, of: 1 } })
    assert.isTrue(first.clean && second.clean)
  })

  it("leaves a difference in the line of matches, which its other part makes up for", () => {
    const fee = {
      ...book,
      transfers: [transfer("t", 5, { amount: "0.999" })],
      policy: Run.policy({ fees: [{ flat: "0.001" }] })
    }
    for (const [day, own, others] of [[monday, "1", "-0.999"], [tuesday, "-0.999", "1"]] as const) {
      const { totals: [total] } = reportOf(fee, day)
      assert.deepStrictEqual([total?.net.residual, total?.ofOtherDays?.net.residual], [own, others])
    }
  })
})

describe("an outcome with entries of two days", () => {
  it("belongs to the day of its earliest deposit where it is a group", () => {
    const group = {
      deposits: [deposit("d1", -20, { amount: "3" }), deposit("d2", 5, { amount: "4" })],
      transfers: [transfer("t", 20, { amount: "7" })],
      policy: Run.policy({ grouping: { manyToOne: true } })
    }
    assert.deepStrictEqual(countsOf(group, monday).map(({ code, outcomes }) => [code, outcomes]), [["grouped", 1]])
    assert.deepStrictEqual(countsOf(group, tuesday).map(({ code, outcomes }) => [code, outcomes]), [["grouped", 0]])
    assert.deepStrictEqual(both(group, "matched"), [[[1, 0], [1, 1]], [[1, 1], [1, 0]]])
  })

  it("belongs to the day of its first transfer where it has no deposit", () => {
    const reversed = {
      deposits: [],
      transfers: [
        transfer("t1", -3, { from: "a", to: "master" }),
        transfer("t2", 3, { from: "master", to: "a" })
      ]
    }
    const codes = (day: Coverage.Interval) => countsOf(reversed, day).map(({ code, outcomes }) => [code, outcomes])
    assert.deepStrictEqual([codes(monday), codes(tuesday)], [[["reversed", 1]], [["reversed", 0]]])
  })

  it("keeps both days from being clean where it is open: an entry of each is open in it", () => {
    const late = { deposits: [deposit("d", -10)], transfers: [transfer("t", 90)] }
    assert.deepStrictEqual(countsOf(late, tuesday).map(({ code, outcomes }) => [code, outcomes]), [["late", 0]])
    assert.deepStrictEqual(both(late, "open"), [[[1, 0], [0, 1]], [[0, 1], [1, 0]]])
    assert.deepStrictEqual([monday, tuesday].map((day) => reportOf(late, day).clean), [false, false])
    // The discrepancy has its age on one day, and each of its entries on its own.
    const aged = [monday, tuesday].map((day) => {
      const { ageing } = reportOf(late, day)
      return [ageing.reduce((sum, age) => sum + age.outcomes, 0), ageing.reduce((sum, age) => sum + age.entries, 0)]
    })
    assert.deepStrictEqual(aged, [[1, 1], [0, 1]])
  })

  it("counts the certain pairs of a class by its first entries on each side, whichever they are", () => {
    const short = {
      deposits: [deposit("d1", -1), deposit("d2", 1)],
      transfers: [transfer("t", 10)]
    }
    assert.deepStrictEqual(reportOf(short).counts.map(({ code }) => code), ["class-short"])
    assert.deepStrictEqual(both(short, "matched"), [[[1, 0], [0, 1]], [[0, 1], [1, 0]]])
    assert.deepStrictEqual(both(short, "open"), [[[0, 0], [1, 0]], [[1, 0], [0, 0]]])
  })
})

describe("a record that could not be read", () => {
  it("is in the report of every day beside which it was read, because nobody knows its time", () => {
    for (const day of [monday, tuesday]) {
      const { clean, counts } = reportOf({ deposits: [], transfers: [], bad: 1 }, day)
      assert.deepStrictEqual(counts.map(({ code, outcomes }) => [code, outcomes]), [["bad-record", 1]])
      assert.isFalse(clean)
    }
  })
})

describe("a report of an earlier version", () => {
  it("is still read, with the numbers that it has", () => {
    const made = reportOf({ deposits: [deposit("d", -10)], transfers: [transfer("t", 5)] }, tuesday)
    const line = { count: 1, sum: "1" }
    const none = { count: 0, sum: "0" }
    const side = { in: line, matched: line, open: none, pending: none, undetermined: none, setAside: none }
    const { net } = reportOf({ deposits: [], transfers: [transfer("t", 5)] }, tuesday).totals[0] ?? {}
    const earlier = {
      ...made,
      version: 1,
      totals: [{ asset: "BTC", assets: ["BTC"], deposits: side, transfers: side, net }],
      counts: [{ outcome: "matched", code: "exact", outcomes: 1, deposits: 1, transfers: 1 }]
    }
    const { counts, totals, version } = earlier
    const written = { ...Schema.encodeSync(Report.Report)(made), version, totals, counts }
    assert.deepStrictEqual<unknown>(Schema.decodeUnknownSync(Report.Report)(written), earlier)
  })
})

describe("each entry of a written outcome", () => {
  it("says whether it lies in the range, and is read back without that", () => {
    const { outcomes: [pair] } = reportOf({ deposits: [deposit("d", -10)], transfers: [transfer("t", 5)] }, tuesday)
    assert.isDefined(pair)
    const told = (range: Report.Summary["range"]) => {
      const { deposits, transfers } = Report.writtenIn(range)(pair)
      return [...deposits, ...transfers].map(({ inRange }) => inRange)
    }
    assert.deepStrictEqual([told(tuesday), told(monday), told(null)], [[false, true], [true, false], [true, true]])
    const read = Schema.decodeUnknownSync(Report.ReportOutcome)(
      JSON.parse(JSON.stringify(Report.writtenIn(tuesday)(pair)))
    )
    assert.deepStrictEqual(read, pair)
  })
})
