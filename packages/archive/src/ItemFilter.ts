/** Which items a page of a list shows, and in which order. */
import * as Amount from "@tallystick/core/Amount"
import * as Entry from "@tallystick/reconcile/Entry"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Schema from "effect/Schema"
import * as BookState from "./BookState.ts"
import { Decided } from "./ListedItem.ts"

/** The code of time that was not read: as an item it has no outcome. */
export const UNREAD = "unread"

/**
 * An item is shown for which everything holds that is given. What the books do not know has no state, no amount, no asset and no account:
 * states and decisions leave it out, assets, accounts and amounts do not, because it may be of any.
 */
export class ItemFilter extends Schema.Opaque<ItemFilter>()(
  Schema.Struct({
    /** It is in one of these states. */
    states: Schema.optionalKey(Schema.Array(BookState.Waiting)),
    /** It has one of these codes. */
    codes: Schema.optionalKey(Schema.Array(Schema.Union([Outcome.Code, Schema.Literal(UNREAD)]))),
    /** One of its entries is of this asset. */
    asset: Schema.optionalKey(Schema.String),
    /** One of its entries is of this account. */
    account: Schema.optionalKey(Schema.String),
    /** One of its entries is on this side. */
    side: Schema.optionalKey(Entry.Side),
    /** Its age counts from a moment before this one, Unix ms. */
    before: Schema.optionalKey(Schema.Int),
    /** Its age counts from this moment or a later one, Unix ms. */
    from: Schema.optionalKey(Schema.Int),
    /** The size of its difference is known and at least this, in whatever asset. */
    leastDifference: Schema.optionalKey(Amount.Amount),
    /** Its worth is known and at least this. */
    leastWorth: Schema.optionalKey(Amount.Amount),
    /** What people did about it is one of these. */
    decided: Schema.optionalKey(Schema.Array(Decided)),
    /**
     * Each word of this text names it: an id of an entry, a deposit's transaction or an account begins or ends so, or both as reports
     * shorten ids (`40f67cef…g25x8z77`); its own id, that of its outcome, or a part of the name of an account (`example` of
     * `desk@example.com`) begins so; an entry is of this asset, or of this amount. Large and small letters are alike, but for letters of
     * both kinds in the name of an asset.
     */
    text: Schema.optionalKey(Schema.String)
  }).annotate({ identifier: "ItemFilter" })
) {}

/**
 * By what items are sorted: most worth first, the greatest difference first, the oldest first, those that have waited since the earliest
 * execution first, by the account of the earliest entry, or by the code. What is not known comes last. Those of which this is the same are
 * in an order of their own that never changes.
 */
export const By = Schema.Literals(["worth", "difference", "age", "since", "account", "code"])
export type By = typeof By.Type

/** An order of items. */
export class Order extends Schema.Opaque<Order>()(
  Schema.Struct({
    by: By,
    /** The last one comes first. Default: false. */
    reversed: Schema.optionalKey(Schema.Boolean)
  }).annotate({ identifier: "ItemOrder" })
) {}
