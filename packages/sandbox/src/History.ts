/**
 * Generates histories: deposits and transfers of a broker, with the truth about them beside the data.
 *
 * A seed means the same history on every machine. `stream` holds in memory the address book, the positions of the breaks and the
 * records that are planned but not due yet, never the history; `generate` collects it.
 */
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import type { UniversalTransfer } from "@tallystick/core/UniversalTransfer"
import * as Stream from "effect/Stream"
import * as Addresses from "./Addresses.ts"
import { type HistoryOptions, make } from "./HistoryOptions.ts"
import * as Plan from "./internal/history/Plan.ts"
import type * as Truth from "./Truth.ts"

/** The options that differ from the usual history. `to` is the time at which it is read, in ms. */
export type Changes = Partial<HistoryOptions> & Pick<HistoryOptions, "to">

/** Records in time order. The truth about some records comes before them. */
export type Event = Plan.Event

/** A whole history in memory, records in time order. */
export interface History {
  /** The options of which it was made, with defaults filled in. */
  readonly options: HistoryOptions
  /** The names of all sub-accounts. */
  readonly subAccounts: ReadonlyArray<string>
  /** The deposit addresses of all sub-accounts. */
  readonly addressBook: ReadonlyArray<Addresses.Entry>
  /** The deposits, in order of time. */
  readonly deposits: ReadonlyArray<SubAccountDeposit>
  /** The transfers, in order of time. */
  readonly transfers: ReadonlyArray<UniversalTransfer>
  /** Which records belong together, and what was planted. */
  readonly truth: Truth.Truth
}

const CHUNK = 1024

/** Returns the addresses of every sub-account of such a history. */
export const addressBook = (changes: Changes): ReadonlyArray<Addresses.Entry> => {
  const { seed, subAccounts } = make(changes)
  return Addresses.make(seed, subAccounts)
}

/** Streams the events of a history of any size, planned while they are read. Each run starts anew. */
export const stream = (changes: Changes): Stream.Stream<Event> => {
  const options = make(changes)
  const book = Addresses.make(options.seed, options.subAccounts)
  return Stream.fromIterable({ [Symbol.iterator]: () => Plan.events(options, book) }, { chunkSize: CHUNK })
}

/** Generates a history in memory. */
export const generate = (changes: Changes): History => {
  const options = make(changes)
  const book = Addresses.make(options.seed, options.subAccounts)
  const deposits: Array<SubAccountDeposit> = []
  const transfers: Array<UniversalTransfer> = []
  const pairs: Array<Truth.Pair> = []
  const groups: Array<Truth.Group> = []
  const breaks: Array<Truth.Break> = []
  for (const event of Plan.events(options, book)) {
    switch (event._tag) {
      case "Deposit":
        deposits.push(event.deposit)
        break
      case "Transfer":
        transfers.push(event.transfer)
        break
      case "Pair":
        pairs.push(event.pair)
        break
      case "Group":
        groups.push(event.group)
        break
      case "Break":
        breaks.push(event.break)
        break
    }
  }
  return {
    options,
    subAccounts: Array.from({ length: options.subAccounts }, (_, index) => Addresses.accountName(index)),
    addressBook: book,
    deposits,
    transfers,
    truth: { pairs, groups, breaks }
  }
}
