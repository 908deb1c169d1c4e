import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "@tallystick/reconcile/Accounts"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as ArchiveSource from "../src/ArchiveSource.ts"

const T0 = 1_763_500_000_000

describe("a range that is none", () => {
  it.effect("is an error of everything that reads the archive", () =>
    Effect.gen(function*() {
      for (const [from, to] of [[Number.NaN, T0], [T0, Number.NaN], [T0, T0], [T0, T0 - 1], [T0 / 1000, T0]] as const) {
        const range = { from, to }
        const source = { ...range, policy: Policy.defaults, accounts: Accounts.none }
        const errors = [
          yield* Effect.flip(ArchiveReconciliation.run({ range })),
          yield* Effect.flip(Stream.runDrain(ArchiveReconciliation.events({ range }))),
          yield* Effect.flip(ArchiveReconciliation.record({ range })),
          yield* Effect.flip(Stream.runDrain(ArchiveSource.deposits(source))),
          yield* Effect.flip(Stream.runDrain(ArchiveSource.transfers(source)))
        ]
        assert.deepStrictEqual(new Set(errors.map(({ _tag }) => _tag)), new Set(["InvalidRange"]))
      }
    }).pipe(Effect.provide(Archive.Archive.layerMemory())))

  it.effect("is not one that has no bounds", () =>
    Effect.gen(function*() {
      const report = yield* ArchiveReconciliation.run({ range: { from: 0, to: Number.MAX_SAFE_INTEGER } })
      assert.isFalse(report.clean)
    }).pipe(Effect.provide(Archive.Archive.layerMemory())))

  it.effect("is an error too where slices are to have a number of records that is none", () =>
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      const range = { from: T0, to: T0 + 1 }
      const source = { ...range, policy: Policy.defaults, accounts: Accounts.none }
      for (const batch of [0, -1, Number.NaN, 0.5, Number.POSITIVE_INFINITY]) {
        const errors = [
          yield* Effect.flip(Stream.runDrain(deposits.slices({ ...range, batch }))),
          yield* Effect.flip(Stream.runDrain(ArchiveSource.transfers({ ...source, batch }))),
          yield* Effect.flip(Stream.runDrain(ArchiveReconciliation.events({ range, batch })))
        ]
        for (const { message } of errors) assert.include(message, " is no number of records: 1 or more are wanted")
      }
      assert.strictEqual((yield* Stream.runCollect(deposits.slices({ ...range, batch: 1 }))).length, 1)
    }).pipe(Effect.provide(Archive.Archive.layerMemory())))
})
