/** What proves that no key was made, and what does not. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Service from "./support/service.ts"

const html = { "content-type": "text/html" }
const jsonType = { "content-type": "application/json" }
const made = { apiKey: "a", secretKey: "b", createTime: 1 }

/** Asks for one key and is answered so. */
const ask = (handler: Service.Handler) =>
  Effect.gen(function*() {
    const service = Service.make(handler)
    const broker = yield* Service.broker(service, { maxBody: 1024 })
    const { reason } = yield* Effect.flip(
      broker.createApiKey({ subAccount: "sub00001", permissions: ["SPOT_ACCOUNT_READ"], note: "note-7" })
    )
    assert.strictEqual(service.seen.length, 1)
    return reason
  })

describe("createApiKey", () => {
  it.effect.each(
    [
      ["a code that nobody knows, inside HTTP 200", () => Service.refusal(999_999, 200), "HTTP 200, code 999999"],
      ["a code that nobody knows, with HTTP 400", () => Service.refusal(999_999, 400), "HTTP 400, code 999999"],
      ["a code of a failed backend", () => Service.refusal(-1007, 200), "HTTP 200, code -1007"],
      ["a gateway's timeout", () => Service.refusal(408, 408), "HTTP 408, code 408"],
      ["a gateway's word for a client that left", () => Service.refusal(499, 499), "HTTP 499, code 499"],
      ["a code of success with HTTP 400", () => Service.refusal(0, 400), "HTTP 400, code 0"],
      ["another code of success with HTTP 400", () => Service.refusal("200", 400), "HTTP 400, code 200"],
      ["a code in words beside a key", () => Service.json({ ...made, code: "SUCCESS" }), "HTTP 200"],
      ["a code of one beside a key", () => Service.json({ ...made, code: 1 }), "HTTP 200, code 1"]
    ] as const
  )("does not take %s for a proof, and tells status and code", ([, answer, detail]) =>
    Effect.gen(function*() {
      const reason = yield* ask(answer)
      assert.deepInclude(reason, { _tag: "OutcomeUnknown", detail })
    }))

  it.effect.each([400, 700001, 700002, 700007, 730705, 730603])(
    "is refused, and known to be, by %d",
    (code) =>
      Effect.gen(function*() {
        for (const status of [200, 400]) {
          const reason = yield* ask(() => Service.refusal(code, status))
          assert.notInclude(["OutcomeUnknown", "Unavailable"], reason._tag)
        }
      })
  )

  const strangers: ReadonlyArray<readonly [string, () => Response]> = [
    ["a firewall's page with 403", () => new Response("<html>", { status: 403, headers: html })],
    ["an empty 400", () => new Response(null, { status: 400 })],
    ["a stranger's JSON with 401", () => Service.json({ error: "token expired" }, 401)],
    ["a code in what is not called JSON", () => new Response("{\"code\":400}", { status: 400, headers: html })],
    ["a 404 cut short", () => new Response("{\"code\":40", { status: 404, headers: jsonType })],
    ["a 400 that is no text", () => new Response(new Uint8Array([255]), { status: 400, headers: jsonType })],
    ["a 400 without an end in sight", () => Service.json("x".repeat(5000), 400)],
    ["not modified", () => new Response(null, { status: 304 })],
    ["multiple choices", () => new Response(null, { status: 300 })]
  ]

  it.effect.each(strangers)(
    "ends in OutcomeUnknown after %s: nobody who knows said that it did not run",
    ([, answer]) =>
      Effect.gen(function*() {
        const reason = yield* ask(answer)
        assert.deepInclude(reason, { _tag: "OutcomeUnknown", note: "note-7" })
      })
  )

  it.effect("is refused, and known to be, by the service's own error about the form of a request", () =>
    Effect.gen(function*() {
      for (const status of [200, 400]) {
        assert.strictEqual((yield* ask(() => Service.refusal(700013, status)))._tag, "ProtocolError")
      }
    }))

  it.effect.each([301, 302, 307, 308])(
    "is refused, and known to be, by a redirect (%d)",
    (status) =>
      Effect.gen(function*() {
        const reason = yield* ask(() => new Response(null, { status, headers: { location: "/" } }))
        assert.deepInclude(reason, { _tag: "ProtocolError", status })
      })
  )

  const refused = { code: "ECONNREFUSED", syscall: "connect" }
  const resolved = { code: "EAI_AGAIN", syscall: "getaddrinfo" }
  const read = { code: "EHOSTUNREACH", syscall: "read" }
  it.effect.each<readonly [string, object, boolean]>([
    ["a refused connection", refused, false],
    ["a name that nobody knows", resolved, false],
    ["a connection that nobody answered", { code: "ETIMEDOUT", syscall: "connect" }, false],
    ["a connection that undici waited for in vain", { code: "UND_ERR_CONNECT_TIMEOUT" }, false],
    ["two addresses, both refused", { code: "ECONNREFUSED", errors: [refused, refused] }, false],
    ["two addresses, of which one was lost later", { code: "ECONNREFUSED", errors: [refused, read] }, true],
    ["a host that went away while its answer was read", read, true],
    ["a network that went away while its answer was read", { code: "ENETUNREACH", syscall: "read" }, true],
    ["a network that went away while it was written to", { code: "ENETUNREACH", syscall: "write" }, true],
    ["a code that does not say what failed", { code: "ECONNREFUSED" }, true],
    ["an aggregate of nothing", { code: "ECONNREFUSED", errors: [] }, true]
  ])("knows whether the request can have left: %s", ([, cause, isSent]) =>
    Effect.gen(function*() {
      const reason = yield* ask(({ request }) => Effect.fail(Service.transportFailure(request, cause)))
      assert.deepInclude(reason, isSent ? { _tag: "OutcomeUnknown" } : { _tag: "Unavailable", sent: false })
    }))
})
