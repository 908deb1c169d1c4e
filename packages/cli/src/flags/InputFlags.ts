/** Flags for the books and their policy, which `reconcile` and `backtest` share. */
import * as Flag from "effect/cli/Flag"
import type * as Option from "effect/Option"
import * as Setting from "../config/Setting.ts"
import * as Fallback from "./Fallback.ts"
import * as FileFlag from "./FileFlag.ts"
import * as RangeFlags from "./RangeFlags.ts"

export const file = (name: string, description: string) =>
  FileFlag.make(name).pipe(Flag.withDescription(description), Flag.optional)

/** The same for a file that the environment or the configuration file may name. */
export const configured = (key: "accounts" | "addresses" | "policy" | "prices", description: string) =>
  (key === "accounts" ? FileFlag.makeOr(Setting.OF_SERVICE) : FileFlag.make)(key).pipe(
    Flag.withDescription(description),
    Fallback.setting(Setting.inputs[key]),
    Flag.optional
  )

const ACCOUNTS = "Sub-accounts: JSON { master, list, complete }, or one name a line"

/** For a command that asks the exchange. */
export const accountsOrService = configured(
  "accounts",
  `${ACCOUNTS}, or \`${Setting.OF_SERVICE}\`: as the exchange lists them`
)

/** How files of anybody are read. */
export const map = Flag.String("map").pipe(
  Flag.withMetavar("FIELD=COLUMN,…"),
  Flag.withDescription(
    "Which column of files of anybody (CSV, JSON) holds which field: at=\"Time(UTC)\",amount=Quantity,id=TxID,asset=Coin; of one " +
      "file alone with transfers.at=…; zone=Europe/Berlin for times without one, ignore=COLUMN"
  ),
  Fallback.setting(Setting.inputs.map),
  Flag.optional
)

export const flags = {
  map,
  policy: configured("policy", "What may belong together, as JSON"),
  accounts: configured("accounts", ACCOUNTS),
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
  readonly map: Option.Option<string>
  readonly policy: Option.Option<string>
  readonly accounts: Option.Option<string>
  readonly addresses: Option.Option<string>
  readonly complete: boolean
}
