/** `tallystick reconcile`: the report, from the service, the archive, or two files. */
import type * as PolicyError from "@tallystick/reconcile/PolicyError"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import { Unordered } from "@tallystick/reconcile/Unordered"
import type * as Prices from "@tallystick/report/Prices"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as ArchiveRun from "../archive/ArchiveRun.ts"
import * as Failure from "../Failure.ts"
import * as EntryFile from "../files/EntryFile.ts"
import * as EntryFileStream from "../files/EntryFileStream.ts"
import * as PriceFile from "../files/PriceFile.ts"
import * as SettingFile from "../files/SettingFile.ts"
import * as FailOn from "../flags/FailOn.ts"
import * as InputFlags from "../flags/InputFlags.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as ReportFlags from "../flags/ReportFlags.ts"
import * as BrokerProgress from "../network/BrokerProgress.ts"
import * as ConfiguredBroker from "../network/ConfiguredBroker.ts"
import * as Telemetry from "../network/Telemetry.ts"
import * as Output from "../output/Output.ts"
import * as ReportEnding from "../output/ReportEnding.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"

const flags = {
  deposits: InputFlags.file(
    "deposits",
    "Deposits from a file (NDJSON, JSON array or CSV; - is stdin) instead of the service"
  ),
  transfers: InputFlags.file("transfers", "Transfers from a file; goes with --deposits"),
  archive: Flag.Boolean("archive").pipe(
    Flag.withDescription("Both sides from the archive, any range that was kept; the run is recorded there"),
    Flag.withDefault(false)
  ),
  archiveFile: ArchivePlace.flag,
  ...InputFlags.flags,
  ...ReportFlags.flags,
  failOn: FailOn.flag
}

interface Flags extends InputFlags.Flags, ArchivePlace.Flags, ReportFlags.Flags {
  readonly archive: boolean
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
const settingsOf = Effect.fnUntraced(function*(flags: Flags) {
  return { ...(yield* InputFlags.settings(flags)), policy: yield* SettingFile.policy(flags.policy) }
})

type Settings = Effect.Success<ReturnType<typeof settingsOf>>

/** Tells that the service is asked, and for what; somebody must be named. */
const announced = Effect.fnUntraced(function*({ accounts }: Settings) {
  if (accounts.list.length === 0) return yield* InputFlags.nobodyToAsk
  return yield* Stderr.say(
    `asking the service for deposits and for the transfers of ${accounts.list.length} sub-accounts`
  )
})

const fromService = Effect.fnUntraced(function*(flags: Flags, settings: Settings) {
  yield* announced(settings)
  return yield* RangeFlags.ofService(flags, "settled").pipe(
    Effect.tap((range) => BrokerProgress.expectReport({ ...settings, ...range })),
    Effect.flatMap((range) => Reconciliation.run({ ...settings, range })),
    Effect.catchTags({
      BrokerError: (error) => Effect.fail(Failure.fromBroker(error)),
      InvalidRange: (error) => Effect.fail(Failure.fromRange(error))
    }),
    InputFlags.refusedPolicy(flags.policy),
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
  asked: RangeFlags.Asked,
  settings: Settings,
  paths: readonly [string, string]
) {
  const range = yield* InputFlags.range(asked)
  const reading = { ...InputFlags.reading(settings, asked, flags), policy: settings.policy }
  const deposits = yield* EntryFile.read("deposit", paths[0], reading)
  const transfers = yield* EntryFile.read("transfer", paths[1], reading)
  const report = yield* Reconciliation.reconcile(Stream.make(deposits.slice), Stream.make(transfers.slice), {
    ...settings,
    ...range
  }).pipe(
    Effect.catchTags({
      InvalidSlice: Effect.die,
      InvalidRange: (error) => Effect.fail(Failure.fromRange(error))
    }),
    InputFlags.refusedPolicy(flags.policy),
    EntryFile.matching(deposits, transfers)
  )
  return named(report, [deposits, transfers].filter(({ endsAt }) => endsAt !== undefined).map(({ name }) => name))
})

/** The same as they are read: the first outcomes come before the last entries. */
const eventsFromFiles = (
  flags: Flags,
  asked: RangeFlags.Asked,
  settings: Settings,
  paths: readonly [string, string]
) => {
  const reading = { ...InputFlags.reading(settings, asked, flags), policy: settings.policy }
  const deposits = EntryFileStream.make("deposit", paths[0], reading)
  const transfers = EntryFileStream.make("transfer", paths[1], reading)
  const open = [deposits, transfers].filter(({ isVouched }) => !isVouched).map(({ name }) => name)
  return Stream.unwrap(
    Effect.map(
      InputFlags.range(asked),
      (range) => Reconciliation.events(deposits.slices, transfers.slices, { ...settings, ...range })
    )
  ).pipe(
    Stream.catchTags({
      InvalidSlice: Stream.die,
      InvalidRange: (error) => Stream.fail(Failure.fromRange(error))
    }),
    Stream.map((event) => event._tag === "Summary" ? { ...event, summary: named(event.summary, open) } : event)
  )
}

const eventsFromService = (flags: Flags, settings: Settings) =>
  Stream.unwrap(
    Effect.gen(function*() {
      yield* announced(settings)
      const range = yield* RangeFlags.ofService(flags, "settled")
      yield* BrokerProgress.expectReport({ ...settings, ...range })
      return Reconciliation.runEvents({ ...settings, range })
    })
  )

/** Writes a line an outcome, as they are decided, and gives the summary. */
const stream = <E, R>(
  flags: Flags,
  { accounts }: Settings,
  events: Stream.Stream<Reconciliation.Event, E | PolicyError.PolicyError | Unordered, R>
) =>
  ReportOutput.writeEvents(events, { out: flags.out, maskedBy: ReportFlags.maskedBy(flags, accounts) }).pipe(
    InputFlags.refusedPolicy(flags.policy),
    Effect.catchIf((error) => error instanceof Unordered, (error) => Effect.fail(Failure.fromUnordered(error)))
  )

/** Reconciles, writes the report and gives its summary. */
const report = Effect.fnUntraced(function*(
  flags: Flags,
  asked: RangeFlags.Asked,
  settings: Settings,
  prices: Prices.Prices | undefined,
  paths: Paths
) {
  const format = yield* ReportFlags.formatOf(flags)
  yield* ReportOutput.ready(format)
  if (format === "ndjson") {
    if (flags.maskAccounts && settings.accounts.list.length === 0) {
      return yield* Failure.usage(
        "--mask-accounts with ndjson must know the accounts before their entries come: name them with --accounts or " +
          "--addresses, or choose another format"
      )
    }
    if (Option.isSome(paths)) {
      return yield* stream(flags, settings, eventsFromFiles(flags, asked, settings, paths.value))
    }
    return yield* stream(flags, settings, eventsFromService(flags, settings)).pipe(
      Effect.catchTags({
        BrokerError: (error) => Effect.fail(Failure.fromBroker(error)),
        InvalidRange: (error) => Effect.fail(Failure.fromRange(error))
      }),
      ConfiguredBroker.withBroker
    )
  }
  const made = yield* Option.isNone(paths)
    ? fromService(flags, settings)
    : fromFiles(flags, asked, settings, paths.value)
  const maskedBy = ReportFlags.maskedBy(flags, settings.accounts)
  return yield* ReportOutput.write(made, { format, out: flags.out, zone: asked.zone, prices, maskedBy })
})

const run = Effect.fnUntraced(function*(flags: Flags) {
  const asked = yield* RangeFlags.asked(flags)
  const failOn = yield* FailOn.parse(flags.failOn)
  const { accounts, addresses, deposits, policy, prices: priced, transfers } = flags
  yield* InputFlags.oneStdin({ deposits, transfers, policy, accounts, addresses, prices: priced })
  const paths = yield* pathsOf(flags)
  yield* Output.ready(flags.out)
  const settings = yield* settingsOf(flags)
  const prices = yield* PriceFile.read(priced, settings.policy)
  const ended = isKept(flags)
    ? yield* ArchiveRun.reconcile(flags, asked, { ...settings, prices })
    : { summary: yield* report(flags, asked, settings, prices, paths) }
  yield* PriceFile.notice(priced, prices, ended.summary)
  return yield* ReportEnding.end(ended.summary, { ...ended, failOn })
}, Stderr.ofInterrupted)

export const command = Command.make("reconcile", flags, Telemetry.command("reconcile", run)).pipe(
  Command.withDescription(
    "Match transfers with deposits and report every discrepancy. From the service: the last 24 hours unless a range is " +
      "given, and without an end up to what is settled. From the archive: the last 24 hours before the end of what is complete. The last line on stderr sums it up for " +
      "logs. Exits with 0 when clean, 1 when not (see --fail-on), 3 when it could not finish."
  ),
  Command.withExamples([
    {
      command: "tallystick reconcile --day 2026-11-19 --zone Europe/Berlin --accounts accounts.json",
      description: "A business day, from the service"
    },
    {
      command:
        "tallystick reconcile --archive --from 2026-10-01 --to 2026-11-01 --accounts accounts.json --format json",
      description: "A month, from the archive"
    },
    {
      command:
        "tallystick reconcile --deposits deposits.ndjson --transfers ledger.csv --prices prices.csv --out report.html",
      description: "Two files, as a page to open and to mail, the most money first"
    },
    {
      command:
        "tallystick reconcile --archive --day 2026-11-19 --fail-on missing-transfer,undetermined --out report.json",
      description: "For a job that fails only when a deposit was not moved, or cannot be judged"
    },
    {
      command:
        "tallystick reconcile --deposits deposits.ndjson --transfers transfers.ndjson --complete --format ndjson",
      description: "Two files of any length, an outcome a line as soon as it is decided"
    }
  ])
)
