/** What a job is asked: a reconciliation of an archive that brings its books forward. */
import * as Decision from "@tallystick/archive/Decision"
import * as Amount from "@tallystick/core/Amount"
import * as Accounts from "@tallystick/reconcile/Accounts"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Schema from "effect/Schema"

/** Prices of one unit of assets, all in one currency. */
export const Prices = Schema.Struct({
  /** The currency, where somebody said which it is. */
  currency: Schema.optionalKey(Schema.String),
  /** Exact decimal text above zero by asset, each name of an asset apart. */
  of: Schema.Record(Schema.String, Amount.Amount)
})
export type Prices = typeof Prices.Type

export const Question = Schema.Struct({
  /** The entries of `[from, to)` are judged, Unix ms. */
  range: Schema.Struct({ from: Schema.Int, to: Schema.Int }),
  /** The policy, without what people decided: each run follows that by itself. */
  policy: Policy.Resolved,
  /** The accounts that the run is about. */
  accounts: Accounts.Accounts,
  /** The addresses of the accounts, where they are known. */
  addresses: Schema.optionalKey(AddressBook.AddressBook),
  /** Who brings the books forward. It is no part of what is asked: a job bears the name of the first one who asked. */
  author: Decision.Author,
  /** From this run on the books follow its policy, accounts and addresses, whatever they followed before. */
  declare: Schema.Boolean,
  /** Earlier time is judged again where something changed since. */
  carry: Schema.Boolean,
  /** The prices that the execution keeps. */
  prices: Schema.optionalKey(Prices)
})
export type Question = typeof Question.Type
