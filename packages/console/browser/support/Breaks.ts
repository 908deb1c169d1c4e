/** Items that wait, as many as one likes. */
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Kept from "../../../archive/test/support/decisions.ts"
import { deposit, NOW } from "../../../archive/test/support/records.ts"

/** So many deposits that nobody moved on, of amounts that all differ, beside those of `Console.booked`. */
export const broken = Effect.fnUntraced(function*(count: number, account = "TAbc") {
  yield* Kept.kept
  const archive = yield* Archive.Archive
  yield* archive.deposits.saveSlice({
    from: NOW - 4 * Kept.HOUR,
    to: NOW - Kept.HOUR,
    bad: [],
    records: Array.from(
      { length: count },
      (_, place) =>
        deposit({
          txId: `break${place}`,
          address: account,
          amount: `${100 + place}.5`,
          insertTime: NOW - 3 * Kept.HOUR + place
        })
    ),
    coverage: [{
      operation: "deposits",
      from: NOW - 4 * Kept.HOUR,
      to: NOW - Kept.HOUR,
      readAt: NOW + 6 * Kept.DAY,
      state: "complete"
    }]
  })
  yield* ArchiveReconciliation.book({
    range: { from: NOW - 4 * Kept.HOUR, to: NOW + Kept.HOUR },
    accounts: { list: ["a@x"], complete: true },
    policy: Policy.defaults
  }, { author: Kept.clerk })
})
