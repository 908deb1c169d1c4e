/** The policy as a person writes it: every key optional, durations and decimals as text. */
import * as Amount from "@tallystick/core/Amount"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Entry from "../../Entry.ts"

const isDurationText = (text: string): text is `${number} millis` =>
  /^-?\d+(?:\.\d+)?\s+(?:milli|second|minute|hour|day|week)s?$/.test(text)

/** The duration in whole ms, or nothing when it is not one. */
export const toMillis = (written: string | number): number | undefined => {
  if (typeof written === "number") return Number.isSafeInteger(written) ? written : undefined
  if (!isDurationText(written)) return undefined
  const duration = Duration.fromInput(written)
  const millis = Option.isSome(duration) ? Duration.toMillis(duration.value) : Number.NaN
  return Number.isSafeInteger(millis) ? millis : undefined
}

const durationExpected = "a duration such as \"90 seconds\", \"1 hour\" or \"-1 day\", or a whole number of ms"

const Millis = Schema.Union([Schema.Finite, Schema.String]).annotate({ expected: durationExpected }).check(
  Schema.makeFilter((written) => toMillis(written) !== undefined, { expected: durationExpected })
)

const MillisFromZero = Millis.check(
  Schema.makeFilter((written) => (toMillis(written) ?? 0) >= 0, { expected: "a duration that is not negative" })
)

const decimalExpected = "decimal text such as \"0.05\", at most 64 digits on either side of the point"

const Decimal = Schema.String.annotate({ expected: decimalExpected }).check(
  Schema.makeFilter((text) => Amount.isAmount(text), { expected: decimalExpected })
)

const atMostOne = (text: string): boolean => {
  const digits = Amount.isAmount(text) ? Amount.scale(text) : 0
  return Amount.isAmount(text) && Amount.units(text, digits) <= 10n ** BigInt(digits)
}

const Share = Decimal.check(Schema.makeFilter(atMostOne, { expected: "decimal text from \"0\" to \"1\"" }))

const Name = Schema.NonEmptyString

const Window = Schema.Struct({
  /** How far before its deposit a transfer may come; negative for a minimum lag. Default 1 minute. */
  before: Schema.optionalKey(Millis),
  /** How far behind its deposit a transfer may come; may be negative. Default 1 hour. */
  after: Schema.optionalKey(Millis)
})

const Tolerance = Schema.Struct({
  absolute: Schema.optionalKey(Decimal),
  /** A share of the base: "0.01" is one percent. */
  relative: Schema.optionalKey(Decimal),
  base: Schema.optionalKey(Schema.Literals(["deposit", "transfer", "larger"])),
  inclusive: Schema.optionalKey(Schema.Boolean),
  /** The most that `absolute` may be of the smaller amount. Default "0.5". */
  maxShare: Schema.optionalKey(Share)
})

const Fee = Schema.Struct({
  /** Absent: all assets that have no fee of their own. */
  asset: Schema.optionalKey(Name),
  flat: Schema.optionalKey(Decimal),
  rate: Schema.optionalKey(Decimal)
})

const Per = Schema.Struct({
  asset: Name,
  network: Schema.optionalKey(Name),
  window: Schema.optionalKey(Window),
  tolerance: Schema.optionalKey(Tolerance),
  late: Schema.optionalKey(MillisFromZero)
})

const groupSize = Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 32 }))
const runLength = Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 100_000 }))

const Grouping = Schema.Struct({
  manyToOne: Schema.optionalKey(Schema.Boolean),
  oneToMany: Schema.optionalKey(Schema.Boolean),
  maxSize: Schema.optionalKey(groupSize),
  maxRun: Schema.optionalKey(runLength)
})

/** What to do with pairs that only convention decides: report them as a class, or assign them. */
export const Mode = Schema.Literals(["report", "assign"])

const Ambiguity = Schema.Union([
  Mode,
  Schema.Struct({
    mode: Schema.optionalKey(Mode),
    ratio: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))),
    rivals: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 })))
  })
]).annotate({ expected: "\"report\", \"assign\" or an object with mode, ratio and rivals" })

/** A movement that counts as the counterpart of a deposit; `*` is any account given with the run. */
export const Flow = Schema.Struct({
  from: Name,
  to: Name,
  /** Account-type pairs; absent means any. */
  types: Schema.optionalKey(Schema.Array(Schema.Tuple([Name, Name])))
})

const StatusCode = Schema.Union([Schema.Int, Schema.String])
const StatusCodes = Schema.Struct({
  settled: Schema.optionalKey(Schema.Array(StatusCode)),
  pending: Schema.optionalKey(Schema.Array(StatusCode)),
  failed: Schema.optionalKey(Schema.Array(StatusCode))
})

/** An entry taken out by hand; without `side`, on both. */
export const Exclusion = Schema.Struct({
  side: Schema.optionalKey(Entry.Side),
  id: Name,
  reason: Schema.optionalKey(Schema.String)
})

/** Entries that belong together because somebody says so. */
export const Link = Schema.Struct({
  deposits: Schema.NonEmptyArray(Name),
  transfers: Schema.NonEmptyArray(Name),
  by: Schema.optionalKey(Schema.String),
  reason: Schema.optionalKey(Schema.String)
})

/** A pair that must not be matched, whatever the numbers say. */
export const Forbidden = Schema.Struct({ deposit: Name, transfer: Name })

export const ReferenceMode = Schema.Literals(["prefer", "require", "only", "ignore"])

/** The policy file. */
export const Written = Schema.Struct({
  window: Schema.optionalKey(Window),
  late: Schema.optionalKey(MillisFromZero),
  tolerance: Schema.optionalKey(Tolerance),
  fees: Schema.optionalKey(Schema.Array(Fee)),
  per: Schema.optionalKey(Schema.Array(Per)),
  grouping: Schema.optionalKey(Grouping),
  ambiguity: Schema.optionalKey(Ambiguity),
  reference: Schema.optionalKey(ReferenceMode),
  assets: Schema.optionalKey(Schema.Struct({ aliases: Schema.optionalKey(Schema.Array(Schema.Array(Name))) })),
  flows: Schema.optionalKey(Schema.NonEmptyArray(Flow)),
  statuses: Schema.optionalKey(Schema.Struct({
    deposit: Schema.optionalKey(StatusCodes),
    transfer: Schema.optionalKey(StatusCodes)
  })),
  minAmount: Schema.optionalKey(Schema.Record(Name, Decimal)),
  exclude: Schema.optionalKey(Schema.Array(Exclusion)),
  links: Schema.optionalKey(Schema.Array(Link)),
  forbid: Schema.optionalKey(Schema.Array(Forbidden))
})
export type Written = typeof Written.Type
