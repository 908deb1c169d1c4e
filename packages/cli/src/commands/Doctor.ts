/** `tallystick doctor`: what is wrong with configuration, service, key and files, and what to do. */
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Command from "effect/cli/Command"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as ArchiveCheck from "../doctor/ArchiveCheck.ts"
import * as Check from "../doctor/Check.ts"
import * as CheckText from "../doctor/CheckText.ts"
import * as Configuration from "../doctor/Configuration.ts"
import * as Connection from "../doctor/Connection.ts"
import * as Files from "../doctor/Files.ts"
import * as Key from "../doctor/Key.ts"
import * as Standing from "../doctor/Standing.ts"
import * as Failure from "../Failure.ts"
import * as InputFlags from "../flags/InputFlags.ts"
import { type Format, format, out } from "../flags/OutFlag.ts"
import * as Destination from "../network/Destination.ts"
import * as Telemetry from "../network/Telemetry.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"

const flags = {
  accounts: InputFlags.flags.accounts,
  addresses: InputFlags.flags.addresses,
  policy: InputFlags.flags.policy,
  deposits: InputFlags.file("deposits", "Deposits as a report would read them (- is stdin)"),
  transfers: InputFlags.file("transfers", "Transfers as a report would read them"),
  archiveFile: ArchivePlace.flag,
  format,
  out
}

interface Flags extends Files.Given, ArchivePlace.Flags {
  readonly format: Format
  readonly out: Option.Option<string>
}

const keyChecks = ["read deposits", "read transfers"] as const

/** Asks the service each question once: a user who looks for trouble wants to see it, not to wait until it passes. */
const askOnce = (settings: BrokerConfig.Settings): BrokerConfig.Settings => ({
  ...settings,
  retries: 0,
  maxWait: Duration.zero
})

const ask = (settings: BrokerConfig.Settings, accounts: Accounts.Accounts) =>
  Effect.gen(function*() {
    const broker = yield* Broker.Broker
    const { checks, stop } = yield* Connection.look(broker, settings)
    const key = stop === undefined
      ? yield* Key.look(broker, accounts)
      : keyChecks.map((what) => Check.skipped(what, stop))
    return [...(key.some(({ status }) => status === "ok") ? Connection.butForTime(checks) : checks), ...key]
  }).pipe(
    Effect.provide(Broker.Broker.layer(askOnce(settings))),
    Effect.catchTag("ConfigurationError", (error) => Effect.fail(Failure.fromConfiguration(error)))
  )

/** Everything that only the service can answer, and what its answers say about the rate. */
const service = Effect.fnUntraced(function*(settings: BrokerConfig.Settings, accounts: Accounts.Accounts) {
  yield* Destination.tell
  const sent = yield* Ref.make(0)
  const throttled = yield* Ref.make(false)
  const watched = (yield* HttpClient.HttpClient).pipe(
    HttpClient.tapRequest(() => Ref.update(sent, (sent) => sent + 1)),
    HttpClient.tap(({ status }) => status === 429 || status === 418 ? Ref.set(throttled, true) : Effect.void)
  )
  const asked = yield* Effect.provideService(ask(settings, accounts), HttpClient.HttpClient, watched)
  return [
    ...asked,
    Standing.writePermission(settings.conventions),
    Standing.rate(settings, { requests: yield* Ref.get(sent), throttled: yield* Ref.get(throttled) }),
    Standing.retention(settings.conventions, asked.some(({ status }) => status === "ok"))
  ]
})

const unasked: ReadonlyArray<Check.Check> = (["connection", "clock", ...keyChecks] as const).map((what) =>
  Check.skipped(what, "nobody was asked, because the configuration failed")
)

const run = Effect.fnUntraced(function*(flags: Flags) {
  const { accounts, addresses, deposits, policy, transfers } = flags
  yield* InputFlags.oneStdin({ accounts, addresses, policy, deposits, transfers })
  yield* Output.ready(flags.out)
  const configuration = yield* Configuration.look
  const archive = yield* ArchiveCheck.look(flags, configuration.settings)
  const files = yield* Files.look(flags)
  const asked = configuration.settings === undefined
    ? unasked
    : yield* service(configuration.settings, files.accounts)
  const checks = [...configuration.checks, ...asked, ...archive, ...files.checks]
  yield* Output.write(
    flags.out,
    Stream.make(
      flags.format === "json"
        ? `${SafeJson.stringify(checks, 2)}\n`
        : CheckText.render(checks, yield* ReportOutput.look(flags.out))
    )
  )
  const failure = Check.failure(checks)
  return failure === undefined ? yield* Stderr.say(Check.summary(checks)) : yield* failure
}, Stderr.ofInterrupted)

export const command = Command.make("doctor", flags, Telemetry.command("doctor", run)).pipe(
  Command.withDescription(
    "Look at the configuration, ask the service for its time and for one record of each history, and look at the files that " +
      "are named. Nothing is changed, and no key is made. Exits with 0 when nothing failed, 2 when configuration or files " +
      "did, 3 when the service could not be reached or refused."
  ),
  Command.withExamples([
    { command: "tallystick doctor", description: "Configuration, service and key" },
    {
      command: "tallystick doctor --accounts accounts.json --addresses addresses.csv --format json",
      description: "With the files of a report, for monitoring"
    }
  ])
)
