/** The signed client asks for the time, makes attempts and repeats them, over the limit and the pause of its keys. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as BrokerConfig from "../../BrokerConfig.ts"
import * as BrokerError from "../../BrokerError.ts"
import type * as RateLimit from "../../RateLimit.ts"
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
import * as Lanes from "./Lanes.ts"
import * as Retries from "./Retries.ts"

/** A key with the limit that holds for it; keys that are counted together have the same one. */
export interface LimitedKey {
  readonly keys: Keys.Keys
  readonly limit: RateLimit.RateLimit["Service"]
}

export const make = Effect.fnUntraced(function*(
  config: BrokerConfig.UnsignedSettings,
  first: LimitedKey,
  further: ReadonlyArray<LimitedKey>
) {
  const instrumentation = Instrumentation.make(config.baseUrl)
  const { apiKeyHeader } = config.conventions
  const send = Send.make(yield* HttpClient.HttpClient, apiKeyHeader, config.timeout, config.maxBody)
  const pause = instrumentation.pause(Pause.make(config.maxWait))
  const count = 1 + further.length
  const lane = ({ keys, limit }: LimitedKey, index: number): Lanes.Lane => {
    const name = `key ${index + 1} of ${count}`
    const isAlone = config.conventions.ratePer === "key" && count > 1
    return {
      ...(count > 1 ? { name } : {}),
      keys,
      limit: instrumentation.limit(limit),
      pause: isAlone ? Pause.make(config.maxWait, `nothing is sent with ${name}`) : pause
    }
  }
  const lanes = Lanes.make(lane(first, 0), ...further.map((one, index) => lane(one, index + 1)))
  const excerptWithout = Excerpt.make(lanes.known)
  const admission = Admission.make(lanes, pause)
  const common = { config, send, instrumentation, admission }

  const breaker = Breaker.make(Retries.patience(config))
  const { clock, questioned, readClock } = yield* ClockQuestion.make({
    ...common,
    breaker,
    excerpt: excerptWithout("")
  })
  const attempt = Attempt.make({ ...common, clock, excerptWithout })
  const repeated = Retries.make({ config, attempt, breaker, lanes, clock, admission, questioned })

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
    /** Gives the failure of a call that would not be sent if it were made now; undefined where it would be sent, or would wait. */
    unasked: (operation: Call["operation"]) =>
      Effect.map(breaker.unasked, (reason) => reason && BrokerError.BrokerError.of(operation, reason)),
    readClock,
    clock
  }
})
