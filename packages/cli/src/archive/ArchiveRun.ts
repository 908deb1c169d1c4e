/** `reconcile --archive`: the report over what is kept, recorded as a run unless `--no-record` is given. */
import * as Archive from "@tallystick/archive/Archive"
import type * as ArchiveError from "@tallystick/archive/ArchiveError"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as BookError from "@tallystick/archive/BookError"
import type * as Books from "@tallystick/archive/Books"
import type * as Execution from "@tallystick/archive/Execution"
import type * as Notices from "@tallystick/archive/Notices"
import type * as Runs from "@tallystick/archive/Runs"
import * as Workers from "@tallystick/archive/Workers"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as Policy from "@tallystick/reconcile/Policy"
import type * as Report from "@tallystick/reconcile/Report"
import * as Prices from "@tallystick/report/Prices"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import type * as AskedRange from "../flags/AskedRange.ts"
import type * as BookFlags from "../flags/BookFlags.ts"
import * as Inputs from "../flags/Inputs.ts"
import type * as NotifyFlags from "../flags/NotifyFlags.ts"
import * as Only from "../flags/Only.ts"
import * as ReportFlags from "../flags/ReportFlags.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Summed from "../output/Summed.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as Names from "../text/Names.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"
import * as ArchivePlace from "./ArchivePlace.ts"
import * as ArchiveRange from "./ArchiveRange.ts"
import * as Booking from "./Booking.ts"
import * as BrokenPeriods from "./BrokenPeriods.ts"
import * as KnownAccounts from "./KnownAccounts.ts"
import * as NoticeReceivers from "./NoticeReceivers.ts"
import * as Recording from "./Recording.ts"
import * as RunIdentity from "./RunIdentity.ts"
import * as RunReport from "./RunReport.ts"

export interface Flags
  extends
    ArchiveFlag.Flags,
    BookFlags.Flags,
    NotifyFlags.Flags,
    Pick<ReportFlags.Flags, "format" | "maskAccounts" | "only" | "prices" | "pricesIn" | "title" | "withoutMatches">
{
  readonly policy: Option.Option<string>
  readonly accounts: Option.Option<string>
  readonly addresses: Option.Option<string>
  readonly out: Option.Option<string>
  readonly noRecord: boolean
  /** So many threads decide. */
  readonly workers: number
}

interface Settings extends Inputs.Settings {
  /** Whether the exchange was asked which sub-accounts there are. */
  readonly isListed: boolean
  readonly policy: Policy.Resolved
  readonly prices: Prices.Prices | undefined
  /** The name of their currency. */
  readonly currency: string | undefined
}

const recorded = ({ isNew, run }: Runs.Recording, { bound, suffix }: ZonedTimes.ZonedTimes): string =>
  isNew
    ? `recorded as run ${run.id}`
    : `nothing new: the same as run ${run.id}, recorded at ${bound(run.recordedAt)}${suffix}`

/**
 * A list of the exchange is of today, and the time of the run may be long ago: where the archive knows others besides, there were
 * more. Those that were gone before the run looks at anything have no part in it.
 */
const withKnown = Effect.fnUntraced(function*(
  accounts: Accounts.Accounts,
  policy: Policy.Resolved,
  range: Coverage.Interval
) {
  const begin = range.from - Policy.horizon(policy)
  const { wholeFrom } = yield* Archive.Archive.use(({ subAccounts }) => subAccounts)
  const gone = yield* KnownAccounts.goneBy(begin)
  const listed = new Set(accounts.list)
  const more = (yield* KnownAccounts.ever).filter((name) => !listed.has(name) && !gone.has(name))
  const isWhole = wholeFrom <= begin
  if (more.length === 0 && isWhole) return { accounts, more }
  return {
    accounts: { ...Struct.omit(accounts, ["provenAt"]), list: [...accounts.list, ...more], complete: false },
    more
  }
})

/** Says why a list of the exchange does not count as the list of all. */
const notAll = (more: ReadonlyArray<string>): string =>
  `${
    more.length === 0
      ? "the archive lost some of the sub-accounts that it knew"
      : `the archive knows ${Text.counted(more.length, "sub-account")} that the exchange does not list (${
        Names.some(more)
      })`
  }: the list does not count as the list of all; --accounts FILE can say which there are`

/** What became of a reconciliation; nothing was recorded without a recording. */
interface Ended {
  readonly summary: Report.Summary
  readonly recording?: Runs.Recording
  /** The execution by which the books were brought forward. */
  readonly execution?: Execution.Execution
}

/** The inputs of the run: without a flag for them, the sub-accounts that the archive knows. */
const options = Effect.fnUntraced(function*(flags: Flags, asked: AskedRange.Asked, settings: Settings) {
  const isTold = Option.isSome(flags.accounts) || Option.isSome(flags.addresses)
  const told = isTold ? settings.accounts : yield* KnownAccounts.read
  const range = yield* ArchiveRange.bounded(asked, { accounts: told, policy: settings.policy })
  /** The accounts that a range is about: an earlier one may be about more of them. */
  const within = (range: Coverage.Interval) =>
    settings.isListed ? withKnown(told, settings.policy, range) : Effect.succeed({ accounts: told, more: [] })
  const { accounts, more } = yield* within(range)
  if (told.complete && !accounts.complete) yield* Stderr.complain(notAll(more))
  yield* Stderr.say(`reconciling what the archive keeps ${ZonedTimes.make(asked.zone).stretch(range)}`)
  if (!isTold) {
    yield* Stderr.say(
      `of ${
        Text.counted(accounts.list.length, "sub-account")
      } that the archive knows; --accounts and --addresses say whose ` +
        "an address is, and whether these are all"
    )
  }
  const workers = Workers.make({ archive: yield* ArchivePlace.location(flags), count: flags.workers })
  const over = (range: Coverage.Interval) =>
    Effect.map(within(range), ({ accounts }) => ({ ...settings, accounts, range, workers }))
  return { ...settings, accounts, range, over, workers, times: ZonedTimes.make(asked.zone) }
})

type Options = Effect.Success<ReturnType<typeof options>>

/** The same, with those who are told of what is open, and the prices that the books keep. */
interface Told extends Options {
  readonly notify: Notices.Audience
  readonly priceList: Books.PriceList | undefined
}

/** The prices for the books: each name of an asset has its own. */
const priceListOf = (
  { currency, prices }: Settings,
  resolved: Prices.Prices
): Books.PriceList | undefined =>
  prices === undefined ? undefined : { of: resolved, ...(currency === undefined ? {} : { currency }) }

const refused = (error: BookError.BookError): Failure.Failure => {
  const told = `the books stay as they are: ${error.message}`
  return error.reason._tag === "OtherQuestion"
    ? Failure.usage(told, "--declare says that this is from now on what the books follow.")
    : Failure.unfinished(told)
}

/** A run is made so often, where somebody decides or reconciles meanwhile. */
const TIMES = 5

const again = <A, E, R>(made: Effect.Effect<A, E, R>) =>
  Effect.retry(made, {
    times: TIMES - 1,
    while: (failure) => failure instanceof BookError.BookError && failure.reason._tag === "LedgerMoved"
  })

/** Writes a line an outcome as they are decided, records them where that is wanted, and gives the summary. */
const stream = Effect.fnUntraced(function*(flags: Flags, options: Told, only: Only.Words, isRecorded: boolean) {
  const warnings = yield* BrokenPeriods.warnings([options.range], options.times)
  const warned = Summed.by((summary) => BrokenPeriods.warned(summary, warnings))
  const identified = yield* RunIdentity.identifying(flags, options.range)
  const how = { out: flags.out, only, range: options.range, maskedBy: ReportFlags.maskedBy(flags, options.accounts) }
  if (!isRecorded) {
    const events = ArchiveReconciliation.events({ ...options, readOn: flags.book }).pipe(
      warned,
      Summed.by((summary) => identified(summary))
    )
    return { summary: yield* ReportOutput.writeEvents(events, how) } satisfies Ended
  }
  const standing = yield* Booking.standing(flags)
  let recording: Runs.Recording | undefined
  let told: Report.Summary | undefined
  let execution: Execution.Execution | undefined
  const events = ArchiveReconciliation.events({ ...options, readOn: flags.book })
  const outcomes = Recording.record(events, (recorded) => {
    recording = recorded
  }).pipe(Stream.filter((event) => {
    if (event._tag !== "Summary") return true
    told = event.summary
    return false
  }))
  // The last line comes when the run is recorded, and tells of the books that it brought forward.
  const last = Effect.gen(function*() {
    if (recording === undefined || told === undefined) {
      return yield* Effect.die("a recorded stream of outcomes ends with its run")
    }
    if (!flags.book) {
      return { _tag: "Summary" as const, summary: identified(told, recording.run) }
    }
    const forward = yield* Booking.execute(flags, { run: recording.run, summary: told }, { ...options, standing })
    execution = forward.execution
    const summary = identified({ ...told, books: forward.books }, recording.run, execution)
    return { _tag: "Summary" as const, summary }
  })
  const summary = yield* ReportOutput.writeEvents(warned(Stream.concat(outcomes, Stream.fromEffect(last))), how)
  return {
    summary,
    ...(recording === undefined ? {} : { recording }),
    ...(execution === undefined ? {} : { execution })
  } satisfies Ended
})

const report = Effect.fnUntraced(function*(
  flags: Flags,
  asked: AskedRange.Asked,
  told: Told,
  isRecorded: boolean
) {
  const format = yield* ReportFlags.formatOf(flags)
  const only = yield* Only.parse(flags)
  yield* ReportOutput.ready(format)
  if (format === "ndjson") {
    return flags.workers === 1
      ? yield* stream(flags, told, only, isRecorded)
      : yield* Failure.usage(
        "--workers: ndjson is written as it is decided, which one thread does; leave it out, or choose another format"
      )
  }
  const making = Effect.gen(function*() {
    const standing = yield* Booking.standing(flags)
    const report = yield* ArchiveReconciliation.run({ ...told, readOn: flags.book })
    if (!isRecorded) return { report }
    const recording = yield* Recording.save(report)
    if (!flags.book) return { report, recording }
    const ran = { run: recording.run, summary: report }
    const { books, execution } = yield* Booking.execute(flags, ran, { ...told, standing })
    return { report: { ...report, books }, recording, execution }
  })
  // A report that the books do not follow is not written, and one that was overtaken is made anew.
  const { execution, recording, report } = yield* again(making)
  const made = { report, run: recording?.run, execution }
  const summary = yield* RunReport.write(flags, made, { ...told, zone: asked.zone })
  return {
    summary,
    ...(recording === undefined ? {} : { recording }),
    ...(execution === undefined ? {} : { execution })
  } satisfies Ended
})

/** Says what to do where the archive may only be read. */
const unwritable = (error: ArchiveError.ArchiveError): Failure.Failure =>
  error.reason._tag === "ReadOnly"
    ? Failure.usage(error.message, "--no-record makes the report without recording a run.")
    : Failure.fromArchive(error)

/** Reconciles, writes the report, records the run unless nothing of it is known, and says which it is. */
export const reconcile = Effect.fnUntraced(function*(flags: Flags, asked: AskedRange.Asked, settings: Settings) {
  return yield* Effect.gen(function*() {
    const receivers = flags.book ? yield* NoticeReceivers.make(flags) : []
    const prices = Prices.resolve(settings.prices ?? new Map(), settings.policy.assets.aliases)
    const told = {
      ...yield* options(flags, asked, settings),
      notify: { receivers, prices },
      priceList: priceListOf(settings, prices)
    }
    const wasRead = flags.noRecord || (yield* ArchiveReconciliation.wasRead(told.range))
    const ended: Ended = yield* report(flags, asked, told, !flags.noRecord && wasRead)
    const { execution, recording, summary } = ended
    if (recording !== undefined) yield* Stderr.say(recorded(recording, ZonedTimes.make(asked.zone)))
    if (!wasRead) yield* Stderr.say("no run was recorded: nothing of this time was read or imported")
    if (execution !== undefined) {
      yield* Booking.tell(execution, summary, told.times)
      yield* NoticeReceivers.deliver(receivers)
    } else if (flags.book) {
      return yield* Failure.unfinished("the books stay as they are: nothing of this time was read or imported")
    }
    return { summary, run: recording?.run.id }
  }).pipe(
    Inputs.refusedPolicy(flags.policy),
    Effect.catchTags({
      ArchiveError: (error) => Effect.fail(unwritable(error)),
      BookError: (error) => Effect.fail(refused(error)),
      InvalidRange: (error) => Effect.fail(Failure.fromRange(error)),
      Unordered: (error) => Effect.fail(Failure.fromUnordered(error))
    }),
    flags.noRecord ? ArchivePlace.withReadArchive(flags) : ArchivePlace.withKeptArchive(flags, unwritable)
  )
})
