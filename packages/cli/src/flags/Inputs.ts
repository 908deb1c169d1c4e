/** What the flags for the books and their policy mean together. */
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as PolicyError from "@tallystick/reconcile/PolicyError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Configured from "../config/Configured.ts"
import * as FieldMap from "../config/FieldMap.ts"
import * as Setting from "../config/Setting.ts"
import * as Failure from "../Failure.ts"
import type * as EntryFile from "../files/EntryFile.ts"
import { STDIN } from "../files/InputFile.ts"
import * as SettingFile from "../files/SettingFile.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as AskedRange from "./AskedRange.ts"
import type { Flags } from "./InputFlags.ts"

/** Accounts and addresses as they are told: the accounts may be those that the exchange lists. */
export const told = Effect.fnUntraced(function*(flags: Pick<Flags, "accounts" | "addresses">) {
  const addresses = yield* SettingFile.addresses(flags.addresses)
  const accounts = yield* SettingFile.accounts(flags.accounts, addresses)
  return { accounts, ...(addresses === undefined ? {} : { addresses }) }
})

export type Told = Effect.Success<ReturnType<typeof told>>

/** Accounts and addresses: what a run is told beside the policy. */
export interface Settings extends Omit<Told, "accounts"> {
  readonly accounts: Accounts.Accounts
}

/** The same for a command that asks nobody: there the accounts that the exchange lists are those of the address book. */
export const settings = Effect.fnUntraced(function*(flags: Pick<Flags, "accounts" | "addresses">) {
  const { accounts, ...rest } = yield* told(flags)
  if (!SettingFile.isOfService(accounts)) return { ...rest, accounts } satisfies Settings
  yield* Stderr.say(
    `the exchange is not asked for its sub-accounts here (--accounts ${Setting.OF_SERVICE}): those of the address book count`
  )
  const { master } = accounts
  const ofBook = { ...SettingFile.ofBook(rest.addresses), ...(master === undefined ? {} : { master }) }
  return { ...rest, accounts: ofBook } satisfies Settings
})

/** How the files of both sides are read, but for the policy. */
export const reading = (
  { accounts, addresses = [] }: Settings,
  { from, to }: AskedRange.Asked,
  { complete }: Pick<Flags, "complete">,
  maps: FieldMap.FieldMaps
): Omit<EntryFile.Options, "policy"> => ({ accounts, account: AddressBook.lookup(addresses), from, to, complete, maps })

/** What `--map`, or the setting in its place, says of the columns of files. */
export const maps = Effect.fnUntraced(function*({ map }: Pick<Flags, "map">) {
  if (Option.isNone(map)) return FieldMap.none
  const parsed = FieldMap.parse(map.value)
  if (Result.isSuccess(parsed)) return parsed.success
  const name = (yield* isGiven(map, Setting.inputs.map))
    ? "--map"
    : yield* Configured.nameOf(Setting.inputs.map.variable)
  return yield* Failure.usage(`${name}: ${parsed.failure}`)
})

/** Whether the value of a flag was given as a flag, and not by the setting in its place. */
export const isGiven = Effect.fnUntraced(function*(value: Option.Option<string>, { variable }: Setting.Setting) {
  const configured = yield* Configured.value(variable)
  return Option.exists(value, (value) => value.trim() !== configured?.value)
})

/**
 * The range of a run over files: without `--from` and `--to` everything, which is no range at all; without `--to` what has
 * happened until now.
 */
export const range = Effect.fnUntraced(function*({ from, to }: AskedRange.Asked) {
  if (from === undefined && to === undefined) return {}
  return { range: yield* AskedRange.bounded({ from: from ?? 0, to }) }
})

/** Said where no sub-account is known: transfers are asked for account by account. */
export const NOBODY =
  "The service must be asked for each sub-account: name them with --accounts FILE or --addresses FILE, or let the exchange " +
  `list them with --accounts ${Setting.OF_SERVICE}`

/** Refuses to read stdin for two flags. */
export const oneStdin = (
  inputs: Readonly<Record<string, Option.Option<string>>>
): Effect.Effect<void, Failure.Failure> => {
  const piped = Object.keys(inputs).filter((name) => Option.contains(inputs[name] ?? Option.none(), STDIN))
  return piped.length < 2
    ? Effect.void
    : Effect.fail(Failure.usage(
      `stdin can be read once: only one of ${piped.map((name) => `--${name}`).join(" and ")} may be -`
    ))
}

/** A policy that does not fit the entries: its links name some that are not there. */
export const refusedPolicy =
  (path: Option.Option<string>) => <A, E, R>(effect: Effect.Effect<A, E | PolicyError.PolicyError, R>) =>
    Effect.catchIf(
      effect,
      (error) => error instanceof PolicyError.PolicyError,
      (error) => Effect.fail(Failure.fromPolicy(Option.getOrElse(path, () => "policy"))(error))
    )
