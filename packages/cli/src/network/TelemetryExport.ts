/** Export of spans, metrics and logs by OTLP over HTTP, as the `OTEL_*` variables say. Loaded only where they ask for it. */
import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Otlp from "effect/observability/Otlp"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Scope from "effect/Scope"

/** Export cannot begin, because a variable is wrong. It is named where that is known; its value never is. */
class NotExported extends Schema.TaggedError<NotExported>()("NotExported", { problem: Schema.String }) {
  override get message(): string {
    return `nothing is exported: ${this.problem}`
  }
}

/** The wait at the end: for the last batches, then for requests that are on their way. */
const FLUSH = "3 seconds"
const CLOSE = "1 second"

/** One request may take so long; it is repeated three times. */
const REQUEST = "10 seconds"

/** Defaults of every signal: Effect exports nothing without the first three. */
const defaults = Effect.map(
  Config.option(Config.String("OTEL_RESOURCE_ATTRIBUTES")),
  (attributes) =>
    ConfigProvider.fromEnvRecord({
      OTEL_TRACES_EXPORTER: "otlp",
      OTEL_METRICS_EXPORTER: "otlp",
      OTEL_LOGS_EXPORTER: "otlp",
      ...(/(?:^|,)\s*service\.name\s*=/.test(Option.getOrElse(attributes, () => ""))
        ? {}
        : { OTEL_SERVICE_NAME: "tallystick" })
    })
)

const paths = SchemaIssue.makeFormatterStandardSchemaV1()

/** The variable that was refused, as far as that is known. The error itself would quote its value. */
const variableOf = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const steps = error instanceof Config.ConfigError && Schema.isSchemaError(error.cause)
    ? paths(error.cause.issue).issues.flatMap(({ path }) => path ?? [])
    : []
  return steps.map((step) => String(typeof step === "object" ? step.key : step))
    .find((step) => step.startsWith("OTEL_")) ?? "a variable that begins with OTEL_"
}

const serialization = Config.Literals(["http/json", "http/protobuf"], "OTEL_EXPORTER_OTLP_PROTOCOL").pipe(
  Config.withDefault("http/json" as const),
  Effect.map((protocol) => protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf),
  Effect.mapError(() =>
    new NotExported({ problem: "OTEL_EXPORTER_OTLP_PROTOCOL is neither http/json nor http/protobuf" })
  )
)

/** An address without what it may carry besides: credentials, a path, a query. */
const originOf = (url: string): string => {
  const origin = URL.parse(url)?.origin ?? "null"
  return origin === "null" ? "an address that is none" : origin
}

/**
 * Remembers of each address what became of its last request, and gives all of them up at once. A redirect counts as a
 * failure: undici follows none, and a header may be a secret.
 */
const watched = (client: HttpClient.HttpClient, gaveUp: Deferred.Deferred<never>) => {
  const troubles = new Map<string, string>()
  const watching = HttpClient.transform(client, (send, { url }) => {
    const failed = (why: string) => void troubles.set(url, `${originOf(url)} (${why})`)
    return Effect.suspend(() => {
      if (!troubles.has(url)) failed("no answer")
      return send
    }).pipe(
      Effect.timeoutOrElse({ duration: REQUEST, orElse: () => Effect.interrupt }),
      Effect.raceFirst(Deferred.await(gaveUp)),
      Effect.tap(({ status }) =>
        Effect.sync(() => status >= 200 && status < 300 ? troubles.delete(url) : failed(`HTTP ${status}`))
      ),
      Effect.tapError(() => Effect.sync(() => failed("the connection failed")))
    )
  })
  return { client: watching, troubles }
}

/** Begins to export. `end` delivers what is left, in bounded time, and says where nothing could be delivered. */
const start = Effect.fnUntraced(function*(version: string) {
  const gaveUp = yield* Deferred.make<never>()
  const { client, troubles } = watched(yield* HttpClient.HttpClient, gaveUp)
  const scope = yield* Scope.make()
  const layer = Otlp.layerFromConfig({ resource: { serviceVersion: version } }).pipe(
    Layer.provide([yield* serialization, Layer.succeed(HttpClient.HttpClient, client)]),
    Layer.provide(ConfigProvider.layerAdd(defaults))
  )
  const context = yield* Layer.buildWithScope(layer, scope).pipe(
    Effect.catchCause((cause) => Effect.fail(new NotExported({ problem: `${variableOf(cause)} is not valid` })))
  )
  const { flush } = Context.get(context, OtlpExporter.Flusher)
  const drained = Effect.gen(function*() {
    const flushed = yield* Effect.timeoutOption(flush, FLUSH)
    if (Option.isNone(flushed)) yield* Deferred.interrupt(gaveUp)
    yield* Effect.timeoutOption(Scope.close(scope, Exit.void), CLOSE)
  })
  // A fiber of its own: that of the command may have been interrupted, and would not wait.
  const end = Effect.forkDetach(drained).pipe(
    Effect.flatMap(Fiber.await),
    Effect.map(() => Array.from(new Set(troubles.values())))
  )
  return { context, end }
})

const warn = (text: string) => Effect.logWarning(`Telemetry: ${text}.`)

/** Runs the command and exports what it records. Whatever becomes of that changes neither its result nor its exit code. */
export const around = <A, E, R>(self: Effect.Effect<A, E, R>, version: string) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.matchEffect(start(version), {
      onFailure: ({ message }) => Effect.andThen(warn(message), restore(self)),
      onSuccess: Effect.fnUntraced(function*({ context, end }) {
        const exit = yield* Effect.exit(restore(Effect.provideContext(self, context)))
        const lost = yield* end
        if (lost.length > 0) yield* warn(`not everything was delivered to ${lost.join(", ")}`)
        return yield* exit
      })
    })
  )
