import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, it } from "@effect/vitest"
import * as Signer from "@tallystick/core/Signer"
import * as Mac from "effect/crypto/Mac"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

const secret = Redacted.make("recognisable-secret-0123456789abcdef")
const payload = "symbol=BTCUSDT&timestamp=1700000000000"

const signature = Effect.flatMap(Signer.Signer.make(secret), (signer) => signer.sign(payload))

it.effect("Node's own HMAC and WebCrypto's make the same signature", () =>
  Effect.gen(function*() {
    const byNode = yield* Effect.provide(signature, NodeCrypto.layerMac)
    assert.match(byNode, /^[0-9a-f]{64}$/)
    assert.strictEqual(byNode, yield* signature)
  }))

it.effect("the Mac of the context computes signatures where there is one", () =>
  Effect.gen(function*() {
    const mac = yield* Mac.Mac
    const signed = yield* Effect.provideService(signature, Mac.Mac, {
      ...mac,
      sign: () => Effect.succeed(new Uint8Array([0, 171, 205]))
    })
    assert.strictEqual(signed, "00abcd")
  }).pipe(Effect.provide(NodeCrypto.layerMac)))

it.effect("with an empty secret, or one that kept the line break of its file, nothing is signed, and the one who gave it is told", () =>
  Effect.gen(function*() {
    for (const secret of ["", "zebra\n", "zebra\r\n", " zebra", "zebra\t", "ze\nbra"]) {
      const layer = Signer.Signer.layer({ secretKey: Redacted.make(secret) })
      const error = yield* Effect.flip(Effect.provide(Signer.Signer, layer))
      assert.strictEqual(
        error.message,
        "secretKey is not valid; allowed: one line of text that is not empty, without white space around it"
      )
    }
  }))
