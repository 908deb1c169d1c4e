/** Flags for the books and their policy, which `reconcile` and `backtest` share, and what they mean together. */
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as PolicyError from "@tallystick/reconcile/PolicyError"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Setting from "../config/Setting.ts"
import * as Failure from "../Failure.ts"
import type * as EntryFile from "../files/EntryFile.ts"
import { STDIN } from "../files/InputFile.ts"
import * as SettingFile from "../files/SettingFile.ts"
import * as Fallback from "./Fallback.ts"
import * as FileFlag from "./FileFlag.ts"
import * as RangeFlags from "./RangeFlags.ts"

export const file = (name: string, description: string) =>
  FileFlag.make(name).pipe(Flag.withDescription(description), Flag.optional)

/** The same for a file that the environment or the configuration file may name. */
export const configured = (key: "accounts" | "addresses" | "policy" | "prices", description: string) =>
  FileFlag.make(key).pipe(Flag.withDescription(description), Fallback.setting(Setting.inputs[key]), Flag.optional)

export const flags = {
  policy: configured("policy", "What may belong together, as JSON"),
  accounts: configured("accounts", "Sub-accounts: JSON { master, list, complete }, or one name a line"),
  addresses: configured("addresses", "Whose a deposit address is: JSON or CSV with address, account, memo, network"),
  complete: Flag.Boolean("complete").pipe(
    Flag.withDescription("The files hold everything of all time: nothing is undecided because of their edges"),
    Flag.withDefault(false)
  ),
  ...RangeFlags.flags
}

export interface Flags extends RangeFlags.Flags {
  readonly deposits: Option.Option<string>
  readonly transfers: Option.Option<string>
  readonly policy: Option.Option<string>
  readonly accounts: Option.Option<string>
  readonly addresses: Option.Option<string>
  readonly complete: boolean
}

/** Accounts and addresses: what a run is told beside the policy. */
export const settings = Effect.fnUntraced(function*(flags: Pick<Flags, "accounts" | "addresses">) {
  const addresses = yield* SettingFile.addresses(flags.addresses)
  const accounts = yield* SettingFile.accounts(flags.accounts, addresses)
  return { accounts, ...(addresses === undefined ? {} : { addresses }) }
})

export type Settings = Effect.Success<ReturnType<typeof settings>>

/** How the files of both sides are read, but for the policy. */
export const reading = (
  { accounts, addresses = [] }: Settings,
  { from, to }: RangeFlags.Asked,
  { complete }: Pick<Flags, "complete">
): Omit<EntryFile.Options, "policy"> => ({ accounts, account: AddressBook.lookup(addresses), from, to, complete })

/**
 * The range of a run over files: without `--from` and `--to` everything, which is no range at all; without `--to` what has
 * happened until now.
 */
export const range = Effect.fnUntraced(function*({ from, to }: RangeFlags.Asked) {
  if (from === undefined && to === undefined) return {}
  return { range: yield* RangeFlags.bounded({ from: from ?? 0, to }) }
})

/** Transfers are asked for account by account. */
export const nobodyToAsk = Effect.fail(
  Failure.usage("The service must be asked for each sub-account: name them with --accounts FILE or --addresses FILE")
)

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
