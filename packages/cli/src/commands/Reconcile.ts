/** `tallystick reconcile`: the report, from the service or from two files. */
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as PolicyError from "@tallystick/reconcile/PolicyError"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as EntryFile from "../files/EntryFile.ts"
import * as FileCoverage from "../files/FileCoverage.ts"
import { STDIN } from "../files/InputFile.ts"
import * as SettingFile from "../files/SettingFile.ts"
import * as Notice from "../Notice.ts"
import { out } from "../OutFlag.ts"
import * as Range from "../Range.ts"
import * as ReportOutput from "../ReportOutput.ts"
import * as Service from "../Service.ts"

const file = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("FILE"), Flag.withDescription(description), Flag.optional)

const flags = {
  deposits: file("deposits", "Deposits from a file (NDJSON, JSON array or CSV; - is stdin) instead of the service"),
  transfers: file("transfers", "Transfers from a file; goes with --deposits"),
  policy: file("policy", "What may belong together, as JSON"),
  accounts: file("accounts", "Sub-accounts: JSON { master, list, complete }, or one name a line"),
  addresses: file("addresses", "Whose a deposit address is: JSON or CSV with address, account, memo, network"),
  complete: Flag.Boolean("complete").pipe(
    Flag.withDescription("The files hold everything of all time: nothing is undecided because of their edges"),
    Flag.withDefault(false)
  ),
  ...Range.flags,
  format: Flag.Literals("format", ["table", "json"]).pipe(
    Flag.withDescription("For people or for programs"),
    Flag.withDefault("table")
  ),
  out
}

interface Flags extends Range.Flags {
  readonly deposits: Option.Option<string>
  readonly transfers: Option.Option<string>
  readonly policy: Option.Option<string>
  readonly accounts: Option.Option<string>
  readonly addresses: Option.Option<string>
  readonly complete: boolean
  readonly format: "table" | "json"
  readonly out: Option.Option<string>
}

/** What both ways of running share. */
const settings = Effect.fnUntraced(function*(flags: Flags) {
  const addresses = yield* SettingFile.addresses(flags.addresses)
  const accounts = yield* SettingFile.accounts(flags.accounts, addresses)
  const policy = yield* SettingFile.policy(flags.policy)
  return { accounts, policy, ...(addresses === undefined ? {} : { addresses }) }
})

/** A policy that does not fit the entries: its links name some that are not there. */
const refusedPolicy = (flags: Flags) => <A, E, R>(effect: Effect.Effect<A, E | PolicyError.PolicyError, R>) =>
  Effect.catchIf(
    effect,
    (error) => error instanceof PolicyError.PolicyError,
    (error) => Effect.fail(Failure.fromPolicy(Option.getOrElse(flags.policy, () => "policy"))(error))
  )

const fromService = Effect.fnUntraced(function*(flags: Flags, asked: Range.Asked) {
  if (flags.complete) {
    return yield* Failure.usage("--complete vouches for files; give --deposits and --transfers with it")
  }
  const range = yield* Range.bounded(asked)
  const options = yield* settings(flags)
  if (options.accounts.list.length === 0) {
    return yield* Failure.usage(
      "The service must be asked for each sub-account: name them with --accounts FILE or --addresses FILE"
    )
  }
  yield* Notice.say(
    `asking the service for deposits and for the transfers of ${options.accounts.list.length} sub-accounts`
  )
  return yield* Reconciliation.run({ ...options, range }).pipe(
    Effect.catchTag("BrokerError", (error) => Effect.fail(Failure.fromBroker(error))),
    refusedPolicy(flags),
    Service.withBroker
  )
})

/** Outcomes that wait for what lies behind a file's last record say nothing of the flag that would settle them. */
const named = (report: Report.Report, files: ReadonlyArray<EntryFile.EntryFile>): Report.Report => {
  const open = files.filter(({ endsAt }) => endsAt !== undefined).map(({ name }) => name)
  return open.length === 0 || !report.outcomes.some(({ code }) => code === "in-flight") ? report : {
    ...report,
    warnings: [
      ...report.warnings,
      `${open.join(" and ")} ${
        open.length === 1 ? "proves" : "prove"
      } nothing behind the last record: what is in flight there is settled by --to, or by --complete.`
    ]
  }
}

const fromFiles = Effect.fnUntraced(function*(flags: Flags, asked: Range.Asked, paths: readonly [string, string]) {
  const options = yield* settings(flags)
  const { addresses = [] } = options
  const reading = {
    ...options,
    account: AddressBook.lookup(addresses),
    from: asked.from,
    to: asked.to,
    complete: flags.complete
  }
  const deposits = yield* EntryFile.read("deposit", paths[0], reading)
  const transfers = yield* EntryFile.read("transfer", paths[1], reading)
  const { from, to } = asked
  const range = from === undefined && to === undefined
    ? {}
    : { range: { from: from ?? 0, to: to ?? FileCoverage.END_OF_TIME } }
  const report = yield* Reconciliation.reconcile(Stream.make(deposits.slice), Stream.make(transfers.slice), {
    ...options,
    ...range
  }).pipe(refusedPolicy(flags))
  return named(report, [deposits, transfers])
})

const inputs = ["deposits", "transfers", "policy", "accounts", "addresses"] as const

const run = Effect.fn("reconcile")(function*(flags: Flags) {
  const asked = yield* Range.asked(flags)
  const piped = inputs.filter((name) => Option.contains(flags[name], STDIN))
  if (piped.length > 1) {
    return yield* Failure.usage(
      `stdin can be read once: only one of ${piped.map((name) => `--${name}`).join(" and ")} may be -`
    )
  }
  const paths = Option.all([flags.deposits, flags.transfers])
  if (Option.isNone(paths) && (Option.isSome(flags.deposits) || Option.isSome(flags.transfers))) {
    return yield* Failure.usage(
      "--deposits and --transfers go together: both sides come from files, or both from the service"
    )
  }
  const report = yield* Option.isNone(paths) ? fromService(flags, asked) : fromFiles(flags, asked, paths.value)
  yield* ReportOutput.write(report, { ...flags, zone: asked.zone })
  yield* ReportOutput.orNotClean(report)
  return yield* Notice.say("clean")
})

export const command = Command.make("reconcile", flags, run).pipe(
  Command.withShortDescription("Match transfers with deposits and report every discrepancy"),
  Command.withDescription(
    "Match transfers with deposits and report every discrepancy. From the service: the last 24 hours unless a range is " +
      "given. Exits with 0 when clean, 1 when not, 3 when it could not finish."
  ),
  Command.withExamples([
    {
      command: "tallystick reconcile --day 2026-11-19 --zone Europe/Berlin --accounts accounts.json",
      description: "A business day, from the service"
    },
    {
      command: "tallystick reconcile --deposits deposits.ndjson --transfers ledger.csv --format json --out report.json",
      description: "Two files"
    }
  ])
)
