/** The outcomes that a report must show for a planted break: their codes, and exactly which records. */
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
  early: whole("early"),
  "failed-transfer": whole("failed-attempt"),
  "pending-deposit": whole("unconfirmed"),
  "interchangeable-burst": whole("class-balanced"),
  "burst-short-of-one": whole("class-short"),
  "in-flight": whole("in-flight"),
  "incomplete-sweep": whole("split-incomplete"),
  "incomplete-split": whole("split-incomplete"),
  "account-mismatch": whole("account-mismatch"),
  "asset-mismatch": whole("asset-mismatch"),
  "wrong-direction": whole("wrong-direction"),
  /** The others were swept together, and one is missing. */
  "deposit-left-out": ({ deposits, groups }) => {
    const together = new Set(groups.flatMap((group) => group.deposits))
    const left = deposits.filter((deposit) => !together.has(deposit))
    return [
      ...groups.map((group): Owed => ({ codes: ["grouped"], ...group })),
      { codes: ["missing-transfer"], deposits: left, transfers: [] }
    ]
  },
  /** There and back count as nothing; what is left is swept again or missing. */
  reversed: ({ deposits, transfers }) => [
    { codes: ["reversed"], deposits: [], transfers: transfers.slice(0, 2) },
    { codes: transfers.length > 2 ? ["exact"] : ["missing-transfer"], deposits, transfers: transfers.slice(2) }
  ],
  /** The sweep is a match, and the second transfer is left over. */
  "duplicate-transfer": ({ deposits, transfers }) => [
    { codes: ["exact"], deposits, transfers: transfers.slice(0, 1) },
    { codes: ["duplicate-suspect"], deposits: [], transfers: transfers.slice(1) }
  ],
  /** It cannot be named: see `Comparison`. */
  "crowd-unswept": () => []
}

export const by: Rule = (planted) => rules[planted.kind](planted)
