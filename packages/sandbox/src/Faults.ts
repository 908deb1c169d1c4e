/**
 * Describes the faults of a server as data. Every fault is off unless named, and all can be combined. Chance comes from `seed`
 * and the ordinal of the request: the same faults over the same requests in the same order give the same answers.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as WireFault from "./WireFault.ts"

const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const PositiveInt = Schema.Int.check(Schema.isGreaterThan(0))

/** The order of the records of an answer: by time, or anew for each request. */
export const Order = Schema.Literals(["oldest-first", "newest-first", "shuffled"])
export type Order = typeof Order.Type

/** The ends of `[startTime, endTime]` that belong to the answer. */
export const Ends = Schema.Literals(["inclusive", "start-exclusive", "end-exclusive", "exclusive"])
export type Ends = typeof Ends.Type

/**
 * Spellings that were seen on the live service:
 *
 * - `netWork`: a second key beside `network`;
 * - `no-memo`: deposits without a `memo` key where the memo is empty;
 * - `joined-memo`: `address:memo`, and no `memo` key;
 * - `numeric-confirmations`: `confirmTimes` and `unlockConfirm` as numbers;
 * - `numeric-tranId`: `tranId` as a number, with digits that a float would round;
 * - `FUTURE`: account type `FUTURES` answered as `FUTURE`;
 * - `long-amounts`: amounts padded to 30 decimals;
 * - `amount-64`: amounts padded to 64 digits on either side of the point;
 * - `creatTime`, `apikey`, `listed-permissions`, `no-ip`: the answer of the create operation; but for the first, the list of keys
 *   too;
 * - `text-times`: the times of both lists, of sub-accounts and of keys, as text.
 */
export const Spelling = Schema.Literals([
  "netWork",
  "no-memo",
  "joined-memo",
  "numeric-confirmations",
  "numeric-tranId",
  "FUTURE",
  "long-amounts",
  "amount-64",
  "creatTime",
  "apikey",
  "listed-permissions",
  "no-ip",
  "text-times"
])
export type Spelling = typeof Spelling.Type

/** A quantile is a pair: this share of the requests (0 to 1) waits at most this many ms. No request waits longer than a day. */
const Quantile = Schema.Tuple([Share, Count.check(Schema.isLessThanOrEqualTo(86_400_000))])

/** Tells whether both the share and the ms grow from each quantile to the next. */
const ascends = (quantiles: ReadonlyArray<typeof Quantile.Type>): boolean =>
  quantiles.every(([share, ms], i) => {
    const [before, less] = quantiles[i - 1] ?? [0, 0]
    return before <= share && less <= ms
  })

/**
 * A distribution by its quantiles, `[[0, 20], [0.5, 50], [0.99, 400], [1, 5000]]`. It is linear between them, and constant beyond
 * the first and the last.
 */
export const Latency = Schema.NonEmptyArray(Quantile).check(
  Schema.makeFilter((quantiles) => ascends(quantiles) ? undefined : "Expected shares and times that ascend")
)
export type Latency = typeof Latency.Type

/** Times are milliseconds; shares are fractions of all records or requests. */
export const Faults = Schema.Struct({
  seed: Schema.optionalKey(Schema.Int).annotateKey({ description: "Where chance begins: 0 unless given." }),
  order: Schema.optionalKey(Order).annotateKey({ description: "`oldest-first` unless given." }),
  looseTies: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Records of one millisecond come in another order with every request."
  }),
  ends: Schema.optionalKey(Ends).annotateKey({ description: "`inclusive` unless given." }),
  pageCap: Schema.optionalKey(PositiveInt).annotateKey({
    description: "No page is longer than this, whatever `limit` says."
  }),
  ignorePage: Schema.optionalKey(Schema.Boolean).annotateKey({ description: "Every page is the first one." }),
  lastPage: Schema.optionalKey(PositiveInt).annotateKey({
    description: "Pages beyond this one are empty, however many records there are."
  }),
  pagesFromZero: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Pages count from 0: page 1 is the second one. Without a number the first one comes."
  }),
  skipped: Schema.optionalKey(PositiveInt).annotateKey({
    description: "So many records between two pages stand on neither."
  }),
  offsetByLimit: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "A page begins as many records behind as `limit` asks for, also where `pageCap` shows fewer."
  }),
  repeatsLastPage: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Pages beyond the last one show the last one again."
  }),
  listEnd: Schema.optionalKey(PositiveInt).annotateKey({
    description: "A list ends behind so many records, in its order, however many there are."
  }),
  doubled: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Every record stands twice in the answer that it belongs to."
  }),
  span: Schema.optionalKey(Schema.Struct({
    length: PositiveInt,
    part: Schema.optionalKey(Schema.Literals(["newest", "oldest"]))
  })).annotateKey({
    description:
      "Of a range that is longer than `length` only the newest part of this length is answered, or the oldest."
  }),
  filterUnit: Schema.optionalKey(PositiveInt).annotateKey({
    description: "Both ends of a range are cut to whole multiples of this, and the end is exclusive."
  }),
  totalCount: Schema.optionalKey(Schema.Literals(["right", "too-small", "too-large"])).annotateKey({
    description: "Transfers come as `{ result, totalCount }`, with a count that is right or wrong."
  }),
  arrivals: Schema.optionalKey(Schema.Struct({ share: Share, within: Count, overRequests: PositiveInt })).annotateKey({
    description:
      "A share of the records younger than `within` when the exchange was made stays hidden until some list request " +
      "among the first `overRequests`, each until one of its own: they arrive between two pages."
  }),
  lateVisible: Schema.optionalKey(Schema.Struct({ share: Share, delay: Count })).annotateKey({
    description: "A share of the records is visible only `delay` ms after its own time."
  }),
  wire: Schema.optionalKey(Schema.Array(WireFault.WireFault)).annotateKey({
    description: "What goes wrong between request and answer. The first entry that hits a request decides."
  }),
  latency: Schema.optionalKey(Latency).annotateKey({
    description: "How long every answer takes, whatever it is; an operation takes effect when its request comes."
  }),
  clock: Schema.optionalKey(Schema.Struct({
    offset: Schema.optionalKey(Schema.Int),
    drift: Schema.optionalKey(Schema.Finite)
  })).annotateKey({
    description:
      "The server's clock against the machine's: `offset` ms ahead of it, and `drift` ms more with every hour since " +
      "the exchange was made. Both may be negative."
  }),
  newStatus: Schema.optionalKey(Share).annotateKey({
    description:
      "A share of the records carries a status that nobody documented. The truth of a history does not know of it."
  }),
  newKeys: Schema.optionalKey(Share).annotateKey({
    description:
      "A share of the records, and of the answers of the create operation, carries keys that nobody documented."
  }),
  missingKeys: Schema.optionalKey(Share).annotateKey({
    description:
      "Each key that a client can do without is left out of a share of the records: `memo` where it is empty, " +
      "`unlockConfirm`, `confirmTimes`, `clientTranId`, `fromSymbol`, `toSymbol`, and `ip` of a new key."
  }),
  spellings: Schema.optionalKey(Schema.Array(Spelling))
})
export type Faults = typeof Faults.Type

/** A server without faults. */
export const none: Faults = {}

/** The first mistake in a value that should be faults. */
export interface Problem {
  /** The path, such as `wire.0.share`; empty where the whole value is wrong. */
  readonly path: string
  /** The mistake, in words. */
  readonly reason: string
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) =>
    issue._tag === "UnexpectedKey" ? "this key is not known here" : SchemaIssue.defaultLeafHook(issue)
})

const step = (part: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof part === "object" ? part.key : part)

const decodeFaults = Schema.decodeUnknownResult(Faults, { onExcessProperty: "error" })

/** Reads faults from JSON values. Unknown keys are refused by name. */
export const decode = (value: unknown): Result.Result<Faults, Problem> =>
  Result.mapError(decodeFaults(value), ({ issue }) => {
    const [first] = format(issue).issues
    return { path: (first?.path ?? []).map(step).join("."), reason: first?.message ?? "not readable" }
  })
