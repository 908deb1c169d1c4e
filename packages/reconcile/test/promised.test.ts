import { assert, describe, it } from "@effect/vitest"
import * as Broker from "@tallystick/core/Broker"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Accounts from "../src/Accounts.ts"
import * as BrokerReconciliation from "../src/BrokerReconciliation.ts"
import * as Matching from "../src/Matching.ts"
import * as Policy from "../src/Policy.ts"
import { PolicyError } from "../src/PolicyError.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Run from "./support/Run.ts"

/** A source that must not be asked. */
const unasked: Reconciliation.Side = Stream.suspend(() => Stream.die("asked"))

/** Each with the place that is named. */
const hostile: ReadonlyArray<readonly [given: object, path: string]> = [
  [{ accounts: null }, "accounts"],
  [{ accounts: "sub1" }, "accounts"],
  [{ accounts: {} }, "accounts.list"],
  [{ accounts: { list: null, complete: true } }, "accounts.list"],
  [{ accounts: { list: [5], complete: true } }, "accounts.list.0"],
  [{ addresses: "T1" }, "addresses"],
  [{ addresses: [null] }, "addresses.0"],
  [{ addresses: [{ address: 5, account: "sub1" }] }, "addresses.0.address"]
]

const range = { from: Run.T0, to: Run.T0 + Run.DAY }

describe("accounts and addresses that are not as their types promise", () => {
  it.effect("are an error of every reconciliation, which names them before anything is read", () =>
    Effect.gen(function*() {
      for (const [given, path] of hostile) {
        const options = { range, ...given }
        const errors = [
          yield* Effect.flip(Reconciliation.reconcile(unasked, unasked, options)),
          yield* Effect.flip(Stream.runDrain(Reconciliation.events(unasked, unasked, options))),
          yield* Effect.flip(BrokerReconciliation.run(options)),
          yield* Effect.flip(Stream.runDrain(BrokerReconciliation.events(options)))
        ]
        for (const error of errors) {
          assert.strictEqual(error._tag, "PolicyError")
          assert.include(error.message, path)
        }
      }
    }).pipe(Effect.provide(Broker.Broker.layerMemory({}))))

  it("are an error that a match throws", () => {
    const input = {
      deposits: [Run.deposit("d", 0)],
      transfers: [],
      bad: [],
      policy: Policy.defaults,
      coverage: Run.complete,
      accounts: Accounts.none
    }
    for (const [given] of hostile) assert.throws(() => Matching.match({ ...input, ...given }), PolicyError)
  })
})
