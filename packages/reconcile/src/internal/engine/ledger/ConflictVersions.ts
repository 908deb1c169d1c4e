/** Reads the other contents that a source told of an entry, and says how they differ from it. */
import * as Amount from "@tallystick/core/Amount"
import * as Page from "@tallystick/core/Page"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Accounts from "../../../Accounts.ts"
import type * as Entry from "../../../Entry.ts"
import * as Policy from "../../../Policy.ts"
import * as TransferEntry from "../../../TransferEntry.ts"
import type * as Because from "../../explain/Because.ts"

export interface Content {
  /** The entry with this content in place of its own; nothing if the content cannot be read. */
  readonly entry: Entry.Entry | undefined
  readonly differs: Because.Version
}

export type ConflictVersions = (entry: Entry.Entry) => ReadonlyArray<Content>

const Fields = Schema.Record(Schema.String, Schema.Unknown)
type Fields = typeof Fields.Type

const parse = Schema.decodeUnknownResult(Schema.fromJsonString(Fields))
const isFields = Schema.is(Fields)
const isPlain = Schema.is(Schema.Struct({ asset: Schema.NonEmptyString, amount: Amount.Amount }))

/** The largest number of fields that are named. */
const NAMED = 4

const text = (value: unknown): string | null =>
  value === undefined || value === "" ? null : typeof value === "string" ? value : JSON.stringify(value)

/** Compares a content with the record of the entry, or, if there is none, with those fields of the entry that the content has. */
const differenceOf = (entry: Entry.Entry, content: Fields): Because.Version => {
  const own: Fields = isFields(entry.record)
    ? entry.record
    : Object.fromEntries(Object.entries(entry).filter(([key]) => key in content))
  const differing = Array.from(new Set([...Object.keys(content), ...Object.keys(own)]))
    .filter((key) => text(content[key]) !== text(own[key]))
  if (differing.length === 0) return { kind: "unseen" }
  const fields = differing.slice(0, NAMED).map((field) => ({
    field,
    value: text(content[field]),
    instead: text(own[field])
  }))
  return { kind: "fields", fields, more: differing.length - fields.length }
}

/** Reads asset, amount, status and place from the content. The time stays, because the archive keeps the entry under it. */
const read = (
  entry: Entry.Entry,
  content: Fields,
  policy: Policy.Resolved,
  accounts: Accounts.Accounts
): Entry.Entry | undefined => {
  const { at, id, side } = entry
  if (side === "transfer") {
    const transfer = Page.decodeTransfer(content)
    if (Result.isSuccess(transfer)) {
      return { ...TransferEntry.fromTransfer(transfer.success, { policy, accounts }), id, at }
    }
  } else {
    const deposit = Page.decodeDeposit(content)
    if (Result.isSuccess(deposit)) {
      const { amount, coin, network, status } = deposit.success
      const place = SubAccountDeposit.arrivedAt(deposit.success)
      return { ...entry, asset: coin, amount, status: Policy.statusOf(policy, side, status), network, ...place }
    }
  }
  return isPlain(content) ? { ...entry, asset: content.asset, amount: content.amount } : undefined
}

export const make = (policy: Policy.Resolved, accounts: Accounts.Accounts): ConflictVersions => (entry) =>
  (entry.past?.conflicts ?? []).map((written): Content => {
    const content = parse(written)
    if (Result.isFailure(content)) return { entry: undefined, differs: { kind: "unreadable" } }
    return { entry: read(entry, content.success, policy, accounts), differs: differenceOf(entry, content.success) }
  })
