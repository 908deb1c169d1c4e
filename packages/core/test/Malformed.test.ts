/** Whatever an answer is made of: a page that accounts for every record, a key, or a typed error. Never a defect, never a hang. */
import { assert, describe, it } from "@effect/vitest"
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Broker from "@tallystick/core/Broker"
import * as BrokerError from "@tallystick/core/BrokerError"
import type * as Page from "@tallystick/core/Page"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { inspect } from "node:util"
import * as Mutations from "./support/mutations.ts"
import { depositFields, NOW, transferFields } from "./support/records.ts"
import * as Service from "./support/service.ts"

/** Bent answers for each operation, beside the systematic ones, of which every second one is tried outside of the long run. */
const CASES = Number(process.env["TALLYSTICK_CASES"] ?? 200)

const NEW_SECRET = "new-secret-of-a-sub-account-0123456789"

const bodies = {
  deposits: JSON.stringify([depositFields, { ...depositFields, txId: "hash:1", amount: "0.05" }]),
  transfers: JSON.stringify([transferFields, { ...transferFields, tranId: 90_071_992_547 }]),
  key: JSON.stringify({
    subAccount: "sub00001",
    note: "note-7",
    apiKey: "new-key",
    secretKey: NEW_SECRET,
    permissions: "SPOT_ACCOUNT_READ",
    createTime: NOW
  }),
  accounts: JSON.stringify({
    code: 0,
    message: "",
    data: [{ subAccount: "sub00001", note: "a", timestamp: NOW }, { subAccount: "sub00002", note: "", timestamp: "1" }]
  }),
  keys: JSON.stringify([
    { note: "a", apiKey: "mx0a", permissions: "SPOT_ACCOUNT_READ", ip: "192.0.2.1", creatTime: NOW },
    { note: "b", apiKey: "mx0b", permissions: "SPOT_ACCOUNT_READ", ip: "", creatTime: NOW }
  ]),
  time: JSON.stringify({ serverTime: NOW })
}

const corpus = (text: string): ReadonlyArray<readonly [name: string, answer: Mutations.Answer]> => [
  ...Mutations.systematic(text).map((answer, index) => [`systematic ${index}`, answer] as const)
    .filter((_, index) => process.env["TALLYSTICK_CASES"] !== undefined || index % 2 === 0),
  ...Array.from(
    { length: CASES },
    (_, seed) => [`seed ${seed}`, Mutations.bent(text, seed, [Service.SECRET, Service.API_KEY])] as const
  )
]

type Outcome<A> = { readonly value: A; readonly error?: never } | { readonly value?: never; readonly error: unknown }

/** Runs calls to their ends under virtual time. One that hangs, or dies, fails the test. */
const settled = <A, E>(calls: ReadonlyArray<readonly [name: string, call: Effect.Effect<A, E>]>) =>
  Effect.gen(function*() {
    const fibers = yield* Effect.forEach(calls, ([, call]) => Effect.forkChild(call))
    yield* TestClock.adjust("1 hour")
    const outcomes: Array<Outcome<A>> = []
    for (const [index, fiber] of fibers.entries()) {
      const name = calls[index]![0]
      assert.isDefined(fiber.pollUnsafe(), `${name} hangs`)
      const exit = yield* Fiber.await(fiber)
      if (Exit.isSuccess(exit)) outcomes.push({ value: exit.value })
      else {
        const error = Cause.findErrorOption(exit.cause)
        assert(Option.isSome(error), `${name}: ${inspect(exit.cause).slice(0, 500)}`)
        outcomes.push({ error: error.value })
      }
    }
    return outcomes
  })

/** How many calls wait for their end together: one advance of the clock serves them all. */
const TOGETHER = 100

/** Each answer of a corpus, given to a broker of its own, and what came of a call of that broker. */
const each = <A, E>(
  text: string,
  service: (answer: Mutations.Answer) => Service.Service,
  call: (broker: Broker.Service) => Effect.Effect<A, E>,
  judge: (name: string, answer: Mutations.Answer, outcome: Outcome<A>, service: Service.Service) => void
) =>
  Effect.gen(function*() {
    const cases = corpus(text)
    for (let start = 0; start < cases.length; start += TOGETHER) {
      const some = cases.slice(start, start + TOGETHER).map(([name, answer]) => ({
        name,
        answer,
        service: service(answer)
      }))
      const calls = yield* Effect.forEach(some, ({ name, service }) =>
        Effect.map(
          Service.broker(service, { retries: 0, maxWait: "30 minutes" }),
          (broker) => [name, call(broker)] as const
        ))
      const outcomes = yield* settled(calls)
      for (const [index, { answer, name, service }] of some.entries()) judge(name, answer, outcomes[index]!, service)
    }
  })

const assertTyped = (name: string, error: unknown, operation: string, { status }: Mutations.Answer) => {
  assert(error instanceof BrokerError.BrokerError, name)
  assert.strictEqual(error.operation, operation, name)
  const { reason } = error
  if (reason._tag === "ProtocolError") {
    assert.strictEqual(reason.status, status, name)
    assert.isAtMost(reason.excerpt.length, 200, name)
  }
  if ("serviceMessage" in reason) {
    assert.isAtMost(reason.serviceMessage.length, 200, name)
    assert.isAtMost(reason.code.length, 200, name)
  }
  assert.isAtMost(error.message.length, 900, name)
  const shown = `${inspect(error, { depth: 10 })} ${JSON.stringify(error)} ${error.message}`
  for (const secret of [Service.SECRET, Service.API_KEY, NEW_SECRET]) assert.notInclude(shown, secret, name)
  return reason
}

const textOf = ({ body }: Mutations.Answer): string => new TextDecoder().decode(body)

const parse = (text: string): unknown => JSON.parse(text) as unknown

const member = (json: unknown, key: string): unknown =>
  typeof json === "object" && json !== null ? Reflect.get(json, key) as unknown : undefined

const listOf = (text: string): ReadonlyArray<unknown> => {
  const json = parse(text)
  const list = Array.isArray(json) ? json : member(json, "result")
  return Array.isArray(list) ? list : []
}

/** What bad records say of an item in another's words; what is nested too deeply to be printed is compared by its text alone. */
const printed = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

const assertBad = (name: string, bad: BadRecord.BadRecord, text: string, items: ReadonlyArray<unknown>) => {
  const index = Number(bad.source.slice("page 1, record ".length)) - 1
  assert.isAtMost(bad.reason.length, 200, name)
  assert.include(text, bad.raw, name)
  assert.strictEqual(printed(parse(bad.raw)), printed(items[index]), name)
}

const query = { fromAccountType: "SPOT", toAccountType: "SPOT" }
type List = (
  broker: Broker.Service
) => Effect.Effect<
  Page.Page<UniversalTransfer.UniversalTransfer | SubAccountDeposit.SubAccountDeposit>,
  BrokerError.BrokerError
>
const lists: ReadonlyArray<readonly [operation: BrokerError.Operation, body: string, call: List]> = [
  ["universalTransfers", bodies.transfers, (broker) => broker.universalTransfers(query)],
  ["subAccountDeposits", bodies.deposits, (broker) => broker.subAccountDeposits()]
]

describe("a malformed answer", () => {
  it.effect.each(lists)(
    "to %s ends in a typed error, or in a page from which no record vanished",
    ([operation, body, call]) =>
      Effect.gen(function*() {
        const ended = { page: 0, failed: 0 }
        yield* each(
          body,
          (answer) => Service.make(() => Mutations.toResponse(answer)),
          call,
          (name, answer, { error, value }) => {
            ended[value === undefined ? "failed" : "page"]++
            if (value === undefined) {
              assertTyped(name, error, operation, answer)
              return
            }
            const text = textOf(answer)
            const items = listOf(text)
            assert.strictEqual(value.records.length + value.bad.length, items.length, name)
            for (const bad of value.bad) assertBad(name, bad, text, items)
          }
        )
        for (const count of Object.values(ended)) assert.isAbove(count, 100)
      })
  )

  it.effect("to subAccounts ends in a typed error, because a list that repeats itself proves nothing", () =>
    Effect.gen(function*() {
      const ended = new Map<string, number>()
      yield* each(
        bodies.accounts,
        (answer) => Service.make(() => Mutations.toResponse(answer)),
        (broker) => Stream.runCollect(broker.subAccounts),
        (name, answer, { error }) => {
          const { _tag } = assertTyped(name, error, "subAccounts", answer)
          ended.set(_tag, (ended.get(_tag) ?? 0) + 1)
        }
      )
      for (const tag of ["IncompleteList", "ProtocolError", "NotOffered"]) assert.isAbove(ended.get(tag) ?? 0, 10, tag)
    }))

  it.effect("to apiKeys ends in a typed error, or in a list from which no key vanished", () =>
    Effect.gen(function*() {
      const ended = { list: 0, failed: 0 }
      yield* each(
        bodies.keys,
        (answer) => Service.make(() => Mutations.toResponse(answer)),
        (broker) => broker.apiKeys({ subAccount: "sub00001" }),
        (name, answer, { error, value }) => {
          ended[value === undefined ? "failed" : "list"]++
          if (value === undefined) {
            const reason = assertTyped(name, error, "apiKeys", answer)
            if (answer.status === 200 && reason._tag === "ProtocolError") assert.notInclude(reason.detail, "mx0", name)
            return
          }
          const json = parse(textOf(answer))
          const list = [json, member(json, "data"), member(json, "subAccount")].find((one) => Array.isArray(one))
          assert.strictEqual(value.length, member(list, "length"), name)
        }
      )
      for (const count of Object.values(ended)) assert.isAbove(count, 50)
    }))

  /** Whether the service itself said that nothing ran, in the words of its document. */
  const isRefusal = (answer: Mutations.Answer): boolean => {
    if ([301, 302, 307, 308, 418, 429].includes(answer.status)) return true
    if (answer.status >= 500 || (answer.status >= 300 && answer.status < 400)) return false
    const code = member(parse(textOf(answer)), "code")
    return (typeof code === "string" || typeof code === "number") && !["0", "200"].includes(String(code))
  }

  it.effect("to createApiKey ends in the key, in OutcomeUnknown, or in a refusal by the service itself", () =>
    Effect.gen(function*() {
      const ended = { key: 0, unknown: 0, refused: 0 }
      yield* each(
        bodies.key,
        (answer) => Service.make(() => Mutations.toResponse(answer)),
        (broker) => broker.createApiKey({ subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note: "note-7" }),
        (name, answer, { error, value }, service) => {
          assert.strictEqual(service.seen.length, 1, name)
          if (value !== undefined) {
            ended.key++
            assert.strictEqual(typeof member(parse(textOf(answer)), "secretKey"), "string", name)
            assert.notInclude(`${inspect(value)} ${JSON.stringify(value)}`, NEW_SECRET, name)
            return
          }
          const reason = assertTyped(name, error, "createApiKey", answer)
          if (reason._tag === "OutcomeUnknown") {
            ended.unknown++
            assert.deepInclude(reason, { subAccount: "sub00001", note: "note-7" }, name)
          } else {
            ended.refused++
            assert.isTrue(isRefusal(answer), `${name}: ${reason._tag}`)
          }
        }
      )
      for (const count of Object.values(ended)) assert.isAbove(count, 50)
    }))

  const telling = (answer: Mutations.Answer) =>
    Service.make(() => Service.json([]), Effect.sync(() => Mutations.toResponse(answer)))

  it.effect("to the question for the time is a typed error, none, or a time", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      yield* each(bodies.time, telling, (broker) => broker.clock, (name, answer, { error, value }) => {
        if (value === undefined) assertTyped(name, error, "serverTime", answer)
        else if (Option.isSome(value)) assert.isTrue(Number.isSafeInteger(value.value.offset), name)
      })
    }))

  it.effect("to the question for the time costs no call, unless it says to wait", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(NOW)
      const call = (broker: Broker.Service) => Effect.zip(broker.subAccountDeposits(), broker.serverTime)
      yield* each(bodies.time, telling, call, (name, answer, { error, value }) => {
        if (value === undefined) {
          const reason = assertTyped(name, error, "subAccountDeposits", answer)
          assert.include(["Banned", "RateLimited"], reason._tag, name)
          return
        }
        assert.deepStrictEqual(value[0], { records: [], bad: [] }, name)
        assert.isTrue(Number.isSafeInteger(value[1]), name)
      })
    }))
})

describe("an error's excerpt", () => {
  it.effect("holds no secret, wherever in the body it stood", () =>
    Effect.gen(function*() {
      for (const before of [0, 150, 195, 19_970, 19_990, 60_000]) {
        const body = `${"f".repeat(before)}${Service.SECRET}${Service.API_KEY}`
        const service = Service.make(() => new Response(body, { headers: { "content-type": "text/plain" } }))
        const broker = yield* Service.broker(service, { retries: 0 })
        const { message } = yield* Effect.flip(broker.subAccountDeposits())
        for (const secret of [Service.SECRET, Service.API_KEY]) assert.notInclude(message, secret.slice(0, 8))
      }
    }))
})
