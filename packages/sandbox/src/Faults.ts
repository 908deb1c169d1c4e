/**
 * What may be wrong with a server's lists, as data. Every fault is off unless named, all can be combined, and chance
 * comes from `seed`: the same faults over the same requests give the same answers.
 */
import * as Schema from "effect/Schema"

const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const PositiveInt = Schema.Int.check(Schema.isGreaterThan(0))

/** How the records of an answer are ordered: by time, or anew for each request. */
export const Order = Schema.Literals(["oldest-first", "newest-first", "shuffled"])
export type Order = typeof Order.Type

/** Which ends of `[startTime, endTime]` belong to the answer. */
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
 * - `creatTime`, `apikey`, `listed-permissions`, `no-ip`: the answer of the create operation.
 */
export const Spelling = Schema.Literals([
  "netWork",
  "no-memo",
  "joined-memo",
  "numeric-confirmations",
  "numeric-tranId",
  "FUTURE",
  "long-amounts",
  "creatTime",
  "apikey",
  "listed-permissions",
  "no-ip"
])
export type Spelling = typeof Spelling.Type

/** Times are milliseconds of the sandbox's clock; shares are fractions of all records or requests. */
export const Faults = Schema.Struct({
  /** Where chance begins: 0 unless given. */
  seed: Schema.optionalKey(Schema.Int),
  /** `oldest-first` unless given. */
  order: Schema.optionalKey(Order),
  /** Records of one millisecond come in another order with every request. */
  looseTies: Schema.optionalKey(Schema.Boolean),
  /** `inclusive` unless given. */
  ends: Schema.optionalKey(Ends),
  /** No page is longer than this, whatever `limit` says. */
  pageCap: Schema.optionalKey(PositiveInt),
  /** Every page is the first one. */
  ignorePage: Schema.optionalKey(Schema.Boolean),
  /** Transfers come as `{ result, totalCount }`, with a count that is right or wrong. */
  totalCount: Schema.optionalKey(Schema.Literals(["right", "too-small", "too-large"])),
  /**
   * A share of the records younger than `within` when the exchange was made stays hidden until some list request among
   * the first `overRequests`, each until one of its own: they arrive between two pages.
   */
  arrivals: Schema.optionalKey(Schema.Struct({ share: Share, within: Count, overRequests: PositiveInt })),
  /** A share of the records is visible only `delay` ms after its own time. */
  lateVisible: Schema.optionalKey(Schema.Struct({ share: Share, delay: Count })),
  /** List requests answered by an error of the server: a share of them, and those with these ordinals (from 1). */
  failPages: Schema.optionalKey(Schema.Struct({
    share: Schema.optionalKey(Share),
    requests: Schema.optionalKey(Schema.Array(PositiveInt)),
    /** 503 unless given. */
    status: Schema.optionalKey(Schema.Literals([500, 502, 503, 504]))
  })),
  /** A share of all requests answered 429, whatever the rate; seconds of Retry-After, null leaves the header out. */
  throttle: Schema.optionalKey(Schema.Struct({ share: Share, retryAfter: Schema.NullOr(PositiveInt) })),
  /** The requests with these ordinals (from 1, of all requests) each start a ban of `seconds`, answered 418. */
  ban: Schema.optionalKey(Schema.Struct({ requests: Schema.Array(PositiveInt), seconds: PositiveInt })),
  /** A share of the records carries a status that nobody documented. The truth of a history does not know of it. */
  newStatus: Schema.optionalKey(Share),
  spellings: Schema.optionalKey(Schema.Array(Spelling))
})
export type Faults = typeof Faults.Type

/** A server without faults. */
export const none: Faults = {}
