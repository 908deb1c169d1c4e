/** A receiver of OTLP over HTTP with JSON, on loopback, that keeps everything as it came. */
import * as Schema from "effect/Schema"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"

const Scalar = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])

const Attributes = Schema.Array(Schema.Struct({ key: Schema.String, value: Schema.Record(Schema.String, Scalar) }))

const Span = Schema.Struct({
  name: Schema.String,
  traceId: Schema.String,
  spanId: Schema.String,
  parentSpanId: Schema.optionalKey(Schema.String),
  /** 1 internal, 3 client. */
  kind: Schema.Int,
  /** 0 unset, 1 ok, 2 error. */
  status: Schema.Struct({ code: Schema.Int, message: Schema.optionalKey(Schema.String) }),
  attributes: Attributes,
  events: Schema.Array(Schema.Struct({ name: Schema.String }))
})

const Points = Schema.Struct({
  dataPoints: Schema.Array(Schema.Struct({
    attributes: Attributes,
    asDouble: Schema.optionalKey(Schema.Finite),
    count: Schema.optionalKey(Schema.Finite)
  }))
})

const Metric = Schema.Struct({
  name: Schema.String,
  unit: Schema.String,
  sum: Schema.optionalKey(Points),
  gauge: Schema.optionalKey(Points),
  histogram: Schema.optionalKey(Points)
})

const Log = Schema.Struct({
  severityText: Schema.String,
  body: Schema.Struct({ stringValue: Schema.String }),
  traceId: Schema.optionalKey(Schema.String)
})

const Resource = Schema.Struct({ attributes: Attributes })

const decodeTraces = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({
  resourceSpans: Schema.Array(Schema.Struct({
    resource: Resource,
    scopeSpans: Schema.Array(Schema.Struct({ spans: Schema.Array(Span) }))
  }))
})))

const decodeMetrics = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({
  resourceMetrics: Schema.Array(Schema.Struct({
    scopeMetrics: Schema.Array(Schema.Struct({ metrics: Schema.Array(Metric) }))
  }))
})))

const decodeLogs = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({
  resourceLogs: Schema.Array(Schema.Struct({
    scopeLogs: Schema.Array(Schema.Struct({ logRecords: Schema.Array(Log) }))
  }))
})))

/** Attributes by name. */
export const named = (attributes: typeof Attributes.Type): Readonly<Record<string, typeof Scalar.Type | undefined>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** One export as it came. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Answer = (received: Received, response: ServerResponse) => void

const accept: Answer = (_, response) => void response.writeHead(200, { "content-type": "application/json" }).end("{}")

/** Answers as told; by default every export is accepted. */
export const collect = (answer: Answer = accept) => {
  const received: Array<Received> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const one = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString("utf8") }
      received.push(one)
      answer(one, response)
    })
  })
  const bodies = (signal: string) => received.filter(({ path }) => path === `/v1/${signal}`).map(({ body }) => body)
  const traces = () => bodies("traces").flatMap((body) => decodeTraces(body).resourceSpans)
  const metrics = () =>
    bodies("metrics").slice(-1).flatMap((body) => decodeMetrics(body).resourceMetrics)
      .flatMap(({ scopeMetrics }) => scopeMetrics).flatMap(({ metrics }) => metrics)
  const collector = {
    received,
    resource: () => named(traces()[0]?.resource.attributes ?? []),
    spans: () => traces().flatMap(({ scopeSpans }) => scopeSpans).flatMap(({ spans }) => spans),
    metrics,
    /** A metric's points as last exported: the value of a counter or gauge, the count of a histogram. */
    points: (name: string) =>
      metrics().filter((metric) => metric.name === name)
        .flatMap(({ gauge, histogram, sum }) => (sum ?? gauge ?? histogram)?.dataPoints ?? [])
        .map(({ asDouble, attributes, count }) => Object.assign({ value: count ?? asDouble }, named(attributes))),
    logs: () =>
      bodies("logs").flatMap((body) => decodeLogs(body).resourceLogs).flatMap(({ scopeLogs }) => scopeLogs)
        .flatMap(({ logRecords }) => logRecords),
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      })
  }
  return new Promise<typeof collector & { readonly url: string }>((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve({ ...collector, url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` })
    })
  )
}
