/** The work of `tallystick demo`. */
import * as Broker from "@tallystick/core/Broker"
import * as BrokerReconciliation from "@tallystick/reconcile/BrokerReconciliation"
import * as Text from "@tallystick/report/text/Text"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Comparison from "../demo/Comparison.ts"
import * as ComparisonText from "../demo/ComparisonText.ts"
import * as Failure from "../Failure.ts"
import * as BrokerProgress from "../network/BrokerProgress.ts"
import * as LocalSandbox from "../network/LocalSandbox.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"

/** Requests a second: the sandbox allows them here, the live service does not. */
const RATE = 500

interface Flags {
  readonly seed: number
  readonly deposits: number
}

const broker = (sandbox: Sandbox.Service) =>
  Broker.Broker.layer({
    baseUrl: sandbox.baseUrl,
    apiKey: sandbox.apiKey,
    secretKey: sandbox.secretKey,
    rate: { requests: RATE, window: Duration.seconds(1) }
  })

const seconds = (millis: number): string => `${(millis / 1000).toFixed(1)} s`

const demonstrate = Effect.fnUntraced(function*() {
  const sandbox = yield* Sandbox.Sandbox
  const { history, truth } = sandbox
  yield* Stderr.say(
    `sandbox at ${sandbox.baseUrl}: ${Text.counted(history.deposits.length, "deposit")}, ` +
      `${Text.counted(history.transfers.length, "transfer")}, ${
        Text.counted(history.subAccounts.length, "sub-account")
      }, ${Text.counted(truth.breaks.length, "planted break")}`
  )
  yield* Stderr.say(`fetching over HTTP at up to ${RATE} requests/s (the live service allows 20)`)
  const { span, to } = history.options
  const started = yield* Clock.currentTimeMillis
  const report = yield* BrokerReconciliation.run({
    range: { from: to - span, to },
    accounts: { master: history.options.master, list: history.subAccounts, complete: true },
    addresses: history.addressBook,
    onPlan: BrokerProgress.expect
  }).pipe(
    BrokerProgress.shown,
    Effect.provide(broker(sandbox)),
    Effect.catchTags({
      BrokerError: (error) => Effect.fail(Failure.fromBroker(error)),
      ConfigurationError: (error) => Effect.fail(Failure.fromConfiguration(error)),
      InvalidRange: (error) => Effect.fail(Failure.fromRange(error)),
      PolicyError: (error) => Effect.fail(Failure.fromPolicy("policy")(error))
    })
  )
  const requests = yield* sandbox.exchange.requests
  yield* Stderr.say(
    `fetched with ${Text.counted(requests.length, "request")} and reconciled in ${
      seconds((yield* Clock.currentTimeMillis) - started)
    }\n`
  )
  yield* ReportOutput.write(report, { format: "table", out: Option.none() })
  const comparison = Comparison.compare(report.outcomes, truth)
  const width = yield* ReportOutput.tableWidth(Option.none())
  yield* Output.toStdout(Stream.make(ComparisonText.render(comparison, width)))
  yield* Comparison.agrees(comparison)
    ? Effect.void
    : Effect.fail(Failure.notClean("the report and the planted truth do not agree"))
})

export const run = ({ deposits, seed }: Flags) =>
  demonstrate().pipe(
    Effect.provide(LocalSandbox.layer({
      history: { seed, deposits },
      rules: { rate: { limit: RATE, window: 1000, patience: 10, ban: 60 } }
    }))
  )
