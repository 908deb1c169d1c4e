/**
 * Reads entries from data of unknown origin: the service's own records or plain entries, told apart by their fields.
 *
 * A plain entry is `{ id, asset, amount, at, status?, account?, reference? }`, with `at` in Unix ms or as a time in ISO 8601
 * with its zone, never a date alone, and the amount as decimal text. A plain transfer may name `from` and `to`; where one of them is a sub-account and the other is
 * present but empty, that other is the master account. A `past` is refused, because only an archive knows it; so are a `side`
 * that is not the side which is read, and a field whose name is nearly that of one which is read and absent (`stauts`,
 * `Account`). A value that cannot be read becomes a bad record, and none is dropped.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as BadRecord from "@tallystick/core/BadRecord"
import * as InvalidRange from "@tallystick/core/InvalidRange"
import * as Page from "@tallystick/core/Page"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as Effect from "effect/Effect"
import * as Formatter from "effect/Formatter"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Accounts from "./Accounts.ts"
import type * as AddressBook from "./AddressBook.ts"
import * as DepositEntry from "./DepositEntry.ts"
import type * as Entry from "./Entry.ts"
import * as Policy from "./Policy.ts"
import * as ColumnNames from "./rows/ColumnNames.ts"
import * as Excerpt from "./rows/Excerpt.ts"
import * as TransferEntry from "./TransferEntry.ts"

/** One value as it was parsed, its place (`deposits.csv, line 12`), and its text. */
export interface Row {
  /** The fields of the row. */
  readonly value: unknown
  /** The place of the row, for a bad record. */
  readonly source: string
  /** The text of the row as it came, for a bad record. */
  readonly raw: string
}

/** These options say for which accounts rows are read, and by which policy. */
export interface Options {
  /** The policy by which statuses and times of entries are read. */
  readonly policy: Policy.Resolved
  /** The accounts that the rows are read for. */
  readonly accounts: Accounts.Accounts
  /** Names the sub-account of a deposit's address. */
  readonly account?: AddressBook.Lookup
}

/** A plain entry as written. Text from CSV files counts as absent when it is empty. */
const PlainEntry = Schema.Struct({
  id: Schema.NonEmptyString,
  asset: Schema.NonEmptyString,
  amount: Amount.Amount,
  at: Schema.Union([Schema.Int, Schema.NonEmptyString]),
  status: Schema.optionalKey(Schema.Union([Schema.String, Schema.Int])),
  account: Schema.optionalKey(Schema.String),
  reference: Schema.optionalKey(Schema.String),
  network: Schema.optionalKey(Schema.String),
  address: Schema.optionalKey(Schema.String),
  memo: Schema.optionalKey(Schema.String),
  from: Schema.optionalKey(Schema.String),
  to: Schema.optionalKey(Schema.String),
  fromType: Schema.optionalKey(Schema.String),
  toType: Schema.optionalKey(Schema.String)
})
type PlainEntry = typeof PlainEntry.Type

/** A field that is read of a plain entry. */
export type Field = keyof PlainEntry

/** All fields that are read of a plain entry. */
export const fields: ReadonlyArray<string> = Object.keys(PlainEntry.fields)

const decodePlain = Schema.decodeUnknownResult(PlainEntry, { reportInput: true })
const format = SchemaIssue.makeFormatterStandardSchemaV1()

const problem = (path: string, reason: string): Page.Problem => ({ path, reason })

/** A date with or without a zone, as others write it too. A day of booking tells no moment, and its midnight would match by chance. */
const DATE = /^\s*\d{4}([-/])\d{1,2}\1\d{1,2}[T ]?(?:Z|[+-]\d{2}:?\d{2})?\s*$/i

const isDate = (at: string | number): boolean => typeof at === "string" && DATE.test(at)

const plainTime = (at: string | number): number => {
  if (typeof at === "number") return at
  if (/^\d{1,15}$/.test(at)) return Number(at)
  return TimeRange.millis(at)
}

const isStatus = Schema.is(Schema.Literals(["settled", "pending", "failed", "unknown"]))

/** Reads the status of a plain entry. Words that are no status mean what the policy says; without one the entry is settled. */
const plainStatus = (side: Entry.Side, status: string | number | undefined, policy: Policy.Resolved): Entry.Status => {
  if (status === undefined || status === "") return "settled"
  return isStatus(status) ? status : Policy.statusOf(policy, side, status)
}

const optional = ["account", "reference", "network", "address", "memo", "from", "to", "fromType", "toType"] as const

/** Whether a field counts as given. An empty field does not, except for an end whose other end is a sub-account. */
const isTold = (plain: PlainEntry, key: typeof optional[number], accounts: Accounts.Accounts): boolean => {
  if (plain[key] === undefined) return false
  const other = key === "from" ? plain.to : key === "to" ? plain.from : undefined
  return plain[key] !== "" || (other !== undefined && !Accounts.isMaster(accounts, other))
}

type Draft = { -readonly [Key in keyof Entry.Entry]: Entry.Entry[Key] }

const fromPlain = (side: Entry.Side, plain: PlainEntry, { accounts, policy }: Options): Entry.Entry => {
  const entry: Draft = {
    side,
    id: plain.id,
    asset: plain.asset,
    amount: plain.amount,
    at: plainTime(plain.at),
    status: plainStatus(side, plain.status, policy)
  }
  for (const key of optional) {
    const value = plain[key]
    if (value !== undefined && isTold(plain, key, accounts)) entry[key] = value
  }
  return entry
}

/** Returns the reason why an entry that decodes still cannot be used. */
const implausible = (
  entry: Pick<Entry.Entry, "amount" | "at">,
  now: number,
  timeField: string
): Page.Problem | undefined => {
  if (Amount.isZero(entry.amount)) return problem("amount", "an amount must be more than zero")
  if (Number.isNaN(entry.at)) {
    return problem(timeField, "not a time: Unix milliseconds or ISO 8601 with a zone (Z or +01:00) is wanted")
  }
  const found = InvalidRange.recordProblem(entry.at, now)
  return found === undefined ? undefined : problem(timeField, found)
}

const DATE_ALONE =
  "a date alone is no time: the moment is wanted, in Unix milliseconds or ISO 8601 with a zone (Z or +01:00)"

const has = (value: object, key: string): boolean => Object.hasOwn(value, key)

const known: ReadonlySet<string> = new Set(fields)

/** The most names that are remembered: a source may make up others in each row. */
const NAMES = 1000

/** What unknown names may mean: the rows of a source have the same ones. */
const meanings = new Map<string, ReadonlyArray<string>>()

const meaningsOf = (name: string): ReadonlyArray<string> => {
  const found = meanings.get(name)
  if (found !== undefined) return found
  const made = ColumnNames.meanings(name, fields)
  if (meanings.size < NAMES) meanings.set(name, made)
  return made
}

/** Finds a field that would not be read, because its name is misspelt: without its status a pending entry would count as settled. */
const misspelt = (value: unknown): Page.Problem | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  for (const name of Object.keys(value)) {
    const meant = known.has(name) ? undefined : meaningsOf(name).find((field) => !has(value, field))
    if (meant !== undefined) return problem(name, ColumnNames.unread("field", name, meant))
  }
  return undefined
}

type Form = "deposit" | "transfer" | "plain"

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** Returns why a row cannot be of this side, by what it says of its side itself. */
const otherSide = (side: Entry.Side, value: unknown): Page.Problem | undefined => {
  if (typeof value !== "object" || value === null || !("side" in value)) return undefined
  const { side: own } = value
  if (own === side || !isGiven(own)) return undefined
  return problem("side", `"${side}" was wanted, ${Excerpt.of(Formatter.format(own))} came`)
}

const PAST = "only an archive knows the past of an entry: import the service's own records into one"

/** Refuses an entry with a past: without its past it would be forgotten that it vanished, for instance. */
const claimsPast = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "past" in value && isGiven(value.past)

const formOf = (value: unknown): Form => {
  if (typeof value !== "object" || value === null) return "plain"
  if (has(value, "tranId")) return "transfer"
  return has(value, "insertTime") && has(value, "coin") ? "deposit" : "plain"
}

/** A row that becomes an entry. Deposits of the service get their ids together, because numbers tell twins apart. */
export type Decoded =
  | { readonly at: number; readonly entry: Entry.Entry }
  | { readonly at: number; readonly record: SubAccountDeposit.SubAccountDeposit }

/**
 * Reads one row of one side; `now` is the Unix time in ms. A deposit record on the transfers' side, or the other way round,
 * is a bad record, and so is a row whose own `side` is not that side.
 */
export const decode = (
  side: Entry.Side,
  row: Row,
  options: Options,
  now: number
): Result.Result<Decoded, BadRecord.BadRecord> => {
  const refuse = (found: Page.Problem) => Result.fail({ side, source: row.source, ...found, raw: row.raw })
  const accept = (decoded: Decoded, amount: string, timeField: string) => {
    const found = implausible({ amount, at: decoded.at }, now, timeField)
    return found === undefined ? Result.succeed(decoded) : refuse(found)
  }
  const form = formOf(row.value)
  if (form !== "plain" && form !== side) return refuse(problem("", `a ${form} record among the ${side}s`))
  const misplaced = otherSide(side, row.value)
  if (misplaced !== undefined) return refuse(misplaced)
  if (form === "transfer") {
    const record = Page.decodeTransfer(row.value)
    if (Result.isFailure(record)) return refuse(record.failure)
    const entry = TransferEntry.fromTransfer(record.success, options)
    return accept({ at: entry.at, entry }, entry.amount, "timestamp")
  }
  if (form === "deposit") {
    const decoded = Page.decodeDeposit(row.value)
    if (Result.isFailure(decoded)) return refuse(decoded.failure)
    const record = decoded.success
    return accept({ at: record.insertTime, record }, record.amount, "insertTime")
  }
  if (claimsPast(row.value)) return refuse(problem("past", PAST))
  const unread = misspelt(row.value)
  if (unread !== undefined) return refuse(unread)
  const plain = decodePlain(row.value)
  if (Result.isSuccess(plain)) {
    if (isDate(plain.success.at)) return refuse(problem("at", DATE_ALONE))
    const entry = fromPlain(side, plain.success, options)
    return accept({ at: entry.at, entry }, entry.amount, "at")
  }
  const issue = format(plain.failure.issue).issues[0]
  return refuse(problem((issue?.path ?? []).map(String).join("."), issue?.message ?? "not an entry"))
}

/** Turns decoded rows into entries, in the same order. All twins of a deposit must be among them. */
export const entries = Effect.fnUntraced(function*(
  decoded: ReadonlyArray<Decoded>,
  options: Options
): Effect.fn.Return<ReadonlyArray<Entry.Entry>> {
  const records = decoded.flatMap((one) => ("record" in one ? [one.record] : []))
  if (records.length === 0) return decoded.flatMap((one) => ("entry" in one ? [one.entry] : []))
  const deposits = (yield* DepositEntry.fromDeposits(records, options)).values()
  return decoded.flatMap((one) => ("entry" in one ? [one.entry] : deposits.next().value ?? []))
})
