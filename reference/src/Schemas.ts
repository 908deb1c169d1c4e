/** The JSON Schemas for programs in other languages, and for editors. */
import * as ConfigFile from "@tallystick/cli/config/ConfigFile"
import * as Accounts from "@tallystick/reconcile/Accounts"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Backtest from "@tallystick/reconcile/Backtest"
import * as Extract from "@tallystick/reconcile/Extract"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Report from "@tallystick/reconcile/Report"
import * as Ndjson from "@tallystick/report/Ndjson"
import * as Prices from "@tallystick/report/Prices"
import * as Schema from "effect/Schema"
import * as Generated from "./Generated.ts"
import * as JsonSchema from "./JsonSchema.ts"
import * as Length from "./Length.ts"

const { late, per: _per, window, ...others } = Policy.defaults

/** The defaults of a policy as its file would write them. */
const policyDefaults = {
  window: { before: Length.text(window.before), after: Length.text(window.after) },
  late: Length.text(late),
  per: [],
  ...others
}

/** In a file `complete` may be left out: then nobody vouches for the list. */
const AccountsFile = Accounts.Accounts.mapFields(({ complete, list, master }) => ({
  master,
  list: Schema.Union([list, Schema.Literal("service")]).annotateKey({
    description: "The sub-accounts, or `service`: those that the exchange lists, for which nobody need vouch."
  }),
  complete: Schema.optionalKey(complete)
})).annotate({
  title: "Accounts",
  description: "The file of `--accounts` in its JSON form: the sub-accounts that a run is about."
})

export const schemas = {
  policy: JsonSchema.make(Policy.Policy, "policy", { strict: true, defaults: policyDefaults }),
  accounts: JsonSchema.make(AccountsFile, "accounts", {
    strict: true,
    defaults: { master: Accounts.masterNames(Accounts.none)[0], complete: false }
  }),
  addresses: JsonSchema.make(AddressBook.AddressBook, "addresses", { strict: true }),
  prices: JsonSchema.make(
    Prices.PriceList.annotate({
      title: "Prices",
      description: "The file of `--prices` in its JSON form: what one unit of an asset is worth, all in one currency."
    }),
    "prices",
    { strict: true }
  ),
  configuration: JsonSchema.make(ConfigFile.schema, "configuration", { strict: true }),
  report: JsonSchema.make(Report.Report, "report", { strict: false }),
  extract: JsonSchema.make(Extract.Extract, "extract", { strict: false }),
  events: JsonSchema.make(Ndjson.Line, "events", { strict: false }),
  backtest: JsonSchema.make(Backtest.Backtest, "backtest", { strict: false })
}

/** The files, each named as its `$id`. */
export const files: ReadonlyArray<Generated.Generated> = Object.entries(schemas).map(([name, schema]) =>
  Generated.json(`docs/schema/${name}.schema.json`, schema)
)
