import * as Slice from "@tallystick/core/Slice"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const noon = 1_790_000_000_000
const day = { from: noon - 43_200_000, to: noon + 43_200_000 }

const entry = (side: Entry.Side, id: string, amount: string, at: number): Entry.Entry => ({
  side,
  id,
  asset: "USDT",
  amount,
  at,
  status: "settled"
})

// Any two streams will do: a database, a queue, a ledger. Each says how complete it is.
const ours = Slice.fromEntries(
  Stream.make(entry("deposit", "d1", "10.00", noon), entry("deposit", "d2", "25.5", noon + 60_000)),
  [{ operation: "deposits", ...day, readAt: day.to, state: "complete" }]
)
const theirs = Slice.fromEntries(
  Stream.make(entry("transfer", "t1", "10", noon + 90_000)),
  [{ operation: "transfers", ...day, readAt: day.to, state: "complete" }]
)

const breaks = Effect.gen(function*() {
  const policy = yield* Policy.make({ window: { before: "0 seconds", after: "15 minutes" } })
  yield* Reconciliation.outcomes(ours, theirs, { policy }).pipe(
    Stream.filter(({ outcome }) => outcome === "discrepancy"),
    Stream.runForEach(({ code, explanation }) => Console.log(`${code}: ${explanation}`))
  )
})

await breaks.pipe(Effect.runPromise)
