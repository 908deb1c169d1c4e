/** The work of `tallystick reconcile`. */
import * as BrokerReconciliation from "@tallystick/reconcile/BrokerReconciliation"
import type * as Policy from "@tallystick/reconcile/Policy"
import type * as PolicyError from "@tallystick/reconcile/PolicyError"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import { Unordered } from "@tallystick/reconcile/Unordered"
import type * as Prices from "@tallystick/report/Prices"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as ArchiveRun from "../archive/ArchiveRun.ts"
import * as NoticeReceivers from "../archive/NoticeReceivers.ts"
import type * as FieldMap from "../config/FieldMap.ts"
import * as Setting from "../config/Setting.ts"
import * as Failure from "../Failure.ts"
import * as EntryFile from "../files/EntryFile.ts"
import * as EntryFileStream from "../files/EntryFileStream.ts"
import * as PriceFile from "../files/PriceFile.ts"
import * as SettingFile from "../files/SettingFile.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import * as BookFlags from "../flags/BookFlags.ts"
import * as FailOn from "../flags/FailOn.ts"
import type * as InputFlags from "../flags/InputFlags.ts"
import * as Inputs from "../flags/Inputs.ts"
import type * as NotifyFlags from "../flags/NotifyFlags.ts"
import * as Only from "../flags/Only.ts"
import * as ReportFlags from "../flags/ReportFlags.ts"
import * as BrokerProgress from "../network/BrokerProgress.ts"
import * as ConfiguredBroker from "../network/ConfiguredBroker.ts"
import * as ServiceAccounts from "../network/ServiceAccounts.ts"
import * as Output from "../output/Output.ts"
import * as ReportEnding from "../output/ReportEnding.ts"
import * as ReportIdentity from "../output/ReportIdentity.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Summed from "../output/Summed.ts"
import * as Interruption from "../terminal/Interruption.ts"
import * as Stderr from "../terminal/Stderr.ts"

interface Flags extends InputFlags.Flags, ArchiveFlag.Flags, BookFlags.Flags, NotifyFlags.Flags, ReportFlags.Flags {
  readonly archive: boolean
  readonly noRecord: boolean
  readonly workers: number
  readonly out: Option.Option<string>
  readonly failOn: Option.Option<string>
}

/** Both sides from files, or neither: then the service is asked, or the archive. */
type Paths = Option.Option<readonly [deposits: string, transfers: string]>

/** Whether both sides come from the archive. */
const isKept = ({ archive, archiveFile }: Flags): boolean => archive || Option.isSome(archiveFile)

/** Where the sides come from; flags that contradict each other about it are refused. */
const pathsOf = Effect.fnUntraced(function*(flags: Flags): Effect.fn.Return<Paths, Failure.Failure> {
  const given = [flags.deposits, flags.transfers].filter(Option.isSome).length
  yield* BookFlags.checked(flags, isKept(flags))
  if (!flags.book) yield* NoticeReceivers.none(flags, "--book")
  if (flags.noRecord && !isKept(flags)) {
    return yield* Failure.usage("--no-record is about the runs of an archive: give --archive or --archive-file with it")
  }
  if (flags.workers > 1 && !isKept(flags)) {
    return yield* Failure.usage(
      "--workers match what an archive keeps: give --archive or --archive-file with it"
    )
  }
  if (isKept(flags)) {
    if (given > 0) {
      return yield* Failure.usage("--archive takes both sides from the archive: leave out --deposits and --transfers")
    }
    if (flags.complete) return yield* Failure.usage("--complete vouches for files; the archive knows what is complete")
    return Option.none()
  }
  if (given === 1) {
    return yield* Failure.usage(
      "--deposits and --transfers go together: both sides come from files, or both from the service"
    )
  }
  if (given === 0 && flags.complete) {
    return yield* Failure.usage("--complete vouches for files; give --deposits and --transfers with it")
  }
  return Option.all([flags.deposits, flags.transfers])
})

/** Options of every way of running, whichever source the sides come from. */
interface Settings extends Inputs.Settings {
  readonly policy: Policy.Resolved
}

/** Runs with the accounts that are told, or with those that the exchange lists; then one client asks for both. */
const withAccounts = Effect.fnUntraced(function*<A, E, R>(
  { accounts, ...told }: Inputs.Told,
  run: (settings: Inputs.Settings) => Effect.Effect<A, E, R>
) {
  if (!SettingFile.isOfService(accounts)) return yield* run({ ...told, accounts })
  return yield* ServiceAccounts.read(accounts, told.addresses).pipe(
    Effect.tap(({ doubt }) => doubt === undefined ? Effect.void : Stderr.complain(ServiceAccounts.doubtful(doubt))),
    Effect.flatMap(({ accounts }) => run({ ...told, accounts })),
    ConfiguredBroker.withSilentBroker
  )
})
/** The files of both sides, and what is said of their columns. */
interface Files {
  readonly paths: readonly [deposits: string, transfers: string]
  readonly maps: FieldMap.FieldMaps
}

const filesOf = Effect.fnUntraced(function*(flags: Flags) {
  const paths = yield* pathsOf(flags)
  if (Option.isSome(paths)) return Option.some<Files>({ paths: paths.value, maps: yield* Inputs.maps(flags) })
  return (yield* Inputs.isGiven(flags.map, Setting.inputs.map))
    ? yield* Failure.usage("--map says how files are read; give --deposits and --transfers with it")
    : Option.none<Files>()
})

/** Tells that the service is asked, and for what; somebody must be named. */
const announced = Effect.fnUntraced(function*({ accounts }: Settings) {
  if (accounts.list.length === 0) return yield* ConfiguredBroker.lacking(Inputs.NOBODY)
  return yield* Stderr.say(
    `asking the service for deposits and for the transfers of ${Text.counted(accounts.list.length, "sub-account")}`
  )
})

const identified = <Summary extends Report.Summary>(
  summary: Summary,
  flags: Flags,
  asked: Pick<Report.Identity, "exchange"> = {}
): Summary => ({ ...summary, identity: { ...ReportIdentity.of(summary, flags), ...asked } })

const fromService = Effect.fnUntraced(function*(flags: Flags, settings: Settings) {
  yield* announced(settings)
  const exchange = yield* ReportIdentity.exchange
  return yield* AskedRange.ofService(flags, "settled").pipe(
    Effect.flatMap((range) => BrokerReconciliation.run({ ...settings, range, onPlan: BrokerProgress.expect })),
    Effect.map((report) => identified(report, flags, exchange)),
    Effect.catchTags({
      BrokerError: (error) => Effect.fail(Failure.fromBroker(error)),
      InvalidRange: (error) => Effect.fail(Failure.fromRange(error))
    }),
    Inputs.refusedPolicy(flags.policy),
    ConfiguredBroker.withBroker
  )
})

/** Outcomes that wait for what lies behind a file's last record say nothing of the flag that would settle them. */
const unvouched = ({ counts }: Report.Summary, open: ReadonlyArray<string>): ReadonlyArray<string> =>
  open.length === 0 || !counts.some(({ code }) => code === "in-flight") ? [] : [
    `${open.join(" and ")} ${
      open.length === 1 ? "proves" : "prove"
    } nothing behind the last record: what is in flight there is settled by --to, or by --complete.`
  ]

const named = <Summary extends Report.Summary>(summary: Summary, open: ReadonlyArray<string>): Summary => ({
  ...summary,
  warnings: [...summary.warnings, ...unvouched(summary, open)]
})

const fromFiles = Effect.fnUntraced(function*(
  flags: Flags,
  asked: AskedRange.Asked,
  settings: Settings,
  { maps, paths }: Files
) {
  const range = yield* Inputs.range(asked)
  const reading = { ...Inputs.reading(settings, asked, flags, maps), policy: settings.policy }
  const deposits = yield* EntryFile.read("deposit", paths[0], reading)
  const transfers = yield* EntryFile.read("transfer", paths[1], reading)
  const report = yield* EntryFile.matching(deposits, transfers)((onProgress) =>
    Reconciliation.reconcile(Stream.make(deposits.slice), Stream.make(transfers.slice), {
      ...settings,
      ...range,
      onProgress
    })
  ).pipe(
    Effect.catchTags({
      InvalidSlice: Effect.die,
      InvalidRange: (error) => Effect.fail(Failure.fromRange(error))
    }),
    Inputs.refusedPolicy(flags.policy)
  )
  const open = [deposits, transfers].filter(({ endsAt }) => endsAt !== undefined).map(({ name }) => name)
  return identified(named(report, open), flags)
})

/** A run whose outcomes come as they are decided, and the range that it is about. */
interface Streamed<E, R> extends Pick<Report.Summary, "range"> {
  readonly events: Stream.Stream<Reconciliation.Event, E, R>
}

/** The same as they are read: the first outcomes come before the last entries. */
const eventsFromFiles = Effect.fnUntraced(function*(
  flags: Flags,
  asked: AskedRange.Asked,
  settings: Settings,
  { maps, paths }: Files
) {
  const reading = { ...Inputs.reading(settings, asked, flags, maps), policy: settings.policy }
  const deposits = EntryFileStream.make("deposit", paths[0], reading)
  const transfers = EntryFileStream.make("transfer", paths[1], reading)
  const open = [deposits, transfers].filter(({ isVouched }) => !isVouched).map(({ name }) => name)
  const range = yield* Inputs.range(asked)
  const events = Reconciliation.events(deposits.slices, transfers.slices, { ...settings, ...range }).pipe(
    Stream.catchTags({
      InvalidSlice: Stream.die,
      InvalidRange: (error) => Stream.fail(Failure.fromRange(error))
    }),
    Summed.by((summary) => identified(named(summary, open), flags))
  )
  return { range: range.range ?? null, events }
})

const eventsFromService = Effect.fnUntraced(function*(flags: Flags, settings: Settings) {
  yield* announced(settings)
  const range = yield* AskedRange.ofService(flags, "settled")
  const exchange = yield* ReportIdentity.exchange
  const events = BrokerReconciliation.events({ ...settings, range, onPlan: BrokerProgress.expect })
  return { range, events: Summed.by((summary) => identified(summary, flags, exchange))(events) }
})

/** Writes a line an outcome, as they are decided, and gives the summary. */
const stream = <E, R, E2, R2>(
  flags: Flags,
  { accounts }: Settings,
  only: Only.Words,
  run: Effect.Effect<Streamed<E | PolicyError.PolicyError | Unordered, R>, E2, R2>
) =>
  Effect.flatMap(
    run,
    ({ events, range }) =>
      ReportOutput.writeEvents(events, { out: flags.out, only, maskedBy: ReportFlags.maskedBy(flags, accounts), range })
  ).pipe(
    Inputs.refusedPolicy(flags.policy),
    Effect.catchIf((error) => error instanceof Unordered, (error) => Effect.fail(Failure.fromUnordered(error)))
  )

/** Reconciles, writes the report and gives its summary. */
const report = Effect.fnUntraced(function*(
  flags: Flags,
  asked: AskedRange.Asked,
  settings: Settings,
  { currency, prices }: { readonly prices: Prices.Prices | undefined; readonly currency: string | undefined },
  files: Option.Option<Files>
) {
  const format = yield* ReportFlags.formatOf(flags)
  const only = yield* Only.parse(flags)
  yield* ReportOutput.ready(format)
  if (format === "ndjson") {
    if (flags.maskAccounts && settings.accounts.list.length === 0) {
      return yield* Failure.usage(
        "--mask-accounts with ndjson must know the accounts before their entries come: name them with --accounts or " +
          "--addresses, or choose another format"
      )
    }
    if (Option.isSome(files)) {
      return yield* stream(flags, settings, only, eventsFromFiles(flags, asked, settings, files.value))
    }
    return yield* stream(flags, settings, only, eventsFromService(flags, settings)).pipe(
      Effect.catchTags({
        BrokerError: (error) => Effect.fail(Failure.fromBroker(error)),
        InvalidRange: (error) => Effect.fail(Failure.fromRange(error))
      }),
      ConfiguredBroker.withBroker
    )
  }
  const made = yield* Option.isNone(files)
    ? fromService(flags, settings)
    : fromFiles(flags, asked, settings, files.value)
  const maskedBy = ReportFlags.maskedBy(flags, settings.accounts)
  return yield* ReportOutput.write(made, { format, out: flags.out, only, zone: asked.zone, prices, currency, maskedBy })
})

/** One run, about one range. */
const one = Effect.fnUntraced(function*(flags: Flags) {
  if (isKept(flags)) yield* Interruption.note({ run: null })
  const asked = yield* AskedRange.asked(flags)
  const failOn = yield* FailOn.parse(flags.failOn)
  const { accounts, addresses, deposits, policy, prices: priced, transfers } = flags
  yield* Inputs.oneStdin({ deposits, transfers, policy, accounts, addresses, prices: priced })
  const files = yield* filesOf(flags)
  const currency = yield* ReportFlags.currency(flags)
  yield* Output.readyIn(flags.out)
  const told = yield* Inputs.told(flags)
  const rules = yield* SettingFile.policy(policy)
  const prices = yield* PriceFile.read(priced, rules)
  const valued = { prices, currency }
  const ended = yield* withAccounts(told, (inputs) => {
    const settings = { ...inputs, policy: rules }
    return isKept(flags)
      ? ArchiveRun.reconcile(flags, asked, { ...settings, ...valued, isListed: SettingFile.isOfService(told.accounts) })
      : Effect.map(report(flags, asked, settings, valued, files), (summary) => ({ summary }))
  })
  yield* PriceFile.notice(priced, prices, ended.summary)
  return yield* ReportEnding.end(ended.summary, { ...ended, failOn })
}, (effect, { out }) => Interruption.told(out)(effect))

/** Stands for the day in the name of a file. */
const DAY = "{day}"

/** The flags of one of the days; its name stands in the name of the file. */
const dated = (flags: Flags, day: string): Flags => ({
  ...flags,
  day: Option.some(day),
  out: Option.map(flags.out, (name) => name.replaceAll(DAY, day))
})

/** A report a day. The days that did not end well are told at the end, with the exit code of the worst. */
const daily = Effect.fnUntraced(function*(flags: Flags, days: ReadonlyArray<string>) {
  const { accounts, addresses, deposits, out, policy, prices, transfers } = flags
  if (Option.exists(out, (name) => !name.includes(DAY))) {
    return yield* Failure.usage(
      `--out: several days need a name for each; write ${DAY} where the day belongs, as in report-${DAY}.html`
    )
  }
  if ([accounts, addresses, deposits, policy, prices, transfers].some((path) => Option.contains(path, "-"))) {
    return yield* Failure.usage("--day: stdin can be read for one day only; give a file, or one day")
  }
  for (const day of days) yield* AskedRange.bounded(yield* AskedRange.asked(dated(flags, day)))
  const failures: Array<Failure.Failure> = []
  for (const [index, day] of days.entries()) {
    yield* Stderr.say(`${day}:`)
    const ended = yield* one(dated(flags, day)).pipe(
      Effect.result,
      Effect.onInterrupt(() => Stderr.complain(`Done before that: ${index} of ${Text.counted(days.length, "day")}.`))
    )
    if (Result.isSuccess(ended)) continue
    const { exitCode } = ended.failure
    // A reader that went away reads no other day, and what is wrong with the invocation is wrong at the first day already.
    if (exitCode === Failure.exitCodes.readerGone || (exitCode === Failure.exitCodes.usage && index === 0)) {
      return yield* ended.failure
    }
    yield* Stderr.complain(`${day}: ${ended.failure.message}`, ...ended.failure.more)
    failures.push(ended.failure)
  }
  if (failures.length === 0) return yield* Effect.void
  const told = `${failures.length} of ${Text.counted(days.length, "day")} did not end well`
  return yield* failures.every(({ exitCode }) => exitCode === Failure.exitCodes.notClean)
    ? Failure.notClean(told)
    : Failure.unfinished(told)
})

export const run = Effect.fnUntraced(function*(flags: Flags) {
  const days = yield* AskedRange.days(flags)
  if (days.length > 1) return yield* daily(flags, days)
  const [day] = days
  const isDated = Option.exists(flags.out, (name) => name.includes(DAY))
  if (day === undefined && isDated) {
    return yield* Failure.usage(`--out: ${DAY} stands for a day of --day; give --day, or another name`)
  }
  // The name and the report are of one day. Without it in the name, the clock of the service says which day is meant.
  return yield* one(day !== undefined && isDated ? dated(flags, day) : flags)
})
