/** The sub-accounts as the exchange lists them, in the place of a file that names them. */
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import type * as SubAccount from "@tallystick/core/SubAccount"
import * as Accounts from "@tallystick/reconcile/Accounts"
import type * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as Names from "../text/Names.ts"

/** The list as far as it was seen. */
export interface Listed {
  readonly subAccounts: ReadonlyArray<SubAccount.SubAccount>
  /** Why these may not be all; undefined where they are proven to be all. */
  readonly doubt: string | undefined
  /** The service's time before the list was read, Unix ms. */
  readonly readAt: number
}

/** Reads the list. Where it is not proven, what was seen of it comes with the reason. */
export const list: Effect.Effect<Listed, BrokerError.SubAccountsError, Broker.Broker> = Effect.gen(function*() {
  const broker = yield* Broker.Broker
  const readAt = yield* broker.serverTime
  const subAccounts: Array<SubAccount.SubAccount> = []
  const keep = (one: SubAccount.SubAccount) => Effect.sync(() => subAccounts.push(one))
  const ended = yield* Effect.result(Stream.runForEach(broker.subAccounts, keep))
  if (Result.isSuccess(ended)) return { subAccounts, doubt: undefined, readAt }
  const { reason } = ended.failure
  if (reason._tag === "IncompleteList") return { subAccounts, doubt: reason.detail, readAt }
  return yield* ended.failure
})

/** Says what stands in the way, and that a file would do. */
export const failure = (error: BrokerError.SubAccountsError): Failure.Failure =>
  (error.reason._tag === "NotOffered" ? Failure.usage : Failure.unfinished)(
    `${error.message}; name the sub-accounts in a file: --accounts FILE`
  )

export interface Settings {
  /** As they are used. They count as all where that is proven. */
  readonly accounts: Accounts.Accounts
  /** Why they do not count as all; undefined where they do. */
  readonly doubt: string | undefined
  readonly listed: Listed
}

/** Accounts of the address book that the list lacks: then it is not the list of all. */
const strangers = (
  names: ReadonlySet<string>,
  book: AddressBook.AddressBook,
  isMaster: (name: string) => boolean
): string | undefined => {
  const lacking = Array.from(new Set(book.map(({ account }) => account)))
    .filter((name) => !names.has(name) && !isMaster(name))
  return lacking.length === 0
    ? undefined
    : `it lacks ${Text.counted(lacking.length, "account")} of the address book: ${Names.some(lacking)}`
}

/**
 * Asks the exchange for its sub-accounts. They count as all only where the list was proven, took no longer to read than a
 * record may take to appear, and lacks no account of the address book.
 */
export const read = Effect.fnUntraced(function*(
  { master }: Pick<Accounts.Accounts, "master">,
  addresses: AddressBook.AddressBook = []
): Effect.fn.Return<Settings, Failure.Failure, Broker.Broker> {
  const { conventions, serverTime } = yield* Broker.Broker
  const listed = yield* Effect.mapError(list, failure)
  const { doubt, readAt, subAccounts } = listed
  const names = subAccounts.map(({ subAccount }) => subAccount)
  if (names.length === 0) {
    return yield* Failure.unfinished(
      "The exchange lists no sub-account, which proves nothing: name them in a file, with --accounts FILE"
    )
  }
  const accounts = { list: names, ...(master === undefined ? {} : { master }) }
  const isLate = (yield* serverTime) - readAt > conventions.settle
  const found = doubt ??
    (isLate ? "it took so long to read that others may have come meanwhile" : undefined) ??
    strangers(new Set(names), addresses, (name) => Accounts.isMaster({ ...accounts, complete: false }, name))
  return {
    accounts: found === undefined
      ? { ...accounts, complete: true, provenAt: readAt }
      : { ...accounts, complete: false },
    doubt: found,
    listed
  }
})

/** What is said of a list that does not count as the list of all. */
export const doubtful = (doubt: string): string =>
  `the exchange's list of sub-accounts is not proven complete: ${doubt}`

interface Changed {
  readonly gone?: ReadonlyArray<string>
  readonly added?: ReadonlyArray<string>
  readonly back?: ReadonlyArray<string>
}

/** `2 accounts are listed no more: sub00001 and sub00004`; `1 account is new: sub00009`; `1 account is listed again: sub00001`. */
export const changes = ({ added = [], back = [], gone = [] }: Changed): ReadonlyArray<string> =>
  ([[gone, "listed no more"], [added, "new"], [back, "listed again"]] as const).flatMap(([names, what]) =>
    names.length === 0
      ? []
      : [`${Text.counted(names.length, "account")} ${names.length === 1 ? "is" : "are"} ${what}: ${Names.some(names)}`]
  )
