/** Whatever happens between executions, and in whatever order days are judged, the books tie. */
import { assert, describe, it } from "@effect/vitest"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import * as ItemPages from "../src/ItemPages.ts"
import type * as ListedItem from "../src/ListedItem.ts"
import type * as OpenItem from "../src/OpenItem.ts"
import * as OpenItems from "../src/OpenItems.ts"
import type * as RollForward from "../src/RollForward.ts"
import { isWaiting, type List, list } from "./support/byHand.ts"
import { NOW } from "./support/records.ts"
import { cases } from "./support/Seeded.ts"
import { DAY, DAYS, read, Step } from "./support/steps.ts"

const sums = (books: List): ReadonlyMap<string, bigint> => {
  const found = new Map<string, bigint>()
  for (const [key, told] of books) {
    if (!isWaiting(told)) continue
    const place = `${key.split(" ")[0]} ${told.state}`
    found.set(place, (found.get(place) ?? 0n) + told.amount)
  }
  return found
}

const keys = (items: ReadonlyArray<OpenItem.OpenItem>): ReadonlyArray<string> =>
  items.flatMap(({ entries, state }) => entries.map(({ id, side }) => `${state} ${side} ${id}`)).toSorted()

/** Checks the sums of a roll-forward against those of the list, and that its lines add up. */
const ties = (lines: ReadonlyArray<RollForward.RollForward>, before: List, after: List): void => {
  const [brought, carried] = [sums(before), sums(after)]
  for (const place of new Set([...brought.keys(), ...carried.keys()])) {
    const [side, state] = place.split(" ")
    const line = lines.find((one) => one.side === side && one.state === state)
    assert.isDefined(line, place)
  }
  for (const { side, state, ...line } of lines) {
    const place = `${side} ${state}`
    assert.strictEqual(line.broughtForward.sum, String(brought.get(place) ?? 0n), `${place} brought forward`)
    assert.strictEqual(line.carriedForward.sum, String(carried.get(place) ?? 0n), `${place} carried forward`)
    for (const what of ["count", "sum"] as const) {
      const value = (name: Exclude<keyof RollForward.RollForward, "asset" | "side" | "state">) =>
        BigInt(line[name][what])
      assert.strictEqual(
        value("broughtForward") + value("new") + value("reopened") + value("restated") + value("moved") -
          value("matched") - value("decided") - value("setOut"),
        value("carriedForward"),
        `${place} ${what}`
      )
    }
  }
}

const MOVEMENTS = [["new", 1], ["reopened", 1], ["restated", 1], ["moved", 1], ["matched", -1], ["decided", -1], [
  "setOut",
  -1
]] as const

/** All pages of three items, the oldest first. */
const paged = Effect.gen(function*() {
  const { page } = yield* ItemPages.ItemPages
  const items: Array<ListedItem.ListedItem> = []
  for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const found: ItemPages.Page = yield* page({ size: 3, ...(after === undefined ? {} : { after }) })
    items.push(...found.items)
    after = found.next
  }
  return items
})

const keyOf = ({ outcome, state }: Pick<OpenItem.OpenItem, "outcome" | "state">): string =>
  `${state.slice(0, 1)}${outcome}`

/** Items in the order of their ages, told by what a list and the books both say of them. */
const inShort = (
  { at, code, deposits, execution, id, outcome, since, state, transfers }: Omit<
    ListedItem.ListedItem,
    "decided" | "first"
  >
) => ({ key: keyOf({ outcome, state }), at, id, code, since, execution, deposits, transfers })

const ofItem = ({ entries, ...item }: OpenItem.OpenItem) =>
  inShort({
    ...item,
    deposits: entries.filter(({ side }) => side === "deposit").length,
    transfers: entries.filter(({ side }) => side === "transfer").length
  })

const byAge = (a: ReturnType<typeof inShort>, b: ReturnType<typeof inShort>): number =>
  a.at - b.at || (a.key < b.key ? -1 : 1)

type End = "broughtForward" | "carriedForward"

/** One end of roll-forwards by place, but for what is zero. */
const endsOf = (lines: ReadonlyArray<RollForward.RollForward>, end: End): ReadonlyArray<string> =>
  lines.filter((line) => line[end].count !== 0 || line[end].sum !== "0")
    .map((line) => `${line.side} ${line.asset} ${line.state}: ${line[end].count} ${line[end].sum}`).toSorted()

/** All movements of all executions, summed by place. */
const moved = (all: ReadonlyArray<ReadonlyArray<RollForward.RollForward>>): ReadonlyArray<string> => {
  const sums = new Map<string, readonly [count: bigint, sum: bigint]>()
  for (const line of all.flat()) {
    const place = `${line.side} ${line.asset} ${line.state}`
    for (const [name, sign] of MOVEMENTS) {
      const [count, sum] = sums.get(place) ?? [0n, 0n]
      sums.set(place, [
        count + BigInt(sign) * BigInt(line[name].count),
        sum + BigInt(sign) * BigInt(line[name].sum)
      ])
    }
  }
  return Array.from(sums).filter(([, [count, sum]]) => count !== 0n || sum !== 0n)
    .map(([place, [count, sum]]) => `${place}: ${count} ${sum}`).toSorted()
}

/** Checks that a report tells apart what its roll-forward counts together. */
const tellsApart = ({ carried, closed, new: fresh, rollForward }: Report.Books): void => {
  const count = (names: ReadonlyArray<typeof MOVEMENTS[number][0] | End>): number =>
    rollForward.reduce((sum, line) => sum + names.reduce((sum, name) => sum + line[name].count, 0), 0)
  assert.strictEqual(fresh, count(["new", "reopened"]))
  assert.strictEqual(closed.reduce((sum, { count }) => sum + count, 0), count(["matched", "decided", "setOut"]))
  assert.strictEqual(carried.entries + fresh, count(["carriedForward"]))
  const shown = carried.oldest.reduce((sum, { count }) => sum + count, 0)
  if (carried.items <= 20) assert.strictEqual(shown, carried.entries)
  else assert.lengthOf(carried.oldest, 20)
}

/** The totals as they are counted from the items, one by one. */
const counted = (items: ReadonlyArray<OpenItem.OpenItem>): ReadonlyArray<OpenItem.ItemCount> =>
  Array.from(
    Map.groupBy(items, ({ code, state }) => `${state} ${code}`).entries(),
    ([key, all]) => ({ key, items: all.length, earliest: Math.min(...all.map(({ at }) => at)), first: all[0] })
  ).toSorted((a, b) => a.key < b.key ? -1 : 1).flatMap(({ earliest, first, items }) =>
    first === undefined ? [] : [{ state: first.state, code: first.code, items, earliest }]
  )

describe("the books", () => {
  it.effect.prop(
    "tie for any order and overlap of executions, telescope over all of them, equal a list that is kept by hand, and can be computed again",
    [Schema.Array(Step).check(Schema.isMinLength(2), Schema.isMaxLength(16))],
    ([steps]) =>
      Effect.gen(function*() {
        const { execute, verify } = yield* Books.Books
        const { list: waiting, reported, rollForward, totals } = yield* OpenItems.OpenItems
        const rolled: Array<ReadonlyArray<RollForward.RollForward>> = []
        let books: List = new Map()
        const told: Array<readonly [execution: number, keys: ReadonlyArray<string>]> = []
        const kept: Array<ArchiveReconciliation.Recorded> = []
        yield* read([])
        for (const [index, step] of steps.entries()) {
          if (step.kind !== "execution") {
            yield* read(steps.slice(0, index + 1))
            continue
          }
          const range = { from: NOW + step.from * DAY, to: NOW + Math.min(step.from + step.days, DAYS) * DAY }
          const now = yield* ArchiveReconciliation.record({ range, accounts: { list: ["a@x"], complete: true } })
          kept.push(now)
          // Now and then somebody comes with a run that was recorded long ago.
          const early = step.days === 2 ? kept[Math.floor(index / 2) % kept.length] ?? now : now
          const author = { by: "clerk", identity: "token" } as const
          if (told.length > 0 && (early.report.decisions?.head.number ?? 0) < told.length) {
            assert.include(
              (yield* Effect.flip(execute(early.run, early.report, { author }))).message,
              "the ledger went on"
            )
          }
          const { report, run } = now
          const execution = yield* execute(run, report, { author })
          const { body } = execution
          const after = list(report, books)
          const inReport = yield* reported(execution)
          tellsApart(inReport)
          rolled.push(inReport.rollForward)
          ties(yield* rollForward(body.number), books, after)
          books = after
          // What is open in the report is open in the books.
          const breaks = report.outcomes.filter(({ deposits, outcome, transfers }) =>
            outcome === "discrepancy" && [...deposits, ...transfers].some(({ at }) => at >= range.from && at < range.to)
          )
          const states = new Map(keys(yield* waiting()).map((key) => [key.split(" ").slice(1).join(" "), key]))
          for (const outcome of breaks) {
            const entries = [
              ...outcome.deposits.map(({ id, status }) => ({ key: `deposit ${id}`, status })),
              ...outcome.transfers.map(({ id, status }) => ({ key: `transfer ${id}`, status }))
            ]
            const isTimely = outcome.final && outcome.residual === "0"
            if (!isTimely) assert.isTrue(entries.some(({ key }) => states.has(key)), outcome.explanation)
          }
          const items = keys(yield* waiting())
          const byHand = Array.from(books).flatMap(([key, told]) => isWaiting(told) ? [`${told.state} ${key}`] : [])
          assert.deepStrictEqual(items, byHand.toSorted())
          const { items: counts } = Option.getOrThrow(yield* totals)
          assert.deepStrictEqual(counts, counted(yield* waiting()))
          // The table of items is the same list, of which the pages are read.
          const inPages = yield* paged
          assert.deepStrictEqual(inPages.map(inShort), (yield* waiting()).map(ofItem).toSorted(byAge))
          told.push([body.number, items])
        }
        for (const [execution, items] of told) assert.deepStrictEqual(keys(yield* waiting(execution)), items)
        for (const [place, lines] of rolled.entries()) {
          assert.deepStrictEqual(endsOf(lines, "broughtForward"), endsOf(rolled[place - 1] ?? [], "carriedForward"))
        }
        assert.deepStrictEqual(moved(rolled), endsOf(rolled.at(-1) ?? [], "carriedForward"))
        assert.deepStrictEqual(yield* verify, [])
      }).pipe(Effect.provide(Archive.Archive.layerMemory())),
    { arbitrary: { runs: Math.min(cases(30), 250) } }
  )
})
