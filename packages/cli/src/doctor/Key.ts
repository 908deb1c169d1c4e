/** Whether each key may read: a page of one record of each history, of the last hour. */
import type * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Check from "./Check.ts"
import * as Diagnosis from "./Diagnosis.ts"

const HOUR = 3_600_000

const SPOT = { fromAccountType: "SPOT", toAccountType: "SPOT" }

/** Refusals of the question itself: key, signature and permission were looked at before. */
const isOfTheQuestion = (reason: BrokerError.Reason): boolean => reason._tag === "InvalidRequest"

/** Refusals of one key, which say nothing about the others. */
const isOfTheKey = (reason: BrokerError.Reason): boolean =>
  ["KeyRejected", "SignatureRejected", "SigningFailed"].includes(reason._tag)

/** Refusals that the next request of any key would meet as well; repeating them may lead to a ban. */
const isOfAllKeys = (reason: BrokerError.Reason): boolean =>
  ["ClockSkew", "Banned", "RateLimited", "ProtocolError"].includes(reason._tag)

/** The only key, as messages call it. */
const ALONE = "the key"

const STOP = "the request before was refused, and this one would be for the same reason"

interface Asked {
  readonly check: Check.Check
  /** The reason of the refusal that keeps the next request of this key from being sent. */
  readonly refusal?: BrokerError.Reason
}

/** `key` is the key as messages call it. */
const answered = (what: "read deposits" | "read transfers", permission: string, key: string) =>
  Effect.match({
    onSuccess: (): Asked => ({
      check: Check.ok(what, `${key} may read them (${permission}); a page of one record was answered`)
    }),
    onFailure: ({ reason }: BrokerError.BrokerError): Asked => {
      if (isOfTheQuestion(reason)) {
        return {
          check: Check.warning(
            what,
            `${key} was accepted, but not the question: ${reason.message}`,
            "Name a sub-account of yours with --accounts, so that a question can be asked that makes sense to the service."
          )
        }
      }
      const { advice, finding } = Diagnosis.of(reason)
      const check = Check.failed(what, key === ALONE ? finding : `${key}: ${finding}`, advice)
      return isOfTheKey(reason) || isOfAllKeys(reason) ? { check, refusal: reason } : { check }
    }
  })

interface OfKey {
  readonly asked: ReadonlyArray<Asked>
  /** The deposits of the page that was answered. */
  readonly shown?: string
}

/** Two signed requests about the hour before `now`, the second only while it can still tell something. */
const ofKey = Effect.fnUntraced(
  function*(
    broker: Broker.Service,
    accounts: Accounts.Accounts,
    { key, now }: { readonly key: string; readonly now: number }
  ): Effect.fn.Return<OfKey> {
    const page = { startTime: now - HOUR, endTime: now, limit: 1 }
    const { permissions } = broker.conventions
    const [account] = accounts.list
    const read = yield* Effect.result(broker.subAccountDeposits(page))
    const deposits = yield* Effect.fromResult(read).pipe(answered("read deposits", permissions.subAccountDeposits, key))
    if (deposits.refusal !== undefined) return { asked: [deposits, { check: Check.skipped("read transfers", STOP) }] }
    const transfers = yield* broker.universalTransfers({
      ...page,
      ...SPOT,
      ...(account === undefined ? {} : { fromAccount: account })
    }).pipe(answered("read transfers", permissions.universalTransfers, key))
    return {
      asked: [deposits, transfers],
      ...(Result.isSuccess(read) ? { shown: JSON.stringify(read.success.records.map(SubAccountDeposit.identity)) } : {})
    }
  }
)

/** Keys of two masters show different deposits; those of one master may, where one arrives between the two questions. */
const ofOneMaster = (key: string, shown: string | undefined, first: string | undefined): ReadonlyArray<Check.Check> =>
  shown === undefined || first === undefined || shown === first ? [] : [Check.warning(
    "read deposits",
    `${key} shows another deposit than the keys before it`,
    "Run doctor again. If it stays so, the key is of another master: take it out of the file of further keys, for records of " +
      "two masters would be mixed."
  )]

/** Asks with each key, by a broker that has no other, until an answer says that the next key would be refused as well. */
export const look = Effect.fnUntraced(
  function*(
    brokers: readonly [Broker.Service, ...ReadonlyArray<Broker.Service>],
    accounts: Accounts.Accounts
  ) {
    const checks: Array<Check.Check> = []
    const now = yield* brokers[0].serverTime
    let first: string | undefined
    for (const [index, broker] of brokers.entries()) {
      const key = brokers.length === 1 ? ALONE : `key ${index + 1} of ${brokers.length}`
      const { asked, shown } = yield* ofKey(broker, accounts, { key, now })
      checks.push(...asked.map(({ check }) => check), ...ofOneMaster(key, shown, first))
      first ??= shown
      if (asked.some(({ refusal }) => refusal !== undefined && isOfAllKeys(refusal))) {
        const left = brokers.length - index - 1
        if (left > 0) checks.push(Check.skipped("read deposits", `${Text.counted(left, "further key")}: ${STOP}`))
        break
      }
    }
    return checks
  }
)
