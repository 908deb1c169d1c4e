/**
 * The signed client: on every attempt permit, clock, sign, send, check, in that order; then what the error table allows.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as BrokerConfig from "../../BrokerConfig.ts"
import * as BrokerError from "../../BrokerError.ts"
import * as RateLimit from "../../RateLimit.ts"
import * as Signer from "../../Signer.ts"
import * as Timestamp from "../decoding/Timestamp.ts"
import * as MonotonicClock from "../time/MonotonicClock.ts"
import * as Pause from "../time/Pause.ts"
import * as ServerClock from "../time/ServerClock.ts"
import * as Answer from "../wire/Answer.ts"
import * as Query from "../wire/Query.ts"
import * as Send from "../wire/Send.ts"
import * as Instrumentation from "./Instrumentation.ts"

/** One operation as it goes on the wire, without what every request carries. */
export interface Call {
  readonly operation: Exclude<BrokerError.Operation, "serverTime">
  readonly method: "GET" | "POST"
  readonly path: string
  readonly parameters: ReadonlyArray<Query.Parameter>
  readonly body?: string
  /** Lifetime of the request in ms; undefined leaves it out. */
  readonly recvWindow: number | undefined
  /** What an inconclusive answer means. Present for requests that must not be sent twice. */
  readonly unknownOutcome?: (detail: string) => BrokerError.OutcomeUnknown
}

/** The JSON of an answer, its text, and the service's time from when it was asked for to when it had come. */
export interface Reply {
  readonly json: unknown
  readonly text: string
  readonly at: ServerClock.Moment
  /** What to fail with where this JSON is not what was asked for. */
  readonly unexpected: (detail: string) => BrokerError.ProtocolError
}

/** How the service's clock stands to this machine's. */
export interface ClockReading {
  /** Server time minus local time, ms, right to half of `roundTrip`. */
  readonly offset: number
  /** How long the question and its answer took together, ms. */
  readonly roundTrip: number
}

/** A request that is ready to leave. */
interface Signed {
  readonly request: HttpClientRequest.HttpClientRequest
  readonly signature: string
}

interface Client {
  /** One question of its own, not repeated. None where the service does not tell its time. */
  readonly readClock: Effect.Effect<Option.Option<ClockReading>, BrokerError.BrokerError>
  readonly call: (call: Call) => Effect.Effect<Reply, BrokerError.BrokerError>
  readonly clock: ServerClock.ServerClock
}

const FIRST_BACKOFF = 250
const LONGEST_BACKOFF = 10_000

/** 250 ms, doubling to 10 s, each between half and the whole. */
const backoff = (attempt: number) =>
  Effect.map(
    Random.next,
    (random) => Math.ceil(Math.min(FIRST_BACKOFF * 2 ** attempt, LONGEST_BACKOFF) * (0.5 + random / 2))
  )

const garbled = (status: number, detail: string) =>
  new BrokerError.ProtocolError({ status, detail, excerpt: "", garbled: status >= 200 && status < 300 })

type SendError = Send.SendFailed | Send.BodyTooLong | Send.NotText

const ServerTime = Schema.Struct({ serverTime: Timestamp.Timestamp })

const digits = (code: string): string => /^-?\d{1,9}$/.test(code) ? `, code ${code}` : ""

/**
 * What came instead of a proof that a request was carried out, or that it was not. Nothing of an answer is quoted but its
 * status and a code of digits: anywhere else there may be a new key's secret.
 */
const inconclusive = (reason: BrokerError.Reason): string => {
  switch (reason._tag) {
    case "Unavailable":
      return reason.detail
    case "ProtocolError":
      return `HTTP ${reason.status}, and no answer of the contract`
    case "ServiceError":
      return `HTTP ${reason.status}${digits(reason.code)}`
    default:
      return `no proof of a refusal${"code" in reason ? digits(reason.code) : ""}`
  }
}

/** Trouble that the next attempt may not meet: no answer, or one that was cut or changed on the way. */
const isPassing = (reason: BrokerError.Reason): boolean =>
  reason._tag === "Unavailable" || (reason._tag === "ProtocolError" && reason.garbled === true)

/** What it means that the question for the time ended in trouble. */
const timeNotTold = (reason: BrokerError.Reason | SendError): Exclude<ServerClock.Answer, ServerClock.Reading> => {
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
      return isPassing(reason) ? "lost" : "untold"
  }
}

type NoAnswer = Pick<BrokerError.Unavailable, "cause" | "code" | "detail" | "sent" | "status">

const unavailable = ({ cause, code, detail, sent, status }: NoAnswer, attempts: number) =>
  new BrokerError.Unavailable({
    detail,
    sent,
    attempts,
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    ...(cause === undefined ? {} : { cause })
  })

export const make = Effect.fnUntraced(function*(config: BrokerConfig.UnsignedSettings) {
  const signer = yield* Signer.Signer
  const instrumentation = Instrumentation.make(config.baseUrl)
  const limit = instrumentation.limit(yield* RateLimit.RateLimit)
  const { conventions } = config
  const send = Send.make(yield* HttpClient.HttpClient, conventions.apiKeyHeader, config.timeout, config.maxBody)
  const pause = instrumentation.pause(Pause.make(config.maxWait))

  /** Strangers' text without key, secret and signatures, at most 200 characters. */
  const excerptWithout = (signature: string) => (text: string): string =>
    [config.apiKey, config.secretKey].map((secret) => (secret === undefined ? "" : Redacted.value(secret)))
      .concat(signature)
      .flatMap((secret) => secret === "" ? [] : [secret, Query.encode(secret)])
      .reduce((rest, secret) => rest.replaceAll(secret, "<redacted>"), text)
      .replace(/[0-9a-f]{64,}/gi, "<redacted>")
      .slice(0, 200)

  const unsigned = excerptWithout("")

  const answered = <A>(answer: Effect.Effect<A, SendError | BrokerError.Reason>) =>
    Effect.catchTags(answer, {
      SendFailed: (failed) => Effect.fail(unavailable(failed, 1)),
      BodyTooLong: ({ limit, status }) => Effect.fail(garbled(status, `the body exceeds ${limit} bytes`)),
      NotText: ({ status }) => Effect.fail(garbled(status, "the body is not UTF-8"))
    })

  const paused = (reason: BrokerError.Banned | BrokerError.RateLimited) =>
    Effect.flatMap(pause.begin(reason), (reason) => Effect.fail(reason))

  /**
   * Sends when permit and pause allow it; `send` is none where a pause began before the request left. Nobody keeps a permit
   * through a pause: those who share a limit by time count it as used, and after the pause all would leave at once.
   */
  const allowed = <A, E>(send: Effect.Effect<Option.Option<A>, E>): Effect.Effect<A, E | BrokerError.Reason> =>
    Effect.andThen(
      pause.over,
      limit.permit(Effect.flatMap(pause.isOver, (isOver) => isOver ? send : Effect.succeedNone))
    ).pipe(Effect.flatMap(Option.match({ onNone: () => allowed(send), onSome: Effect.succeed })))

  /** `took` is told how long the question was under way, ms, its waits not counted. */
  const askTime = (path: string, took: (ms: number) => void) =>
    allowed(Effect.asSome(Effect.gen(function*() {
      const askedAt = yield* MonotonicClock.millis
      const { answeredAt, json } = yield* instrumentation.attempt(
        { operation: "serverTime", method: "GET", path, attempt: 1 },
        Effect.fnUntraced(function*(answered) {
          const answer = yield* send(HttpClientRequest.get(config.baseUrl + path), unsigned)
          const answeredAt = yield* MonotonicClock.millis
          answered(answer.status)
          const json = Answer.read(answer, {
            conventions,
            permission: "",
            hasTranIds: false,
            excerpt: unsigned
          })
          return { answeredAt, json: yield* Effect.fromResult(json) }
        })
      ).pipe(
        Effect.catchTags({ Banned: paused, RateLimited: paused }),
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
    : (took: (ms: number) => void) => instrumentation.serverTime(askTime(serverTimePath, took))

  /** How long the clock's last question was under way, ms. */
  let questioned = 0
  const clock = yield* ServerClock.make(
    question && Effect.suspend(() => {
      questioned = 0
      return question((ms) => {
        questioned = ms
      })
    }).pipe(
      Effect.map(Option.getOrElse((): ServerClock.Answer => "untold")),
      Effect.catch((reason) => Effect.succeed(timeNotTold(reason)))
    ),
    conventions.recvWindow
  )

  const apart = Effect.fnUntraced(function*({ answeredAt, roundTrip, serverTime }: ServerClock.Reading) {
    const now = serverTime + roundTrip / 2 + (yield* MonotonicClock.millis) - answeredAt
    const reading: ClockReading = {
      offset: Math.round(now - (yield* Clock.currentTimeMillis)),
      roundTrip: Math.round(roundTrip)
    }
    return reading
  })

  const readClock = (question === undefined ? Effect.succeedNone : answered(question(() => {}))).pipe(
    Effect.flatMap(Option.match({
      onNone: () => Effect.succeedNone,
      onSome: (reading) => Effect.asSome(apart(reading))
    })),
    Effect.mapError((reason) => new BrokerError.BrokerError({ operation: "serverTime", reason }))
  )

  const request = Effect.fnUntraced(function*(call: Call, timestamp: number) {
    const query = Query.render([...call.parameters, ["timestamp", timestamp], ["recvWindow", call.recvWindow]])
    const body = call.body ?? ""
    const signature = yield* signer.sign(conventions.signedPayload === "query" ? query : query + body)
    const url = `${config.baseUrl}${call.path}?${query}&signature=${signature}`
    const headers = { [conventions.apiKeyHeader]: Redacted.value(config.apiKey), accept: "application/json" }
    return {
      signature,
      request: call.method === "GET"
        ? HttpClientRequest.get(url, { headers })
        : HttpClientRequest.post(url, { headers }).pipe(HttpClientRequest.bodyText(body, "application/json"))
    }
  })

  /** What goes on the wire, and what comes back. */
  const sendOnce = (
    call: Call,
    number: number,
    { request, signature }: Signed
  ) =>
    instrumentation.attempt(
      { ...call, attempt: number },
      Effect.fnUntraced(function*(told): Effect.fn.Return<Omit<Reply, "at">, BrokerError.Reason> {
        const open = (reason: BrokerError.Reason) =>
          call.unknownOutcome === undefined || (reason._tag === "Unavailable" && !reason.sent)
            ? reason
            : call.unknownOutcome(inconclusive(reason))
        const excerpt = excerptWithout(signature)
        const answer = yield* Effect.mapError(answered(send(request, excerpt)), open)
        told(answer.status)
        const json = Answer.read(answer, {
          conventions,
          permission: conventions.permissions[call.operation],
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

  /** One attempt, the `number`th from 1. `took` is told when it began and ended (monotonic ms), its waits not counted. */
  const attempt = (
    call: Call,
    number: number,
    took: (startedAt: number, endedAt: number) => void
  ): Effect.Effect<Reply, BrokerError.Reason> =>
    allowed(Effect.gen(function*() {
      const startedAt = yield* MonotonicClock.millis
      const signed = yield* request(call, yield* clock.stamp)
      // The signer may be far away, and a pause may have begun since.
      if (!(yield* pause.isOver)) return Option.none()
      const [reply, at] = yield* Effect.ensuring(
        clock.during(sendOnce(call, number, signed).pipe(Effect.catchTags({ Banned: paused, RateLimited: paused }))),
        Effect.map(MonotonicClock.millis, (endedAt) => took(startedAt, endedAt))
      )
      return Option.some({ ...reply, at })
    }))

  // The JSON of createApiKey holds a secret in plain text until it is decoded: no span of Effect's own may end with it.
  const call = Effect.fnUntraced(function*(call: Call): Effect.fn.Return<Reply, BrokerError.Reason> {
    const budget = Duration.toMillis(config.retryBudget)
    let spent = 0
    let sentAt = 0
    let synchronised = false
    const took = (startedAt: number, endedAt: number) => {
      sentAt = startedAt
      spent += endedAt - startedAt
    }
    /** Waits for the clock. Its question was the end of that wait, and is all that counts of it. */
    const counted = Effect.fnUntraced(function*<A>(wait: Effect.Effect<A>) {
      const startedAt = yield* MonotonicClock.millis
      const result = yield* wait
      spent += Math.min((yield* MonotonicClock.millis) - startedAt, questioned)
      return result
    })
    /** Waits before the next attempt, or says that attempts or time are used up. */
    const backedOff = Effect.fnUntraced(function*(attempts: number) {
      const delay = yield* backoff(attempts - 1)
      if (attempts > config.retries || spent + delay > budget) return false
      spent += delay
      yield* Effect.sleep(delay)
      return true
    })
    for (let attempts = 1;; attempts++) {
      // A reading of the clock needs a permit of its own, so it comes before the attempt takes one.
      yield* counted(clock.now)
      const result = yield* Effect.result(attempt(call, attempts, took))
      if (Result.isSuccess(result)) return result.success
      const reason = result.failure
      const failedAt = yield* MonotonicClock.millis
      if (reason._tag === "Banned" || reason._tag === "RateLimited") {
        if (attempts > config.retries) return yield* reason
        yield* pause.over
      } else if (reason._tag === "ClockSkew") {
        const resync: ServerClock.Resync = synchronised ? "untold" : yield* counted(clock.resync(sentAt))
        synchronised = resync === "measured"
        if (!synchronised && !(resync === "unanswered" && (yield* backedOff(attempts)))) {
          const { code, serviceMessage } = reason
          return yield* new BrokerError.ClockSkew({ code, serviceMessage, offset: yield* clock.offset })
        }
      } else if (call.unknownOutcome !== undefined || !isPassing(reason) || !(yield* backedOff(attempts))) {
        return yield* reason._tag === "Unavailable" ? unavailable(reason, attempts) : reason
      }
      const waited = Math.round((yield* MonotonicClock.millis) - failedAt)
      yield* Instrumentation.retry(call.operation, attempts + 1, reason._tag, waited)
    }
  })

  return {
    call: (options: Call) =>
      Effect.mapError(call(options), (reason) => new BrokerError.BrokerError({ operation: options.operation, reason })),
    readClock,
    clock
  } satisfies Client
})
