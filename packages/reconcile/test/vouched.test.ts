import { assert, describe, it } from "@effect/vitest"
import * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as OutcomeStream from "../src/internal/OutcomeStream.ts"
import * as Matching from "../src/Matching.ts"
import * as Reconciliation from "../src/Reconciliation.ts"
import * as Run from "./support/Run.ts"

const { deposit, transfer } = Run

/** A sweep of an account to the master account. */
const sweep = (id: string, minutes: number, from: string, fields: Parameters<typeof transfer>[2] = {}) =>
  transfer(id, minutes, { from, to: "master", account: from, ...fields })

const only = (input: Run.Input) => {
  const [first, ...rest] = Matching.match({
    deposits: [],
    transfers: [],
    bad: [],
    coverage: Run.complete,
    accounts: { list: ["sub1"], complete: true },
    ...input,
    policy: Run.policy(input.policy)
  }).outcomes
  assert.isDefined(first)
  return [first, ...rest] as const
}

describe("a list of accounts that is vouched to name all", () => {
  it("is refuted for a deposit of another account: nobody says that it was not moved", () => {
    const [outcome] = only({
      deposits: [deposit("d1", 0, { account: "sub2" })],
      transfers: [sweep("t1", 5, "sub2")]
    })
    assert.include(outcome, { code: "coverage-gap", outcome: "undetermined", final: false })
    assert.strictEqual(
      outcome.explanation,
      "1 BTC arrived in sub2 on 15 Jan 2027 08:00 UTC. No transfer that counts belongs to it, but it is of account sub2, which the list of accounts lacks although somebody vouched that it names all. Correct the list, or do not vouch for it."
    )
  })

  it("is refuted for a deposit of nobody knows whom, by a transfer of another account in its window, of whatever amount", () => {
    const [outcome] = only({ deposits: [deposit("d1", 0)], transfers: [sweep("t1", 5, "sub2", { amount: "7" })] })
    assert.strictEqual(outcome.code, "coverage-gap")
    assert.include(outcome.explanation, "transfer t1 of 7 BTC in its window is of account sub2, which the list")
  })

  it("stands where the other account has moved another asset, or outside the window, or nothing that came through", () => {
    for (
      const other of [
        sweep("t1", 5, "sub2", { asset: "ETH" }),
        sweep("t1", 61, "sub2"),
        sweep("t1", -2, "sub2"),
        sweep("t1", 5, "sub2", { status: "failed" })
      ]
    ) {
      const outcomes = only({ deposits: [deposit("d1", 0)], transfers: [other], policy: { late: 0 } })
      assert.include(outcomes.map(({ code }) => code), "missing-transfer")
    }
  })

  it("stands for the deposits of its own accounts", () => {
    const outcomes = only({
      deposits: [deposit("d1", 0, { account: "sub1" })],
      transfers: [sweep("t1", 5, "sub2")]
    })
    assert.deepStrictEqual(Run.summary(outcomes), ["missing-transfer d1", "out-of-flow t1"])
  })

  it("need not name what a flow names", () => {
    const flows = [{ from: "sub2", to: "master" }, { from: "*", to: "master" }] as const
    const outcomes = only({ deposits: [deposit("d1", 0, { account: "sub2" })], policy: { flows } })
    assert.deepStrictEqual(Run.summary(outcomes), ["missing-transfer d1"])
  })

  it("is not there where nobody vouches: the transfers of all accounts count", () => {
    const outcomes = only({
      deposits: [deposit("d1", 0, { account: "sub2" })],
      transfers: [sweep("t1", 5, "sub2")],
      accounts: { list: ["sub1"], complete: false }
    })
    assert.deepStrictEqual(Run.summary(outcomes), ["exact d1 t1"])
  })

  it.effect("is told to be wrong in every report, and by which accounts", () =>
    Effect.gen(function*() {
      const options = { accounts: { list: ["sub1"], complete: true }, policy: Run.policy() }
      const [deposits, transfers] = Run.complete.map((coverage) => [coverage])
      const left = Slice.fromEntries(
        Stream.make(deposit("d1", 0, { account: "sub2" }), deposit("d2", 1, { account: "sub1" })),
        deposits ?? []
      )
      const right = Slice.fromEntries(Stream.make(sweep("t1", 5, "sub3"), sweep("t2", 6, "sub1")), transfers ?? [])
      const warning =
        "Somebody vouched that the list of accounts names all, but 2 entries are of 2 accounts that it lacks: account sub2, account sub3. Their transfers do not count; correct the list, or do not vouch for it."
      assert.include((yield* Reconciliation.reconcile(left, right, options)).warnings, warning)
      const events = yield* Stream.runCollect(OutcomeStream.make(left, right, options))
      const last = events.at(-1)
      assert.include(last?._tag === "Summary" ? last.summary.warnings : [], warning)
    }))
})
