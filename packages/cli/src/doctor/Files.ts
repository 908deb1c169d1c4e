/** The files of a run: whether they can be read, and whether they fit together. */
import * as Accounts from "@tallystick/reconcile/Accounts"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as FieldMap from "../config/FieldMap.ts"
import type * as Failure from "../Failure.ts"
import type * as InputFile from "../files/InputFile.ts"
import * as SettingFile from "../files/SettingFile.ts"
import * as Names from "../text/Names.ts"
import type { ZonedTimes } from "../text/ZonedTimes.ts"
import * as Check from "./Check.ts"
import * as Rows from "./Rows.ts"

export interface Given {
  readonly policy: Option.Option<string>
  readonly accounts: Option.Option<string>
  readonly addresses: Option.Option<string>
  readonly deposits: Option.Option<string>
  readonly transfers: Option.Option<string>
  readonly map: Option.Option<string>
}

/** A setting file: its value, or the default beside a failed check. */
const setting = <A, R>(
  what: "policy" | "accounts" | "addresses",
  path: Option.Option<string>,
  read: Effect.Effect<A, Failure.Failure, R>,
  fallback: A,
  tell: (value: A, name: string) => ReadonlyArray<Check.Check>
) =>
  Effect.map(Effect.result(read), (result) => {
    if (Result.isFailure(result)) {
      const { message, more } = result.failure
      return {
        value: fallback,
        checks: [message, ...more].map((line) =>
          Check.failed(what, line, "Correct the file; the README shows what it may hold.")
        )
      }
    }
    return {
      value: result.success,
      checks: Option.match(path, { onNone: () => [], onSome: (name) => tell(result.success, name) })
    }
  })

const accountsTold = (accounts: Accounts.Accounts, name: string): ReadonlyArray<Check.Check> => {
  if (accounts.list.length === 0) {
    return [
      Check.warning("accounts", `${name} names no sub-account`, "Name every sub-account that deposits may reach.")
    ]
  }
  const vouched = accounts.complete
    ? "vouched to be all there are"
    : "not vouched to be all there are, so a deposit to an unknown address stays undecided"
  return [Check.ok("accounts", `${name}: ${Text.counted(accounts.list.length, "sub-account")}, ${vouched}`)]
}

const addressesTold = (book: AddressBook.AddressBook, name: string): ReadonlyArray<Check.Check> => {
  const accounts = new Set(book.map(({ account }) => account))
  return [
    Check.ok(
      "addresses",
      `${name}: ${Text.counted(book.length, "address", "addresses")} of ${Text.counted(accounts.size, "account")}`
    )
  ]
}

/** Sub-accounts that the book knows no address of, and accounts of the book that nobody named. */
const disagreements = (accounts: Accounts.Accounts, book: AddressBook.AddressBook): ReadonlyArray<Check.Check> => {
  const addressed = new Set(book.map(({ account }) => account))
  const listed = new Set(accounts.list)
  const silent = accounts.list.filter((account) => !addressed.has(account))
  const unknown = Array.from(addressed).filter((account) =>
    !listed.has(account) && !Accounts.isMaster(accounts, account)
  )
  return [
    ...(silent.length === 0 ? [] : [Check.warning(
      "addresses",
      `no address is known of ${Text.counted(silent.length, "sub-account")}: ${Names.some(silent)}`,
      "Add their addresses: a deposit that reaches them cannot be told from one of another sub-account."
    )]),
    ...(unknown.length === 0 ? [] : [Check.warning(
      "addresses",
      `addresses of ${Text.counted(unknown.length, "account")} that --accounts does not name: ${Names.some(unknown)}`,
      "Add them to the accounts, or take their addresses out: their transfers are not asked for."
    )])
  ]
}

const book = (path: Option.Option<string>) =>
  setting("addresses", path, SettingFile.addresses(path), undefined, (value, name) => addressesTold(value ?? [], name))

export const look = Effect.fnUntraced(function*(given: Given, maps: FieldMap.FieldMaps, times: ZonedTimes) {
  const policy = yield* setting(
    "policy",
    given.policy,
    SettingFile.policy(given.policy),
    Policy.defaults,
    (_, name) => [Check.ok("policy", `${name} is a valid policy; tallystick policy check says what it allows`)]
  )
  const addresses = yield* book(given.addresses)
  const told = yield* setting<SettingFile.Told, InputFile.Sources>(
    "accounts",
    given.accounts,
    SettingFile.accounts(given.accounts, addresses.value),
    Accounts.none,
    (told, name) => SettingFile.isOfService(told) ? [] : accountsTold(told, name)
  )
  const ofService = SettingFile.isOfService(told.value) ? told.value : undefined
  const accounts = SettingFile.isOfService(told.value) ? SettingFile.ofBook(addresses.value) : told.value
  const isNamed = Option.isSome(given.accounts) && ofService === undefined && accounts !== Accounts.none
  const together = isNamed && addresses.value !== undefined ? disagreements(accounts, addresses.value) : []
  const reading = {
    maps,
    policy: policy.value,
    accounts,
    account: AddressBook.lookup(addresses.value ?? [])
  }
  const deposits = yield* Rows.look("deposit", given.deposits, reading, times)
  const transfers = yield* Rows.look("transfer", given.transfers, reading, times)
  return {
    accounts,
    /** Present where a file names the accounts, so that the exchange's list may be held against it. */
    named: isNamed ? Option.map(given.accounts, (file) => ({ file, accounts })) : Option.none(),
    /** Present where the exchange is to be asked for its sub-accounts. */
    ofService: ofService && { ...ofService, addresses: addresses.value },
    checks: [...policy.checks, ...told.checks, ...addresses.checks, ...together, ...deposits, ...transfers]
  }
})
