/** Says in words why an entry is a candidate of an outcome. */
import { absurd } from "effect/Function"
import type * as Entry from "../../Entry.ts"
import * as Outcome from "../../Outcome.ts"
import type * as Because from "./Because.ts"
import type { Moments } from "./Moments.ts"
import * as Pair from "./Pair.ts"
import { COUNTED } from "./Sum.ts"
import type { Candidate } from "./Unexplained.ts"
import * as Versions from "./Versions.ts"
import * as Words from "./Words.ts"

/** Says where an entry went that states no pair, by the kind of its outcome. Later versions may have more codes. */
const elsewhere = (outcome: string | undefined): string => {
  const found = Outcome.Kind.literals.find((kind) => Outcome.codes[kind].some((code) => code === outcome))
  return found === undefined ? "another item" : others[found]
}

const others: Readonly<Record<Outcome.Kind, string>> = {
  matched: "another match",
  discrepancy: "another break",
  pending: "another item that is pending",
  undetermined: "another item that is not decidable",
  "set-aside": "another item that is set aside"
}

const without = (size: string): string => size.replace("-", "")

/** Says by how much the amounts differ, in words that hold from either side. */
const difference = ({ difference, fee }: Extract<Because.Note, { code: "other-amount" | "near-amount" }>): string =>
  fee === undefined
    ? `the amounts differ by ${without(difference)}`
    : `after a ${Pair.feeText(fee)} the amounts differ by ${without(difference)}`

const taken = ({ by, decidedBy, outcome }: Extract<Because.Note, { code: "equal-but-taken" }>): string => {
  if (by === undefined) return `It is equal, but belongs to ${elsewhere(outcome)}.`
  const only = decidedBy === "forced"
    ? ", which has no other"
    : decidedBy === "time"
    ? ", which is nearer in time"
    : ""
  return `It is equal, but belongs to ${by.side} ${by.id}${only}.`
}

const connections = {
  horizon: "It is equal and near enough to be late or early",
  "other-direction": "It is equal and in the window, though in the wrong direction",
  "other-account": "It is equal and in the window, though of another account",
  settlement: "It fits as well, counted from when the deposit settled"
} as const

const worseFit = ({ apartMs, ownMs, ownResidual, residual }: Extract<Because.Note, { code: "worse-fit" }>): string => {
  const [apart, own] = Words.durations(apartMs, ownMs)
  return `It is off by ${without(residual)} and ${apart} away; the other one is off by ${
    without(ownResidual)
  } and ${own} away.`
}

const of = (side: Entry.Side, because: Because.Note, moments: Moments): string => {
  switch (because.code) {
    case "other-account":
      return "It is equal and in the window, but of another account."
    case "look-alike-asset":
      return "It is equal and in the window, but of an asset that only looks alike."
    case "other-direction":
      return "It is equal, but in the wrong direction."
    case "failed":
      return "It is equal, but failed."
    case "may-be-the-whole":
      return "It may be the whole of which this one is a part."
    case "open-of-same-account":
      return "It is in the window and of the same account, and is open as well."
    case "part-if-settled":
      return "It is not settled yet. One may be a part of the other."
    case "part-from-settlement":
      return "One may be a part of the other, counted from when the deposit settled."
    case "late-for-several":
      return "It is equal, but outside the window, and may be the late or early one of several."
    case "late-but-taken":
      return "It is equal and near enough to be late or early, but belongs to one that is nearer."
    case "may-be-late":
      return `It is equal and near enough to be late or early${because.isSettled ? "" : ", but not settled yet"}.`
    case "outside-window":
      return `It is equal, but ${Words.duration(because.excessMs)} ${
        because.as === "late" ? "later" : "earlier"
      } than the policy allows.`
    case "beyond-lateness":
      return `It is equal, but ${Words.apart(because.lagMs)}, which is beyond what the policy takes for late or early.`
    case "other-amount":
      return `It is the only open one in the window, but ${difference(because)}.`
    case "near-amount":
      return `It is in the window, but ${difference(because)}${
        because.accepted === "0" ? "" : `, more than the ${without(because.accepted)} that is accepted`
      }.`
    case "farther-in-time": {
      const [apart, own] = Words.durations(because.apartMs, because.ownMs)
      return `It is ${apart} away, and the other one ${own}.`
    }
    case "worse-fit":
      return worseFit(because)
    case "fits-deposit":
      return `It fits deposit ${because.deposit}, off by ${without(because.residual)}, and came ${
        Words.apart(because.lagMs)
      }.`
    case "fits-but-taken":
      return `It fits as well, but belongs to ${
        because.by === undefined ? "another" : `${because.by.side} ${because.by.id}`
      }.`
    case "equal":
      return "It is equal."
    case "equal-but-moved-back":
      return "It is equal, but was moved back."
    case "equal-but-taken":
      return taken(because)
    case "may-belong-here":
      return `${connections[because.how]}, but belongs to ${
        because.by === undefined
          ? elsewhere(because.outcome)
          : `${because.by.side} ${because.by.id}`
      }.`
    case "in-sets":
      return `It is ${
        because.sets
          .map(({ set, size }) =>
            `one of ${size} in set ${set} of ${because.atLeast > COUNTED ? `more than ${COUNTED}` : because.atLeast}`
          )
          .join(", ")
      }.`
    case "twin":
      return `It equals this one in ${Words.twinFields[side]}, came ${Words.apart(because.apartMs)}, and is matched.`
    case "unlike-versions":
      return `The source gave ${because.versions} versions of it, one of which may belong here.`
    case "versions":
      return `The source gave ${because.versions} versions of it, one of them of that amount.`
    case "version":
      return `It also came with ${Versions.differences(because.version)}.`
    case "objected":
      return `It is equal, but ${Words.objected(because.objected, moments)}.`
    default:
      return absurd(because)
  }
}

/** Returns a candidate with its reason in words. */
export const explain = ({ because, id, side }: Candidate, moments: Moments): Outcome.Candidate => ({
  side,
  id,
  reason: of(side, because, moments),
  because
})
