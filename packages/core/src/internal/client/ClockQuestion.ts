/** Asks the service for its time: for the clock that stamps requests, and for people. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as BrokerConfig from "../../BrokerConfig.ts"
import * as BrokerError from "../../BrokerError.ts"
import * as Timestamp from "../decoding/Timestamp.ts"
import * as MonotonicClock from "../time/MonotonicClock.ts"
import * as ServerClock from "../time/ServerClock.ts"
import * as Answer from "../wire/Answer.ts"
import type * as Send from "../wire/Send.ts"
import type * as Admission from "./Admission.ts"
import type * as Breaker from "./Breaker.ts"
import * as Failure from "./Failure.ts"
import type * as Instrumentation from "./Instrumentation.ts"

/** The difference between the service's clock and this machine's. */
export interface ClockReading {
  /** Server time minus local time, ms, correct to half of `roundTrip`. */
  readonly offset: number
  /** How long the question and its answer took together, ms. */
  readonly roundTrip: number
}

export interface Options {
  readonly config: BrokerConfig.UnsignedSettings
  readonly send: ReturnType<typeof Send.make>
  readonly instrumentation: ReturnType<typeof Instrumentation.make>
  readonly admission: Admission.Admission
  readonly breaker: Breaker.Breaker
  readonly excerpt: (text: string) => string
}

const ServerTime = Schema.Struct({ serverTime: Timestamp.Timestamp })

/** Interprets the failure of a question for the clock. */
const timeNotTold = (
  reason: BrokerError.AnswerReason | Failure.SendError
): Exclude<ServerClock.Answer, ServerClock.Reading> => {
  switch (reason._tag) {
    case "Unavailable":
    case "Banned":
    case "RateLimited":
      return "postponed"
    case "SendFailed":
      return reason.sent ? "lost" : "postponed"
    case "BodyTooLong":
    case "NotText":
      return "lost"
    default:
      return Failure.isPassing(reason) ? "lost" : "untold"
  }
}

const apart = Effect.fnUntraced(function*({ answeredAt, roundTrip, serverTime }: ServerClock.Reading) {
  const now = serverTime + roundTrip / 2 + (yield* MonotonicClock.millis) - answeredAt
  const reading: ClockReading = {
    offset: Math.round(now - (yield* Clock.currentTimeMillis)),
    roundTrip: Math.round(roundTrip)
  }
  return reading
})

export const make = Effect.fnUntraced(function*(
  { admission, breaker, config, excerpt, instrumentation, send }: Options
) {
  const { conventions } = config
  const { admitted, paused } = admission

  /** Asks once. `took` is told how long the question was under way, ms, without its waits. */
  const ask = (path: string, took: (ms: number) => void) =>
    admitted(undefined, () =>
      Effect.asSome(Effect.gen(function*() {
        const askedAt = yield* MonotonicClock.millis
        const { answeredAt, json } = yield* instrumentation.attempt(
          { operation: "serverTime", method: "GET", path, attempt: 1 },
          Effect.fnUntraced(function*(answered) {
            const answer = yield* send(HttpClientRequest.get(config.baseUrl + path), excerpt)
            const answeredAt = yield* MonotonicClock.millis
            answered(answer.status)
            const json = Answer.read(answer, { conventions, permission: "", hasTranIds: false, excerpt })
            return { answeredAt, json: yield* Effect.fromResult(json) }
          })
        ).pipe(
          Effect.catchTags({ Banned: paused(undefined), RateLimited: paused(undefined) }),
          Effect.ensuring(Effect.map(MonotonicClock.millis, (endedAt) => took(endedAt - askedAt)))
        )
        return Option.map(
          Schema.decodeUnknownOption(ServerTime)(json),
          ({ serverTime }) => ({ serverTime, answeredAt, roundTrip: answeredAt - askedAt })
        )
      })))

  const { serverTimePath } = conventions
  const question = serverTimePath === null
    ? undefined
    : (took: (ms: number) => void) => instrumentation.serverTime(ask(serverTimePath, took))

  /** How long the last question for the clock was under way, ms. */
  let questioned = 0
  const clock = yield* ServerClock.make(
    question && Effect.suspend(() => {
      questioned = 0
      // Each slice of a scan wants to know the time, even while nothing is sent.
      if (breaker.isOpen()) return Effect.succeed<ServerClock.Answer>("postponed")
      return question((ms) => {
        questioned = ms
      }).pipe(
        Effect.map(Option.getOrElse((): ServerClock.Answer => "untold")),
        Effect.catch((reason) => Effect.succeed(timeNotTold(reason)))
      )
    }),
    conventions.recvWindow
  )

  /** Asks one question for people, and does not repeat it. There is no reading where the service does not tell its time. */
  const readClock = (question === undefined ? Effect.succeedNone : Failure.named(question(() => {}))).pipe(
    Effect.flatMap(Option.match({
      onNone: () => Effect.succeedNone,
      onSome: (reading) => Effect.asSome(apart(reading))
    })),
    Effect.mapError((reason) => BrokerError.BrokerError.of("serverTime", reason))
  )

  return { clock, readClock, questioned: () => questioned }
})
