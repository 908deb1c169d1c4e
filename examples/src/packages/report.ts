import * as Slice from "@tallystick/core/Slice"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Table from "@tallystick/report/Table"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const noon = 1_790_000_000_000
const day = { from: noon - 43_200_000, to: noon + 43_200_000, readAt: noon + 43_200_000, state: "complete" } as const
const usdt = { asset: "USDT", status: "settled" } as const

const deposits: ReadonlyArray<Entry.Entry> = [
  { ...usdt, side: "deposit", id: "d1", amount: "10.00", at: noon },
  { ...usdt, side: "deposit", id: "d2", amount: "25.5", at: noon + 60_000 }
]
const transfers: ReadonlyArray<Entry.Entry> = [{ ...usdt, side: "transfer", id: "t1", amount: "10", at: noon + 90_000 }]

const report = Reconciliation.reconcile(
  Slice.fromEntries(Stream.fromIterable(deposits), [{ ...day, operation: "deposits" }]),
  Slice.fromEntries(Stream.fromIterable(transfers), [{ ...day, operation: "transfers" }])
)

await report.pipe(Effect.flatMap((report) => Console.log(Table.render(report))), Effect.runPromise)
