import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type * as Entry from "../src/Entry.ts"
import * as Explanation from "../src/Explanation.ts"
import * as Collector from "../src/internal/report/Collector.ts"
import * as Seen from "../src/internal/report/Seen.ts"
import * as SeenForm from "../src/internal/report/SeenForm.ts"
import { Counted } from "../src/internal/report/Sums.ts"
import type * as Outcome from "../src/Outcome.ts"
import * as Books from "./support/Books.ts"
import * as Generator from "./support/Generator.ts"
import * as Run from "./support/Run.ts"

const { deposit, transfer } = Run

/** Deals items out at random, some parts without any, and gives the parts in any order. */
const split = <A>(random: Generator.Generator, items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => {
  const parts = Array.from({ length: random.int(1, 6) }, () => new Array<A>())
  for (const one of random.shuffle(items)) random.pick(parts).push(one)
  return parts
}

const through = <A, I>(schema: Schema.Codec<A, I>, value: A): A => {
  const json = Schema.fromJsonString(schema)
  return Schema.decodeSync(json)(Schema.encodeSync(json)(value))
}

const accepted = { decision: 3, by: "a controller", reason: "timing", words: "as agreed" }

/** Accepts some breaks, and has entries of which nobody says whose they are. */
const decided = (random: Generator.Generator) => (outcome: Outcome.Outcome): Outcome.Outcome => {
  const { code, missing, outcome: kind } = outcome
  if (kind === "discrepancy" && random.chance(0.2)) return Explanation.accept(outcome, accepted)
  return code === "coverage-gap" && missing !== undefined && random.chance(0.9)
    ? { ...outcome, missing: { ...missing, gap: { code: "unattributed", detail: "nobody says whose it is" } } }
    : outcome
}

const made = (seed: number) => {
  const random = Generator.make(seed)
  const { outcomes, ...rest } = Books.report(random, {
    window: random.pick([{ before: "1 minute", after: "1 hour" }, { before: "1 hour", after: "30 minutes" }])
  })
  // Outcomes that are alike count as often as they are there.
  const several = Array.from({ length: random.int(1, 3) }, () => outcomes).flat()
  return { random, report: { ...rest, outcomes: several.map(decided(random)) } }
}

const sumsOf = (about: Parameters<typeof Collector.make>[0], outcomes: ReadonlyArray<Outcome.Outcome>): Counted => {
  const collector = Collector.make(about)
  for (const outcome of outcomes) collector.add(outcome)
  return collector.sums()
}

/** So many bring about all that the sums are of. */
const CASES = Math.max(Generator.cases(80), 80)

describe("the sums of parts of a run add up to those of the whole", () => {
  it("to the same summary, whatever outcomes each part has and in whatever order the parts come", () => {
    const met = {
      range: 0,
      noRange: 0,
      backwards: 0,
      alike: 0,
      long: 0,
      cut: 0,
      waiting: 0,
      unattributed: 0,
      elsewhere: 0,
      accepted: 0
    }
    const note = (what: keyof typeof met, is: boolean): void => {
      if (is) met[what]++
    }
    for (let seed = 1; seed <= CASES; seed++) {
      const { random, report } = made(seed)
      const { outcomes, policy } = report
      const range = report.range ?? undefined
      const about = { ...report, range, accounts: { list: ["a", "b"], complete: true }, addresses: [], warnings: [] }
      const whole = sumsOf({ policy, range }, outcomes)
      const parts = split(random, outcomes).map((part) => through(Counted, sumsOf({ policy, range }, part)))
      assert.strictEqual(
        JSON.stringify(Collector.summary(parts, about)),
        JSON.stringify(Collector.summary([whole], about)),
        `seed ${seed}`
      )
      const all = Collector.make({ policy, range })
      for (const part of parts) all.merge(part)
      assert.strictEqual(JSON.stringify(all.sums()), JSON.stringify(whole), `seed ${seed}`)
      note("range", range !== undefined)
      note("noRange", range === undefined)
      note("backwards", whole.lags.lags.some((lag) => lag < 0))
      note("alike", whole.lags.counts.some((times) => times > 2))
      note("long", whole.totals.some(({ net }) => net.total.length > 64))
      note("cut", whole.counts.some(({ ofOtherDays }) => ofOtherDays !== undefined && ofOtherDays.outcomes > 0))
      note("waiting", whole.times.waiting.deposit.length > 0)
      note("unattributed", (whole.unattributed.unattributed ?? 0) > 1)
      note("elsewhere", (whole.unattributed.unattributedOfOtherDays ?? 0) > 1)
      note("accepted", whole.counts.some((count) => (count.accepted ?? 0) > 1))
    }
    assert.deepStrictEqual(Object.entries(met).filter(([, times]) => times === 0), [])
  })

  it("the median lag is that of all lags, and no part has to have it in its middle", () => {
    const outcomes = Run.match({
      deposits: [0, 300, 600].map((minutes) => deposit(`d${minutes}`, minutes)),
      transfers: [transfer("t0", 1), transfer("t300", 302), transfer("t600", 603)]
    }).outcomes
    const about = { policy: Run.policy() }
    const parts = [outcomes.slice(1, 2), outcomes.slice(0, 1), outcomes.slice(2)]
    assert.strictEqual(
      Collector.summary(parts.map((part) => sumsOf(about, part)), {
        ...about,
        accounts: { list: [], complete: false },
        coverage: [],
        warnings: []
      }).lags?.p50,
      2 * Run.MINUTE
    )
  })
})

describe("what was seen of parts of the entries adds up to that of all", () => {
  const policy = Run.policy({
    links: [{ deposits: ["d1", "d2"], transfers: ["t1"] }, { deposits: ["d3"], transfers: ["t30", "t4"] }],
    exclude: [{ side: "deposit", id: "d5" }, { id: "t6" }, { id: "x7" }]
  })

  it("to the same warnings, whatever entries each part has and in whatever order the parts come", () => {
    const met = new Set<string>()
    for (let seed = 1; seed <= CASES; seed++) {
      const random = Generator.make(seed)
      const entries = ([["deposit", deposit], ["transfer", transfer]] as const).flatMap(([side, make]) =>
        Array.from({ length: random.int(0, 8) }, (_, index) =>
          make(`${side[0]}${index}`, random.int(0, 300), {
            asset: random.pick(["BTC", "ETH"]),
            account: random.pick(["a", "b", "c"]),
            ...(side === "transfer" ? { from: random.pick(["a", "c", "d"]), to: "master" } : {})
          }))
      )
      const about = {
        policy,
        accounts: { list: ["a"], complete: random.chance(0.8) },
        range: random.pick([undefined, { from: Run.T0 + 100 * Run.MINUTE, to: Run.T0 + 150 * Run.MINUTE }])
      }
      const seenOf = (
        part: ReadonlyArray<Entry.Entry>,
        repeated: Readonly<Record<Entry.Side, number>>
      ): SeenForm.Seen => {
        const seen = Seen.make(about)
        for (const side of ["deposit", "transfer"] as const) seen.add(side, part.filter((entry) => entry.side === side))
        return seen.seen(repeated)
      }
      const parts = split(random, entries).map((part) => ({
        part,
        repeated: { deposit: random.int(0, 2), transfer: random.int(0, 2) }
      }))
      const sum = (side: Entry.Side) => parts.reduce((most, { repeated }) => most + repeated[side], 0)
      const whole = seenOf(entries, { deposit: sum("deposit"), transfer: sum("transfer") })
      const merged = Seen.merge(parts.map(({ part, repeated }) => through(SeenForm.Seen, seenOf(part, repeated))))
      assert.strictEqual(JSON.stringify(merged), JSON.stringify(whole), `seed ${seed}`)
      const warnings = Seen.warnings(policy, whole, 0)
      assert.deepStrictEqual(Seen.warnings(policy, merged, 0), warnings)
      for (const word of ["links", "excludes", "vouched", "None of", "again"]) {
        if (warnings.some((warning) => warning.includes(word))) met.add(word)
      }
    }
    assert.strictEqual(met.size, 5, Array.from(met).join(", "))
  })
})
