/** What a report owes to a planted break: which codes, about exactly which records. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Truth from "@tallystick/sandbox/Truth"

/** One outcome with any of these codes, and with exactly these deposits (by txId) and transfers (by tranId). */
export interface Owed {
  readonly codes: ReadonlyArray<Outcome.Code>
  readonly deposits: ReadonlyArray<string>
  readonly transfers: ReadonlyArray<string>
}

type Rule = (planted: Truth.Break) => ReadonlyArray<Owed>

const whole = (...codes: ReadonlyArray<Outcome.Code>): Rule => ({ deposits, transfers }) => [
  { codes, deposits, transfers }
]

const rules: Readonly<Record<Truth.Kind, Rule>> = {
  "deposit-without-transfer": whole("missing-transfer"),
  "transfer-without-deposit": whole("missing-deposit"),
  "amount-off": whole("amount-mismatch"),
  late: whole("late"),
  "failed-transfer": whole("failed-attempt"),
  "pending-deposit": whole("unconfirmed"),
  "interchangeable-burst": whole("class-balanced"),
  "burst-short-of-one": whole("class-short"),
  "in-flight": whole("in-flight"),
  /**
   * The sweep is a match, and the second transfer is left over: `missing-deposit` where a reference says whose the deposit
   * is, `ambiguous` where time alone does.
   */
  "duplicate-transfer": ({ deposits, transfers }) => [
    { codes: ["exact", "reference"], deposits, transfers: transfers.slice(0, 1) },
    { codes: ["missing-deposit", "ambiguous", "duplicate-suspect"], deposits: [], transfers: transfers.slice(1) }
  ],
  /** It cannot be named: see `Comparison`. */
  "crowd-unswept": () => []
}

export const by: Rule = (planted) => rules[planted.kind](planted)
