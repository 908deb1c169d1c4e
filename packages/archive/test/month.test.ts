/** A month of thirty days, reconciled day by day, in which three people decide: the books say what is true. */
import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import type * as Decision from "../src/Decision.ts"
import * as Decisions from "../src/Decisions.ts"
import * as OpenItems from "../src/OpenItems.ts"
import type * as RollForward from "../src/RollForward.ts"
import { at } from "./support/at.ts"
import { inBoth } from "./support/databases.ts"
import { archiveOn } from "./support/decisions.ts"
import * as Month from "./support/month.ts"

const DAYS = 30
const PER_DAY = 20

const seeds = Number(process.env["TALLYSTICK_SEEDS"] ?? 100)

/** A month for 500 seeds, but one at least, in SQLite; and one for 3000 seeds in PostgreSQL, which takes longer. */
const MONTHS = inBoth({ memory: Math.ceil(seeds / 500), postgres: Math.floor(seeds / 3000) })
  .flatMap(({ count, kind }) => Array.from({ length: count }, (_, index) => [index + 1, kind.name, kind] as const))

const accounts = { list: ["a@x"], complete: true }

const people = ["clerk", "treasurer", "controller"].map((by): Decision.Author => ({ by, identity: "token" }))

/** Reads the last ten days, and time before them never again. */
const read = Effect.fnUntraced(function*(cases: ReadonlyArray<Month.Case>, night: number) {
  const { deposits, transfers } = yield* Archive.Archive
  const slice = { from: Month.morning(night) - 10 * Month.DAY, to: Month.morning(night), bad: [] }
  const complete = { from: slice.from, to: slice.to, readAt: slice.to, state: "complete" as const }
  const records = Month.shown(cases, night)
  yield* deposits.saveSlice({
    ...slice,
    records: records.deposits.filter(({ insertTime }) => insertTime >= slice.from),
    coverage: [{ operation: "deposits", ...complete }]
  })
  yield* transfers.saveSlice({
    ...slice,
    records: records.transfers.filter(({ timestamp }) => timestamp >= slice.from),
    coverage: [{ operation: "transfers", ...complete }]
  })
})

/** Three people decide in turn on what the truth says that they decide, and name entries as the open items do. */
const decide = Effect.fnUntraced(function*(cases: ReadonlyArray<Month.Case>, night: number) {
  const { decide } = yield* Decisions.Decisions
  const items = yield* OpenItems.OpenItems.use(({ list }) => list())
  const entries = items.flatMap(({ entries }) => entries)
  for (const one of cases) {
    const kind = Month.decisionOf(one, night)
    if (kind === undefined) continue
    const stands = entries.filter(({ id }) => id === `t${one.index}` || id.startsWith(`d${one.index}~`))
    const [of, moved] = [stands.find(({ side }) => side === "deposit"), stands.find(({ side }) => side === "transfer")]
    const author = people[one.index % people.length]
    assert.isDefined(of)
    assert.isDefined(author)
    yield* decide([
      kind === "exclude"
        ? { kind, side: "deposit", id: of?.id ?? "", reason: "test", words: "our own test" }
        : { kind, deposits: [of?.id ?? ""], transfers: [moved?.id ?? ""], reason: "fee", words: "the sweeper paid" }
    ], { author: author ?? { by: "nobody", identity: "claimed" } })
  }
})

const text = ({ amount, key, state }: Month.Stands): string => `${state} ${key} ${amount}`

const units = (amount: string): bigint => Amount.units(amount, 8)

interface Line {
  count: number
  sum: bigint
}

/** The roll-forward of a night, from the truth. */
const rolled = (cases: ReadonlyArray<Month.Case>, night: number): ReadonlyMap<string, Line> => {
  const lines = new Map<string, Line>()
  const add = (name: string, { amount, asset, side, state }: Month.Stands): void => {
    const key = `${side} ${asset} ${state} ${name}`
    const line = lines.get(key) ?? { count: 0, sum: 0n }
    lines.set(key, { count: line.count + 1, sum: line.sum + units(amount) })
  }
  for (const one of cases) {
    const before = new Map(Month.waiting(one, night - 1).map((stands) => [stands.key, stands]))
    const after = new Map(Month.waiting(one, night).map((stands) => [stands.key, stands]))
    for (const [key, stands] of before) {
      add("broughtForward", stands)
      if (!after.has(key)) add(Month.leaving(one), stands)
    }
    for (const [key, stands] of after) {
      add("carriedForward", stands)
      if (!before.has(key)) add("new", stands)
    }
  }
  return lines
}

const NAMES = [
  "broughtForward",
  "new",
  "reopened",
  "restated",
  "moved",
  "matched",
  "decided",
  "setOut",
  "carriedForward"
] as const

const told = (lines: ReadonlyArray<RollForward.RollForward>): ReadonlyMap<string, Line> =>
  new Map(
    lines.flatMap(({ asset, side, state, ...line }) =>
      NAMES.flatMap((name) => {
        const { count, sum } = line[name]
        return count === 0 && sum === "0"
          ? []
          : [[`${side} ${asset} ${state} ${name}`, { count, sum: units(sum) }] as const]
      })
    )
  )

const sorted = (lines: ReadonlyMap<string, Line>) =>
  Array.from(lines, ([key, { count, sum }]) => `${key}: ${count}, ${Amount.format(sum, 8)}`).toSorted()

describe("a month at the desk", () => {
  it.live.each(MONTHS)(
    "of seed %d in %s has the open list and the roll-forward of every night as the truth has them",
    ([seed, , kind]) =>
      Effect.gen(function*() {
        const cases = Month.make(seed, DAYS, PER_DAY)
        const policy = yield* Policy.make({ window: { before: "1 minute", after: "1 hour" }, late: "3 hours" })
        const { verify } = yield* Books.Books
        const { list, rollForward } = yield* OpenItems.OpenItems
        for (let night = 0; night < DAYS; night++) {
          yield* read(cases, night)
          yield* decide(cases, night)
          const range = { from: Month.START + night * Month.DAY, to: Month.START + (night + 1) * Month.DAY }
          const { execution: { body } } = yield* ArchiveReconciliation.book({ range, accounts, policy }, {
            author: { by: "nightly job", identity: "os" }
          })
          const items = (yield* list()).flatMap(({ entries, state }) =>
            entries.map(({ amount, id, side }) => `${state} ${side} ${id.slice(1).split("~")[0]} ${amount}`)
          )
          const truth = cases.flatMap((one) => Month.waiting(one, night))
          assert.deepStrictEqual(items.toSorted(), truth.map(text).toSorted(), `the open list of night ${night}`)
          assert.deepStrictEqual(
            sorted(told(yield* rollForward(body.number))),
            sorted(rolled(cases, night)),
            `the roll-forward of night ${night}`
          )
        }
        assert.deepStrictEqual(yield* verify, [])
        const kinds = new Set(cases.map(({ fate }) => fate.kind))
        assert.strictEqual(kinds.size, 6, "the month has all kinds of fates")
      }).pipe(at(Month.morning(DAYS)), Effect.provide(archiveOn(kind)))
  )
})
