/** Says in words why entries are stated to be a sum, or are not stated although they may be one. */
import { absurd } from "effect/Function"
import type * as Entry from "../../Entry.ts"
import type * as Because from "./Because.ts"
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

/** Says how the sum compares to the entry, as the middle of the sentence. */
const amounts = (told: Unexplained, { amounts, fee }: Extract<OfSum, { code: "sum" }>): string => {
  const residual = told.residual ?? "0"
  if (fee === undefined) {
    return amounts === "equal"
      ? "exactly the same amount"
      : `that is ${Pair.difference(residual)}, within the tolerance`
  }
  return `after a ${Pair.feeText(fee)}${
    told.transfers.length > 1 ? " (the flat part for each transfer)" : ""
  } that is ${residual === "0" ? "exactly what was expected" : `${Pair.difference(residual)} than expected`}`
}

const openSum = ({ openSum }: Unexplained): string => {
  if (openSum === undefined) throw new RangeError("an outcome lacks the sum that its facts speak of")
  return openSum
}

export const sentence = (told: Unexplained, because: OfSum): string => {
  // A sum has one entry on its own side and several on the other.
  const isDeposit = told.transfers.length === 0 || (told.deposits.length === 1 && told.transfers.length > 1)
  const [own, others] = isDeposit ? [told.deposits, told.transfers] : [told.transfers, told.deposits]
  const entry = Words.only(own)
  const other = isDeposit ? "transfer" : "deposit"
  const what = Words.named(entry)
  const small = (count: number): string => `${Words.count(count, `open ${other}`)} in its window that are small enough`
  const ids = others.map(({ id }) => id)
  switch (because.code) {
    case "sum":
      return `${what} goes with ${parts(other, ids, ids.length)}, together ${because.sum} ${entry.asset}: ${
        amounts(told, because)
      }; ${
        because.everything
          ? `they are all open ${other}s in its window`
          : `no other set of at most ${ids.length} of the ${because.among} open ${other}s in its window comes to it`
      }.`
    case "sum-of-other-rules":
      return `${what} comes to what ${
        Words.count(because.parts, other)
      } in its window sum to, but their rules differ, so that they are not taken for a group.`
    case "several-sums":
      return `${what} can be made up of open ${other}s in its window in ${
        because.atLeast > COUNTED ? `more than ${COUNTED}` : `at least ${because.atLeast}`
      } ways, and none of them is all there is; the candidates list the smallest.`
    case "contested-sum":
      return `${what} can be made up of ${
        parts(other, because.ids, because.parts)
      }, but an entry of them can as well be a part of another sum, so neither is taken.`
    case "sum-by-chance":
      return `${what} comes to what ${parts(other, because.ids, because.parts)} sum to, but among ${
        small(because.among)
      } so many sums are possible that it may be chance.`
    case "sums-without-evidence":
      return `${what} may be made up of some of the ${
        small(because.among)
      }, but among them so many sums are possible that none would be evidence.`
    case "sums-not-searched":
      return `${what} may be made up of some of the ${small(because.among)}; there are more sets than are searched${
        because.size === undefined ? "" : ` (the search ended at sets of ${because.size})`
      }.`
    case "part-of-a-sum":
      return `${what} may be a part of ${other} ${because.id}${
        because.others > 0 ? ` or of ${Words.count(because.others, "other")}` : ""
      }; which ${entry.side}s make that up is not decided.`
    case "part-not-searched":
      return `${what} may be a part of a larger ${other}, but there are more sets than are searched.`
    case "sum-falls-short":
      return `${what} is left with ${parts(other, ids, ids.length)}, which fall short of it: ${because.sum} of ${
        Words.money(entry)
      } ${isDeposit ? "went on" : "came"}, ${
        openSum(told)
      } ${entry.asset} are open; none of these entries has another open counterpart in its window.`
    default:
      return absurd(because)
  }
}
