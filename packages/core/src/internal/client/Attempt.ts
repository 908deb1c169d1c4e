/** Makes one attempt at a call: permit, clock, sign, send, check, in that order. */
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as BrokerConfig from "../../BrokerConfig.ts"
import * as BrokerError from "../../BrokerError.ts"
import * as MonotonicClock from "../time/MonotonicClock.ts"
import type * as ServerClock from "../time/ServerClock.ts"
import * as Answer from "../wire/Answer.ts"
import * as Query from "../wire/Query.ts"
import type * as Send from "../wire/Send.ts"
import type * as Admission from "./Admission.ts"
import type { Call, Reason, Reply } from "./Call.ts"
import type * as Excerpt from "./Excerpt.ts"
import * as Failure from "./Failure.ts"
import type * as Instrumentation from "./Instrumentation.ts"
import type * as Keys from "./Keys.ts"
import type { Lane } from "./Lanes.ts"

/** A request that is ready to leave. */
interface Signed {
  readonly request: HttpClientRequest.HttpClientRequest
  readonly signature: string
}

export interface Options {
  readonly config: BrokerConfig.UnsignedSettings
  readonly send: ReturnType<typeof Send.make>
  readonly instrumentation: ReturnType<typeof Instrumentation.make>
  readonly admission: Admission.Admission
  readonly clock: ServerClock.ServerClock
  readonly excerptWithout: Excerpt.Excerpt
}

/** Is told of an attempt what its reply does not say. */
export interface Watch {
  /** The attempt takes this key: it has its permit, and is signed now. */
  readonly signs: (key: Keys.Key) => void
  /** The attempt began and ended then (monotonic ms); its waits are not between them. */
  readonly took: (startedAt: number, endedAt: number) => void
}

/** Makes the `number`th attempt, from 1. */
export type Attempt = (call: Call, number: number, watch: Watch) => Effect.Effect<Reply, Reason>

export const make = (
  { admission, clock, config, excerptWithout, instrumentation, send }: Options
): Attempt => {
  const { conventions } = config
  const { admitted, isOver, paused } = admission

  const signed = Effect.fnUntraced(function*(call: Call, { apiKey, sign }: Keys.Key, timestamp: number) {
    const query = Query.render([...call.parameters, ["timestamp", timestamp], ["recvWindow", call.recvWindow]])
    const body = call.body ?? ""
    const signature = yield* sign(conventions.signedPayload === "query" ? query : query + body)
    const url = `${config.baseUrl}${call.path}?${query}&signature=${signature}`
    const headers = { [conventions.apiKeyHeader]: Redacted.value(apiKey), accept: "application/json" }
    return {
      signature,
      request: call.method === "GET"
        ? HttpClientRequest.get(url, { headers })
        : HttpClientRequest.post(url, { headers }).pipe(HttpClientRequest.bodyText(body, "application/json"))
    }
  })

  /** Sends the request, and reads the answer. */
  const exchanged = (call: Call, number: number, { name }: Lane, { request, signature }: Signed) =>
    instrumentation.attempt(
      { ...call, attempt: number },
      Effect.fnUntraced(function*(told): Effect.fn.Return<Omit<Reply, "at">, Reason> {
        const open = (reason: BrokerError.RequestReason) =>
          call.unknownOutcome === undefined || (reason._tag === "Unavailable" && !reason.sent)
            ? reason
            : call.unknownOutcome(Failure.inconclusive(reason))
        const excerpt = excerptWithout(signature)
        const answer = yield* Effect.mapError(Failure.named(send(request, excerpt)), open)
        told(answer.status)
        const json = Answer.read(answer, {
          conventions,
          permission: conventions.permissions[call.operation],
          key: name,
          hasTranIds: call.operation === "universalTransfers",
          excerpt
        })
        if (Result.isSuccess(json)) {
          const { status, text } = answer
          const unexpected = (detail: string) =>
            new BrokerError.ProtocolError({ status, detail, excerpt: excerpt(text) })
          return { json: json.success, text, unexpected }
        }
        const reason = json.failure
        return yield* Answer.provesRefusal(answer, reason) ? reason : open(reason)
      })
    )

  return (call, number, { signs, took }) =>
    admitted(call, (lane) =>
      Effect.gen(function*() {
        const startedAt = yield* MonotonicClock.millis
        const key = lane.keys.current()
        signs(key)
        const request = yield* signed(call, key, yield* clock.stamp)
        // The signer may be far away, so a pause may have begun meanwhile.
        if (!(yield* isOver(lane))) return Option.none()
        const [reply, at] = yield* Effect.ensuring(
          clock.during(
            exchanged(call, number, lane, request).pipe(
              Effect.catchTags({ Banned: paused(lane), RateLimited: paused(lane) })
            )
          ),
          Effect.map(MonotonicClock.millis, (endedAt) => took(startedAt, endedAt))
        )
        return Option.some({ ...reply, at })
      }))
}
