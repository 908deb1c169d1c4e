/** Whether the key may read: a page of one record of each history, of the last hour. */
import type * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as Effect from "effect/Effect"
import * as Check from "./Check.ts"
import * as Diagnosis from "./Diagnosis.ts"

const HOUR = 3_600_000

const SPOT = { fromAccountType: "SPOT", toAccountType: "SPOT" }

/** Refusals of the question itself: key, signature and permission were looked at before. */
const isOfTheQuestion = (reason: BrokerError.Reason): boolean => reason._tag === "InvalidRequest"

/** Refusals that the next signed request would meet as well; repeating them may lead to a ban. */
const stopOf = (reason: BrokerError.Reason): string | undefined =>
  ["KeyRejected", "SignatureRejected", "ClockSkew", "SigningFailed", "Banned", "RateLimited", "ProtocolError"]
      .includes(reason._tag)
    ? "the request before was refused, and this one would be for the same reason"
    : undefined

interface Asked {
  readonly check: Check.Check
  readonly stop: string | undefined
}

const answered = (what: "read deposits" | "read transfers", permission: string) =>
  Effect.match({
    onSuccess: (): Asked => ({
      check: Check.ok(what, `the key may read them (${permission}); a page of one record was answered`),
      stop: undefined
    }),
    onFailure: ({ reason }: BrokerError.BrokerError): Asked => {
      if (isOfTheQuestion(reason)) {
        return {
          check: Check.warning(
            what,
            `the key was accepted, but not the question: ${reason.message}`,
            "Name a sub-account of yours with --accounts, so that a question can be asked that makes sense to the service."
          ),
          stop: undefined
        }
      }
      const { advice, finding } = Diagnosis.of(reason)
      return { check: Check.failed(what, finding, advice), stop: stopOf(reason) }
    }
  })

/** Two signed requests, the second only while it can still tell something. */
export const look = Effect.fnUntraced(function*(broker: Broker.Service, accounts: Accounts.Accounts) {
  const now = yield* broker.serverTime
  const page = { startTime: now - HOUR, endTime: now, limit: 1 }
  const { permissions } = broker.conventions
  const [account] = accounts.list
  const deposits = yield* broker.subAccountDeposits(page).pipe(
    answered("read deposits", permissions.subAccountDeposits)
  )
  if (deposits.stop !== undefined) return [deposits.check, Check.skipped("read transfers", deposits.stop)]
  const transfers = yield* broker.universalTransfers({
    ...page,
    ...SPOT,
    ...(account === undefined ? {} : { fromAccount: account })
  }).pipe(answered("read transfers", permissions.universalTransfers))
  return [deposits.check, transfers.check]
})
