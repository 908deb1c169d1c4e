/** Whether what a reconciliation says is true of a world where every pair has an amount of its own. */
import { assert } from "@effect/vitest"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as World from "./World.ts"

/** What this world gives no reason to say. */
const NEVER: ReadonlySet<Outcome.Code> = new Set<Outcome.Code>([
  "source-conflict",
  "duplicate-suspect",
  "amount-mismatch",
  "asset-mismatch",
  "account-mismatch",
  "reversed",
  "wrong-direction"
])

/** Holds at `now`, Unix ms. */
export const judge = (
  outcomes: ReadonlyArray<Outcome.Outcome>,
  { deposits, transfers }: World.World,
  { regressions, now }: { readonly regressions: boolean; readonly now: number }
): void => {
  const depositOf = new Map(deposits.map((truth) => [truth.record.amount, truth]))
  const transferOf = new Map(transfers.map((truth) => [truth.record.amount, truth]))

  for (const outcome of outcomes) {
    const amount = [...outcome.deposits, ...outcome.transfers][0]?.amount ?? ""
    const [deposit, transfer] = [depositOf.get(amount), transferOf.get(amount)]
    const was = (truth: World.Truth<unknown> | undefined) => ({
      removed: truth?.removed !== undefined && truth.removed.from <= now,
      unseen: truth === undefined || truth.shownFrom > now
    })
    const told = `${outcome.code}: ${outcome.explanation} ${JSON.stringify({ deposit, transfer, now })}`
    assert.isFalse(NEVER.has(outcome.code), told)
    if (outcome.code === "missing-deposit") assert.isTrue(was(deposit).unseen || was(deposit).removed, told)
    if (outcome.code === "missing-transfer") assert.isTrue(was(transfer).unseen || was(transfer).removed, told)
    if (outcome.code === "vanished") assert.isTrue(was(deposit).removed || was(transfer).removed, told)
    if (outcome.code === "status-regressed") assert.isTrue(regressions, told)
    if (outcome.outcome === "matched") {
      assert.deepStrictEqual(outcome.deposits.map((entry) => entry.amount), [amount], told)
      assert.deepStrictEqual(outcome.transfers.map((entry) => entry.amount), [amount], told)
    }
  }
}

/** What was final for an entry, by its id. */
export type Final = Map<string, Outcome.Code>

/** What was final stays as it was. */
export const judgeFinal = (outcomes: ReadonlyArray<Outcome.Outcome>, known: Final): void => {
  for (const { code, deposits, explanation, final, transfers } of outcomes) {
    if (!final) continue
    for (const { id, side } of [...deposits, ...transfers]) {
      const entry = `${side} ${id}`
      assert.strictEqual(code, known.get(entry) ?? code, `was final for ${entry}: ${explanation}`)
      known.set(entry, code)
    }
  }
}
