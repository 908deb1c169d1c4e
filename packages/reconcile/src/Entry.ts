/**
 * An entry: one movement of money as one side of the books tells it, whatever system wrote it.
 *
 * Amounts are decimal text, exact to 64 digits on either side of the point; times are Unix milliseconds.
 */
import * as Amount from "@tallystick/core/Amount"
import * as Schema from "effect/Schema"
import * as EntryStatus from "./internal/EntryStatus.ts"
import { Past } from "./internal/Past.ts"

/** The two sides of the books: deposits arrived, and transfers moved them on. */
export const Side = Schema.Literals(["deposit", "transfer"])
export type Side = typeof Side.Type

/** The status of a movement, as the policy maps it. Only `settled` entries take part in matching. */
export const Status = EntryStatus.EntryStatus
export type Status = EntryStatus.EntryStatus

export { Past }

/** An entry: one movement of money. */
export class Entry extends Schema.Opaque<Entry>()(
  Schema.Struct({
    /** The side of the books. */
    side: Side.annotateKey({ description: "The side of the books." }),
    /** Unique within its side. */
    id: Schema.NonEmptyString.annotateKey({ description: "Unique within its side." }),
    /** As the source wrote it. */
    asset: Schema.NonEmptyString.annotateKey({ description: "As the source wrote it." }),
    /** As the source wrote it; always positive. */
    amount: Amount.Amount.annotateKey({ description: "As the source wrote it; always positive." }),
    /**
     * When it was seen (deposits: insertion, not crediting), Unix ms. The engine takes times of the years 2010 to 2099; in a
     * file, none may lie more than a day ahead of the reading.
     */
    at: Schema.Int.annotateKey({
      description:
        "When it was seen (deposits: insertion, not crediting), Unix ms. The engine takes times of the years 2010 to " +
        "2099; in a file, none may lie more than a day ahead of the reading."
    }),
    /** What the policy takes the source's status for. Only settled entries match. */
    status: Status.annotateKey({
      description: "What the policy takes the source's status for. Only settled entries match."
    }),
    /** The sub-account concerned: the receiver of a deposit, the end of a transfer that is not the master account. */
    account: Schema.optionalKey(Schema.String).annotateKey({
      description:
        "The sub-account concerned: the receiver of a deposit, the end of a transfer that is not the master account."
    }),
    /** A key that the two sides may share. Empty is the same as absent. */
    reference: Schema.optionalKey(Schema.String).annotateKey({
      description: "A key that the two sides may share. Empty is the same as absent."
    }),
    /** Deposits: the chain. */
    network: Schema.optionalKey(Schema.String).annotateKey({ description: "Deposits: the chain." }),
    /** Deposits: where it arrived, without the memo. */
    address: Schema.optionalKey(Schema.String).annotateKey({
      description: "Deposits: where it arrived, without the memo."
    }),
    /** Deposits: the memo or tag. */
    memo: Schema.optionalKey(Schema.String).annotateKey({ description: "Deposits: the memo or tag." }),
    /** Transfers: the source account as the service names it. Direction is known when `from` and `to` both are. */
    from: Schema.optionalKey(Schema.String).annotateKey({
      description:
        "Transfers: the source account as the service names it. Direction is known when `from` and `to` both are."
    }),
    /** Transfers: the destination account. */
    to: Schema.optionalKey(Schema.String).annotateKey({ description: "Transfers: the destination account." }),
    /** Transfers: the type of the source account. */
    fromType: Schema.optionalKey(Schema.String).annotateKey({
      description: "Transfers: the type of the source account."
    }),
    /** Transfers: the type of the destination account. */
    toType: Schema.optionalKey(Schema.String).annotateKey({
      description: "Transfers: the type of the destination account."
    }),
    /** What the source said of it before, from an archive; absent where there is nothing to say. */
    past: Schema.optionalKey(Past).annotateKey({
      description: "What the source said of it before, from an archive; absent where there is nothing to say."
    }),
    /** The source's own record, for reports; the engine does not look at it. */
    record: Schema.optionalKey(Schema.Unknown).annotateKey({
      description: "The source's own record, for reports; the engine does not look at it."
    })
  }).annotate({ identifier: "Entry" })
) {}

/** Orders entries by time, then by id. Every list of entries has this order. */
export const compare = (a: Entry, b: Entry): number => a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
