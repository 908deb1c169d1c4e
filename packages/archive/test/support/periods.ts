/** A day of the books that is closed, what happens to its records later, and what became of it in words. */
import { assert } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Archive from "../../src/Archive.ts"
import * as EntryStates from "../../src/internal/books/EntryStates.ts"
import * as StateDigest from "../../src/internal/books/StateDigest.ts"
import * as Chain from "../../src/internal/ledger/Chain.ts"
import * as Ledger from "../../src/internal/ledger/Ledger.ts"
import { Database } from "../../src/internal/sql/Database.ts"
import type * as Period from "../../src/Period.ts"
import * as Periods from "../../src/Periods.ts"
import { book, options } from "./books.ts"
import { clerk, DAY, HOUR, MINUTE } from "./decisions.ts"
import { deposit, NOW, transfer } from "./records.ts"

const MIDNIGHT = NOW - NOW % DAY

/** The day of most records, in UTC. */
export const day = { from: MIDNIGHT, to: MIDNIGHT + DAY }
export const THROUGH = "2023-11-14"
export const NEXT = { from: day.to, to: day.to + DAY }

/** A pair that matches from the first. */
export const paired = deposit({ txId: "pair", coin: "ETH", amount: "5", insertTime: NOW + 2 * MINUTE })
export const mate = transfer({ tranId: "t5", asset: "ETH", amount: "5", timestamp: NOW + 6 * MINUTE })

/** Reads one moment of a side once more, after all that was read before, and finds these records there. */
const reads = <Record>(
  operation: "deposits" | "transfers",
  history: Pick<Archive.History<Record>, "saveSlice">,
  at: number,
  records: ReadonlyArray<Record>,
  readAt: number
) => {
  const slice = { from: at, to: at + 1 }
  return history.saveSlice({
    ...slice,
    records,
    bad: [],
    coverage: [{ operation, ...slice, readAt, state: "complete" }]
  })
}

export const deposits = (at: number, records: ReadonlyArray<ReturnType<typeof deposit>>, hours = 1) =>
  Archive.Archive.use((archive) => reads("deposits", archive.deposits, at, records, NOW + 6 * DAY + hours * HOUR))

export const transfers = (at: number, records: ReadonlyArray<ReturnType<typeof transfer>>, hours = 1) =>
  Archive.Archive.use((archive) => reads("transfers", archive.transfers, at, records, NOW + 6 * DAY + hours * HOUR))

export const bookDay = (policy = Policy.defaults) => book(options(day, policy))

export const close = (changes: Partial<Periods.CloseOptions> = {}) =>
  Periods.Periods.use((periods) =>
    periods.close({ author: clerk, through: THROUGH, from: day.from, carryOpen: true, ...changes })
  )

/** Why a period is not closed. */
export const refusal = (changes: Partial<Periods.CloseOptions> = {}) =>
  Effect.map(
    Effect.flip(close(changes)),
    (error) => error._tag === "PeriodError" ? `${error.reason._tag}: ${error.message}` : error.message
  )

/** An archive with a pair besides, whose day was executed and closed: row 1 and row 2 of the ledger. */
export const closed = Effect.gen(function*() {
  yield* deposits(paired.insertTime, [paired])
  yield* transfers(mate.timestamp, [mate])
  yield* bookDay()
  return yield* close()
})

/** Closes the day although something is due, by a row of a ledger that was written without asking. */
export const closedUnasked = Effect.gen(function*() {
  const database = yield* Database
  const { append, sound } = Ledger.make(database)
  const { head } = yield* sound
  const states = EntryStates.make(database.sql)
  const standing = yield* states.standing(day, head.number)
  yield* append([
    Chain.next(head, {
      kind: "close",
      at: NOW + 7 * DAY,
      ...clerk,
      zone: "UTC",
      through: THROUGH,
      ...day,
      states: StateDigest.of(standing),
      totals: StateDigest.totals(standing),
      carried: StateDigest.of((yield* states.waitingAfter(head.number)).filter(({ at }) => at < day.to)),
      provisional: 0,
      vouched: []
    })
  ])
})

/** Makes the first row of the ledger one of a version that told nothing of the policy's lines. */
export const withoutLines = Effect.gen(function*() {
  const { sql } = yield* Database
  const { executions } = yield* Ledger.make(yield* Database).sound
  const { lines: _lines, number: _number, previous: _previous, ...content } = executions[0]?.body ?? assert.fail()
  const { body, id } = Chain.next(Chain.GENESIS, content)
  yield* sql`UPDATE ledger SET body = ${body}, id = ${id} WHERE number = 1`
})

const cause = (cause: Period.Cause): string =>
  "number" in cause ? `decision ${cause.number}` : "execution" in cause ? `${cause.of} ${cause.execution}` : cause.of

const stood = (stood: Period.Judgement | undefined): string =>
  stood === undefined ? "nothing" : `${stood.state} ${stood.code} ${stood.amount}`

/** What became of the last close, in words. */
export const became = Effect.map(Periods.Periods.use(({ list }) => list()), (periods) => {
  const last = periods.at(-1)
  if (last === undefined) return []
  const named = ({ after, before }: Pick<Period.Break, "after" | "before">): string =>
    `${(before ?? after)?.side} ${(before ?? after)?.asset}: ${stood(before)} -> ${stood(after)}`
  return [
    ...last.broken.map((one) => `broken ${named(one)} (${one.causes.map(cause).join(", ")})`),
    ...last.settled.map((one) => `settled ${named(one)}`),
    ...last.waitsOtherwise.map((one) => `waits ${named(one)}`),
    ...(last.isAltered ? ["altered"] : [])
  ]
})
