/** Whether the service can be reached, and how far the clocks are apart: one unsigned request. */
import type * as Broker from "@tallystick/core/Broker"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import type * as BrokerError from "@tallystick/core/BrokerError"
import { duration } from "@tallystick/report/text/Times"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Proxy from "../config/Proxy.ts"
import * as ProxyFailure from "../network/ProxyFailure.ts"
import * as Check from "./Check.ts"
import * as Diagnosis from "./Diagnosis.ts"

/** From here on a difference is told as one, ms. */
const NOTABLE = 500

const clockOf = ({ offset, roundTrip }: Broker.ClockReading): Check.Check => {
  const difference = Math.abs(offset)
  const doubt = Math.ceil(roundTrip / 2)
  const side = `${duration(difference)} ${offset > 0 ? "behind" : "ahead of"} the service's`
  if (difference >= NOTABLE && difference > doubt) {
    return Check.warning(
      "clock",
      `this machine's clock is ${side}, give or take ${doubt} ms; requests are corrected by that, so they work all the same`,
      "Set the clock by NTP: timedatectl set-ntp true, or chronyc makestep. What else is stamped by this clock (logs, your " +
        "ledger) is off by as much, and entries of your own may fall outside a policy's window."
    )
  }
  return Check.ok(
    "clock",
    `this machine's clock is right to ${difference + doubt} ms (the round trip took ${roundTrip} ms)`
  )
}

export interface Reached {
  readonly checks: ReadonlyArray<Check.Check>
  /** Why signed requests make no sense any more. */
  readonly stop: string | undefined
}

const noTime = "the service's clock was not read"

/** The service answers, but nobody documented that it tells its time: that is no reason to stop. */
const untold = (host: string, finding: string): Reached => ({
  checks: [
    Check.warning(
      "connection",
      `${host} answers, but not with its time: ${finding}`,
      "Either the service has no such endpoint, then this machine's clock must be right, or TALLYSTICK_BASE_URL is not " +
        "quite its address (a path prefix?). The checks of the key tell which."
    ),
    Check.skipped("clock", noTime)
  ],
  stop: undefined
})

/** Whether a signed request may still be answered, and whether it may be sent: a stranger is not shown the key. */
const stopOf = (reason: BrokerError.Reason): string | undefined => {
  if (reason._tag === "Banned" || reason._tag === "RateLimited") {
    return "nothing may be sent until the service's pause is over"
  }
  if (reason._tag === "ProtocolError") return "what answers is not the service, and is not shown the key"
  return reason._tag === "Unavailable" && reason.status === undefined ? "the service was not reached" : undefined
}

/** Answers that only say that nothing is there. */
const isAbsent = (reason: BrokerError.Reason): boolean =>
  "status" in reason && (reason.status === 404 || reason.status === 405)

/** Whether the transport itself said that it was the proxy. */
const isProxys = (reason: BrokerError.Reason): boolean =>
  reason._tag === "Unavailable" && ProxyFailure.read(reason.cause ?? "") !== undefined

/** `way` says which proxy requests go through, or past, where there is one. */
const unreached = (host: string, reason: BrokerError.Reason, way: string | undefined): Reached => {
  if (isAbsent(reason)) return untold(host, reason.message)
  if (reason._tag !== "Unavailable" && stopOf(reason) === undefined) return untold(host, reason.message)
  const { advice, finding } = Diagnosis.of(reason)
  const suspect = way === undefined || isProxys(reason) ? "" : ` Requests go ${way}; that may be what fails.`
  return {
    checks: [Check.failed("connection", `${host}: ${finding}`, advice + suspect), Check.skipped("clock", noTime)],
    stop: stopOf(reason)
  }
}

/** The same when another question was answered: the service is there, and only its time was not told. */
export const butForTime = (checks: ReadonlyArray<Check.Check>): ReadonlyArray<Check.Check> =>
  checks.map((check) =>
    check.what === "connection" && check.status === "failed"
      ? Check.warning(
        check.what,
        `${check.finding}, but only when asked for its time`,
        "Requests are not corrected until it tells its time again, so this machine's clock must be right meanwhile. Run " +
          "doctor again in a few minutes; if it stays so, ask the service."
      )
      : check
  )

export const look = Effect.fnUntraced(function*(
  broker: Broker.Service,
  { baseUrl, conventions }: BrokerConfig.Settings
): Effect.fn.Return<Reached> {
  if (conventions.serverTimePath === null) {
    const why = "the conventions name no endpoint that tells the time"
    return { checks: [Check.skipped("connection", why), Check.skipped("clock", why)], stop: undefined }
  }
  const host = new URL(baseUrl).host
  const result = yield* Effect.result(broker.clock)
  if (Result.isFailure(result)) {
    return unreached(host, result.failure.reason, yield* Proxy.describe(baseUrl))
  }
  return Option.match(result.success, {
    onNone: () => untold(host, "the answer carries none"),
    onSome: (reading) => ({
      checks: [Check.ok("connection", `${host} answers, after ${reading.roundTrip} ms`), clockOf(reading)],
      stop: undefined
    })
  })
})
