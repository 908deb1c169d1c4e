/** Implements the operations over arrays: the contract without a network. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SynchronizedRef from "effect/SynchronizedRef"
import * as AccountType from "../../AccountType.ts"
import { ConfigurationError } from "../../BrokerConfig.ts"
import type * as BrokerError from "../../BrokerError.ts"
import * as BrokerMemory from "../../BrokerMemory.ts"
import * as Conventions from "../../Conventions.ts"
import type * as ListedApiKey from "../../ListedApiKey.ts"
import * as SubAccount from "../../SubAccount.ts"
import type * as SubAccountApiKey from "../../SubAccountApiKey.ts"
import * as SubAccountDeposit from "../../SubAccountDeposit.ts"
import * as UniversalTransfer from "../../UniversalTransfer.ts"
import * as Issue from "../decoding/Issue.ts"
import * as Operations from "../operations/Operations.ts"
import * as ConventionsCheck from "../settings/ConventionsCheck.ts"
import * as Histories from "./Histories.ts"
import * as Lists from "./Lists.ts"

/** The records that the service has at first. An absent account stands for all names of the master account. */
export interface History extends Partial<BrokerMemory.Records> {
  /** The names of the master account; by default `master` and an empty name. */
  readonly master?: ReadonlyArray<string>
  readonly conventions?: Conventions.Changes
}

interface Window {
  readonly startTime?: number
  readonly endTime?: number
  readonly page?: number
  readonly limit?: number
}

/** Returns a page, newest records first. Both ends are inclusive. */
const page = <Record>(
  records: ReadonlyArray<Record>,
  time: (record: Record) => number,
  { endTime = Number.POSITIVE_INFINITY, limit, page = 1, startTime = 0 }: Window,
  defaultLimit: number
) => {
  const length = limit ?? defaultLimit
  const within = records.filter((record) => time(record) >= startTime && time(record) <= endTime)
    .toSorted((a, b) => time(b) - time(a))
  return { records: within.slice((page - 1) * length, page * length), bad: [] }
}

const decode = Schema.decodeUnknownResult(
  Schema.Struct({
    deposits: Schema.Array(SubAccountDeposit.SubAccountDeposit),
    transfers: Schema.Array(UniversalTransfer.UniversalTransfer),
    subAccounts: Schema.Array(SubAccount.SubAccount)
  })
)

/** Fails at the first record that is not as its type promises. A record without a time would be on no page. */
const checked = (records: BrokerMemory.Records): Effect.Effect<BrokerMemory.Records, ConfigurationError> =>
  Result.match(decode(records), {
    onSuccess: () => Effect.succeed(records),
    onFailure: (error) => {
      const { path, reason } = Issue.first(error)
      return Effect.fail(
        new ConfigurationError({ variable: path === "" ? "history" : path, problem: `is not valid: ${reason}` })
      )
    }
  })

interface Options {
  readonly records: Effect.Effect<BrokerMemory.Records>
  readonly master: ReadonlyArray<string>
  readonly conventions: Conventions.Conventions
}

const operations = ({ conventions, master, records }: Options) => {
  const now = Effect.map(Clock.currentTimeMillis, (now) => ({ earliest: Math.floor(now), latest: Math.ceil(now) }))
  const keys: Array<ListedApiKey.ListedApiKey> = []

  const isAccount = (asked: string | undefined, account: string): boolean =>
    asked === undefined || master.includes(asked) ? master.includes(account) : asked === account
  const isType = (asked: string, type: string): boolean => AccountType.canonical(asked) === AccountType.canonical(type)

  const transfers = Effect.fnUntraced(function*(input: Operations.UniversalTransfers) {
    yield* Operations.universalTransfers(input, conventions)
    const at = yield* now
    const found = (yield* records).transfers.filter((transfer) =>
      transfer.timestamp <= at.earliest &&
      isAccount(input.fromAccount, transfer.fromAccount) && isAccount(input.toAccount, transfer.toAccount) &&
      isType(input.fromAccountType, transfer.fromAccountType) && isType(input.toAccountType, transfer.toAccountType) &&
      (input.clientTranId === undefined || input.clientTranId === transfer.clientTranId)
    )
    return { page: page(found, ({ timestamp }) => timestamp, input, conventions.transferPage.default), at }
  })

  const deposits = Effect.fnUntraced(function*(input: Operations.SubAccountDeposits) {
    yield* Operations.subAccountDeposits(input, conventions)
    const at = yield* now
    const found = (yield* records).deposits.filter((deposit) =>
      deposit.insertTime >= at.latest - conventions.depositHistory && deposit.insertTime <= at.earliest &&
      (input.coin === undefined || input.coin === deposit.coin) &&
      (input.status === undefined || input.status === deposit.status)
    )
    return { page: page(found, ({ insertTime }) => insertTime, input, conventions.depositPage.default), at }
  })

  const createApiKey = Effect.fnUntraced(
    function*(input: Operations.CreateApiKey): Effect.fn.Return<
      SubAccountApiKey.SubAccountApiKey,
      BrokerError.RequestError
    > {
      yield* Operations.createApiKey(input, conventions)
      const { earliest } = yield* now
      const number = keys.length + 1
      const key = {
        subAccount: input.subAccount,
        note: input.note,
        apiKey: `memory-key-${number}`,
        permissions: input.permissions,
        ip: input.ip ?? [],
        createTime: earliest
      }
      keys.push(key)
      return { ...key, secretKey: Redacted.make(`memory-secret-${number}`, { label: "secretKey" }) }
    }
  )

  const subAccounts = Effect.fnUntraced(function*(input: Operations.SubAccounts) {
    yield* Operations.subAccounts(input, conventions)
    const { earliest } = yield* now
    const listed = (yield* records).subAccounts.filter(({ timestamp = 0 }) => timestamp <= earliest)
    return listed.slice((input.page - 1) * input.limit, input.page * input.limit)
  })

  return {
    createApiKey,
    apiKeys: (input: Operations.ApiKeys) =>
      Effect.map(
        Operations.apiKeys(input, conventions),
        () => keys.filter(({ subAccount }) => subAccount === input.subAccount)
      ),
    subAccounts: Lists.subAccounts(conventions, subAccounts),
    universalTransfers: (input: Operations.UniversalTransfers) => Effect.map(transfers(input), ({ page }) => page),
    subAccountDeposits: Effect.fnUntraced(function*(input: Operations.SubAccountDeposits = {}) {
      yield* Operations.subAccountDeposits(input, conventions)
      yield* Operations.depositReach(input, (yield* now).earliest, conventions)
      return (yield* deposits(input)).page
    }),
    serverTime: Effect.map(now, ({ earliest }) => earliest),
    clock: Effect.succeedSome({ offset: 0, roundTrip: 0 }),
    conventions,
    origin: Effect.succeed({ baseUrl: "memory:", fingerprint: "0000000000000000" }),
    ...Histories.make({
      conventions,
      concurrency: 1,
      clock: { now },
      unasked: () => Effect.undefined,
      transfers,
      deposits
    })
  }
}

/** Makes the operations, and the handle of their records. Fails where a record, or a convention, is not as its type promises. */
export const make = Effect.fnUntraced(function*(history: History) {
  const conventions = Conventions.make(history.conventions)
  const problem = ConventionsCheck.problem(conventions)
  if (problem !== undefined) return yield* new ConfigurationError({ variable: "conventions", problem })
  const { deposits = [], master = ["master", ""], subAccounts = [], transfers = [] } = history
  const records = yield* Effect.flatMap(checked({ deposits, transfers, subAccounts }), SynchronizedRef.make)
  return {
    broker: operations({ conventions, master, records: SynchronizedRef.get(records) }),
    memory: BrokerMemory.BrokerMemory.of({
      records: SynchronizedRef.get(records),
      set: (changed) =>
        Effect.flatMap(checked(changed), (checked) => Effect.asVoid(SynchronizedRef.set(records, checked))),
      update: (f) => SynchronizedRef.updateEffect(records, (before) => checked(f(before)))
    })
  }
})
