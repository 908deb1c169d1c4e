/** Accounts take turns in the rounds of sync, and nothing is lost by it. */
import { assert, describe, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as Turns from "../src/internal/sync/Turns.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe("the turns of quiet accounts", () => {
  const queries = Array.from({ length: 1000 }, (_, index) => ({ completeTo: 0, isBusy: false, name: index }))

  it("come at least as often as asked for, at any distance of rounds, and are spread over them", () => {
    for (const every of [5, 10, 37, 60, 200]) {
      const [quietEvery, step] = [6 * HOUR, every * MINUTE]
      let read = queries
      let now = NOW
      let most = 0
      for (let round = 0; now < NOW + 2 * DAY; round++, now += step) {
        const turn = new Set(
          Turns.pick(read, { now, elapsed: round === 0 ? now : step, quietEvery }).map(({ name }) => name)
        )
        if (round === 0) assert.strictEqual(turn.size, read.length)
        else most = Math.max(most, turn.size)
        read = read.map((query) => turn.has(query.name) ? Object.assign({}, query, { completeTo: now }) : query)
        for (const { completeTo } of read) assert.isAtMost(now - completeTo, quietEvery)
      }
      assert.isAtMost(most, Math.ceil(1000 * Math.min(1, 2 * step / quietEvery)) + 1)
    }
  })

  it("leave the busy ones in every round, and few ones all of them", () => {
    const busy = queries.map(({ name }) => ({ name, completeTo: NOW, isBusy: name % 10 === 0 }))
    const round = { now: NOW + 10 * MINUTE, elapsed: 10 * MINUTE, quietEvery: 6 * HOUR }
    assert.lengthOf(Turns.pick(busy, round), 100 + 25)
    assert.lengthOf(Turns.pick(busy.slice(0, Turns.FEW), round), Turns.FEW)
  })
})

describe("rounds of sync over many accounts", () => {
  const COUNT = 110
  const DAYS = 7
  const names = Array.from({ length: COUNT }, (_, index) => `sub${index}`)
  const accounts = { list: names, complete: true }
  const addressOf = (name: string): string => `address of ${name}`
  const account = (address: string) => names.find((name) => addressOf(name) === address)

  /** Each day another tenth of the accounts is active: a deposit, and its transfer some minutes or hours later. */
  const movements = Array.from({ length: DAYS * COUNT / 10 * 2 }, (_, index) => {
    const day = Math.floor(index / (COUNT / 10 * 2))
    const name = names[(day * 7 + index * 10) % COUNT] ?? ""
    const at = NOW + day * DAY + (index * 7_919_000) % DAY
    return { name, at, moved: at + (index % 4 === 0 ? 9 * HOUR : 20 * MINUTE) }
  })
  const history = {
    deposits: movements.map(({ at, name }, index) =>
      deposit({ txId: `t${index}`, insertTime: at, address: addressOf(name) })
    ),
    transfers: movements.map(({ moved, name }, index) =>
      transfer({ tranId: String(index), fromAccount: name, timestamp: moved })
    )
  }
  const END = NOW + (DAYS + 1) * DAY

  const run = (options: Pick<Sync.Options, "quietEvery">) =>
    Effect.gen(function*() {
      const archive = yield* Archive
      let asked = 0
      const broker = yield* Broker.Broker
      const counting = {
        ...broker,
        scanUniversalTransfers: ((input) => {
          asked++
          return broker.scanUniversalTransfers(input)
        }) satisfies Broker.Service["scanUniversalTransfers"]
      }
      const kept = Stream.runFold(
        archive.transfers.slices({ from: 0, to: END }),
        () => 0,
        (sum, { records }) => sum + records.length
      )
      const round = Effect.provideService(Sync.run({ accounts, account, ...options }), Broker.Broker, counting)
      let longest = 0
      for (let now = NOW; now < END; now += 4 * HOUR) {
        yield* TestClock.setTime(now)
        const { completeTo, gaps, left } = yield* round
        assert.deepStrictEqual(gaps, [])
        assert.isNotNull(completeTo)
        if (left > 0) longest = Math.max(longest, now - (completeTo ?? 0))
        // Where a deposit arrived, its transfer is read with the next round.
        assert.strictEqual(yield* kept, movements.filter(({ moved }) => moved <= now).length)
      }
      return { asked, kept: yield* kept, longest }
    }).pipe(Effect.provide(Layer.merge(Archive.layerMemory(), Broker.Broker.layerMemory(history))))

  it.effect(
    "keep the same whether all accounts are read every time or the quiet ones in turn, with far fewer lists",
    () =>
      Effect.gen(function*() {
        const all = yield* run({ quietEvery: 0 })
        const turns = yield* run({ quietEvery: "1 day" })
        assert.strictEqual(all.kept, movements.length)
        assert.strictEqual(turns.kept, movements.length)
        assert.isBelow(turns.asked, all.asked / 2)
        assert.isAtMost(turns.longest, DAY + 5 * MINUTE)
      }),
    120_000
  )
})
