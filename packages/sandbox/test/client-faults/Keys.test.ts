/**
 * `createApiKey` under thousands of seeded fault schedules: never two keys for one call, none that nobody was told of, and a
 * lost answer is told as one.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import type { SubAccountApiKey } from "@tallystick/core/SubAccountApiKey"
import * as Exchange from "@tallystick/sandbox/Exchange"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import * as InProcess from "../broker.ts"
import * as History from "../paging/history.ts"
import * as Schedule from "./schedule.ts"
import { NOW, passing, reproducible, seeds } from "./support.ts"

const CALLS = 12

type End =
  | { readonly _tag: "made"; readonly key: SubAccountApiKey }
  | { readonly _tag: "failed"; readonly reason: BrokerError.Reason }
  | { readonly _tag: "interrupted" }

/** One call of its own note, given up after `patience` ms of virtual time where that is told. */
const call = (service: Broker.Service, note: string, patience: number | undefined) =>
  Effect.gen(function*() {
    const input = { subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note, ip: ["10.0.0.1"] }
    const fiber = yield* Effect.forkChild(Effect.result(service.createApiKey(input)))
    if (patience !== undefined) {
      yield* Effect.sleep(patience)
      yield* Fiber.interrupt(fiber)
    }
    const exit = yield* Fiber.await(fiber)
    const end: End = Exit.isFailure(exit)
      ? { _tag: "interrupted" }
      : Result.isSuccess(exit.value)
      ? { _tag: "made", key: exit.value.success }
      : { _tag: "failed", reason: exit.value.failure.reason }
    return { note, end }
  })

const simulate = Effect.fnUntraced(function*(seed: number) {
  yield* TestClock.setTime(NOW)
  const next = History.random(seed)
  const exchange = yield* Exchange.Exchange.make({
    credentials: InProcess.credentials,
    faults: Schedule.severe(next, seed),
    rules: { rate: null, keyGroups: next() < 0.2 ? 5 : 30 }
  })
  const patience = Array.from({ length: CALLS }, () => next() < 0.2 ? Math.floor(next() * 4000) : undefined)
  const calls = Effect.gen(function*() {
    const service = yield* Broker.Broker
    return yield* Effect.forEach(patience, (given, index) => call(service, `note ${index}`, given), { concurrency: 3 })
  })
  const ends = yield* passing(calls.pipe(Effect.provide(InProcess.patient(exchange))))
  return { ends, keys: yield* exchange.keys }
})

describe("under every fault", () => {
  const name = "createApiKey makes one key or none, and says which, or that it cannot know"
  it.effect(
    name,
    Effect.fnUntraced(function*() {
      const all = seeds(150)
      const counts = new Map<string, number>()
      const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
      for (const seed of all) {
        yield* Effect.gen(function*() {
          const { ends, keys } = yield* simulate(seed)
          let accounted = 0
          for (const { end, note } of ends) {
            const made = keys.filter((key) => key.note === note)
            assert.isAtMost(made.length, 1, `two keys for ${note}`)
            accounted += made.length
            const why = `seed ${seed}, ${note}: ${end._tag === "failed" ? end.reason.message : end._tag}`
            if (end._tag === "made") {
              assert.lengthOf(made, 1, why)
              assert.strictEqual(end.key.apiKey, made[0]?.apiKey)
              assert.strictEqual(
                Redacted.value(end.key.secretKey),
                Option.getOrThrow(Option.map(Option.fromUndefinedOr(made[0]), (key) => Redacted.value(key.secretKey)))
              )
              count("made")
            } else if (end._tag === "interrupted") count(`interrupted, ${made.length} made`)
            else if (end.reason._tag === "OutcomeUnknown") {
              assert.include(end.reason.message, JSON.stringify(note))
              assert.include(end.reason.message, "\"sub00001\"")
              count(`OutcomeUnknown, ${made.length} made`)
            } else {
              assert.lengthOf(made, 0, why)
              count(end.reason._tag)
            }
          }
          assert.strictEqual(accounted, keys.length, "a key that no call asked for")
        }).pipe(reproducible(name, seed))
      }
      if (process.env["TALLYSTICK_SEEDS"] !== undefined) {
        const told = [...counts].toSorted(([, a], [, b]) => b - a).map(([what, n]) => `${what}: ${n}`)
        process.stdout.write(`${all.length * CALLS} calls: ${told.join("; ")}\n`)
      }
      if (all.length >= 100) {
        // Each of these has happened, or the faults are not what they seem.
        for (const what of ["made", "OutcomeUnknown, 1 made", "OutcomeUnknown, 0 made", "QuotaExceeded"]) {
          assert.isAbove(counts.get(what) ?? 0, 0, what)
        }
      }
    }),
    3_600_000
  )
})
