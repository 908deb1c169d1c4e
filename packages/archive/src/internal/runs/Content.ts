/** Outcomes are kept as JSON, under a digest of their content. */
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import * as Checksum from "../sql/Checksum.ts"

/** This is a row of `outcomes`. */
export interface Content {
  /** The earliest of its entries has this time, Unix ms; 0 where it has none. */
  readonly at: number
  readonly digest: string
  readonly id: string
  readonly kind: Outcome.Kind
  readonly code: Outcome.Code
  readonly content: string
  /** The checksum is over all other columns. */
  readonly checksum: number
}

export const COLUMNS = ["at", "digest", "id", "kind", "code", "content", "checksum"] as const

const checksumOf = ({ at, code, content, digest, id, kind }: Omit<Content, "checksum">): number =>
  Checksum.of([at, digest, id, kind, code, content])

/** The digits hold 128 bits. */
const DIGITS = 32

/**
 * Gives 32 hexadecimal digits of SHA-256. It is asked for each outcome of a run, so that it cannot wait for WebCrypto each
 * time.
 */
export const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, DIGITS)

const encode = Schema.encodeSync(Report.ReportOutcome)

/** Leaves out the service's own record, which the archive keeps under the same id; nine of ten outcomes are matches. */
const withoutRecord = ({ account, amount, asset, at, id, reference, status }: Entry.Entry) => ({
  id,
  asset,
  amount,
  at,
  status,
  account,
  reference
})

/** Writes a match without the records, in a quarter of the time that the schema takes. */
const match = (outcome: Outcome.Outcome) => {
  const { bad: _bad, missing: _missing, ...rest } = Report.written({ ...outcome, deposits: [], transfers: [] })
  return { ...rest, deposits: outcome.deposits.map(withoutRecord), transfers: outcome.transfers.map(withoutRecord) }
}

/** Leaves out when missing time was last looked for: the outcome stays the same however often it is looked for. */
const timeless = (outcome: object, missing: object): string =>
  JSON.stringify({ ...outcome, missing: { ...missing, readAt: 0 } })

/** Gives the digest of an outcome that was written so. */
const digestOf = (outcome: object, content: string): string =>
  digest("missing" in outcome && Predicate.isObject(outcome.missing) ? timeless(outcome, outcome.missing) : content)

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Tells whether a content is what the digest says, which the ledger binds, and whether the columns repeat it. */
const isBound = ({ code, content, digest, id, kind }: Content): boolean =>
  Option.exists(
    decode(content),
    (outcome) =>
      Predicate.isObject(outcome) && digestOf(outcome, content) === digest && outcome["id"] === id &&
      outcome["outcome"] === kind && outcome["code"] === code
  )

/**
 * Tells whether a row is as it was written; a row that is not there has no checksum. A checksum can be made to agree with an edited
 * row, and the digest cannot.
 */
export const holds = (row: Content): boolean => checksumOf(row) === row.checksum && isBound(row)

export const make = (outcome: Outcome.Outcome): Content => {
  const { code, deposits, id, outcome: kind, transfers } = outcome
  const written = kind === "matched" ? match(outcome) : encode(outcome)
  const content = JSON.stringify(written)
  const at = Math.min(deposits[0]?.at ?? Number.POSITIVE_INFINITY, transfers[0]?.at ?? Number.POSITIVE_INFINITY)
  const row = {
    at: Number.isFinite(at) ? at : 0,
    digest: digestOf(written, content),
    id,
    kind,
    code,
    content
  }
  return { ...row, checksum: checksumOf(row) }
}
