/** Puts window, lateness, tolerance and fees in words. */
import * as Amount from "@tallystick/core/Amount"
import type * as Policy from "@tallystick/reconcile/Policy"
import * as Times from "../../text/Times.ts"
import { named, percent } from "./Words.ts"

type Sentences = ReadonlyArray<string>
type Fee = Policy.Resolved["fees"][number]

const far = (ms: number): string => (ms === 0 ? "at the very moment of" : `up to ${Times.spelled(ms)}`)

/** Writes the window. Both ends are included, and either bound may be negative. */
const window = ({ after, before }: Policy.Rule["window"]): Sentences => {
  if (before === 0 && after === 0) return ["A transfer must come at the very moment of its deposit."]
  if (-before === after) {
    return [`A transfer must come exactly ${Times.spelled(after)} ${after > 0 ? "after" : "before"} its deposit.`]
  }
  if (before < 0) {
    return [
      `A transfer must come at least ${Times.spelled(before)} and at most ${Times.spelled(after)} after its deposit.`
    ]
  }
  if (after < 0) {
    return [
      `A transfer must come at least ${Times.spelled(after)} and at most ${Times.spelled(before)} before its deposit.`
    ]
  }
  if (before === 0) return [`A transfer may come ${far(after)} after its deposit, and not before it.`]
  if (after === 0) return [`A transfer may come ${far(before)} before its deposit, and not after it.`]
  return [`A transfer may come ${far(before)} before and ${far(after)} after its deposit.`]
}

const late = (ms: number, areReferencesRead: boolean): Sentences =>
  ms === 0
    ? ["Outside the window a transfer is no counterpart."]
    : [
      `Where it is the only one, an equal transfer that comes up to ${
        Times.spelled(ms)
      } later than that is reported as late, ` +
      "and one that comes as much earlier as early.",
      ...(areReferencesRead ? ["The same holds for one of the same reference, whatever its amount."] : []),
      "What lies further away is no counterpart."
    ]

const bases = {
  deposit: "the deposit's amount",
  transfer: "the transfer's amount",
  larger: "the larger of the two amounts"
}

const tolerance = ({ absolute, base, inclusive, maxShare, relative }: Policy.Rule["tolerance"]): Sentences => {
  const [isAbsolute, isRelative] = [!Amount.isZero(absolute), !Amount.isZero(relative)]
  const cap = `${percent(maxShare)} of the smaller of the two`
  if (!isAbsolute && !isRelative) {
    return [
      "Amounts must be equal.",
      `(No tolerance is given. If one were, it would be taken of ${bases[base]}, a difference of just as much would ${
        inclusive ? "pass" : "not pass"
      }, and its absolute part would be at most ${cap}.)`
    ]
  }
  const parts = [
    ...(isAbsolute ? [`${Amount.canonical(absolute)} (but never more than ${cap})`] : []),
    ...(isRelative ? [`${percent(relative)} of ${bases[base]}`] : [])
  ]
  return [
    `Amounts may differ by ${inclusive ? "up to" : "less than"} ${parts.join(", or by ")}${
      parts.length > 1 ? ", whichever is more" : ""
    }.`,
    ...(isAbsolute ? [] : [`(No absolute part is given; it would be at most ${cap}.)`]),
    ...(isRelative ? [] : [`(No relative part is given; it would be taken of ${bases[base]}.)`])
  ]
}

/** Writes one sentence or several for each key of a rule, under a mode of looking at references. */
export const rule = (
  rule: Policy.Rule,
  reference: Policy.Resolved["reference"]
): { readonly window: Sentences; readonly late: Sentences; readonly tolerance: Sentences } => ({
  window: window(rule.window),
  late: late(rule.late, reference !== "ignore"),
  tolerance: tolerance(rule.tolerance)
})

const fee = ({ asset, flat, rate }: Fee): string => {
  const parts = [
    ...(Amount.isZero(flat) ? [] : [Amount.canonical(flat)]),
    ...(Amount.isZero(rate) ? [] : [`${percent(rate)} of it`])
  ]
  return `${
    asset === undefined ? "Any asset without a fee of its own" : named(asset)
  }: the transfer may be the deposit less ${parts.join(" and ") || "nothing"}.`
}

export const fees = (fees: ReadonlyArray<Fee>): Sentences =>
  fees.length === 0
    ? ["No fee is taken off between a deposit and its transfer."]
    : [...fees.map(fee), "Amounts are compared without the fee, too."]

/** Names the asset and the network: `BTC on TRX`. */
export const whom = ({ asset, network }: Policy.Resolved["per"][number]): string =>
  network === undefined ? named(asset) : `${named(asset)} on ${named(network)}`
