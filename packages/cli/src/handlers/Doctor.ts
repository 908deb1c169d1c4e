/** The work of `tallystick doctor`. */
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Signer from "@tallystick/core/Signer"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as FieldMap from "../config/FieldMap.ts"
import * as InputSetting from "../config/InputSetting.ts"
import * as Setting from "../config/Setting.ts"
import * as ArchiveCheck from "../doctor/ArchiveCheck.ts"
import * as Check from "../doctor/Check.ts"
import * as CheckText from "../doctor/CheckText.ts"
import * as Configuration from "../doctor/Configuration.ts"
import * as Connection from "../doctor/Connection.ts"
import * as Files from "../doctor/Files.ts"
import * as Key from "../doctor/Key.ts"
import * as Standing from "../doctor/Standing.ts"
import * as SubAccounts from "../doctor/SubAccounts.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import * as Inputs from "../flags/Inputs.ts"
import type { Format } from "../flags/OutFlag.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import type * as WarnHoursFlag from "../flags/WarnHoursFlag.ts"
import * as Destination from "../network/Destination.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Interruption from "../terminal/Interruption.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends Files.Given, ArchiveFlag.Flags, WarnHoursFlag.Flags, Pick<RangeFlags.Flags, "zone"> {
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

type Given = Pick<Effect.Success<ReturnType<typeof Files.look>>, "accounts" | "named" | "ofService">

/** A broker with one key only. */
const brokerOf = (settings: BrokerConfig.Settings, { apiKey, secretKey }: BrokerConfig.Credentials) =>
  Broker.Broker.layerNoDeps({ ...askOnce(settings), apiKey, secretKey }).pipe(
    Layer.provide(Signer.Signer.layer({ secretKey }))
  )

const ask = (settings: BrokerConfig.Settings, { accounts, named, ofService }: Given) =>
  Effect.gen(function*() {
    const broker = yield* Broker.Broker
    const further = yield* Effect.forEach(
      settings.apiKeys,
      (credentials) => Effect.provide(Broker.Broker, brokerOf(settings, credentials))
    )
    const { checks, stop } = yield* Connection.look(broker, settings)
    const key = stop === undefined
      ? yield* Key.look([broker, ...further], accounts)
      : keyChecks.map((what) => Check.skipped(what, stop))
    const isAllowed = key.some(({ status }) => status === "ok")
    const listed = ofService === undefined ? [] : yield* SubAccounts.look(ofService, stop)
    const compared = Option.isSome(named) && isAllowed ? yield* SubAccounts.compare(named.value, stop) : []
    return [...(isAllowed ? Connection.butForTime(checks) : checks), ...key, ...listed, ...compared]
  }).pipe(
    // One rate for all brokers: the keys of one master may be counted together.
    Effect.provide(Layer.provideMerge(brokerOf(settings, settings), RateLimit.RateLimit.layer(settings))),
    Effect.catchTag("ConfigurationError", (error) => Effect.fail(Failure.fromConfiguration(error)))
  )

/** Everything that only the service can answer, and what its answers say about the rate. */
const service = Effect.fnUntraced(function*(settings: BrokerConfig.Settings, given: Given) {
  yield* Destination.tell
  const sent = yield* Ref.make(0)
  const throttled = yield* Ref.make(false)
  const watched = (yield* HttpClient.HttpClient).pipe(
    HttpClient.tapRequest(() => Ref.update(sent, (sent) => sent + 1)),
    HttpClient.tap(({ status }) => status === 429 || status === 418 ? Ref.set(throttled, true) : Effect.void)
  )
  const asked = yield* Effect.provideService(ask(settings, given), HttpClient.HttpClient, watched)
  const isReached = asked.some(({ status }) => status === "ok" || status === "warning")
  const told = { requests: yield* Ref.get(sent), throttled: yield* Ref.get(throttled) }
  return [...asked, ...Standing.look(settings, told, isReached)]
})

const unasked: ReadonlyArray<Check.Check> = (["connection", "clock", ...keyChecks] as const).map((what) =>
  Check.skipped(what, "nobody was asked, because the configuration failed")
)

/** What a flag says. A setting in its place that makes no sense is a finding among those of the configuration, and counts not. */
const unlessConfigured =
  <A>({ variable }: Setting.Setting, otherwise: A) => <R>(effect: Effect.Effect<A, Failure.Failure, R>) =>
    Effect.catch(
      effect,
      Effect.fnUntraced(function*(failure) {
        const problems = yield* InputSetting.problems
        return problems.some((problem) => problem.variable === variable) ? otherwise : yield* failure
      })
    )

const zoneOf = ({ zone }: Flags) =>
  AskedRange.zone(zone).pipe(unlessConfigured<DateTime.TimeZone | undefined>(Setting.inputs.zone, undefined))

const mapsOf = (flags: Flags) => Inputs.maps(flags).pipe(unlessConfigured(Setting.inputs.map, FieldMap.none))

export const run = Effect.fnUntraced(function*(flags: Flags) {
  const { accounts, addresses, deposits, policy, transfers } = flags
  yield* Inputs.oneStdin({ accounts, addresses, policy, deposits, transfers })
  const times = ZonedTimes.make(yield* zoneOf(flags))
  yield* Output.ready(flags.out)
  const configuration = yield* Configuration.look
  const archive = yield* ArchiveCheck.look(flags, configuration.settings, times)
  const files = yield* Files.look(flags, yield* mapsOf(flags), times)
  const asked = configuration.settings === undefined
    ? unasked
    : yield* service(configuration.settings, files)
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
}, (effect, { out }) => Interruption.told(out)(effect))
