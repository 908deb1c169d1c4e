/** Says in words why entries are stated to be a sum, or are not stated although they may be one. */
import { absurd } from "effect/Function"
import type * as Entry from "../../Entry.ts"
import type * as Because from "./Because.ts"
import type { Moments } from "./Moments.ts"
import * as Pair from "./Pair.ts"
import type { Unexplained } from "./Unexplained.ts"
import * as Words from "./Words.ts"

type OfSum = Extract<Because.Because, {
  code:
    | "sum"
    | "sum-of-other-rules"
    | "several-sums"
    | "contested-sum"
    | "sum-by-chance"
    | "sums-without-evidence"
    | "sums-not-searched"
    | "part-of-a-sum"
    | "part-not-searched"
    | "sum-falls-short"
}>

/** The largest number of members that are named one by one. */
const NAMED = 5

/** Sets are counted up to this number. */
export const COUNTED = 1000

/** Names or counts the parts: `deposits d1, d2 and d3`, or `27 deposits`. */
const parts = (side: Entry.Side, ids: ReadonlyArray<string>, count: number): string => {
  if (count > NAMED || ids.length !== count || count === 0) return Words.count(count, side)
  return ids.length === 1 ? `${side} ${ids.join()}` : `${side}s ${ids.slice(0, -1).join(", ")} and ${ids.at(-1)}`
}

/** Says how the sum compares to the entry, as a sentence; nothing where it is equal. */
const amounts = (told: Unexplained, { amounts, fee }: Extract<OfSum, { code: "sum" }>): string => {
  const residual = told.residual ?? "0"
  if (fee === undefined) {
    return amounts === "equal"
      ? "The amounts are equal."
      : `That is ${Pair.difference(residual)}, within the tolerance.`
  }
  return `After a ${Pair.feeText(fee)}${
    told.transfers.length > 1 ? " (the flat part for each transfer)" : ""
  } that is ${residual === "0" ? "exactly what was expected" : `${Pair.difference(residual)} than expected`}.`
}

const openSum = ({ openSum }: Unexplained): string => {
  if (openSum === undefined) throw new RangeError("an outcome lacks the sum that its facts speak of")
  return openSum
}

export const sentence = (told: Unexplained, because: OfSum, moments: Moments): string => {
  // A sum has one entry on its own side and several on the other.
  const isDeposit = told.transfers.length === 0 || (told.deposits.length === 1 && told.transfers.length > 1)
  const [own, others] = isDeposit ? [told.deposits, told.transfers] : [told.transfers, told.deposits]
  const entry = Words.only(own)
  const other = isDeposit ? "transfer" : "deposit"
  const happened = Words.happened(entry, moments)
  const small = (count: number): string =>
    `${Words.count(count, `open ${other}`)} in its window ${count === 1 ? "is" : "are"} small enough to be parts of it`
  const ids = others.map(({ id }) => id)
  switch (because.code) {
    case "sum":
      return `${happened} and ${isDeposit ? "was moved with" : "gathers"} ${
        parts(other, ids, ids.length)
      }, together ${because.sum} ${entry.asset}. ${amounts(told, because)} ${
        because.everything
          ? `These are all open ${other}s in its window.`
          : `No other set of at most ${ids.length} of the ${because.among} open ${other}s in its window comes to it.`
      }`
    case "sum-of-other-rules":
      return `${happened}. ${
        Words.count(because.parts, other)
      } in its window add up to it, but the policy has other rules for some of them, so that they are not taken for a group.`
    case "several-sums":
      return `${happened}. Open ${other}s in its window add up to it in ${
        because.atLeast > COUNTED ? `more than ${COUNTED}` : `at least ${because.atLeast}`
      } ways, and none of them is all there is. The candidates list the smallest.`
    case "contested-sum":
      return `${happened}. It can be made up of ${
        parts(other, because.ids, because.parts)
      }, but an entry of them can as well be a part of another sum, so neither is taken.`
    case "sum-by-chance":
      return `${happened}. It equals the sum of ${parts(other, because.ids, because.parts)}, but ${
        small(because.among)
      }, and they allow so many sums that it may be chance.`
    case "sums-without-evidence":
      return `${happened}. ${small(because.among)}, but they allow so many sums that none would be evidence.`
    case "sums-not-searched":
      return `${happened}. ${small(because.among)}, and they make more sets than are searched${
        because.size === undefined ? "" : ` (the search ended at sets of ${because.size})`
      }.`
    case "part-of-a-sum":
      return `${happened}. It may be a part of ${other} ${because.id}${
        because.others > 0 ? ` or of ${Words.count(because.others, "other")}` : ""
      }. Which ${entry.side}s make that up is not decided.`
    case "part-not-searched":
      return `${happened}. It may be a part of a larger ${other}, but there are more sets than are searched.`
    case "sum-falls-short":
      return `${happened} and is partly settled: ${parts(other, ids, ids.length)} ${
        ids.length === 1 ? "accounts" : "account"
      } for ${because.sum} ${entry.asset}, and ${
        openSum(told)
      } ${entry.asset} is open. Nothing else that is open in its window fits any of these entries.`
    default:
      return absurd(because)
  }
}
