import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import * as ClientTranId from "@tallystick/core/ClientTranId"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Effect from "effect/Effect"
import { deposit } from "./support/records.ts"
import published from "./vectors/client-tran-id.json" with { type: "json" }

describe("clientTranIdFor", () => {
  it.effect.each(published.vectors)(
    "gives the published id: $name",
    ({ canonicalText, clientTranId, deposit, ordinal }) =>
      Effect.gen(function*() {
        assert.strictEqual(ClientTranId.canonicalText(deposit, ordinal), canonicalText)
        const derived = ClientTranId.clientTranIdFor(deposit, ordinal)
        assert.strictEqual(yield* derived, clientTranId)
        assert.strictEqual(yield* Effect.provide(derived, NodeCrypto.layerDigest), clientTranId)
        assert.match(clientTranId, /^ts1[a-z0-9]{29}$/)
      })
  )

  it.effect.prop(
    "is 32 lowercase letters and digits for any deposit",
    [SubAccountDeposit.SubAccountDeposit],
    ([any]) =>
      Effect.gen(function*() {
        assert.match(yield* ClientTranId.clientTranIdFor(any), /^[a-z0-9]{32}$/)
      })
  )

  it.effect.prop(
    "does not depend on zeros, the place of the memo, status or confirmations",
    [SubAccountDeposit.SubAccountDeposit],
    ([any]) =>
      Effect.gen(function*() {
        const one = { ...any, amount: "12.5", address: "r-address", memo: "4711" }
        const other = {
          ...one,
          amount: "012.500",
          address: "r-address:4711",
          status: one.status === 1 ? 2 : 1,
          confirmTimes: `${one.confirmTimes}1`,
          unlockConfirm: "x"
        }
        const id = yield* ClientTranId.clientTranIdFor(one)
        assert.strictEqual(yield* ClientTranId.clientTranIdFor(other), id)
        assert.strictEqual(yield* ClientTranId.clientTranIdFor({ ...other, memo: "" }), id)
      })
  )

  it.effect("differs as soon as any part of the identity does", () =>
    Effect.gen(function*() {
      const changes = [
        {},
        { coin: "USDC" },
        { network: "ETH" },
        { txId: "hash:1" },
        { address: "TAbd" },
        { memo: "1" },
        { amount: "1.51" },
        { insertTime: 1_700_000_000_001 },
        { coin: "USDTT", network: "RX" }
      ]
      const ids = yield* Effect.forEach(changes, (change) => ClientTranId.clientTranIdFor(deposit(change)))
      assert.strictEqual(new Set([...ids, yield* ClientTranId.clientTranIdFor(deposit(), 2)]).size, changes.length + 1)
    }))
})

describe("clientTranIdsFor", () => {
  it.effect("numbers twins in the order they stand, and no others", () =>
    Effect.gen(function*() {
      const [a, b] = [deposit(), deposit({ txId: "other" })]
      const ids = yield* ClientTranId.clientTranIdsFor([a, b, { ...a, status: 4, amount: "1.50" }, b, a])
      const expected = yield* Effect.all([
        ClientTranId.clientTranIdFor(a, 1),
        ClientTranId.clientTranIdFor(b, 1),
        ClientTranId.clientTranIdFor(a, 2),
        ClientTranId.clientTranIdFor(b, 2),
        ClientTranId.clientTranIdFor(a, 3)
      ])
      assert.deepStrictEqual(ids, expected)
    }))
})
