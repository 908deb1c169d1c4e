import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TransportFailure from "../src/internal/wire/TransportFailure.ts"
import * as Service from "./support/service.ts"

const failed = (message: string, properties: object = {}): Error => Object.assign(new Error(message), properties)

/** How a call ends whose transport fails with this. */
const reasonOf = (cause: unknown) =>
  Effect.gen(function*() {
    const service = Service.make(({ request }) => Effect.fail(Service.transportFailure(request, cause)))
    const broker = yield* Service.broker(service, { retries: 1, conventions: { serverTimePath: null } })
    const error = yield* Service.withAdvancingClock(Effect.flip(broker.subAccountDeposits()))
    return error.reason._tag === "Unavailable" ? error.reason : assert.fail(error.reason._tag)
  })

describe("an error Unavailable", () => {
  it.effect("tells what the transport said of a proxy, also after a retry", () =>
    Effect.gen(function*() {
      const said = "Proxy response (407) !== 200 when HTTP Tunneling"
      const reason = yield* reasonOf(
        failed("Request was cancelled.", { cause: failed(said, { code: "UND_ERR_ABORTED" }) })
      )
      assert.strictEqual(reason.attempts, 2)
      assert.strictEqual(reason.code, "UND_ERR_ABORTED")
      assert.match(reason.cause ?? "", /: Request was cancelled\.: Proxy response \(407\) !== 200 when HTTP Tunneling$/)
      assert.include(reason.message, said)
    }))

  it.effect("tells each address of a host that was tried", () =>
    Effect.gen(function*() {
      const refused = (address: string) =>
        failed(`connect ECONNREFUSED ${address}`, { code: "ECONNREFUSED", syscall: "connect" })
      const errors = [refused("::1:3128"), refused("127.0.0.1:3128")]
      const reason = yield* reasonOf(Object.assign(new AggregateError(errors, ""), { code: "ECONNREFUSED" }))
      assert.include(reason.cause ?? "", "connect ECONNREFUSED ::1:3128; connect ECONNREFUSED 127.0.0.1:3128")
      assert.isFalse(reason.sent)
    }))

  it.effect("has at most 200 characters of it", () =>
    Effect.gen(function*() {
      const reason = yield* reasonOf(failed("x".repeat(5000)))
      assert.strictEqual(reason.cause?.length, 200)
    }))
})

describe("the words of a transport", () => {
  it("keep no query of an address, and nobody's name and password", () => {
    const words = TransportFailure.words(
      failed(
        "cannot connect to http://user:pass/@word@proxy.test:3128 for https://api.test/v3?subAccount=sub1&signature=f00"
      )
    )
    assert.strictEqual(words, "cannot connect to http://proxy.test:3128 for https://api.test/v3?…")
  })

  it("tell a message once that an error has from its cause", () => {
    assert.strictEqual(TransportFailure.words(failed("reset", { cause: failed("reset") })), "reset")
  })

  it.each([undefined, null, 7, {}, { message: 7 }, { errors: "none" }, "", { cause: { cause: null } }])(
    "are none where %j says nothing",
    (failure) => {
      assert.strictEqual(TransportFailure.words(failure), "")
      assert.isUndefined(TransportFailure.coded(failure))
    }
  )

  it("end, also where a cause is its own", () => {
    const error = failed("round")
    Object.assign(error, { cause: error })
    assert.strictEqual(TransportFailure.words(error), "round")
  })
})
