import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Book, DAY, T0 } from "../src/Book.ts"
import * as Recipe from "../src/books/Recipe.ts"
import { crowded } from "../src/kinds/Crowded.ts"
import { singles } from "../src/kinds/Singles.ts"
import * as Random from "../src/Random.ts"
import * as Sides from "../src/Sides.ts"

const recipes = Object.entries({ ...singles, ...crowded })

/** How many books of each kind are tried, 60 at most. Of some kinds each takes long. */
const CASES = Math.min(Number(process.env["TALLYSTICK_CASES"] ?? 3), 60)
const limits: Readonly<Record<string, number>> = { exhausted: 1, hundreds: 2, long: 0, throngs: 1 }

const bookOf = (name: string, recipe: Recipe.Recipe, seed: number): Book =>
  Recipe.book(recipe, Random.make(Random.seedOf(name, seed)))

/** What makes an entry of another book one that has nothing to do with those of a book. */
type Away = (entry: Entry.Entry) => Entry.Entry

const renamed: Away = (entry) => Object.assign({}, entry, { id: `q${entry.id}`, asset: `Q${entry.asset}` })

/** So much later no rule looks back, ms. */
const LATER = 400 * DAY

const ofPast = ({ settledAt, statuses, unsettledAt, vanishedAt, ...rest }: Entry.Past): Entry.Past => ({
  ...rest,
  statuses: statuses.map(({ seenAt, status }) => ({ status, seenAt: seenAt + LATER })),
  ...(settledAt === undefined ? {} : { settledAt: settledAt + LATER }),
  ...(unsettledAt === undefined ? {} : { unsettledAt: unsettledAt + LATER }),
  ...(vanishedAt === undefined ? {} : { vanishedAt: vanishedAt + LATER })
})

const moved: Away = (entry) =>
  Object.assign({}, entry, {
    id: `q${entry.id}`,
    at: entry.at + LATER,
    ...(entry.past === undefined ? {} : { past: ofPast(entry.past) })
  })

/** What people decided about entries that have other ids now. */
const decisions = ({ exclude = [], forbid = [], links = [] }: Policy.Policy): Policy.Policy => ({
  exclude: exclude.map((one) => Object.assign({}, one, { id: `q${one.id}` })),
  forbid: forbid.map(({ deposit, transfer }) => ({ deposit: `q${deposit}`, transfer: `q${transfer}` })),
  links: links.map((link) =>
    Object.assign({}, link, {
      deposits: link.deposits.map((id) => `q${id}`),
      transfers: link.transfers.map((id) => `q${id}`)
    })
  )
})

/** A book with the entries of another one, which have other ids, and other assets or times. */
const beside = (book: Book, other: Book, away: Away): Book => {
  const { exclude, forbid, links } = decisions(other.policy)
  const isLater = (one: Coverage.Coverage): boolean => away === moved && one.from > 0 && one.to < 2 * T0
  return {
    ...book,
    policy: {
      ...book.policy,
      exclude: [...book.policy.exclude ?? [], ...exclude ?? []],
      forbid: [...book.policy.forbid ?? [], ...forbid ?? []],
      links: [...book.policy.links ?? [], ...links ?? []]
    },
    deposits: [...book.deposits, ...other.deposits.map(away)],
    transfers: [...book.transfers, ...other.transfers.map(away)],
    bad: [...book.bad, ...other.bad],
    coverage: [
      ...book.coverage,
      ...other.coverage.filter(isLater).map((one) =>
        Object.assign({}, one, { from: one.from + LATER, to: one.to + LATER, readAt: one.readAt + LATER })
      )
    ]
  }
}

const written = (report: Report.Report): string =>
  JSON.stringify({ ...report, outcomes: report.outcomes.map(Report.writtenIn(report.range)) })

/** Decides a book at once, and each stretch of each family of its assets by itself. Returns both reports, and how it was cut. */
const decided = Effect.fnUntraced(function*(book: Book) {
  const options: Reconciliation.Options = {
    policy: Policy.resolve(yield* Effect.fromResult(Policy.decode(book.policy))),
    accounts: book.accounts,
    ...(book.addresses === undefined ? {} : { addresses: book.addresses }),
    ...(book.range === undefined ? {} : { range: book.range }),
    ...(book.asOf === undefined ? {} : { asOf: book.asOf })
  }
  const { deposits, transfers } = Sides.whole(book)
  const survey = yield* Reconciliation.survey(deposits, transfers, options)
  const { whole } = survey
  const { families } = whole
  const cut = families.flatMap(({ assets, stretches }) =>
    stretches.map(({ from, to }) => ({
      assets,
      times: { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
    }))
  )
  const parts = yield* Effect.forEach(
    cut,
    (own) => Reconciliation.part(deposits, transfers, { ...options, ...own, whole })
  )
  const report = (effect: Effect.Effect<Report.Report, { readonly message: string }>) =>
    Effect.map(
      Effect.result(effect),
      (result) => Result.isSuccess(result) ? written(result.success) : result.failure.message
    )
  return {
    families: families.length,
    stretches: cut.length,
    atOnce: yield* report(Reconciliation.reconcile(deposits, transfers, options)),
    inParts: yield* report(Reconciliation.merge(parts.toReversed(), { ...options, ...survey }))
  }
})

describe("a book that is decided in parts", () => {
  for (const [name, recipe] of recipes) {
    const limit = Math.min(limits[name] ?? CASES, CASES)
    if (limit === 0) continue
    it.effect(`${name}: has the report of the whole book, byte for byte`, () =>
      Effect.gen(function*() {
        let further = 0
        for (let seed = 1; seed <= limit; seed++) {
          const [book, other] = [bookOf(name, recipe, seed), bookOf(name, recipe, seed + 1)]
          const byAssets = yield* decided(beside(book, other, renamed))
          assert.isAtLeast(byAssets.families, 2, `seed ${seed}`)
          assert.strictEqual(byAssets.inParts, byAssets.atOnce, `seed ${seed}`)
          const byTimes = yield* decided(beside(book, other, moved))
          // Two books that have no asset in common are two families, of which none is cut.
          assert.isAtLeast(byTimes.stretches, 2, `seed ${seed}`)
          further += byTimes.stretches - byTimes.families
          assert.strictEqual(byTimes.inParts, byTimes.atOnce, `seed ${seed}`)
        }
        assert.isAbove(further, 0)
      }))
  }
})
