/** `tallystick reconcile`: the report, from the service, the archive, or two files. */
import type * as OutcomeStream from "@tallystick/reconcile/OutcomeStream"
import type * as PolicyError from "@tallystick/reconcile/PolicyError"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Ndjson from "@tallystick/reconcile/render/Ndjson"
import type * as Report from "@tallystick/reconcile/Report"
import { Unordered } from "@tallystick/reconcile/Unordered"
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
import * as SettingFile from "../files/SettingFile.ts"
import * as InputFlags from "../InputFlags.ts"
import * as Notice from "../Notice.ts"
import { out, type ReportFormat, reportFormat } from "../OutFlag.ts"
import * as Output from "../Output.ts"
import * as Range from "../Range.ts"
import * as ReportOutput from "../ReportOutput.ts"
import * as Service from "../Service.ts"
import * as Telemetry from "../Telemetry.ts"

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
  format: reportFormat,
  out
}

interface Flags extends InputFlags.Flags, ArchivePlace.Flags {
  readonly archive: boolean
  readonly format: ReportFormat
  readonly out: Option.Option<string>
}

/** What both ways of running share. */
const settings = Effect.fnUntraced(function*(flags: Flags) {
  return { ...(yield* InputFlags.settings(flags)), policy: yield* SettingFile.policy(flags.policy) }
})

/** What a run that asks the service is told, before it asks. */
const question = Effect.fnUntraced(function*(flags: Flags) {
  if (flags.complete) {
    return yield* Failure.usage("--complete vouches for files; give --deposits and --transfers with it")
  }
  const options = yield* settings(flags)
  if (options.accounts.list.length === 0) return yield* InputFlags.nobodyToAsk
  yield* Notice.say(
    `asking the service for deposits and for the transfers of ${options.accounts.list.length} sub-accounts`
  )
  return options
})

const fromService = Effect.fnUntraced(function*(flags: Flags) {
  const options = yield* question(flags)
  return yield* Range.ofService(flags).pipe(
    Effect.flatMap((range) => Reconciliation.run({ ...options, range })),
    Effect.catchTag("BrokerError", (error) => Effect.fail(Failure.fromBroker(error))),
    InputFlags.refusedPolicy(flags.policy),
    Service.withBroker
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

const fromFiles = Effect.fnUntraced(function*(flags: Flags, asked: Range.Asked, paths: readonly [string, string]) {
  const options = yield* settings(flags)
  const reading = { ...InputFlags.reading(options, asked, flags), policy: options.policy }
  const deposits = yield* EntryFile.read("deposit", paths[0], reading)
  const transfers = yield* EntryFile.read("transfer", paths[1], reading)
  const report = yield* Reconciliation.reconcile(Stream.make(deposits.slice), Stream.make(transfers.slice), {
    ...options,
    ...InputFlags.range(asked)
  }).pipe(InputFlags.refusedPolicy(flags.policy))
  return named(report, [deposits, transfers].filter(({ endsAt }) => endsAt !== undefined).map(({ name }) => name))
})

/** The same as they are read: the first outcomes come before the last entries. */
const eventsFromFiles = (flags: Flags, range: Range.Asked, paths: readonly [string, string]) =>
  Effect.map(settings(flags), (options) => {
    const reading = { ...InputFlags.reading(options, range, flags), policy: options.policy }
    const deposits = EntryFileStream.make("deposit", paths[0], reading)
    const transfers = EntryFileStream.make("transfer", paths[1], reading)
    const open = [deposits, transfers].filter(({ isVouched }) => !isVouched).map(({ name }) => name)
    return Reconciliation.events(deposits.slices, transfers.slices, { ...options, ...InputFlags.range(range) }).pipe(
      Stream.map((event) => event._tag === "Summary" ? { ...event, summary: named(event.summary, open) } : event)
    )
  }).pipe(Stream.unwrap)

const eventsFromService = (flags: Flags) =>
  Stream.unwrap(Effect.gen(function*() {
    const options = yield* question(flags)
    return Reconciliation.runEvents({ ...options, range: yield* Range.ofService(flags) })
  }))

/** Writes a line an outcome, as they are decided, and gives the summary. */
const stream = Effect.fnUntraced(function*<E, R>(
  flags: Flags,
  events: Stream.Stream<OutcomeStream.Event, E | PolicyError.PolicyError | Unordered, R>
) {
  let summary: Report.Summary | undefined
  const kept = Stream.mapArray(events, (chunk) => {
    const last = chunk.at(-1)
    if (last?._tag === "Summary") summary = last.summary
    return chunk
  })
  yield* Output.write(flags.out, Ndjson.lines(kept)).pipe(
    InputFlags.refusedPolicy(flags.policy),
    Effect.catchIf((error) => error instanceof Unordered, (error) => Effect.fail(Failure.fromUnordered(error)))
  )
  return summary === undefined ? yield* Effect.die("a stream of outcomes ends with its summary") : summary
})

const report = Effect.fnUntraced(function*(
  flags: Flags,
  range: Range.Asked,
  paths: Option.Option<readonly [string, string]>
) {
  if (flags.format === "ndjson") {
    if (Option.isSome(paths)) return yield* stream(flags, eventsFromFiles(flags, range, paths.value))
    return yield* stream(flags, eventsFromService(flags)).pipe(
      Effect.catchTag("BrokerError", (error) => Effect.fail(Failure.fromBroker(error))),
      Service.withBroker
    )
  }
  const { format } = flags
  const made = yield* Option.isNone(paths) ? fromService(flags) : fromFiles(flags, range, paths.value)
  yield* ReportOutput.write(made, { ...flags, format, zone: range.zone })
  return made
})

/** From the archive; nothing else may then be said about where the sides come from. */
const fromArchive = Effect.fnUntraced(function*(flags: Flags, asked: Range.Asked) {
  if (Option.isSome(flags.deposits) || Option.isSome(flags.transfers)) {
    return yield* Failure.usage("--archive takes both sides from the archive: leave out --deposits and --transfers")
  }
  if (flags.complete) return yield* Failure.usage("--complete vouches for files; the archive knows what is complete")
  yield* Output.ready(flags.out)
  return yield* ArchiveRun.reconcile(flags, asked, yield* settings(flags))
})

const run = Effect.fnUntraced(function*(flags: Flags) {
  const asked = yield* Range.asked(flags)
  const { accounts, addresses, deposits, policy, transfers } = flags
  yield* InputFlags.oneStdin({ deposits, transfers, policy, accounts, addresses })
  if (flags.archive || Option.isSome(flags.archiveFile)) {
    yield* ReportOutput.orNotClean(yield* fromArchive(flags, asked))
    return yield* Notice.say("clean")
  }
  const paths = Option.all([flags.deposits, flags.transfers])
  if (Option.isNone(paths) && (Option.isSome(flags.deposits) || Option.isSome(flags.transfers))) {
    return yield* Failure.usage(
      "--deposits and --transfers go together: both sides come from files, or both from the service"
    )
  }
  yield* Output.ready(flags.out)
  yield* ReportOutput.orNotClean(yield* report(flags, asked, paths))
  return yield* Notice.say("clean")
})

export const command = Command.make("reconcile", flags, Telemetry.command("reconcile", run)).pipe(
  Command.withDescription(
    "Match transfers with deposits and report every discrepancy. From the service: the last 24 hours unless a range is " +
      "given. From the archive: the last 24 hours before the end of what is complete. Exits with 0 when clean, 1 when not, 3 when it could not finish."
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
      command: "tallystick reconcile --deposits deposits.ndjson --transfers ledger.csv --format json --out report.json",
      description: "Two files"
    },
    {
      command:
        "tallystick reconcile --deposits deposits.ndjson --transfers transfers.ndjson --complete --format ndjson",
      description: "Two files of any length, an outcome a line as soon as it is decided"
    }
  ])
)
