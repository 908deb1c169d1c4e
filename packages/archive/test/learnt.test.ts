/** What a process of sync learnt of how the service answers serves the next one, and is checked again by a few requests. */
import { assert, describe, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import * as Sync from "@tallystick/archive/Sync"
import * as Conventions from "@tallystick/core/Conventions"
import * as Exchange from "@tallystick/sandbox/Exchange"
import type * as Faults from "@tallystick/sandbox/Faults"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as InProcess from "../../sandbox/test/broker.ts"
import { at } from "./support/at.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const conventions = Conventions.make({})

/** Names of sub-accounts; the last one is the only one that moves anything. */
const names = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => `sub${String(index).padStart(5, "0")}`)

/** A transfer of `account` every `step` ms. */
const busy = (account: string, step: number, from: number, to: number) =>
  Array.from(
    { length: Math.floor((to - from) / step) },
    (_, index) =>
      transfer({
        tranId: `${account}-${from + index * step}`,
        fromAccount: account,
        timestamp: from + index * step + 7
      })
  )

type Transfers = ReadonlyArray<ReturnType<typeof transfer>>

/** A round at `now` by a process of its own: a broker that begins anew, and what it asked for. */
const round = Effect.fnUntraced(function*(
  _now: number,
  accounts: ReadonlyArray<string>,
  transfers: Transfers,
  faults: Faults.Faults = {}
) {
  const exchange = yield* Exchange.Exchange.make({
    credentials: InProcess.credentials,
    conventions,
    deposits: [deposit({ insertTime: NOW - 30 * MINUTE })],
    transfers,
    rules: { rate: null, remembered: 1 },
    faults
  })
  let requests = 0
  const handle = (request: Exchange.Request) => {
    if (request.rawQuery.includes("fromAccount=")) requests++
    return exchange.handle(request)
  }
  const summary = yield* Sync.run({ accounts: { list: accounts, complete: true }, since: NOW - 20 * HOUR }).pipe(
    Effect.provide(InProcess.unhurt({ ...exchange, handle }, conventions))
  )
  return { requests, gaps: summary.gaps }
}, (effect, now) => at(now)(effect))

const kept = Effect.gen(function*() {
  const { transfers } = yield* Archive
  const slices = yield* Stream.runCollect(transfers.slices({ from: 0, to: NOW * 2 }))
  return slices.flatMap(({ records }) => records.map(({ record }) => record.tranId)).toSorted()
})

const truth = (transfers: Transfers, until: number) =>
  transfers.filter(({ timestamp }) => timestamp < until).map(({ tranId }) => tranId).toSorted()

const transfersAnswers = Archive.use(({ learnt }) => Effect.map(learnt, ({ transfers }) => transfers))

describe.each(databases)("what was learnt of a service, in $name", ({ layer }) => {
  const archived = Archive.layer.pipe(Layer.provide(layer))

  it.live("serves the next process, so that quiet queries are not read twice", () =>
    Effect.gen(function*() {
      const accounts = names(60)
      const transfers = busy(accounts.at(-1) ?? "", HOUR, NOW - 20 * HOUR, NOW)
      yield* round(NOW, accounts, transfers)
      const first = yield* transfersAnswers
      assert.strictEqual(first?.believed, true)
      const { requests } = yield* round(NOW + 10 * MINUTE, accounts, transfers)
      // Settled time and what is younger are a request each.
      assert.isAtMost(requests, 2 * accounts.length + 24)
      const second = yield* transfersAnswers
      assert.isAtLeast(second?.backwards ?? 0, first?.backwards ?? 0)
      assert.deepStrictEqual(yield* kept, truth(transfers, NOW))
    }).pipe(Effect.provide(archived)))

  it.live("is doubted in every round: a server that answers otherwise since is found out", () =>
    Effect.gen(function*() {
      const accounts = names(1)
      const [account = ""] = accounts
      const before = busy(account, HOUR, NOW - 20 * HOUR, NOW)
      yield* round(NOW, accounts, before)
      // Two lone transfers, of which one response shows only the later one.
      const since = [NOW + 5.5 * HOUR, NOW + 11 * HOUR].map((timestamp) =>
        transfer({ tranId: `lone-${timestamp}`, fromAccount: account, timestamp })
      )
      yield* round(NOW + 12 * HOUR, accounts, [...before, ...since], { span: { length: 6 * HOUR, part: "newest" } })
      assert.deepStrictEqual(yield* kept, truth([...before, ...since], NOW + 12 * HOUR))
      assert.strictEqual((yield* transfersAnswers)?.believed, false)
    }).pipe(Effect.provide(archived)))

  it.live("holds against a server whose lists differ, until they were the same in several rounds", () =>
    Effect.gen(function*() {
      const accounts = names(4)
      const transfers = accounts.flatMap((account, index) =>
        busy(account, 7 * MINUTE + index, NOW - 20 * HOUR, NOW + 6 * HOUR)
      )
      const until = (time: number) => transfers.filter(({ timestamp }) => timestamp < time)
      yield* round(NOW, accounts, until(NOW), { pageCap: 20, skipped: 1 })
      assert.deepStrictEqual(yield* kept, truth(transfers, NOW))
      const found = yield* transfersAnswers
      assert.deepInclude(found, { believed: false, agreements: 0, learntAt: NOW })

      const told: Array<boolean | undefined> = []
      for (let hour = 1; hour <= 5; hour++) {
        yield* round(NOW + hour * HOUR, accounts, until(NOW + hour * HOUR))
        const answers = yield* transfersAnswers
        if (answers?.believed === false) assert.strictEqual(answers.learntAt, NOW)
        told.push(answers?.believed)
        assert.deepStrictEqual(yield* kept, truth(transfers, NOW + hour * HOUR))
      }
      assert.deepStrictEqual(told, [false, false, true, true, true])
    }).pipe(Effect.provide(archived)))
})

describe("a thousand quiet queries", () => {
  it.live("pay for a round once, and not for each query", () =>
    Effect.gen(function*() {
      const accounts = names(1000)
      const transfers = busy(accounts.at(-1) ?? "", HOUR, NOW - 20 * HOUR, NOW)
      yield* round(NOW, accounts, transfers)
      const { requests } = yield* round(NOW + 10 * MINUTE, accounts, transfers)
      assert.isAtMost(requests, 2 * accounts.length + 24)
    }).pipe(Effect.provide(Archive.layerMemory())), 60_000)
})
