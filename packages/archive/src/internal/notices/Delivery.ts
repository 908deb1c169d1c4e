/** Notices that wait are sent, one after the other; a receiver that does not take them costs a bounded time. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { NoticeError, Undelivered } from "../../NoticeError.ts"
import type * as Database from "../sql/Database.ts"
import * as FailureCode from "./FailureCode.ts"
import * as Outbox from "./Outbox.ts"
import type { Receiver } from "./Port.ts"

/** What became of the notices for one receiver. */
export interface Delivered {
  readonly receiver: Receiver
  /** So many were sent. */
  readonly sent: number
  /** So many wait: for their next attempt, or for somebody else who is sending them. */
  readonly waiting: number
  /** So many were older than 7 days and never taken: they are not sent any more. */
  readonly givenUp: number
  /** Why the receiver did not take one, the last time that it did not. */
  readonly failure?: NoticeError
}

/** After so many failures in a row, none of which is about one notice alone, the receiver is left alone. */
const FAILURES = 2

/** No notice is begun after so long, ms. */
const TIME = 60_000

const isRefusal = ({ reason }: NoticeError): boolean => reason._tag === "Undelivered" && reason.of === "notice"

/** Hands a notice over. A receiver that breaks instead of failing did not take it either. */
const send = ({ place, send }: Receiver, notice: string): Effect.Effect<void, NoticeError> =>
  Effect.catchDefect(
    Effect.suspend(() => send(notice)),
    (defect) =>
      Effect.fail(
        new NoticeError({
          reason: new Undelivered({ place, of: "receiver", detail: FailureCode.behind("it broke", defect) })
        })
      )
  )

export const make = ({ error, sql }: Pick<Database.Service, "error" | "sql">) => {
  const outbox = Outbox.make(sql)

  const now = Effect.map(Clock.currentTimeMillis, Math.floor)

  return Effect.fnUntraced(function*(receiver: Receiver) {
    const began = yield* now
    const givenUp = yield* outbox.expire(receiver.id, began)
    let failure: NoticeError | undefined
    let [sent, failures] = [0, 0]
    while (failures < FAILURES) {
      const at = yield* now
      if (at - began >= TIME) break
      const notice = yield* outbox.claim(receiver.id, at)
      if (notice === undefined) break
      const result = yield* Effect.result(send(receiver, notice.body))
      if (Result.isSuccess(result)) {
        yield* outbox.sent(notice, yield* now)
        sent++
        failures = 0
      } else {
        yield* outbox.failed(notice, yield* now)
        failure = result.failure
        // A refusal is about one notice: it must not keep the others waiting.
        failures = isRefusal(failure) ? 0 : failures + 1
      }
    }
    return {
      receiver,
      sent,
      waiting: yield* outbox.unsent(receiver.id),
      givenUp,
      ...(failure === undefined ? {} : { failure })
    } satisfies Delivered
  }, Effect.mapError(error))
}
