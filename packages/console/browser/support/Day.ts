/** An archive as a desk has it: a history of the sandbox, reconciled on three days, with a few decisions. It is the same every time. */
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import { at } from "../../../archive/test/support/at.ts"
import * as Kept from "../../../archive/test/support/decisions.ts"
import * as History from "../../../sandbox/src/History.ts"

/** A Tuesday afternoon. */
export const NOW = Date.UTC(2026, 10, 24, 14, 23)

/** Runs at that time, which stands still: a screen says the same every time. */
export const atThatTime = at(NOW)

const history = History.generate({ to: NOW, seed: 5, deposits: 3000, breaks: 90 })

const prices = new Map([
  ["BTC", "91250"],
  ["ETH", "3050.5"],
  ["SOL", "141.2"],
  ["USDT", "1"],
  ["USDC", "1"],
  ["XRP", "2.2"],
  ["TRX", "0.28"]
])

const saved = Effect.gen(function*() {
  const archive = yield* Archive.Archive
  const slice = { from: NOW - 4 * Kept.DAY, to: NOW, bad: [] }
  const covered = { from: slice.from, to: slice.to, readAt: NOW, state: "complete" } as const
  yield* archive.deposits.saveSlice({
    ...slice,
    records: history.deposits,
    coverage: [{ operation: "deposits", ...covered }]
  })
  yield* archive.transfers.saveSlice({
    ...slice,
    records: history.transfers,
    coverage: [{ operation: "transfers", ...covered }]
  })
})

/** Brings the books forward over a day, and gives what waits then. */
const booked = (ago: number) =>
  Effect.andThen(
    ArchiveReconciliation.book({
      range: { from: NOW - (ago + 1) * Kept.DAY, to: NOW - ago * Kept.DAY },
      accounts: { list: history.subAccounts, complete: true },
      addresses: history.addressBook,
      policy: Policy.defaults
    }, { author: Kept.clerk, prices: { of: prices, currency: "USD" } }),
    OpenItems.OpenItems.use(({ list }) => list())
  )

/** Fills an archive. */
export const filled = Effect.gen(function*() {
  yield* saved
  yield* booked(2)
  const [first, second, third] = yield* booked(1)
  const accepted = { kind: "accept", reason: "other", words: "The sweeper was down from 02:00 to 03:10." } as const
  if (first !== undefined) yield* Kept.decide([{ ...accepted, outcome: first.outcome }])
  if (second?.entries[0] !== undefined) {
    yield* Kept.decide([{ kind: "note", entries: [second.entries[0]], words: "Asked the exchange; it looks into it." }])
  }
  if (third !== undefined) yield* Kept.decide([{ ...accepted, outcome: third.outcome }])
  yield* booked(0)
})
