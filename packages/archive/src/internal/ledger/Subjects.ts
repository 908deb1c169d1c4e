/** Entries are looked up by their ids, as the archive keeps them now. */
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as DepositEntry from "@tallystick/reconcile/DepositEntry"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import type { DatabaseError } from "../../ArchiveError.ts"
import type * as Decision from "../../Decision.ts"
import type { History } from "../history/History.ts"
import * as RecordReader from "../history/RecordReader.ts"
import * as DepositTable from "../records/DepositTable.ts"
import * as TransferTable from "../records/TransferTable.ts"
import * as VersionTable from "../records/VersionTable.ts"
import * as Twins from "../source/Twins.ts"
import type * as Database from "../sql/Database.ts"
import * as LedgerTable from "./LedgerTable.ts"

export interface Kept {
  readonly subject: Decision.Subject
  /** A complete reading of its time no longer showed it. */
  readonly hasVanished: boolean
}

type Named = Pick<Decision.Subject, "id" | "side">

/** Both sides of the archive, by name. */
export interface Records {
  readonly deposits: Pick<History<SubAccountDeposit.SubAccountDeposit>, "named">
  readonly transfers: Pick<History<UniversalTransfer.UniversalTransfer>, "named">
}

export const records = ({ error, sql }: Database.Service): Records => {
  const deposits = RecordReader.make(DepositTable.table, {
    sql,
    versions: VersionTable.make(sql, DepositTable.table)
  })
  const transfers = RecordReader.make(TransferTable.table, {
    sql,
    versions: VersionTable.make(sql, TransferTable.table)
  })
  return {
    deposits: { named: (names) => Effect.mapError(deposits.named(names), error) },
    transfers: { named: (names) => Effect.mapError(transfers.named(names), error) }
  }
}

const subject = ({ amount, asset, at, id }: Entry.Entry): Decision.Subject => ({
  side: "deposit",
  id,
  asset,
  amount,
  at
})

/** Gives every entry that the archive keeps under the records of these entries: twins and other deposits of a transaction too. */
export const beside = Effect.fnUntraced(function*(
  { deposits, transfers }: Records,
  named: ReadonlyArray<Named>
): Effect.fn.Return<ReadonlyArray<Kept>, DatabaseError> {
  const namesOf = (side: Entry.Side) =>
    Array.from(new Set(named.filter((one) => one.side === side).map(LedgerTable.recordOf)))
  const [arrived, moved] = [
    yield* deposits.named(namesOf("deposit")),
    yield* transfers.named(namesOf("transfer"))
  ]
  const identityOf = yield* Twins.identities(arrived)
  return [
    ...arrived.map(({ key, record, vanishedAt }) => ({
      subject: subject(DepositEntry.make(record, identityOf(key), { policy: Policy.defaults })),
      hasVanished: vanishedAt !== undefined
    })),
    ...moved.map(({ record: { amount, asset, timestamp, tranId }, vanishedAt }): Kept => ({
      subject: { side: "transfer", id: tranId, asset, amount, at: timestamp },
      hasVanished: vanishedAt !== undefined
    }))
  ]
})

const keyOf = ({ id, side }: Named): string => `${side} ${id}`

/** Finds an entry among those that were read, also one that has vanished. */
export const all = (kept: ReadonlyArray<Kept>) => {
  const found = new Map(kept.map((one) => [keyOf(one.subject), one]))
  return (named: Named): Kept | undefined => found.get(keyOf(named))
}

/** Finds an entry that has not vanished. */
export const lookup = (kept: ReadonlyArray<Kept>) => {
  const find = all(kept)
  return (named: Named): Decision.Subject | undefined => {
    const found = find(named)
    return found?.hasVanished === false ? found.subject : undefined
  }
}
