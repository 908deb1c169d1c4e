/** Makes both histories streams, over any source that answers one page. */
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as AccountType from "../../AccountType.ts"
import * as Amount from "../../Amount.ts"
import * as BrokerError from "../../BrokerError.ts"
import type * as Conventions from "../../Conventions.ts"
import type * as Coverage from "../../Coverage.ts"
import { InvalidRange } from "../../InvalidRange.ts"
import type * as Learnt from "../../Learnt.ts"
import type * as Slice from "../../Slice.ts"
import * as Span from "../../Span.ts"
import * as SubAccountDeposit from "../../SubAccountDeposit.ts"
import * as Timeline from "../../Timeline.ts"
import type * as TimeRange from "../../TimeRange.ts"
import * as UniversalTransfer from "../../UniversalTransfer.ts"
import { shown } from "../decoding/Shown.ts"
import * as Timestamp from "../decoding/Timestamp.ts"
import * as Operations from "../operations/Operations.ts"
import type * as Asking from "../paging/Asking.ts"
import * as PageLengths from "../paging/PageLengths.ts"
import * as Scan from "../paging/Scan.ts"
import * as Moment from "../time/Moment.ts"
import type * as ServerClock from "../time/ServerClock.ts"

/**
 * The range of a scan, `[from, to)`, and its callbacks, which may fail with `E`. Times are Unix ms, or any other form of a moment
 * (`TimeRange.Input`). An invalid range is an `InvalidParameter`.
 */
interface ScanRange<in Record, out E> extends Scan.Watch<Record, E> {
  /** The first moment of record time, inclusive. */
  readonly from: DateTime.DateTime.Input
  /** The end of record time, exclusive, after `from`; it may lie in the future. */
  readonly to: DateTime.DateTime.Input
  /**
   * The latest time at which coverage ends, Unix ms, so that several scans of one run agree on it. Absent:
   * `settle` before now.
   */
  readonly coverUntil?: number
}

/** An option that streams of records have besides those of scans. */
export interface Tail {
  /**
   * Whether a stream also gives records that are too young to be settled (`Conventions.settle`, 2 minutes), although others may
   * still appear among them. By default, `false`, a stream that comes to such records fails with `Incomplete`.
   */
  readonly openTail?: boolean
}

/**
 * The deposits to read: all of `[from, to)`, Unix ms. Filter by coin or status afterwards, because coverage
 * is about all of them.
 */
export interface ScanDeposits<out E = never> extends ScanRange<SubAccountDeposit.SubAccountDeposit, E> {}

/** The transfers to read: one query of the service. An absent account is the master. */
export interface ScanTransfers<out E = never>
  extends Coverage.TransferQuery, ScanRange<UniversalTransfer.UniversalTransfer, E>
{}

const histories = { universalTransfers: "transfers", subAccountDeposits: "deposits" } as const

export interface Options {
  readonly conventions: Conventions.Conventions
  readonly concurrency: number
  readonly clock: Pick<ServerClock.ServerClock, "now">
  /** Gives the failure of a page that would not be requested if a scan asked for it now. */
  readonly unasked: (operation: keyof typeof histories) => Effect.Effect<BrokerError.RequestError | undefined>
  readonly transfers: (
    input: Operations.UniversalTransfers
  ) => Effect.Effect<Asking.Response<UniversalTransfer.UniversalTransfer>, BrokerError.RequestError>
  readonly deposits: (
    input: Operations.SubAccountDeposits
  ) => Effect.Effect<Asking.Response<SubAccountDeposit.SubAccountDeposit>, BrokerError.RequestError>
}

/** Returns the first part of a slice that is not complete. With an open tail an open part is no such part. */
const unproven = (
  operation: keyof typeof histories,
  slice: Slice.Slice<unknown>,
  openTail: boolean
): Coverage.Coverage | undefined => {
  const isProven = ({ state }: Coverage.Coverage): boolean => state === "complete" || (openTail && state === "open")
  const [hole] = Timeline.gaps(slice.coverage.filter(isProven), slice)
  if (hole === undefined) return undefined
  return slice.coverage.find((part) => !isProven(part) && Timeline.overlaps(part, hole)) ?? {
    operation: histories[operation],
    ...hole,
    readAt: 0,
    state: "incomplete",
    gap: { code: "not-read", detail: "nobody asked for it" }
  }
}

/**
 * Returns the records of slices. The stream fails where a slice carries a gap or a bad record, or an open tail that is not
 * allowed.
 */
const records = (operation: keyof typeof histories, { openTail = false }: Tail) => {
  const fail = (reason: BrokerError.Incomplete | BrokerError.ProtocolError) =>
    Effect.fail(BrokerError.BrokerError.of(operation, reason))
  return <Record, E>(
    slices: Stream.Stream<Slice.Slice<Record>, E>
  ): Stream.Stream<Record, E | BrokerError.StreamError> =>
    slices.pipe(
      Stream.mapEffect((slice): Effect.Effect<ReadonlyArray<Record>, BrokerError.StreamError> => {
        const coverage = unproven(operation, slice, openTail)
        if (coverage !== undefined) return fail(new BrokerError.Incomplete({ coverage }))
        const [bad] = slice.bad
        if (bad === undefined) return Effect.succeed(slice.records)
        const detail = `${bad.source} cannot be read: ${bad.path} ${bad.reason}`
        return fail(new BrokerError.ProtocolError({ status: 200, detail, excerpt: bad.raw.slice(0, 200) }))
      }),
      Stream.flattenIterable
    )
}

/** Returns the time from the raw text of a record that could not be read as a whole. */
const timeIn = (field: "timestamp" | "insertTime") => {
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
  return (raw: string): number | undefined =>
    decode(raw).pipe(
      Option.map((record) => record[field]),
      Option.filter(Timestamp.isTimestamp),
      Option.getOrUndefined
    )
}

const badTimes = { transfers: timeIn("timestamp"), deposits: timeIn("insertTime") }

/** The usual lengths of pages, besides those of the contract. */
const usual = new Set([10, 20, 25, 30, 40])
const looksCut = (page: Conventions.Conventions["depositPage"]) => (length: number): boolean =>
  length > 0 && (length === page.maximum || length === page.default || length % 50 === 0 || usual.has(length))

const within = (wanted: Asking.Wanted, { maximum }: Conventions.Conventions["depositPage"]): Asking.Wanted => ({
  ...wanted,
  limit: Math.min(wanted.limit ?? maximum, maximum)
})

/**
 * Returns the mark of a deposit. Where times are whole seconds many deposits share one, and the beginning of the `txId` tells
 * most of those apart.
 */
const depositMark = ({ insertTime, txId }: SubAccountDeposit.SubAccountDeposit): number => {
  let mark = insertTime | 0
  for (let i = 0; i < 8; i++) mark = (Math.imul(mark, 31) + txId.charCodeAt(i)) | 0
  return mark
}

/** Returns the text of a transfer without its status, which is all that may change. */
const transferContent = (transfer: UniversalTransfer.UniversalTransfer): string =>
  JSON.stringify([
    transfer.tranId,
    transfer.timestamp,
    transfer.asset,
    Amount.canonical(transfer.amount),
    transfer.fromAccount,
    transfer.toAccount,
    AccountType.canonical(transfer.fromAccountType),
    AccountType.canonical(transfer.toAccountType),
    transfer.fromSymbol,
    transfer.toSymbol,
    transfer.clientTranId
  ])

const checkedRange = (operation: BrokerError.Operation, range: TimeRange.Input) => {
  const invalid = InvalidRange.of(range)
  return invalid === undefined ? Effect.void : Effect.fail(
    BrokerError.BrokerError.of(
      operation,
      new BrokerError.InvalidParameter({
        parameter: "from",
        actual: `[${shown(range.from)}, ${shown(range.to)})`,
        allowed: `whole Unix milliseconds, the start before the end; ${invalid.message}`
      })
    )
  )
}

/**
 * The transfers of an account are few, and thousands of accounts are read again and again: up to so much settled time is read in one
 * list with what came after it, ms. Deposits are one list for all accounts.
 */
const JOINED = 12 * 3_600_000

const span = ({ from, to }: TimeRange.Input) => ({
  attributes: { "tallystick.range.from": Moment.millis(from), "tallystick.range.to": Moment.millis(to) }
})

export const make = ({ clock, concurrency, conventions, deposits, transfers, unasked }: Options) => {
  const { depositPage, sliceLength, settle, transferPage } = conventions
  const lengths = { deposits: PageLengths.make(), transfers: PageLengths.make() }
  const common = { clock, concurrency, sliceLength, settle }

  const scanUniversalTransfers = <E = never>(
    { coverUntil, from, onPage, onPlan, to, ...query }: ScanTransfers<E>
  ) =>
    Scan.scan({
      ...common,
      from: Moment.millis(from),
      to: Moment.millis(to),
      coverUntil,
      onPage,
      onPlan,
      lengths: lengths.transfers,
      joined: JOINED,
      history: conventions.transferHistory,
      unasked: unasked("universalTransfers"),
      scope: { operation: "transfers", query },
      source: {
        page: (startTime, endTime, wanted) =>
          transfers({ ...query, ...within(wanted, transferPage), startTime, endTime }),
        time: ({ timestamp }) => timestamp,
        badTime: badTimes.transfers,
        identity: UniversalTransfer.identity,
        content: transferContent,
        mark: UniversalTransfer.identity,
        twins: "same",
        looksCut: looksCut(transferPage)
      }
    }).pipe(
      (scan) => Stream.unwrap(Effect.as(checkedRange("universalTransfers", { from, to }), scan)),
      Span.stream("Broker.scanUniversalTransfers", span({ from, to }))
    )

  const scanSubAccountDeposits = <E = never>({ coverUntil, onPage, onPlan, ...range }: ScanDeposits<E>) => {
    const from = Moment.millis(range.from)
    const scan = Scan.scan({
      ...common,
      from,
      to: Moment.millis(range.to),
      coverUntil,
      onPage,
      onPlan,
      lengths: lengths.deposits,
      joined: 0,
      history: conventions.depositHistory,
      unasked: unasked("subAccountDeposits"),
      scope: { operation: "deposits" },
      source: {
        page: (startTime, endTime, wanted) => deposits({ ...within(wanted, depositPage), startTime, endTime }),
        oldest: Math.max(from - 1, 0),
        time: ({ insertTime }) => insertTime,
        badTime: badTimes.deposits,
        identity: SubAccountDeposit.identity,
        mark: depositMark,
        twins: "several",
        looksCut: looksCut(depositPage)
      }
    })
    return Stream.unwrap(
      checkedRange("subAccountDeposits", range).pipe(
        Effect.andThen(clock.now),
        Effect.flatMap(({ earliest }) => Operations.depositReach({ startTime: from }, earliest, conventions)),
        Effect.as(scan)
      )
    ).pipe(Span.stream("Broker.scanSubAccountDeposits", span(range)))
  }

  const learnt = Effect.map(clock.now, ({ earliest }): Learnt.Learnt => {
    const of = {
      deposits: lengths.deposits.learnt(earliest, depositPage.maximum),
      transfers: lengths.transfers.learnt(earliest, transferPage.maximum)
    }
    return {
      ...(of.deposits === undefined ? {} : { deposits: of.deposits }),
      ...(of.transfers === undefined ? {} : { transfers: of.transfers })
    }
  })

  const beginFrom = (kept: Learnt.Learnt) =>
    Effect.map(clock.now, ({ latest }): void => {
      lengths.deposits.begin(kept.deposits, latest, depositPage.maximum)
      lengths.transfers.begin(kept.transfers, latest, transferPage.maximum)
    })

  return {
    learnt,
    beginFrom,
    scanUniversalTransfers,
    scanSubAccountDeposits,
    streamUniversalTransfers: <E = never>(input: ScanTransfers<E> & Tail) =>
      records("universalTransfers", input)(scanUniversalTransfers(input)).pipe(
        Span.stream("Broker.streamUniversalTransfers", span(input))
      ),
    streamSubAccountDeposits: <E = never>(input: ScanDeposits<E> & Tail) =>
      records("subAccountDeposits", input)(scanSubAccountDeposits(input)).pipe(
        Span.stream("Broker.streamSubAccountDeposits", span(input))
      )
  }
}
