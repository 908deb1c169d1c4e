/** The signed client asks for the time, makes attempts and repeats them, over one rate limit and one pause. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as BrokerConfig from "../../BrokerConfig.ts"
import * as BrokerError from "../../BrokerError.ts"
import * as RateLimit from "../../RateLimit.ts"
import * as Pause from "../time/Pause.ts"
import * as Send from "../wire/Send.ts"
import * as Admission from "./Admission.ts"
import * as Attempt from "./Attempt.ts"
import * as Breaker from "./Breaker.ts"
import type { Call } from "./Call.ts"
import * as ClockQuestion from "./ClockQuestion.ts"
import * as Excerpt from "./Excerpt.ts"
import * as Instrumentation from "./Instrumentation.ts"
import type * as Keys from "./Keys.ts"
import * as Retries from "./Retries.ts"

export const make = Effect.fnUntraced(function*(config: BrokerConfig.UnsignedSettings, keys: Keys.Keys) {
  const instrumentation = Instrumentation.make(config.baseUrl)
  const limit = instrumentation.limit(yield* RateLimit.RateLimit)
  const { apiKeyHeader } = config.conventions
  const send = Send.make(yield* HttpClient.HttpClient, apiKeyHeader, config.timeout, config.maxBody)
  const pause = instrumentation.pause(Pause.make(config.maxWait))
  const excerptWithout = Excerpt.make(keys)
  const common = { config, send, instrumentation, admission: Admission.make(limit, pause) }

  const breaker = Breaker.make(Retries.patience(config))
  const { clock, questioned, readClock } = yield* ClockQuestion.make({
    ...common,
    breaker,
    excerpt: excerptWithout("")
  })
  const attempt = Attempt.make({ ...common, keys, clock, excerptWithout })
  const repeated = Retries.make({ config, attempt, breaker, keys, clock, pause, questioned })

  return {
    /** Makes a call that may be sent again, so that its outcome never stays unknown. */
    call: (call: Call) =>
      repeated(call).pipe(
        Effect.catchTag("OutcomeUnknown", Effect.die),
        Effect.mapError((reason) => BrokerError.BrokerError.of(call.operation, reason))
      ),
    /** Makes a call that must not be sent twice. */
    callOnce: (call: Call) =>
      Effect.mapError(repeated(call), (reason) => BrokerError.BrokerError.of(call.operation, reason)),
    readClock,
    clock
  }
})
