import { assert, describe, it } from "@effect/vitest"
import type * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import * as Effect from "effect/Effect"
import * as Service from "./support/service.ts"

const key: Broker.CreateApiKey = { subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note: "note-7" }

/** The table of the service's error codes: reason and category. */
const table: ReadonlyArray<readonly [ReadonlyArray<number>, BrokerError.Reason["_tag"], BrokerError.Category]> = [
  [
    [400, 700004, 700005, 700008, 730002, 730600, 730601, 730602, 730700, 730701, 730702, 730703, 730704, 33333, 44444],
    "InvalidRequest",
    "request"
  ],
  [[401, 10072, 700001], "KeyRejected", "credentials"],
  [[602, 700002], "SignatureRejected", "credentials"],
  [[700003, 10073], "ClockSkew", "credentials"],
  [[403, 700006, 700007], "PermissionDenied", "credentials"],
  [[700013], "ProtocolError", "protocol"],
  [[429, 510], "RateLimited", "throttling"],
  [[500, 502, 503, 504], "Unavailable", "transient"],
  [[730705], "QuotaExceeded", "account"],
  [[730001, 730101, 140001, 140002, 10001, 10099, 730603], "AccountRejected", "account"],
  [[999_999, -1, 418], "ServiceError", "protocol"]
]

const forms = {
  "code as a number": (code: number) => Service.json({ code, msg: "why not" }, 400),
  "code as text": (code: number) => Service.json({ code: String(code), msg: "why not" }, 400),
  "message instead of msg": (code: number) => Service.json({ code, message: "why not" }, 400),
  "inside an HTTP 200": (code: number) => Service.json({ code, msg: "why not", data: null }, 200),
  "with another JSON type": (code: number) =>
    new Response(JSON.stringify({ code, msg: "why not" }), {
      status: 400,
      headers: { "content-type": "application/problem+json;charset=utf-8" }
    })
}

/** One call without retries, and what it fails with. */
const reasonOf = (
  answer: () => Response,
  call: (broker: Broker.Service) => Effect.Effect<unknown, BrokerError.BrokerError> = (broker) =>
    broker.subAccountDeposits()
) =>
  Effect.gen(function*() {
    const service = Service.make(() => answer())
    const broker = yield* Service.broker(service, { retries: 0 })
    const error = yield* Effect.flip(call(broker))
    assert.strictEqual(error.category, error.reason.category)
    return error.reason
  })

describe("the error table", () => {
  it.effect.each(Object.entries(forms))(
    "holds for every code: %s",
    ([form, answer]) =>
      Effect.gen(function*() {
        for (const [codes, tag, category] of table) {
          for (const code of codes) {
            const reason = yield* reasonOf(() => answer(code))
            assert.strictEqual(reason._tag, tag, `${form} ${code}`)
            assert.strictEqual(reason.category, category)
            if ("serviceMessage" in reason) {
              assert.deepStrictEqual([reason.code, reason.serviceMessage], [String(code), "why not"])
            }
          }
        }
      })
  )

  it.effect("can be changed by convention", () =>
    Effect.gen(function*() {
      const service = Service.make(() => Service.refusal(777))
      const broker = yield* Service.broker(service, { conventions: { errorCodes: { "777": "QuotaExceeded" } } })
      assert.strictEqual((yield* Effect.flip(broker.subAccountDeposits())).reason._tag, "QuotaExceeded")
    }))

  it.effect("takes a code of 0 or 200 for success", () =>
    Effect.gen(function*() {
      for (const code of [0, 200, "0", "200"]) {
        const service = Service.make(() => Service.json({ code, result: [], totalCount: 0 }))
        const broker = yield* Service.broker(service)
        const page = yield* broker.universalTransfers({ fromAccountType: "SPOT", toAccountType: "SPOT" })
        assert.deepStrictEqual(page, { records: [], bad: [], totalCount: 0 })
      }
    }))

  it.effect("names the permission that the operation needs, which is a convention", () =>
    Effect.gen(function*() {
      for (const code of [403, 700006, 700007]) {
        const answer = () => Service.refusal(code, 403)
        const reasons = [
          yield* reasonOf(answer, (broker) => broker.createApiKey(key)),
          yield* reasonOf(answer, (broker) =>
            broker.universalTransfers({ fromAccountType: "SPOT", toAccountType: "SPOT" })),
          yield* reasonOf(answer)
        ]
        const permissions = reasons.map((reason) =>
          reason._tag === "PermissionDenied" ? reason.permission : ""
        )
        assert.deepStrictEqual(permissions, ["SPOT_ACCOUNT_WRITE", "SPOT_TRANSFER_READ", "SPOT_DEPOSIT_READ"])
        for (const [index, reason] of reasons.entries()) assert.include(reason.message, permissions[index]!)
      }
    }))
})

const html = (status: number, headers: Record<string, string> = {}) =>
  new Response("<html><body>Access denied</body></html>", {
    status,
    headers: { "content-type": "text/html", ...headers }
  })
const text = (body: string, status: number, contentType = "application/json") =>
  new Response(body, { status, headers: { "content-type": contentType } })

describe("an answer in no form of the contract", () => {
  it.effect.each<readonly [string, () => Response, BrokerError.Reason["_tag"], RegExp]>([
    ["HTML with 403", () => html(403), "ProtocolError", /firewall or proxy.*Access denied/],
    ["HTML with 200", () => html(200), "ProtocolError", /content type text\/html.*Access denied/],
    ["HTML with 502", () => html(502), "Unavailable", /HTTP 502/],
    ["HTML with 429", () => html(429, { "retry-after": "9" }), "RateLimited", /wait 9s before/],
    ["HTML with 418", () => html(418, { "retry-after": "9" }), "Banned", /another 9s/],
    ["an empty body with 200", () => text("", 200), "ProtocolError", /not JSON/],
    ["an empty body with 400", () => text("", 400), "ProtocolError", /HTTP 400/],
    ["an empty body with 500", () => text("", 500), "Unavailable", /HTTP 500/],
    ["JSON cut short", () => text("[{\"amount\":\"1.", 200), "ProtocolError", /not JSON/],
    ["no content type", () => new Response(new Uint8Array([91, 93]), { status: 200 }), "ProtocolError", /absent/],
    ["no list", () => text("{\"hello\":1}", 200), "ProtocolError", /not a list/],
    ["null", () => text("null", 200), "ProtocolError", /not a list/],
    ["nothing at all", () => new Response(null, { status: 204 }), "ProtocolError", /content type absent/],
    ["JSON without a code, 401", () => text("{}", 401), "KeyRejected", /401/],
    ["JSON without a code, 403", () => text("{}", 403), "PermissionDenied", /SPOT_DEPOSIT_READ/],
    ["JSON without a code, 404", () => text("{}", 404), "ServiceError", /HTTP 404/],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: "https://evil.test" } }),
      "ProtocolError",
      /redirect, which is never followed/
    ],
    [
      "text that is not UTF-8",
      () =>
        new Response(new Uint8Array([0xff, 0xfe, 0x5b]), {
          headers: { "content-type": "application/json" }
        }),
      "ProtocolError",
      /not UTF-8/
    ],
    ["a 418 that is not UTF-8", () => new Response(new Uint8Array([0xff]), { status: 418 }), "Banned", /another 1m/],
    ["a 503 that is not UTF-8", () => new Response(new Uint8Array([0xff]), { status: 503 }), "Unavailable", /HTTP 503/]
  ])("%s", ([, answer, tag, message]) =>
    Effect.gen(function*() {
      const reason = yield* reasonOf(answer)
      assert.strictEqual(reason._tag, tag)
      assert.match(reason.message, message)
    }))

  it.effect("shows at most 200 characters of a stranger's text", () =>
    Effect.gen(function*() {
      const reasons = [
        yield* reasonOf(() => text("x".repeat(5000), 200, "text/plain")),
        yield* reasonOf(() => Service.json({ code: 5, msg: "x".repeat(5000) }, 400)),
        yield* reasonOf(() => Service.json({ code: "y".repeat(5000), msg: "" }, 400))
      ]
      for (const { message } of reasons) assert.isBelow(message.length, 500)
    }))
})
