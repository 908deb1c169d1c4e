/** Whatever happens between executions, and in whatever order days are judged, the books tie. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import type * as OpenItem from "../src/OpenItem.ts"
import * as OpenItems from "../src/OpenItems.ts"
import type * as RollForward from "../src/RollForward.ts"
import { isWaiting, type List, list } from "./support/byHand.ts"
import { deposit, NOW, transfer } from "./support/records.ts"
import { cases } from "./support/Seeded.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const DAYS = 3

const whole = { from: NOW - DAY, to: NOW + (DAYS + 1) * DAY }

const Between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Records arrive, of some day, hour and amount; or some days are reconciled. */
const Step = Schema.Union([
  Schema.Struct({
    kind: Schema.Literals(["deposit", "transfer"]),
    hour: Between(0, 24 * DAYS - 1),
    amount: Between(1, 3),
    isSettled: Schema.Boolean
  }),
  Schema.Struct({ kind: Schema.Literal("execution"), from: Between(0, DAYS - 1), days: Between(1, DAYS) })
])

const records = (steps: ReadonlyArray<typeof Step.Type>) => ({
  deposits: steps.flatMap((step, index) =>
    step.kind === "deposit"
      ? [
        deposit({
          txId: `d${index}`,
          insertTime: NOW + step.hour * HOUR + index,
          amount: String(step.amount),
          status: step.isSettled ? 5 : 1
        })
      ]
      : []
  ),
  transfers: steps.flatMap((step, index) =>
    step.kind === "transfer"
      ? [
        transfer({
          tranId: `t${index}`,
          timestamp: NOW + step.hour * HOUR + index,
          amount: String(step.amount),
          status: step.isSettled ? "SUCCESS" : "FAILED"
        })
      ]
      : []
  )
})

/** Everything that arrived so far is read, and proven to be all. */
const read = Effect.fnUntraced(function*(steps: ReadonlyArray<typeof Step.Type>) {
  const archive = yield* Archive.Archive
  const { deposits, transfers } = records(steps)
  const readAt = NOW + (DAYS + 5) * DAY + steps.length * HOUR
  const slice = { ...whole, bad: [] }
  const complete = { ...whole, readAt, state: "complete" as const }
  yield* archive.deposits.saveSlice({
    ...slice,
    records: deposits,
    coverage: [{ operation: "deposits", ...complete }]
  })
  yield* archive.transfers.saveSlice({
    ...slice,
    records: transfers,
    coverage: [{ operation: "transfers", ...complete }]
  })
})

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

describe("the books", () => {
  it.effect.prop(
    "tie for any order and overlap of executions, equal a list that is kept by hand, tell every earlier state, and can be computed again",
    [Schema.Array(Step).check(Schema.isMinLength(2), Schema.isMaxLength(16))],
    ([steps]) =>
      Effect.gen(function*() {
        const { execute, verify } = yield* Books.Books
        const { list: waiting, rollForward } = yield* OpenItems.OpenItems
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
          const { body } = yield* execute(run, report, { author })
          const after = list(report, books)
          ties(yield* rollForward(body.number), books, after)
          books = after
          // What is open in the report is open in the books.
          const inReport = report.outcomes.filter(({ deposits, outcome, transfers }) =>
            outcome === "discrepancy" && [...deposits, ...transfers].some(({ at }) => at >= range.from && at < range.to)
          )
          const states = new Map(keys(yield* waiting()).map((key) => [key.split(" ").slice(1).join(" "), key]))
          for (const outcome of inReport) {
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
          told.push([body.number, items])
        }
        for (const [execution, items] of told) assert.deepStrictEqual(keys(yield* waiting(execution)), items)
        assert.deepStrictEqual(yield* verify, [])
      }).pipe(Effect.provide(Archive.Archive.layerMemory())),
    { arbitrary: { runs: Math.min(cases(30), 400) }, timeout: 300_000 }
  )
})
