/** Each kept deposit has a place among its true twins. */
import * as ClientTranId from "@tallystick/core/ClientTranId"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as DepositEntry from "@tallystick/reconcile/DepositEntry"
import * as Effect from "effect/Effect"
import type * as ArchivedRecord from "../../ArchivedRecord.ts"

type Deposit = ArchivedRecord.ArchivedRecord<SubAccountDeposit.SubAccountDeposit>

/**
 * Groups deposits that are alike in everything that makes their identity; their time is part of it. Deposits without twins are
 * left out.
 */
const groups = (deposits: ReadonlyArray<Deposit>): ReadonlyArray<ReadonlyArray<Deposit>> => {
  const byTime = Map.groupBy(deposits, ({ record }) => record.insertTime)
  return Array.from(byTime.values())
    .filter(({ length }) => length > 1)
    .flatMap((together) =>
      Array.from(Map.groupBy(together, ({ record }) => SubAccountDeposit.identity(record)).values())
    )
    .filter(({ length }) => length > 1)
}

/**
 * Gives the identity of each deposit by its key, which is its `clientTranId`. The key does not tell the number that went into
 * it, so the few deposits that have twins are derived again. `deposits` holds all twins of each deposit that it holds.
 */
export const identities = Effect.fnUntraced(function*(deposits: ReadonlyArray<Deposit>) {
  const numbered = new Map<string, DepositEntry.Identity>()
  for (const twins of groups(deposits)) {
    const references = yield* ClientTranId.clientTranIdsFor(twins.map(({ record }) => record))
    const [first = ""] = references
    for (const [index, reference] of references.entries()) {
      numbered.set(reference, { reference, first, ordinal: index + 1 })
    }
  }
  return (key: string): DepositEntry.Identity => numbered.get(key) ?? { reference: key, first: key, ordinal: 1 }
})
