import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { vi } from "vitest"
import * as Share from "../src/internal/Share.ts"
import type * as Partition from "../src/Partition.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Generator from "./support/Generator.ts"
import { type Books, booksOf, type Slices, streams } from "./support/PartBooks.ts"
import * as Sent from "./support/Sent.ts"

vi.setConfig({ testTimeout: 3_600_000 })

/** Joins some stretches of a family to the ones before them. */
const joined = (random: Generator.Generator, stretches: ReadonlyArray<Partition.Stretch>) => {
  const found: Array<Partition.Times> = []
  for (const { from, to } of stretches) {
    const isJoined = found.length > 0 && random.chance(0.2)
    found.push(Share.times(isJoined ? found.pop()?.from : from, to))
  }
  return found
}

interface Dealt {
  readonly assets: ReadonlyArray<string>
  readonly times: Partition.Times
}

/** Deals families out to some parts, and cuts others in time, each of which is a part for each of its times. */
const dealt = (random: Generator.Generator, families: ReadonlyArray<Partition.Surveyed>): ReadonlyArray<Dealt> => {
  const cut = new Set(families.filter(({ stretches }) => stretches.length > 1 && random.chance(0.8)))
  const together = Array.from({ length: random.int(1, 6) }, () => new Array<string>())
  for (const family of families) if (!cut.has(family)) random.pick(together).push(...family.assets)
  return [
    ...together.map((assets) => ({ assets, times: {} })),
    ...Array.from(cut).flatMap(({ assets, stretches }) => joined(random, stretches).map((times) => ({ assets, times })))
  ]
}

/** Decides each part of some books. */
const partsOf = Effect.fnUntraced(function*(
  random: Generator.Generator,
  { deposits, options, transfers }: Books,
  { whole }: Reconciliation.Survey
) {
  const parts = yield* Effect.forEach(dealt(random, whole.families), (own) => {
    // Some sources know the assets and the times beforehand.
    const isOwn = Share.holds(own)
    const of = (slices: Slices): Slices => slices.map((slice) => ({ ...slice, records: slice.records.filter(isOwn) }))
    const [left, right] = random.chance(0.5) ? [deposits, transfers] : [of(deposits), of(transfers)]
    return Reconciliation.part(Stream.fromIterable(left), Stream.fromIterable(right), { ...options, ...own, whole })
  })
  return random.shuffle(parts.map(Sent.sent))
})

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
  it.effect("is that of the run decided at once, byte for byte, whichever families and stretches each part has", () =>
    Effect.gen(function*() {
      const met = new Set<string>()
      let [later, cut] = [0, 0]
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
        assert.strictEqual(Sent.written(merged.success), Sent.written(whole.success), `seed ${seed}`)
        const { outcomes, ...summary } = whole.success
        const added = yield* Reconciliation.mergeSums(parts.map((part) => part.sums), { ...books.options, ...survey })
        assert.deepStrictEqual(added.summary, summary)
        assert.deepStrictEqual(added.outcomes, outcomes.filter(({ bad }) => bad !== undefined))
        for (const { outcomes: own, sums } of parts) {
          const isOwn = Share.holds(sums)
          assert.isTrue(own.every(({ deposits, transfers }) => [...deposits, ...transfers].every(isOwn)))
        }
        if (books.deposits.length > 3) {
          later++
          if (parts.some(({ sums: { times } }) => times.from !== undefined)) cut++
        }
        if (parts.filter((part) => part.outcomes.length > 0).length > 2) met.add("parts")
        if (new Set(added.outcomes.map(({ bad }) => JSON.stringify(bad))).size < added.outcomes.length) met.add("alike")
        for (const { accepted: is, code } of outcomes) met.add(is === undefined ? code : "accepted")
        for (const words of ["links", "excludes", "vouched", "came again", "could not be used"]) {
          if (summary.warnings.some((warning) => warning.includes(words))) met.add(words)
        }
      }
      assert.deepStrictEqual(wanted.filter((what) => !met.has(what)), [])
      assert.isAbove(cut, later / 2)
    }))
})
