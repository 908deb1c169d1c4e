/** A run is about flows and accounts, and follows a policy: a clean report has read all of them, and none that nobody checked. */
import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Accounts from "../src/Accounts.ts"
import * as Matching from "../src/Matching.ts"
import * as Policy from "../src/Policy.ts"
import { PolicyError } from "../src/PolicyError.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Run from "./support/Run.ts"

/** The transfers from an account to the master account, completely read within `hours` of T0. */
const read = (
  account: string,
  fields: Partial<Coverage.Coverage> = {},
  types: readonly [string, string] = ["SPOT", "SPOT"]
): Coverage.Coverage => ({
  operation: "transfers",
  query: { fromAccount: account, fromAccountType: types[0], toAccountType: types[1] },
  from: Run.T0 - Run.DAY,
  to: Run.T0 + 2 * Run.DAY,
  readAt: Run.T0 + 2 * Run.DAY,
  state: "complete",
  ...fields
})

describe("a clean report has read all that its flows and accounts ask about", () => {
  const range = { from: Run.T0, to: Run.T0 + Run.HOUR }
  const slice = (coverage: ReadonlyArray<Coverage.Coverage>) =>
    Stream.make({ from: Run.T0 - Run.DAY, to: Run.T0 + 2 * Run.DAY, records: [], bad: [], coverage })
  const reported = Effect.fnUntraced(function*(
    coverage: ReadonlyArray<Coverage.Coverage>,
    options: Reconciliation.Options = {}
  ) {
    const asked = { accounts: { list: ["a", "b"], complete: true }, range, ...options }
    const [deposits, transfers] = [slice(Run.complete.slice(0, 1)), slice(coverage)]
    const { clean, unread } = yield* Reconciliation.reconcile(deposits, transfers, asked)
    const events = yield* Stream.runCollect(Reconciliation.events(deposits, transfers, asked))
    const [last] = events.flatMap((event) => event._tag === "Summary" ? [event.summary] : [])
    assert.deepStrictEqual(last && { clean: last.clean, unread: last.unread }, { clean, unread })
    return { clean, unread: unread.map(({ query }) => query?.fromAccount) }
  })

  it.effect("of each account of the list", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* reported([read("a")]), { clean: false, unread: ["b"] })
      assert.deepStrictEqual(yield* reported([read("a"), read("b")]), { clean: true, unread: [] })
      assert.deepStrictEqual(yield* reported([read("a"), read("b", { from: Run.T0 + 1 })]), {
        clean: false,
        unread: ["b"]
      })
      const { query: _, ...everything } = read("a")
      assert.deepStrictEqual(yield* reported([everything, read("a")]), { clean: true, unread: [] })
    }))

  it.effect("of the flows of the policy, with their account types", () =>
    Effect.gen(function*() {
      const ofB = { policy: yield* Policy.make({ flows: [{ from: "b", to: "master" }] }) }
      assert.deepStrictEqual(yield* reported([read("a")], ofB), { clean: false, unread: ["b"] })
      assert.deepStrictEqual(yield* reported([read("b")], ofB), { clean: true, unread: [] })
      const typed = {
        policy: yield* Policy.make({ flows: [{ from: "b", to: "master", types: [["SPOT", "FUTURES"]] }] })
      }
      assert.deepStrictEqual(yield* reported([read("b")], typed), { clean: false, unread: ["b"] })
      assert.deepStrictEqual(yield* reported([read("b", {}, ["SPOT", "FUTURE"])], typed), { clean: true, unread: [] })
    }))
})

describe("a policy that nobody checked", () => {
  it.effect("is refused before anything is decided", () =>
    Effect.gen(function*() {
      const none = Stream.empty
      for (
        const [wrong, path] of [
          [{ late: Number.POSITIVE_INFINITY }, "late"],
          [{ late: -1 }, "late"],
          [{ window: { before: 0, after: Number.NaN } }, "window.after"],
          [{ minAmount: { USDT: "abc" } }, "minAmount.USDT"]
        ] as const
      ) {
        const policy = { ...Policy.defaults, ...wrong }
        const failures = [
          yield* Effect.flip(Reconciliation.reconcile(none, none, { policy })),
          yield* Effect.flip(Stream.runDrain(Reconciliation.events(none, none, { policy }))),
          Result.getOrThrow(Result.flip(Result.try(() =>
            Matching.match({ policy, deposits: [], transfers: [], bad: [], coverage: [], accounts: Accounts.none })
          )))
        ]
        for (const failure of failures) {
          assert.isTrue(failure instanceof PolicyError && failure.issues[0]?.path === path, String(failure))
        }
      }
    }))
})
