/** A period is closed by a row of the ledger that follows the last one, and reopened by another. */
import type * as Coverage from "@tallystick/core/Coverage"
import { InvalidRange } from "@tallystick/core/InvalidRange"
import * as Timeline from "@tallystick/core/Timeline"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type * as ArchiveError from "../../ArchiveError.ts"
import * as Closing from "../../Closing.ts"
import type * as Decision from "../../Decision.ts"
import type * as Lack from "../../Lack.ts"
import type * as Period from "../../Period.ts"
import * as PeriodError from "../../PeriodError.ts"
import * as EntryStates from "../books/EntryStates.ts"
import * as StateDigest from "../books/StateDigest.ts"
import * as ControlTable from "../coverage/ControlTable.ts"
import * as CoverageTable from "../coverage/CoverageTable.ts"
import * as Queries from "../coverage/Queries.ts"
import * as About from "../ledger/About.ts"
import * as Chain from "../ledger/Chain.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type * as Database from "../sql/Database.ts"
import * as Closes from "./Closes.ts"
import * as Comparison from "./Comparison.ts"
import * as Lacks from "./Lacks.ts"

export interface CloseOptions {
  readonly author: Decision.Author
  /** The last day of the period, `YYYY-MM-DD`: all of it is closed. */
  readonly through: string
  /** The zone of the day: `Europe/Berlin`, `+01:00`. Default: that of the last close that stands, and UTC where none does. */
  readonly zone?: string
  /**
   * Where the period begins, Unix ms. Default: where the last one ends, and where the first execution begins in time. Behind the
   * first period it can only be where the last one ends.
   */
  readonly from?: number
  /**
   * What waits, is settled by outcomes that are not final, or could not be read is carried openly. Default: false, and then it keeps the
   * period open.
   */
  readonly carryOpen?: boolean
}

export interface ReopenOptions {
  readonly author: Decision.Author
  /** The number of the close, which must be the last that stands. */
  readonly close: number
  readonly reason: Decision.Reason
  readonly words: string
}

const OPERATIONS = ["deposits", "transfers"] as const

const isClose = (body: Closing.Body): body is Closing.Close => body.kind === "close"
const isReopen = (body: Closing.Body): body is Closing.Reopen => body.kind === "reopen"

const refuse = (reason: PeriodError.Reason) => Effect.fail(new PeriodError.PeriodError({ reason }))

/** Fails where authors have to show a token, as for decisions, and this one shows none. */
const trusted = ({ by, identity }: Decision.Author, { settings }: Ledger.Read) =>
  settings.authors === "token" && identity !== "token"
    ? refuse(new PeriodError.TokenDemanded({ by }))
    : Effect.void

/** The moment at which the first execution in time begins. */
const beginning = ({ executions }: Ledger.Read): number =>
  Math.min(...executions.map(({ body }) => body.range?.from ?? 0))

/** One zone may have several names; one that is none stays as it is. */
const named = (zone: string): string =>
  Option.match(DateTime.zoneFromString(zone), { onNone: () => zone, onSome: DateTime.zoneToString })

interface Asked extends Coverage.Interval {
  readonly zone: string
}

/** Finds the period that is meant, which must follow the one before. */
const asked = Effect.fnUntraced(function*(
  { from, through, zone: given }: CloseOptions,
  found: Ledger.Read
): Effect.fn.Return<Asked, PeriodError.PeriodError> {
  if (found.executions.length === 0) return yield* refuse(new PeriodError.NotBegun())
  const last = Closes.last(found.closings)
  const zone = given === undefined ? last?.zone ?? "UTC" : named(given)
  const day = TimeRange.businessDay(through, zone)
  if (Result.isFailure(day)) return yield* refuse(new PeriodError.NoDay({ detail: day.failure.message }))
  if (last !== undefined && zone !== last.zone) {
    return yield* refuse(new PeriodError.OtherZone({ close: last.number, zone: last.zone, asked: zone }))
  }
  const begin = last?.to ?? from ?? beginning(found)
  const period = { from: from ?? begin, to: day.success.to }
  if (period.from === begin && begin < period.to) {
    const invalid = InvalidRange.of(period)
    return invalid === undefined
      ? { ...period, zone }
      : yield* refuse(new PeriodError.NoDay({ detail: invalid.message }))
  }
  const behind = last === undefined ? {} : { close: last.number }
  return yield* refuse(new PeriodError.NotNext({ from: begin, ...behind, asked: period }))
})

const stood = (judgement: Period.Judgement): Period.Judgement =>
  Struct.pick(judgement, ["side", "id", "asset", "amount", "at", "account", "state", "code", "outcome"])

const keptOf = ({ after, before, causes }: Period.Break): Closing.Otherwise["breaks"][number] => ({
  ...(before === undefined ? {} : { before: stood(before) }),
  ...(after === undefined ? {} : { after: { ...stood(after), execution: after.execution } }),
  causes
})

/** What the ledger keeps of what became of a period. */
const otherwise = ({ broken, isAltered, settled, waitsOtherwise }: Period.Period): Closing.Otherwise => ({
  broken: broken.length,
  breaks: broken.slice(0, Closing.KEPT).map(keptOf),
  settled: settled.length,
  waitsOtherwise: waitsOtherwise.length,
  isAltered
})

const isKept = Schema.is(Closing.Otherwise)

/** What was written into the tables by another hand may be nothing that the ledger can keep. */
const keepable = (period: Period.Period) => {
  const found = otherwise(period)
  return isKept(found)
    ? { otherwise: found }
    : {
      uncompared:
        "the tables of the books say of entries of the period what no run can say; archive check --books names them"
    }
}

/** What the ledger keeps where a period cannot be compared. A period that nobody can judge must not stay closed because of that. */
const uncompared = (failure: ArchiveError.OutcomesError) =>
  failure.reason._tag === "Damaged"
    ? Effect.succeed({ uncompared: failure.reason.detail })
    : Effect.fail(failure)

export const make = (database: Database.Service) => {
  const { error, sql } = database
  const compare = Comparison.make(database)
  const ledger = Ledger.make(database)
  const states = EntryStates.make(sql)
  const lacking = Lacks.make(database)
  const coverage = CoverageTable.make(sql, Queries.make(sql), ControlTable.make(sql))

  const vouched = (interval: Coverage.Interval) =>
    Effect.map(
      coverage.known(interval),
      ({ parts }) =>
        OPERATIONS.flatMap((operation): ReadonlyArray<Closing.Vouched> =>
          Timeline.union(parts.filter((part) => part.operation === operation && part.vouched))
            .map(({ from, to }) => ({ operation, from, to }))
        )
    )

  /**
   * Appends a row that follows a head, which must still be the end of the ledger: whatever was read of the books is still so. What the
   * ledger does not tell is asked for once more in the same transaction.
   */
  const append = <B extends Closing.Body>(
    head: Chain.Head,
    isOf: (body: Closing.Body) => body is B,
    content: Omit<B, "number" | "previous">,
    unless: Effect.Effect<void, ArchiveError.DatabaseError | PeriodError.PeriodError> = Effect.void
  ) =>
    sql.withTransaction(Effect.gen(function*() {
      const { head: end } = yield* ledger.sound
      if (end.id !== head.id) return yield* refuse(new PeriodError.LedgerMoved({ by: end.number }))
      yield* unless
      const row = Chain.next(end, content)
      yield* ledger.append([row])
      return {
        id: row.id,
        body: Option.getOrThrow(Option.filter(Ledger.decodeClosing(row), isOf))
      } satisfies Closing.Closing<B>
    })).pipe(Effect.mapError((failure) => failure._tag === "SqlError" ? error(failure) : failure))

  const close = Effect.fnUntraced(function*(
    options: CloseOptions
  ): Effect.fn.Return<Closing.Closing<Closing.Close>, ArchiveError.OutcomesError | PeriodError.PeriodError> {
    const found = yield* ledger.sound
    yield* trusted(options.author, found)
    const { from, to, zone } = yield* asked(options, found)
    const executions = found.executions.map(({ body }) => body)
    const { badRecords, horizon, lacks, provisional } = yield* lacking.all(executions, { from, to })
    const { number } = found.head
    const waiting = yield* Effect.mapError(states.waitingAfter(number, to), error)
    const { carryOpen = false } = options
    const items = badRecords.slice(0, Closing.KEPT).map(({ id }) => id)
    const all: ReadonlyArray<Lack.Lack> = [
      ...lacks,
      ...(carryOpen || items.length === 0 ? [] : [{ _tag: "Unreadable" as const, records: badRecords.length, items }]),
      ...(carryOpen || waiting.length === 0 ? [] : [{ _tag: "Waiting" as const, entries: waiting.length }]),
      ...(carryOpen || provisional === 0 ? [] : [{ _tag: "Provisional" as const, entries: provisional }])
    ]
    const closable = (lacks: ReadonlyArray<Lack.Lack>) =>
      Arr.isReadonlyArrayNonEmpty(lacks) ? refuse(new PeriodError.NotClosable({ from, to, lacks })) : Effect.void
    yield* closable(all)
    const standing = yield* Effect.mapError(states.standing({ from, to }, number), error)
    const content: Omit<Closing.Close, "number" | "previous"> = {
      kind: "close",
      at: Math.floor(yield* Clock.currentTimeMillis),
      ...options.author,
      zone,
      through: options.through,
      from,
      to,
      states: StateDigest.of(standing),
      totals: StateDigest.totals(standing),
      carried: StateDigest.of(waiting),
      provisional,
      badRecords: { count: badRecords.length, items },
      proposed: About.waitingBefore(found.decisions, to),
      vouched: yield* Effect.mapError(vouched({ from, to: to + horizon }), error)
    }
    return yield* append(found.head, isClose, content, Effect.flatMap(lacking.due(executions, { from, to }), closable))
  })

  const reopen = Effect.fnUntraced(function*({ author, close, reason, words }: ReopenOptions): Effect.fn.Return<
    Closing.Closing<Closing.Reopen>,
    ArchiveError.OutcomesError | PeriodError.PeriodError
  > {
    const read = yield* ledger.sound
    yield* trusted(author, read)
    const { closings, head } = read
    const refused = (detail: string) => refuse(new PeriodError.NotReopenable({ close, detail }))
    const last = Closes.last(closings)
    const found = Closes.all(closings).find((one) => one.close.number === close)
    if (found === undefined) return yield* refused("the ledger has no close of this number")
    if (found.reopened !== undefined) return yield* refused(`row ${found.reopened.number} of the ledger did so already`)
    if (last?.number !== close) return yield* refused(`close ${last?.number} stands behind it; reopen that one first`)
    const became = yield* compare(read)(found).pipe(
      Effect.map(keepable),
      Effect.catchTag("ArchiveError", uncompared)
    )
    return yield* append(head, isReopen, {
      kind: "reopen",
      at: Math.floor(yield* Clock.currentTimeMillis),
      ...author,
      close,
      reason,
      words,
      ...became
    })
  })

  return { close, reopen }
}
