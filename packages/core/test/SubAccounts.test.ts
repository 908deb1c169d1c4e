/** The list of sub-accounts and the list of keys, over the wire: what is asked, what is read, and what is refused. */
import { assert, describe, it } from "@effect/vitest"
import type * as Broker from "@tallystick/core/Broker"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import type * as BrokerError from "@tallystick/core/BrokerError"
import * as Conventions from "@tallystick/core/Conventions"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { NOW } from "./support/records.ts"
import * as Service from "./support/service.ts"

const LIST = "/prefix/api/v3/broker/sub-account/list"
const KEYS = "/prefix/api/v3/broker/sub-account/apiKey"

const entries = Array.from({ length: 7 }, (_, index) => ({
  subAccount: `sub0000${index}`,
  note: `desk ${index}`,
  timestamp: NOW - index
}))

const paged =
  (all: ReadonlyArray<unknown>, code: number | string = 0): Service.Handler => ({ url: { searchParams } }) => {
    const [page, limit] = [Number(searchParams.get("page")), Number(searchParams.get("limit"))]
    return Service.json({ code, message: "", data: all.slice((page - 1) * limit, page * limit) })
  }

/** Answers every request with the same. */
const always = (value: unknown, status = 200): Service.Handler => () => Service.json(value, status)

const asked = <A, E>(
  handler: Service.Handler,
  call: (broker: Broker.Service) => Effect.Effect<A, E>,
  conventions: Conventions.Changes = {}
) =>
  Effect.gen(function*() {
    yield* TestClock.setTime(NOW)
    const service = Service.make(handler)
    const broker = yield* Service.broker(service, { conventions, retries: 0 })
    return { service, result: yield* Effect.result(call(broker)) }
  })

const listed = (broker: Broker.Service) => Stream.runCollect(broker.subAccounts)

const reasonOf = (handler: Service.Handler, conventions: Conventions.Changes = {}) =>
  Effect.map(
    asked(handler, listed, conventions),
    ({ result }): BrokerError.Reason | undefined => Result.isFailure(result) ? result.failure.reason : undefined
  )

describe("the list of sub-accounts", () => {
  it.effect("is asked for page by page, twice, with a signature and without times", () =>
    Effect.gen(function*() {
      const { result, service } = yield* asked(paged(entries), listed)
      assert.deepStrictEqual(Result.getOrThrow(result), entries)
      assert.deepStrictEqual(
        service.seen.map(({ url: { searchParams } }) => [searchParams.get("page"), searchParams.get("limit")]),
        [["1", "200"], ["2", "200"], ["1", "6"], ["2", "6"], ["3", "6"]]
      )
      for (const { method, request, url: { pathname, searchParams } } of service.seen) {
        assert.deepStrictEqual([method, pathname], ["GET", LIST])
        assert.deepStrictEqual([...searchParams.keys()], ["page", "limit", "timestamp", "signature"])
        assert.strictEqual(request.headers["x-mexc-apikey"], Service.API_KEY)
      }
    }))

  it.effect("is read in every spelling that was seen", () =>
    Effect.gen(function*() {
      const spelled = [
        { subAccount: "sub00001", note: "1", timestamp: String(NOW) },
        { subAccount: "sub00002", note: null, timestamp: null, isFreeze: true },
        { subAccount: "sub00003" }
      ]
      const expected = [
        { subAccount: "sub00001", note: "1", timestamp: NOW },
        { subAccount: "sub00002", note: "" },
        { subAccount: "sub00003", note: "" }
      ]
      const { result } = yield* asked(paged(spelled), listed)
      assert.deepStrictEqual(Result.getOrThrow(result), expected)
      const bare: Service.Handler = ({ url: { searchParams } }) => {
        const [page, limit] = [Number(searchParams.get("page")), Number(searchParams.get("limit"))]
        return Service.json(spelled.slice((page - 1) * limit, page * limit))
      }
      assert.deepStrictEqual(Result.getOrThrow((yield* asked(bare, listed)).result), expected)
    }))

  it.effect("is read with the code 0 or 200, as a number or as text", () =>
    Effect.gen(function*() {
      for (const code of [0, "0", 200, "200"]) {
        const handler = paged(entries, code)
        assert.deepStrictEqual(Result.getOrThrow((yield* asked(handler, listed)).result), entries)
      }
    }))

  it.effect.each<readonly [string, unknown, RegExp]>([
    ["names no account", { code: 0, data: [{ note: "x" }] }, /page 1: entry 1 cannot be read: subAccount: Missing key/],
    ["names an empty one", { data: [entries[0], { subAccount: "" }] }, /page 1: entry 2 cannot be read: subAccount:/],
    ["has a time that is none", { data: [{ ...entries[0], timestamp: "soon" }] }, /entry 1 cannot be read: timestamp:/],
    ["holds something else", { data: ["sub00001"] }, /entry 1 cannot be read/],
    ["is no list", { code: 0, data: { list: entries } }, /no list of records/],
    ["is nothing", { code: 0, message: "", data: null }, /no list of records/]
  ])("fails where an answer %s, and drops no entry", ([, answer, message]) =>
    Effect.gen(function*() {
      const reason = yield* reasonOf(always(answer))
      assert.strictEqual(reason?._tag, "ProtocolError")
      assert.match(reason?.message ?? "", message)
    }))

  it.effect("fails where a key stands in an entry twice", () =>
    Effect.gen(function*() {
      const text = "{\"code\":0,\"data\":[{\"subAccount\":\"sub00001\",\"subAccount\":\"sub00002\"}]}"
      const reason = yield* reasonOf(() => new Response(text, { headers: { "content-type": "application/json" } }))
      assert.match(reason?.message ?? "", /the key "subAccount" stands twice in it/)
    }))

  it.effect.each<readonly [string, Service.Handler, RegExp, number]>([
    ["ignores the page", always({ data: entries }), /page 2 shows "sub00000" a second time/, 7],
    ["shows none", always({ data: [] }), /it is empty, which proves nothing/, 0],
    [
      "ends behind a page's usual length",
      paged(Array.from({ length: 10 }, (_, n) => ({ subAccount: `s${n}` }))),
      /10/,
      10
    ],
    ["ends behind a round number", paged(Array.from({ length: 150 }, (_, n) => ({ subAccount: `s${n}` }))), /150/, 150]
  ])(
    "ends in IncompleteList where the service %s, behind what was seen",
    ([, handler, message, count]) =>
      Effect.gen(function*() {
        const seen: Array<string> = []
        const { result } = yield* asked(
          handler,
          (broker) =>
            Stream.runForEach(broker.subAccounts, ({ subAccount }) => Effect.sync(() => seen.push(subAccount)))
        )
        assert(Result.isFailure(result) && result.failure.reason._tag === "IncompleteList")
        assert.strictEqual(result.failure.category, "incomplete")
        assert.strictEqual(result.failure.reason.seen, count)
        assert.match(result.failure.message, message)
        assert.strictEqual(seen.length, count)
      })
  )

  it.effect("says of an exchange that does not know its path that it is not offered", () =>
    Effect.gen(function*() {
      const page = () =>
        new Response("<html>Not Found</html>", { status: 404, headers: { "content-type": "text/html" } })
      const unknown: ReadonlyArray<Service.Handler> = [
        always({ code: 404, msg: "Not found." }, 404),
        always({ status: 404, error: "Not Found", path: LIST }, 404),
        always({ code: 405, msg: "no GET" }, 405),
        always({ code: "404", msg: "no such path" }),
        page
      ]
      for (const handler of unknown) {
        const reason = yield* reasonOf(handler)
        assert.strictEqual(reason?._tag, "NotOffered")
        assert.match(reason?.message ?? "", /^the exchange does not offer this \(.*40[45]/)
      }
      const { result, service } = yield* asked(paged(entries), listed, { subAccountsPath: null })
      assert.strictEqual(Result.isFailure(result) && result.failure.reason._tag, "NotOffered")
      assert.strictEqual(service.seen.length, 0)
    }))

  it.effect("fails as every request does, and names the permission that it needs", () =>
    Effect.gen(function*() {
      const reason = yield* reasonOf(always({ code: 700007, msg: "no" }, 403))
      assert.deepInclude(reason, { _tag: "PermissionDenied", permission: "SPOT_ACCOUNT_READ" })
      const other = yield* reasonOf(always({ code: 700007, msg: "no" }, 403), { permissions: { subAccounts: "OTHER" } })
      assert.deepInclude(other, { _tag: "PermissionDenied", permission: "OTHER" })
      assert.strictEqual((yield* reasonOf(always({}, 503)))?._tag, "Unavailable")
    }))

  it.effect("has another path and other lengths of page by convention", () =>
    Effect.gen(function*() {
      const conventions = { subAccountsPath: "/v4/accounts", subAccountPage: { default: 3, maximum: 5 } }
      const { result, service } = yield* asked(paged(entries), listed, conventions)
      assert.strictEqual(Result.getOrThrow(result).length, 7)
      assert.strictEqual(service.seen[0]?.url.pathname, "/prefix/v4/accounts")
      assert.strictEqual(service.seen[0]?.url.searchParams.get("limit"), "5")
    }))
})

describe("the list of a sub-account's keys", () => {
  const key = {
    note: "sweeper",
    apiKey: "mx0LISTEDKEY",
    permissions: "SPOT_ACCOUNT_READ, SPOT_DEAL_WRITE",
    ip: "192.0.2.1,192.0.2.2",
    creatTime: NOW
  }
  const expected = {
    subAccount: "sub00001",
    note: "sweeper",
    apiKey: "mx0LISTEDKEY",
    permissions: ["SPOT_ACCOUNT_READ", "SPOT_DEAL_WRITE"],
    ip: ["192.0.2.1", "192.0.2.2"],
    createTime: NOW
  }
  const keys = (broker: Broker.Service) => broker.apiKeys({ subAccount: "sub00001" })

  it.effect("is asked for with one request, and read in every spelling", () =>
    Effect.gen(function*() {
      const { apiKey, creatTime, ip, note, permissions } = key
      const answers = [
        [key],
        { code: 0, message: "", data: [key] },
        { subAccount: [key] },
        [{
          note,
          apikey: apiKey,
          permissions: permissions.split(","),
          ip: ip.split(","),
          createTime: String(creatTime)
        }]
      ]
      for (const answer of answers) {
        const { result, service } = yield* asked(always(answer), keys)
        assert.deepStrictEqual(Result.getOrThrow(result), [expected])
        assert.strictEqual(service.seen.length, 1)
        const [{ method, url } = { method: "", url: new URL("x:") }] = service.seen
        assert.deepStrictEqual([method, url.pathname, url.searchParams.get("subAccount")], ["GET", KEYS, "sub00001"])
      }
      assert.deepStrictEqual(Result.getOrThrow((yield* asked(always([]), keys)).result), [])
    }))

  it.effect("names the sub-account that a key says it is of", () =>
    Effect.gen(function*() {
      const { result } = yield* asked(always([{ ...key, subAccount: "sub00002" }]), keys)
      assert.deepStrictEqual(Result.getOrThrow(result), [{ ...expected, subAccount: "sub00002" }])
    }))

  it.effect("fails where a key cannot be read, and quotes no key of another", () =>
    Effect.gen(function*() {
      const { result } = yield* asked(always([key, { note: "broken" }]), keys)
      assert(Result.isFailure(result))
      assert.match(result.failure.message, /entry 2 cannot be read: apiKey: Missing key/)
      assert.notInclude(JSON.stringify(result.failure), "mx0LISTEDKEY")
    }))

  it.effect("is refused without a sub-account before anything is sent, and is not offered by convention", () =>
    Effect.gen(function*() {
      const empty = yield* asked(always([key]), (broker) => broker.apiKeys({ subAccount: " " }))
      assert.strictEqual(Result.isFailure(empty.result) && empty.result.failure.reason._tag, "InvalidParameter")
      const none = yield* asked(always([key]), keys, { apiKeysPath: null })
      assert.strictEqual(Result.isFailure(none.result) && none.result.failure.reason._tag, "NotOffered")
      assert.strictEqual(empty.service.seen.length + none.service.seen.length, 0)
      const posts = yield* asked(always({ code: 405, msg: "POST only" }, 405), keys)
      assert.strictEqual(Result.isFailure(posts.result) && posts.result.failure.reason._tag, "NotOffered")
    }))
})

describe("conventions that were written before there were lists", () => {
  const old = {
    recvWindow: 7000,
    permissions: { createApiKey: "A", universalTransfers: "B", subAccountDeposits: "C" }
  }

  it.effect("are valid in the environment, and mean the usual paths and permissions", () =>
    Effect.gen(function*() {
      const options = yield* BrokerConfig.load().pipe(
        Effect.provideService(
          ConfigProvider.ConfigProvider,
          ConfigProvider.fromEnv({
            env: {
              TALLYSTICK_BASE_URL: "https://api.example.com",
              TALLYSTICK_API_KEY: "k",
              TALLYSTICK_SECRET_KEY: "s",
              TALLYSTICK_CONVENTIONS: JSON.stringify(old)
            }
          })
        )
      )
      const { conventions } = yield* Effect.fromResult(BrokerConfig.make(options))
      assert.deepStrictEqual(conventions.permissions, {
        ...old.permissions,
        subAccounts: "SPOT_ACCOUNT_READ",
        apiKeys: "SPOT_ACCOUNT_READ"
      })
      assert.strictEqual(conventions.subAccountsPath, Conventions.mexc.subAccountsPath)
      assert.strictEqual(conventions.apiKeysPath, Conventions.mexc.apiKeysPath)
      assert.deepStrictEqual(conventions.subAccountPage, { default: 10, maximum: 200 })
    }))

  it.effect("may name one permission alone", () =>
    Effect.gen(function*() {
      const { conventions } = yield* BrokerConfig.load().pipe(
        Effect.provideService(
          ConfigProvider.ConfigProvider,
          ConfigProvider.fromEnv({
            env: {
              TALLYSTICK_BASE_URL: "https://api.example.com",
              TALLYSTICK_API_KEY: "k",
              TALLYSTICK_SECRET_KEY: "s",
              TALLYSTICK_CONVENTIONS: JSON.stringify({ permissions: { subAccounts: "OTHER" } })
            }
          })
        )
      )
      assert.deepStrictEqual(Conventions.make(conventions).permissions, {
        ...Conventions.mexc.permissions,
        subAccounts: "OTHER"
      })
    }))

  it("are valid in a program, where permissions are added to the usual ones", () => {
    const made = BrokerConfig.make({
      baseUrl: "https://api.example.com",
      apiKey: Redacted.make("k"),
      secretKey: Redacted.make("s"),
      conventions: { permissions: { createApiKey: "A" } }
    })
    const { permissions } = Result.getOrThrow(made).conventions
    assert.deepStrictEqual(permissions, { ...Conventions.mexc.permissions, createApiKey: "A" })
  })

  it("with a page that is longer than the longest are refused by name", () => {
    const made = BrokerConfig.make({
      baseUrl: "https://api.example.com",
      apiKey: Redacted.make("k"),
      secretKey: Redacted.make("s"),
      conventions: { subAccountPage: { default: 300, maximum: 200 } }
    })
    assert.match(Result.isFailure(made) ? made.failure.problem : "", /has a subAccountPage whose default exceeds/)
  })
})
