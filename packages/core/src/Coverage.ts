/**
 * States what is known about the completeness of records.
 *
 * A coverage is a fact about one operation, one query and one interval of record time. A program that calls a record missing must
 * be able to point at complete coverage of the place where the record would have been.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { shown } from "./internal/decoding/Shown.ts"
import * as Timestamp from "./internal/decoding/Timestamp.ts"
import * as Timeline from "./Timeline.ts"

/** The movements that a transfer query was about. An absent account is the master account. */
export class TransferQuery extends Schema.Opaque<TransferQuery>()(
  Schema.Struct({
    fromAccount: Schema.optionalKey(Schema.String),
    toAccount: Schema.optionalKey(Schema.String),
    fromAccountType: Schema.String,
    toAccountType: Schema.String
  }).annotate({ identifier: "TransferQuery" })
) {}

/**
 * Returns the key of a transfer query in maps and sets: equal for equal queries. Without a query, which means everything, it is
 * empty.
 */
export const keyOf = (query: TransferQuery | undefined): string =>
  query === undefined
    ? ""
    : JSON.stringify([query.fromAccount ?? null, query.toAccount ?? null, query.fromAccountType, query.toAccountType])

/** The reason why an interval is not covered. */
export class Gap extends Schema.Opaque<Gap>()(
  Schema.Struct({
    code: Schema.Literals([
      /** A page could not be read. */
      "failed-page",
      /** The pages disagreed, and splitting the interval did not settle it. */
      "unproven",
      /** A record outside the asked interval came back. */
      "outside-range",
      /** The records are older than the service certainly still knows. */
      "retention",
      /** A single millisecond filled a whole response. */
      "full-millisecond",
      /** One identity came with two contents. */
      "source-conflict",
      /** The interval was not requested. */
      "not-read",
      /** All that was requested was read, but nobody knows whose address the deposit came to, nor that no other account has it. */
      "unattributed",
      /** The kept records are not those that were written. */
      "damaged"
    ]),
    /** One sentence for a person. */
    detail: Schema.String.annotateKey({ description: "One sentence for a person." })
  }).annotate({ identifier: "CoverageGap" })
) {}

/** The completeness of the records of one operation and query whose own time lies in `[from, to)`. */
export class Coverage extends Schema.Opaque<Coverage>()(
  Schema.Struct({
    /** What was read. */
    operation: Schema.Literals(["deposits", "transfers"]).annotateKey({ description: "What was read." }),
    /** The transfer query; absent means everything of the operation. */
    query: Schema.optionalKey(TransferQuery).annotateKey({
      description: "The transfer query; absent means everything of the operation."
    }),
    /** First millisecond of record time (Unix, inclusive). */
    from: Schema.Int.annotateKey({ description: "First millisecond of record time (Unix, inclusive)." }),
    /** End of record time (Unix ms, exclusive). */
    to: Schema.Int.annotateKey({ description: "End of record time (Unix ms, exclusive)." }),
    /**
     * Server time of the reading, Unix ms. What is called complete behind it counts as open. Time that no coverage of the scope speaks
     * of, and that was past for more than an hour then, was left out: nobody waits for it.
     */
    readAt: Schema.Int.annotateKey({
      description:
        "Server time of the reading, Unix ms. What is called complete behind it counts as open. Time that no coverage of the " +
        "scope speaks of, and that was past for more than an hour then, was left out: nobody waits for it."
    }),
    /**
     * `complete`: every record of the interval was seen. `open`: too young to be settled, later records may still appear.
     * `incomplete`: something may be missing, and `gap` says why.
     */
    state: Schema.Literals(["complete", "open", "incomplete"]).annotateKey({
      description:
        "`complete`: every record of the interval was seen. `open`: too young to be settled, later records may still " +
        "appear. `incomplete`: something may be missing, and `gap` says why."
    }),
    /** Why it is incomplete. */
    gap: Schema.optionalKey(Gap).annotateKey({ description: "Why it is incomplete." })
  }).annotate({ identifier: "Coverage" })
) {}

/** A half-open interval of record time in Unix ms. */
export type Interval = Timeline.Interval

/** Whether both ends are whole milliseconds that a number holds exactly, and the first is not after the second. */
export const isInterval = (
  interval: { readonly from: unknown; readonly to: unknown }
): interval is Interval => {
  const { from, to } = interval
  return typeof from === "number" && typeof to === "number" && Number.isSafeInteger(from) && Number.isSafeInteger(to) &&
    from <= to
}

/** Whether two coverages speak about the same operation and query. */
export const sameScope = (
  a: Pick<Coverage, "operation" | "query">,
  b: Pick<Coverage, "operation" | "query">
): boolean => a.operation === b.operation && (a.query === b.query || keyOf(a.query) === keyOf(b.query))

/**
 * Joins touching intervals of one scope that say the same, and keeps the order of scopes. `readAt` becomes the earlier one. For
 * complete intervals it is no earlier than the end of the joined interval: the future cannot be read.
 */
export const merge = (coverages: Iterable<Coverage>): ReadonlyArray<Coverage> => {
  const scopes = Map.groupBy(coverages, ({ operation, query }) => `${operation} ${keyOf(query)}`)
  return Array.from(scopes.values()).flatMap((scope) => {
    const merged: Array<Coverage> = []
    for (const next of scope.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
      const last = merged.at(-1)
      const joins = last !== undefined && last.to >= next.from && last.state === next.state &&
        last.gap?.code === next.gap?.code && last.gap?.detail === next.gap?.detail
      if (joins) {
        const to = Math.max(last.to, next.to)
        const readAt = Math.min(last.readAt, next.readAt)
        const latest = Math.max(last.readAt, next.readAt)
        merged[merged.length - 1] = {
          ...last,
          to,
          readAt: last.state === "complete" ? Math.min(Math.max(readAt, to), latest) : readAt
        }
      } else merged.push(next)
    }
    return merged
  })
}

/** Returns the parts of `within` that no complete coverage among `coverages` reaches, in time order. */
export const uncovered = (coverages: Iterable<Coverage>, within: Interval): ReadonlyArray<Interval> =>
  Timeline.gaps(Array.from(coverages).filter(({ state }) => state === "complete"), within)

/** Returns the parts of `coverages` inside `within`. */
export const clip = (coverages: Iterable<Coverage>, within: Interval): ReadonlyArray<Coverage> =>
  Timeline.clip(coverages, within)

/** A `Coverage` in which an absent field may also be present and undefined. */
const isCoverage = Schema.is(
  Coverage.mapFields((fields) => ({
    ...fields,
    query: Schema.optional(
      TransferQuery.mapFields((query) => ({
        ...query,
        fromAccount: Schema.optional(Schema.String),
        toAccount: Schema.optional(Schema.String)
      }))
    ),
    gap: Schema.optional(Gap)
  }))
)

/** Complete time has no gap, and deposits are not asked for by query. */
const isConsistent = (
  { gap, operation, query, state }:
    & { readonly gap?: unknown; readonly query?: unknown }
    & Pick<Coverage, "operation" | "state">
): boolean => (state !== "complete" || gap === undefined) && (operation === "transfers" || query === undefined)

const isBelieved = (value: unknown): value is Coverage =>
  Result.getOrElse(Result.try(() => isCoverage(value) && isInterval(value) && isConsistent(value)), () => false)

/** Returns the interval about which a malformed coverage would have spoken: its own where it has one, else all time. */
const scopeOf = (value: object, operation: Coverage["operation"]): Pick<Coverage, "operation" | "from" | "to"> => {
  const { from, operation: own, to }: { readonly [Key in keyof Coverage]?: unknown } = value
  const interval = { from, to }
  return {
    operation: own === "deposits" || own === "transfers" ? own : operation,
    ...(isInterval(interval) ? interval : { from: 0, to: Timestamp.LAST })
  }
}

const isEarly = ({ readAt, state, to }: Coverage): boolean => state === "complete" && to > readAt

/** Makes a coverage complete up to its reading, and open after it: nobody can vouch for the future. */
const upToReading = (one: Coverage): ReadonlyArray<Coverage> => {
  if (!isEarly(one)) return [one]
  const open: Coverage = { ...one, from: Math.max(one.from, one.readAt), state: "open" }
  return open.from === one.from ? [open] : [{ ...one, to: one.readAt }, open]
}

/**
 * Returns the part of somebody's coverage that can be believed. Complete coverage is complete up to its own `readAt`, and open
 * after it. Malformed coverage (a time that is no whole number, an end before its beginning, an unknown state, a gap in what is
 * complete, deposits of a query) claims nothing: it becomes a gap that says so, about `operation` unless it names its own.
 */
export const believed = (
  coverages: ReadonlyArray<Coverage>,
  operation: Coverage["operation"]
): ReadonlyArray<Coverage> => {
  const given: ReadonlyArray<unknown> = Array.isArray(coverages) ? coverages : [coverages]
  if (given.every((one): one is Coverage => isBelieved(one) && !isEarly(one))) return given
  return Array.from(given).flatMap((one): ReadonlyArray<Coverage> =>
    isBelieved(one) ? upToReading(one) : [{
      ...Result.getOrElse(
        Result.try(() => scopeOf(Object(one), operation)),
        () => ({ operation, from: 0, to: Timestamp.LAST })
      ),
      readAt: 0,
      state: "incomplete",
      gap: { code: "not-read", detail: `what was vouched for is malformed: ${shown(one)}` }
    }]
  )
}
