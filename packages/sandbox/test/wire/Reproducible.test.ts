import { assert, describe, it } from "@effect/vitest"
import * as Faults from "@tallystick/sandbox/Faults"
import type { WireFault } from "@tallystick/sandbox/WireFault"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import * as Client from "../client.ts"
import { random } from "../paging/history.ts"
import * as Requests from "./requests.ts"
import { table } from "./table.ts"

const { DEPOSITS, KEYS, NOW, ROUTE, TIME, TRANSFERS } = Client
const SEEDS = Number(process.env["TALLYSTICK_SEEDS"] ?? 60)
const REQUESTS = 40

const deposits = Requests.deposits(NOW)
const transfers = Array.from({ length: 20 }, (_, i) => Client.transfer(`${i}`, NOW - 20 + i))

const pick = <A>(next: () => number, items: ReadonlyArray<A>): A => items[Math.floor(next() * items.length)]!

const some = <A>(next: () => number, items: ReadonlyArray<A>): ReadonlyArray<A> => items.filter(() => next() < 0.4)

const operations = ["createApiKey", "universalTransfers", "subAccountDeposits", "serverTime"] as const

const sometimes = (next: () => number, fault: WireFault): WireFault => ({
  ...fault,
  share: next() / 4,
  requests: [1 + Math.floor(next() * REQUESTS)],
  ...(next() < 0.5 ? { operations: some(next, operations) } : {})
})

/** Every kind and every chance, in any combination. */
const drawn = (seed: number): Faults.Faults => {
  const next = random(seed)
  const wire = some(next, Object.values(table)).map(({ fault }) => sometimes(next, fault))
  return {
    seed: Math.floor(next() * 1e9),
    wire,
    order: pick(next, ["oldest-first", "newest-first", "shuffled"]),
    looseTies: next() < 0.5,
    ignorePage: next() < 0.2,
    latency: [[next() / 2, Math.floor(next() * 50)], [1, 50 + Math.floor(next() * 5000)]],
    clock: { offset: Math.floor((next() - 0.5) * 1000), drift: (next() - 0.5) * 10_000 },
    arrivals: { share: next(), within: 10, overRequests: 5 },
    lateVisible: { share: next() / 2, delay: 500 },
    newStatus: next(),
    newKeys: next(),
    missingKeys: next(),
    spellings: some(next, Faults.Spelling.literals)
  }
}

/** Everything that a server with these faults answers to one course of requests. */
const transcript = Effect.fnUntraced(function*(faults: Faults.Faults, course: number) {
  const next = random(course)
  yield* TestClock.setTime(NOW)
  const exchange = yield* Client.make({ deposits, transfers, faults })
  const answers: Array<unknown> = []
  for (let i = 0; i < REQUESTS; i++) {
    const path = pick(next, [DEPOSITS, TRANSFERS, KEYS, TIME, "/nowhere"])
    answers.push(
      yield* path === KEYS
        ? Client.send(exchange, "POST", path, {}, { body: Requests.newKey })
        : Client.send(exchange, "GET", path, path === TRANSFERS ? ROUTE : {})
    )
    yield* TestClock.adjust(Math.floor(next() * 300))
  }
  return [...answers, ...yield* exchange.requests]
})

describe("the same faults over the same requests", () => {
  it.effect("give the same answers, whatever the faults", () =>
    Effect.gen(function*() {
      for (let seed = 1; seed <= SEEDS; seed++) {
        const faults = drawn(seed)
        assert.isTrue(Result.isSuccess(Faults.decode(JSON.parse(JSON.stringify(faults)))), `seed ${seed}`)
        const [one, two] = [yield* transcript(faults, seed), yield* transcript(faults, seed)]
        assert.deepStrictEqual(one, two, `seed ${seed}`)
      }
    }))

  it.effect("give others with another seed", () =>
    Effect.gen(function*() {
      let same = 0
      for (let seed = 1; seed <= SEEDS; seed++) {
        const faults = drawn(seed)
        const one = yield* transcript(faults, seed)
        const two = yield* transcript({ ...faults, seed: (faults.seed ?? 0) + 1 }, seed)
        if (JSON.stringify(one) === JSON.stringify(two)) same += 1
      }
      assert.strictEqual(same, 0)
    }))
})
