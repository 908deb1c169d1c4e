/**
 * A service whose books grow and change while it is asked, and what is true there. Its time runs with the machine's from a
 * moment of its own, and jumps where a test says so.
 */
import * as Conventions from "@tallystick/core/Conventions"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import { allPermissions } from "@tallystick/sandbox/Credential"
import * as Exchange from "@tallystick/sandbox/Exchange"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export const API_KEY = "mx0worldkey"
export const SECRET = "world-secret"
export const ACCOUNTS = ["sub00001", "sub00002", "sub00003"]

/** So many that they are read in turn. */
export const MANY = Array.from({ length: 104 }, (_, index) => `sub${String(index + 1).padStart(5, "0")}`)

/** Pages and slices so short that a few hundred records fill many. */
export const changes = {
  depositPage: { default: 6, maximum: 7 },
  transferPage: { default: 6, maximum: 7 },
  sliceLength: 9 * HOUR
}
const conventions = Conventions.make(changes)

/** Records that come later have times that far back at most: coverage ends before them. */
const LATEST = conventions.settle / 2

/** Statuses may change up to this age: as long as the service certainly shows the record, and somebody has time to ask. */
const CHANGES = 40 * HOUR

type Deposit = SubAccountDeposit.SubAccountDeposit
type Transfer = UniversalTransfer.UniversalTransfer

/** A generator of numbers in [0, 1) that a seed determines (mulberry32). */
export const random = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The same text for the same content, whatever the order of its fields. */
export const contentOf = (record: object): string =>
  JSON.stringify(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/** The statuses that may still change. */
export const PENDING = 4
export const WAITING = "WAIT"

/** What a reader sees that cannot be read. */
const UNREADABLE = "-1"
export const isReadable = ({ amount }: { readonly amount: string }): boolean => amount !== UNREADABLE

export interface World {
  /** The first moment of its books, Unix ms. */
  readonly begin: number
  readonly now: () => number
  readonly deposits: () => ReadonlyArray<Deposit>
  readonly transfers: () => ReadonlyArray<Transfer>
  /** Every content that was ever told. */
  readonly told: ReadonlySet<string>
  /** The contents that an archive had of each record when it was judged last, by key. */
  readonly judged: Map<string, ReadonlySet<string>>
  /** Time passes, and records come. */
  readonly pass: (ms: number) => void
  /** From now on nothing comes and nothing changes. */
  readonly freeze: () => void
  /** Answers like the exchange, and changes after every list that it shows. */
  readonly handle: (request: Exchange.Request) => Effect.Effect<Exchange.Response>
}

export const isList = ({ path }: Exchange.Request): boolean => !path.endsWith("/time")

/** `pace`: how likely it changes after a list that it shows, in contrast to a world that is read once. */
export const make = (
  seed: number,
  start: number,
  accounts: ReadonlyArray<string> = ACCOUNTS,
  pace = 1
): World => {
  const next = random(seed)
  const below = (end: number): number => Math.floor(next() * end)
  const begin = start - 60 * HOUR
  const startedAt = performance.now()
  let jumped = 0
  let frozen = false
  const now = () => start + jumped + Math.floor(performance.now() - startedAt)

  const deposits: Array<Deposit> = []
  const transfers: Array<Transfer> = []
  const told = new Set<string>()
  let tranId = 0

  const depositAt = (insertTime: number): void => {
    const settled = next() < 0.5
    const deposit: Deposit = {
      amount: `${1 + below(3)}.50`,
      coin: "USDT",
      network: "TRX",
      status: settled ? 5 : PENDING,
      address: `address-${below(3)}`,
      txId: `tx-${below(1_000_000_000)}`,
      unlockConfirm: "10",
      confirmTimes: settled ? "12" : "3",
      insertTime,
      memo: ""
    }
    // Twins are born together, so that one response shows all of them.
    for (let twins = next() < 0.25 ? 2 : 1; twins > 0; twins--) deposits.push({ ...deposit })
    told.add(contentOf(deposit))
  }
  const transferAt = (timestamp: number): void => {
    const transfer: Transfer = {
      tranId: `t${tranId++}`,
      fromAccount: accounts[below(accounts.length)] ?? "",
      toAccount: "master",
      clientTranId: "",
      asset: "USDT",
      amount: `${1 + below(3)}.5`,
      fromAccountType: "SPOT",
      toAccountType: "SPOT",
      fromSymbol: "SPOT",
      toSymbol: "SPOT",
      status: next() < 0.5 ? "SUCCESS" : WAITING,
      timestamp
    }
    transfers.push(transfer)
    told.add(contentOf(transfer))
  }
  const arrive = (from: number, to: number): void => {
    const at = from + below(to - from)
    if (next() < 0.5) depositAt(at)
    else transferAt(at)
    // Now and then another in the same millisecond.
    if (next() < 0.1) depositAt(at)
  }
  const change = (): void => {
    const young = now() - CHANGES
    const open = deposits.flatMap(({ insertTime, status }, index) =>
      status === PENDING && insertTime > young ? [index] : []
    )
    const waiting = transfers.flatMap(({ status, timestamp }, index) =>
      status === WAITING && timestamp > young ? [index] : []
    )
    const chosen = below(open.length + waiting.length)
    const [deposit, transfer] = [deposits[open[chosen] ?? -1], transfers[waiting[chosen - open.length] ?? -1]]
    if (deposit !== undefined) {
      const settled: Deposit = { ...deposit, status: next() < 0.9 ? 5 : 7, confirmTimes: "12" }
      deposits[open[chosen] ?? -1] = settled
      told.add(contentOf(settled))
    }
    if (transfer !== undefined) {
      const settled: Transfer = { ...transfer, status: next() < 0.8 ? "SUCCESS" : "FAILED" }
      transfers[waiting[chosen - open.length] ?? -1] = settled
      told.add(contentOf(settled))
    }
  }

  for (let count = 120; count > 0; count--) arrive(begin, start)
  depositAt(begin + 20 * HOUR)
  deposits.push({ ...deposits[0]!, insertTime: begin + 21 * HOUR, status: 5, amount: UNREADABLE })
  transferAt(begin + 22 * HOUR)
  transfers.push({
    ...transfers[0]!,
    tranId: "unreadable",
    status: "SUCCESS",
    timestamp: begin + 23 * HOUR,
    amount: UNREADABLE
  })

  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
    monotonicTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
    sleep: () => Effect.void
  }
  const order = next() < 0.5 ? "newest-first" : "oldest-first"

  const handle = Effect.fnUntraced(function*(request: Exchange.Request) {
    const exchange = yield* Exchange.Exchange.make({
      credentials: [{ apiKey: API_KEY, secretKey: Redacted.make(SECRET), permissions: allPermissions }],
      conventions,
      deposits,
      transfers,
      subAccounts: accounts,
      faults: { order },
      rules: { rate: null }
    })
    const answer = yield* exchange.handle(request)
    if (!frozen && isList(request)) {
      if (next() < 0.4 * pace) arrive(now() - LATEST, now())
      if (next() < 0.12 * pace) change()
    }
    return answer
  }, Effect.provideService(Clock.Clock, clock))

  return {
    begin,
    now,
    deposits: () => deposits,
    transfers: () => transfers,
    told,
    judged: new Map(),
    pass: (ms) => {
      const before = now()
      jumped += ms
      for (let count = 3 + ms / (20 * MINUTE); count > 0; count--) arrive(before, now())
      for (let count = ms / (30 * MINUTE); count > 0; count--) change()
    },
    freeze: () => {
      frozen = true
    },
    handle
  }
}
