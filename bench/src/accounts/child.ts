/**
 * Rounds of sync over the sub-accounts of a sandbox, in a process of its own. Both are in this process and in virtual time, so that
 * nothing waits: a round takes as long as its requests at the rate of the exchange.
 */
import * as Archive from "@tallystick/archive/Archive"
import * as Sync from "@tallystick/archive/Sync"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Addresses from "@tallystick/sandbox/Addresses"
import * as History from "@tallystick/sandbox/History"
import * as HistoryOptions from "@tallystick/sandbox/HistoryOptions"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"

export interface Plan {
  readonly accounts: number
  /** The archive's file, which does not exist yet. */
  readonly file: string
  /** So many rounds follow the first one, ten minutes apart. */
  readonly rounds: number
  /** Whether each round reads the quiet accounts too. */
  readonly all: boolean
}

export interface Round {
  readonly requests: number
  /** Virtual time. */
  readonly seconds: number
  readonly cpuMs: number
  readonly added: number
}

export interface Took {
  readonly rounds: ReadonlyArray<Round>
  readonly records: number
  /** The most memory that the process ever held, in MB, the sandbox's included. */
  readonly peak: number
}

const HOUR = 3_600_000
const EVERY = 600_000

/** One account in so many is active. */
const ACTIVE = 10

/** Deposits of an active account in three days. */
const DEPOSITS = 30

const END = Date.UTC(2026, 0, 31)

const { accounts, all, file, rounds }: Plan = JSON.parse(process.argv[2] ?? "{}")

const active = Math.ceil(accounts / ACTIVE)
const made = History.generate(HistoryOptions.make({ to: END, subAccounts: active, deposits: active * DEPOSITS }))
const history: History.History = {
  ...made,
  subAccounts: Array.from({ length: accounts }, (_, index) => Addresses.accountName(index))
}
const list = history.subAccounts
const account = AddressBook.lookup(Addresses.make(made.options.seed, active))

/** Lets the clock run while the effect does. */
const running = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(effect)
  while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("250 millis")
  return yield* Fiber.join(fiber)
})

const program = Effect.gen(function*() {
  const { exchange } = yield* Sandbox.Sandbox
  const took: Array<Round> = []
  let records = 0
  let begin = END - rounds * EVERY - HOUR
  yield* TestClock.setTime(begin)
  for (let round = 0; round <= rounds; round++) {
    const cpu = process.cpuUsage()
    const { added, gaps } = yield* running(
      Sync.run({ accounts: { list, complete: true }, account, ...(all ? { quietEvery: 0 } : {}) })
    )
    if (gaps.length > 0) throw new Error(`round ${round} left ${gaps.length} gaps`)
    const now = yield* Clock.currentTimeMillis
    const requests = (yield* exchange.requests).filter(({ at }) => at >= begin).length
    const { system, user } = process.cpuUsage(cpu)
    took.push({ requests, seconds: (now - begin) / 1000, cpuMs: (system + user) / 1000, added })
    records += added
    begin = Math.max(now + 1, begin + EVERY)
    yield* TestClock.setTime(begin)
  }
  return { rounds: took, records, peak: process.resourceUsage().maxRSS / 1024 } satisfies Took
})

const sandbox = Sandbox.Sandbox.layerInProcess({ history, rules: { remembered: 1_000_000 } })
const layer = Layer.mergeAll(
  Sandbox.Sandbox.layerBroker().pipe(Layer.provideMerge(sandbox)),
  Archive.Archive.layerSqlite({ file })
).pipe(Layer.provideMerge(TestClock.layer()))

console.log(JSON.stringify(await Effect.runPromise(Effect.provide(program, layer))))
