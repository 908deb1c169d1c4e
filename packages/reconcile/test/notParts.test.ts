import { assert, describe, it } from "@effect/vitest"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type * as Entry from "../src/Entry.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import type * as Report from "../src/Report.ts"
import * as Generator from "./support/Generator.ts"
import { booksOf, streams } from "./support/PartBooks.ts"
import * as Run from "./support/Run.ts"

describe("parts that do not make one run", () => {
  /** Books with several families, one of which may be cut in time, and with bad records. */
  const found = Effect.gen(function*() {
    for (let seed = 1;; seed++) {
      const books = booksOf(Generator.make(seed))
      const survey = yield* Reconciliation.survey(...streams(books), books.options)
      const { whole: { families } } = survey
      const isCut = families.some(({ stretches }) => stretches.length > 1)
      if (families.length > 1 && isCut && survey.bad.length > 0) return { books, survey }
    }
  })
  const merged = (
    change: (all: ReadonlyArray<Report.Part>) => ReadonlyArray<Report.Part>,
    otherwise: Partial<Reconciliation.MergeOptions> = {}
  ) =>
    Effect.gen(function*() {
      const { books, survey } = yield* found
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
      const { books, survey: { whole } } = yield* found
      const none = { ...whole, bad: { deposit: 0, transfer: 0 } }
      const error = yield* Effect.flip(
        Reconciliation.part(...streams(books), { ...books.options, assets: ["BTC"], whole: none })
      )
      assert.strictEqual(error._tag === "NotParts" ? error.reason : error._tag, "bad")
    }))

  it.effect("are neither decided nor merged where the run was surveyed by another policy", () =>
    Effect.gen(function*() {
      const { books, survey } = yield* found
      const other = { ...books.options, policy: Run.policy({ late: "7 hours" }) }
      for (
        const refused of [
          Effect.asVoid(Reconciliation.part(...streams(books), { ...other, assets: ["BTC"], whole: survey.whole })),
          Effect.asVoid(Reconciliation.merge([], { ...other, ...survey }))
        ]
      ) {
        const error = yield* Effect.flip(refused)
        assert.strictEqual(error._tag === "NotParts" ? error.reason : error._tag, "question")
        assert.include(error.message, "the run was surveyed with a policy and accounts that have the digest ")
      }
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
