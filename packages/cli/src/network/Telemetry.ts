/** The telemetry of a command: a root span, and export by OTLP where `OTEL_*` asks for it. */
import * as Span from "@tallystick/core/Span"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Option from "effect/Option"
import * as Failure from "../Failure.ts"

/** Any of these turns export on. An empty one counts as absent. */
const endpoints = ["", "TRACES_", "METRICS_", "LOGS_"].map((signal) => `OTEL_EXPORTER_OTLP_${signal}ENDPOINT`)

const isAsked: Effect.Effect<boolean> = Effect.map(
  Effect.forEach(endpoints, (name) => Effect.orElseSucceed(Config.option(Config.NonEmptyString(name)), Option.none)),
  (found) => found.some(Option.isSome)
)

/** Loaded late: export takes longer to load than the smallest command to run. */
const load = Effect.promise(() => import("./TelemetryExport.ts"))

/** Exports what the effect records by OTLP, where an endpoint is configured. */
export const exported = (version: string) =>
<A, E, R>(
  self: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | HttpClient.HttpClient> =>
  Effect.flatMap(isAsked, (asked) => asked ? Effect.flatMap(load, ({ around }) => around(self, version)) : self)

const kinds: Readonly<Record<Failure.Failure["exitCode"], string>> = {
  [Failure.exitCodes.notClean]: "not-clean",
  [Failure.exitCodes.usage]: "usage",
  [Failure.exitCodes.unfinished]: "unfinished",
  [Failure.exitCodes.readerGone]: "reader-gone"
}

/** What a command does, in a module of its own, which only a run of the command loads. */
interface Handler<Flags, A, E, R> {
  readonly run: (flags: Flags) => Effect.Effect<A, E, R>
}

/**
 * Runs a command within its root span, `tallystick reconcile`. Of a failure the span tells the exit code and what that stands
 * for. The handler is loaded late: help, and a usage error, need nothing of it.
 */
export const command = <Flags, A, E, R>(name: string, load: () => Promise<Handler<Flags, A, E, R>>) => (flags: Flags) =>
  Span.use(`tallystick ${name}`, {}, (span) =>
    Effect.promise(load).pipe(
      Effect.flatMap(({ run }) => run(flags)),
      Effect.tapError((error) =>
        Effect.sync(() => {
          if (!(error instanceof Failure.Failure)) return
          span.attribute("process.exit.code", error.exitCode)
          span.attribute("error.type", kinds[error.exitCode])
        })
      )
    ))
