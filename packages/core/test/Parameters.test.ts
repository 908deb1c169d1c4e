import { assert, describe, it } from "@effect/vitest"
import type * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { NOW } from "./support/records.ts"
import * as Service from "./support/service.ts"

const key: Broker.CreateApiKey = { subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note: "n" }
const transfers: Broker.UniversalTransfers = { fromAccountType: "SPOT", toAccountType: "FUTURES" }
const ips = (count: number) => Array.from({ length: count }, (_, index) => `10.0.0.${index}`)
const HOUR = 3_600_000

type Wrong = readonly [parameter: string, actual: RegExp, allowed: RegExp]

const setUp = Effect.gen(function*() {
  yield* TestClock.setTime(NOW)
  const service = Service.make(() => Service.json([]))
  return { service, broker: yield* Service.broker(service) }
})

/** Runs one call and checks which parameter is named, what came, what is allowed, and that nothing was sent. */
const isRefused = (
  call: (broker: Broker.Service) => Effect.Effect<unknown, BrokerError.BrokerError>,
  [parameter, actual, allowed]: Wrong
) =>
  Effect.gen(function*() {
    const { broker, service } = yield* setUp
    const error = yield* Effect.flip(call(broker))
    assert.propertyVal(error, "_tag", "BrokerError")
    if (error.reason._tag !== "InvalidParameter") return assert.fail(error.message)
    assert.strictEqual(error.category, "request")
    assert.strictEqual(error.reason.parameter, parameter)
    assert.match(error.reason.actual, actual)
    assert.match(error.reason.allowed, allowed)
    assert.strictEqual(service.seen.length, 0)
    return { service }
  })

describe("createApiKey refuses", () => {
  it.effect.each<readonly [Partial<Broker.CreateApiKey>, Wrong]>([
    [{ subAccount: "" }, ["subAccount", /^""$/, /not empty/]],
    [{ subAccount: " \t" }, ["subAccount", /^" \\t"$/, /not empty/]],
    [{ note: "" }, ["note", /^""$/, /not empty/]],
    [{ permissions: [] }, ["permissions", /^a list of 0$/, /at least one/]],
    [{ permissions: ["SPOT_ACCOUNT_READ", "A,B"] }, ["permissions", /"A,B"/, /capital letters/]],
    [{ permissions: [""] }, ["permissions", /""/, /capital letters/]],
    [{ ip: ips(21) }, ["ip", /^a list of 21$/, /at most 20/]],
    [{ recvWindow: 60_001 }, ["recvWindow", /60001/, /1 to 60000/]],
    [{ recvWindow: 0 }, ["recvWindow", /0/, /1 to 60000/]],
    [{ recvWindow: 1.5 }, ["recvWindow", /1\.5/, /1 to 60000/]],
    [{ recvWindow: Number.NaN }, ["recvWindow", /NaN/, /1 to 60000/]],
    ...[
      "",
      "10.0.0.0/8",
      "10.0.0",
      "10.0.0.256",
      "10.0.0.01",
      "1.2.3.4.5",
      "10.0.0.1 ",
      "0x7f.0.0.1",
      "2130706433",
      "fe80::1%eth0",
      "2001:db8::/32",
      "[::1]",
      "::1::2",
      "12345::",
      "1:2:3:4:5:6:7",
      "::ffff:1.2.3.04",
      "10.0.0.1:80",
      "localhost",
      "10.0.0.1,10.0.0.2",
      "١.2.3.4"
    ].map((ip) => [{ ip: ["10.0.0.1", ip] }, ["ip", new RegExp(`^"`), /IPv4 or IPv6/]] as const)
  ])("%j", ([changes, wrong]) => isRefused((broker) => broker.createApiKey({ ...key, ...changes }), wrong))

  it.effect("nothing that the contract allows", () =>
    Effect.gen(function*() {
      const service = Service.make(() => Service.json({ apiKey: "a", secretKey: "b" }))
      const broker = yield* Service.broker(service)
      const ip = [...ips(14), "0.0.0.0", "255.255.255.255", "::1", "2001:db8::1", "::ffff:1.2.3.4", "FE80::A"]
      yield* broker.createApiKey({ ...key, ip, recvWindow: 60_000, permissions: ["SOMETHING_NEW"], note: "ключ 🔑" })
      yield* broker.createApiKey({ ...key, subAccount: "no" })
      assert.strictEqual(service.seen.length, 2)
    }))
})

describe("universalTransfers refuses", () => {
  it.effect.each<readonly [Partial<Broker.UniversalTransfers>, Wrong]>([
    [{ fromAccountType: "" }, ["fromAccountType", /""/, /not empty/]],
    [{ toAccountType: " " }, ["toAccountType", /" "/, /not empty/]],
    [{ fromAccount: "" }, ["fromAccount", /""/, /not empty/]],
    [{ toAccount: "" }, ["toAccount", /""/, /not empty/]],
    [{ clientTranId: "a".repeat(31) }, ["clientTranId", /a{31}/, /32 letters and digits/]],
    [{ clientTranId: "a".repeat(33) }, ["clientTranId", /a{33}/, /32/]],
    [{ clientTranId: `${"a".repeat(31)}-` }, ["clientTranId", /-/, /32/]],
    [{ clientTranId: `${"a".repeat(32)}\n` }, ["clientTranId", /\\n/, /32/]],
    [{ clientTranId: "" }, ["clientTranId", /""/, /32/]],
    [{ page: 0 }, ["page", /0/, /from 1/]],
    [{ page: 1.5 }, ["page", /1\.5/, /from 1/]],
    [{ limit: 0 }, ["limit", /0/, /1 to 500/]],
    [{ limit: 501 }, ["limit", /501/, /1 to 500/]],
    [{ startTime: -1 }, ["startTime", /-1/, /from 0/]],
    [{ endTime: Number.POSITIVE_INFINITY }, ["endTime", /Infinity/, /from 0/]],
    [{ startTime: 5, endTime: 5 }, ["startTime", /5/, /before endTime \(5\)/]],
    [{ startTime: 6, endTime: 5 }, ["startTime", /6/, /before endTime \(5\)/]],
    [{ recvWindow: 60_001 }, ["recvWindow", /60001/, /1 to 60000/]]
  ])("%j", ([changes, wrong]) =>
    Effect.gen(function*() {
      const { service } = yield* isRefused((broker) => broker.universalTransfers({ ...transfers, ...changes }), wrong)
      assert.strictEqual(service.timeRequests.length, 0)
    }))
})

describe("subAccountDeposits refuses", () => {
  it.effect.each<readonly [Broker.SubAccountDeposits, Wrong]>([
    [{ coin: "" }, ["coin", /""/, /not empty/]],
    [{ status: -1 }, ["status", /-1/, /from 0/]],
    [{ status: 1.5 }, ["status", /1\.5/, /from 0/]],
    [{ page: 0 }, ["page", /0/, /from 1/]],
    [{ limit: 0 }, ["limit", /0/, /1 to 1000/]],
    [{ limit: 1001 }, ["limit", /1001/, /1 to 1000/]],
    [{ startTime: Number.NaN }, ["startTime", /NaN/, /from 0/]],
    [{ startTime: NOW, endTime: NOW - 1 }, ["startTime", /\d/, /before endTime/]],
    [{ recvWindow: 60_001 }, ["recvWindow", /60001/, /1 to 60000/]]
  ])("%j", ([input, wrong]) =>
    Effect.gen(function*() {
      const { service } = yield* isRefused((broker) => broker.subAccountDeposits(input), wrong)
      assert.strictEqual(service.timeRequests.length, 0)
    }))

  it.effect("a range that begins or ends more than 96 h back, by the service's clock", () =>
    Effect.gen(function*() {
      const oldest = NOW - 96 * HOUR
      const allowed = new RegExp(`^a time from ${oldest}: .* 72 hours.* 96 hours`)
      const startTime = oldest - 1
      yield* isRefused((broker) => broker.subAccountDeposits({ startTime }), ["startTime", /\d/, allowed])
      yield* isRefused((broker) => broker.subAccountDeposits({ endTime: startTime }), ["endTime", /\d/, allowed])
      const { broker, service } = yield* setUp
      yield* broker.subAccountDeposits({ startTime: oldest })
      assert.strictEqual(service.seen.length, 1)
      const late = Service.make(() => Service.json([]), Service.timeAhead(-HOUR))
      yield* (yield* Service.broker(late)).subAccountDeposits({ startTime: oldest - HOUR })
      assert.strictEqual(late.seen.length, 1)
    }))
})

describe("the limits", () => {
  it.effect("follow the conventions", () =>
    Effect.gen(function*() {
      const service = Service.make(() => Service.json([]))
      const broker = yield* Service.broker(service, {
        conventions: { linkedIps: 1, transferPage: { default: 5, maximum: 10 }, recvWindowLimit: 7000 }
      })
      const errors = yield* Effect.forEach([
        broker.createApiKey({ ...key, ip: ips(2) }),
        broker.universalTransfers({ ...transfers, limit: 11 }),
        broker.subAccountDeposits({ recvWindow: 7001 })
      ], (call: Effect.Effect<unknown, BrokerError.BrokerError>) => Effect.flip(call))
      assert.deepStrictEqual(errors.map(({ message }) => message), [
        "createApiKey: ip is a list of 2; allowed: at most 1 addresses",
        "universalTransfers: limit is 11; allowed: a whole number from 1 to 10",
        "subAccountDeposits: recvWindow is 7001; allowed: a whole number from 1 to 7000"
      ])
      assert.strictEqual(service.seen.length, 0)
    }))

  it.effect("hold for scans before anything is sent", () =>
    Effect.gen(function*() {
      for (const [from, to] of [[5, 5], [6, 5], [-1, 5], [0.5, 5], [0, Number.NaN]] as const) {
        for (const name of ["deposits", "transfers"] as const) {
          yield* isRefused(
            (broker) =>
              name === "deposits"
                ? Stream.runDrain(broker.scanSubAccountDeposits({ from, to }))
                : Stream.runDrain(broker.scanUniversalTransfers({ ...transfers, from, to })),
            ["from", /^\[/, /start before the end/]
          )
        }
      }
    }))
})
