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

export interface Kept {
  readonly subject: Decision.Subject
  /** The status as the source tells it, which a policy gives its meaning. */
  readonly status: string | number
  /** A complete reading of its time no longer showed it. */
  readonly hasVanished: boolean
}

type Named = Pick<Decision.Subject, "id" | "side">

/** The name under which the archive keeps an entry: a deposit's transaction, which its id begins with, or a transfer's id. */
export const recordOf = ({ id, side }: Named): string => {
  const end = id.lastIndexOf("~")
  return side === "transfer" || end < 0 ? id : id.slice(0, end)
}

/** Gives names of records that begin and end so, at most `limit` of them. */
type Beginning = (start: string, tail: string, limit: number) => Effect.Effect<ReadonlyArray<string>, DatabaseError>

/** Both sides of the archive, by name. */
export interface Records {
  readonly deposits: Pick<History<SubAccountDeposit.SubAccountDeposit>, "named"> & {
    readonly beginning: Beginning
    /** Gives names of all records that begin so, and that have an id of which the reference may end so. */
    readonly beginningOf: (start: string, tail: string) => Effect.Effect<ReadonlyArray<string>, DatabaseError>
  }
  readonly transfers: Pick<History<UniversalTransfer.UniversalTransfer>, "named"> & { readonly beginning: Beginning }
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
    deposits: {
      named: (names) => Effect.mapError(deposits.named(names), error),
      beginning: (start, tail, limit) => Effect.mapError(deposits.beginning(start, tail, limit), error),
      beginningOf: (start, tail) => Effect.mapError(deposits.beginningOf(start, tail), error)
    },
    transfers: {
      named: (names) => Effect.mapError(transfers.named(names), error),
      beginning: (start, tail, limit) => Effect.mapError(transfers.beginning(start, tail, limit), error)
    }
  }
}

/** The other contents that the service told of an entry are counted, because nobody can say which of them is true. */
const withConflicts = (subject: Decision.Subject, { length }: ReadonlyArray<unknown>): Decision.Subject =>
  length === 0 ? subject : { ...subject, conflicts: length }

const ofDeposit = ({ amount, asset, at, id }: Entry.Entry): Decision.Subject => ({
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
  const namesOf = (side: Entry.Side) => Array.from(new Set(named.filter((one) => one.side === side).map(recordOf)))
  const [arrived, moved] = [
    yield* deposits.named(namesOf("deposit")),
    yield* transfers.named(namesOf("transfer"))
  ]
  const identityOf = yield* Twins.identities(arrived)
  return [
    ...arrived.map(({ conflicts, key, record, vanishedAt }): Kept => ({
      subject: withConflicts(
        ofDeposit(DepositEntry.make(record, identityOf(key), { policy: Policy.defaults })),
        conflicts
      ),
      status: record.status,
      hasVanished: vanishedAt !== undefined
    })),
    ...moved.map(({ conflicts, record: { amount, asset, status, timestamp, tranId }, vanishedAt }): Kept => ({
      subject: withConflicts({ side: "transfer", id: tranId, asset, amount, at: timestamp }, conflicts),
      status,
      hasVanished: vanishedAt !== undefined
    }))
  ]
})

/** Names an entry among those of both sides. */
export const keyOf = ({ id, side }: Named): string => `${side} ${id}`

/** Finds an entry among those that were read, also one that has vanished. */
export type Lookup = (named: Named) => Kept | undefined

export const lookup = (kept: ReadonlyArray<Kept>): Lookup => {
  const found = new Map(kept.map((one) => [keyOf(one.subject), one]))
  return (named) => found.get(keyOf(named))
}
