/** Entries as the archive keeps them now, with where the books say that they stand. */
import type * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as DepositEntry from "@tallystick/reconcile/DepositEntry"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Policy from "@tallystick/reconcile/Policy"
import * as TransferEntry from "@tallystick/reconcile/TransferEntry"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type { DatabaseError } from "../../ArchiveError.ts"
import type * as Candidate from "../../Candidate.ts"
import * as Subjects from "../ledger/Subjects.ts"
import * as Twins from "../source/Twins.ts"
import type * as Database from "../sql/Database.ts"
import * as EntryStates from "./EntryStates.ts"

/** An entry by its id, or by the name of its record with its key, where its id is not known yet. */
export interface Named {
  readonly side: Entry.Side
  readonly id: string
  readonly key?: string
}

export interface KeptEntry {
  readonly entry: Candidate.Kept
  readonly network?: string
  /** Where it stands, if it ever waited. */
  readonly state?: EntryStates.EntryState
  readonly hasVanished: boolean
}

interface Asked {
  readonly policy: Policy.Resolved
  /** The names of the master account. */
  readonly master: ReadonlyArray<string>
}

interface Read {
  readonly entry: Entry.Entry
  readonly key: string
  readonly conflicts: number
  readonly hasVanished: boolean
}

const keptOf = ({ conflicts, entry, hasVanished }: Read, state: EntryStates.EntryState | undefined): KeptEntry => {
  const { amount, asset, at, id, network, reference, side, status } = entry
  const account = entry.account ?? state?.account
  return {
    entry: {
      side,
      id,
      asset,
      amount,
      at,
      status,
      ...(conflicts === 0 ? {} : { conflicts }),
      ...(account === undefined ? {} : { account }),
      ...(reference === undefined || reference === "" ? {} : { reference })
    },
    ...(network === undefined ? {} : { network }),
    ...(state === undefined ? {} : { state }),
    hasVanished
  }
}

export const make = (database: Database.Service) => {
  const { error, sql } = database
  const records = Subjects.records(database)
  const states = EntryStates.make(sql)

  const read = Effect.fnUntraced(function*(
    named: ReadonlyArray<Named>,
    { master, policy }: Asked,
    account: AddressBook.Lookup | undefined
  ): Effect.fn.Return<ReadonlyArray<Read>, DatabaseError> {
    const namesOf = (side: Entry.Side) =>
      Array.from(
        new Set(
          named.filter((one) => one.side === side).map((one) => one.key === undefined ? Subjects.recordOf(one) : one.id)
        )
      )
    const arrived = yield* records.deposits.named(namesOf("deposit"))
    const moved = yield* records.transfers.named(namesOf("transfer"))
    const identityOf = yield* Twins.identities(arrived)
    const naming = account === undefined ? { policy } : { policy, account }
    const accounts = { list: [], complete: false, ...(Arr.isReadonlyArrayNonEmpty(master) ? { master } : {}) }
    return [
      ...arrived.map(({ conflicts, key, record, vanishedAt }): Read => ({
        entry: DepositEntry.make(record, identityOf(key), naming),
        key,
        conflicts: conflicts.length,
        hasVanished: vanishedAt !== undefined
      })),
      ...moved.map(({ conflicts, key, record, vanishedAt }): Read => ({
        entry: TransferEntry.fromTransfer(record, { accounts, policy }),
        key,
        conflicts: conflicts.length,
        hasVanished: vanishedAt !== undefined
      }))
    ]
  })

  /** Gives each of these entries that the archive has, once. */
  return (asked: Asked, account?: AddressBook.Lookup) =>
    Effect.fnUntraced(function*(
      named: ReadonlyArray<Named>
    ): Effect.fn.Return<ReadonlyArray<KeptEntry>, DatabaseError> {
      const ids = new Set(named.filter(({ key }) => key === undefined).map(Subjects.keyOf))
      const keys = new Set(named.flatMap(({ key, side }) => key === undefined ? [] : [`${side} ${key}`]))
      const found = (yield* read(named, asked, account)).filter(({ entry, key }) =>
        ids.has(Subjects.keyOf(entry)) || keys.has(`${entry.side} ${key}`)
      )
      const stand = yield* Effect.mapError(states.of(found.map(({ entry }) => entry)), error)
      const stateOf = new Map(stand.map((state) => [Subjects.keyOf(state), state]))
      return found.map((one) => keptOf(one, stateOf.get(Subjects.keyOf(one.entry))))
    })
}
