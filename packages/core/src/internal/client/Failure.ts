/** Says why a request brought no answer of the contract, as the reason of a `BrokerError`, and whether a repeat may help. */
import * as Effect from "effect/Effect"
import * as BrokerError from "../../BrokerError.ts"
import type * as Send from "../wire/Send.ts"

export type SendError = Send.SendFailed | Send.BodyTooLong | Send.NotText

const garbled = (status: number, detail: string) =>
  new BrokerError.ProtocolError({ status, detail, excerpt: "", garbled: status >= 200 && status < 300 })

type NoAnswer = Pick<BrokerError.Unavailable, "cause" | "code" | "detail" | "sent" | "status">

/** Makes the reason of a service that did not answer in so many attempts. */
export const unavailable = ({ cause, code, detail, sent, status }: NoAnswer, attempts: number) =>
  new BrokerError.Unavailable({
    detail,
    sent,
    attempts,
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    ...(cause === undefined ? {} : { cause })
  })

/** Turns the transport's errors of an effect into reasons. */
export const named = <A>(
  answer: Effect.Effect<A, SendError | BrokerError.AnswerReason>
): Effect.Effect<A, BrokerError.AnswerReason> =>
  Effect.catchTags(answer, {
    SendFailed: (failed) => Effect.fail(unavailable(failed, 1)),
    BodyTooLong: ({ limit, status }) => Effect.fail(garbled(status, `the body exceeds ${limit} bytes`)),
    NotText: ({ status }) => Effect.fail(garbled(status, "the body is not UTF-8"))
  })

/** Whether the next attempt may go better: there was no answer, or it was cut or changed on the way. */
export const isPassing = (
  reason: BrokerError.Reason
): reason is BrokerError.Unavailable | BrokerError.ProtocolError =>
  reason._tag === "Unavailable" || (reason._tag === "ProtocolError" && reason.garbled === true)

const digits = (code: string): string => /^-?\d{1,9}$/.test(code) ? `, code ${code}` : ""

/**
 * Says what came instead of a proof that a request was carried out, or that it was not. It quotes nothing of an answer but the
 * status and a code of digits: anything else may hold a new key's secret.
 */
export const inconclusive = (reason: BrokerError.RequestReason): string => {
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
