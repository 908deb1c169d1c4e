/** Says in words why an entry is a candidate of an outcome. */
import { absurd } from "effect/Function"
import type * as Entry from "../../Entry.ts"
import type * as Outcome from "../../Outcome.ts"
import type * as Because from "./Because.ts"
import * as Pair from "./Pair.ts"
import { COUNTED } from "./Sum.ts"
import type { Candidate } from "./Unexplained.ts"
import * as Versions from "./Versions.ts"
import * as Words from "./Words.ts"

const fit = (residual: string, apartMs: number): string => `residual ${residual}, ${Words.duration(apartMs)} away`

/** Says by how much the amounts differ, in words that hold from either side. */
const difference = ({ difference, fee }: Extract<Because.Note, { code: "other-amount" | "near-amount" }>): string =>
  fee === undefined
    ? `its amount differs by ${difference}`
    : `after a ${Pair.feeText(fee)} the amounts differ by ${difference}`

const taken = ({ by, decidedBy, outcome }: Extract<Because.Note, { code: "equal-but-taken" }>): string => {
  if (by === undefined) return `equal, but part of another outcome (${outcome})`
  const only = decidedBy === "forced"
    ? ", which has no other"
    : decidedBy === "time"
    ? ", which is nearer in time"
    : ""
  return `equal, but taken by ${by.side} ${by.id}${only}`
}

const connections = {
  horizon: "equal and within the horizon",
  "other-direction": "equal and in the window, though in the wrong direction",
  "other-account": "equal and in the window, though of another account",
  settlement: "fits as well, counted from when the deposit settled"
} as const

const of = (side: Entry.Side, because: Because.Note): string => {
  switch (because.code) {
    case "other-account":
      return "equal and in the window, but of another account"
    case "look-alike-asset":
      return "equal and in the window, but of an asset that only looks alike"
    case "other-direction":
      return "equal, but in the wrong direction"
    case "failed":
      return "equal, but failed"
    case "may-be-the-whole":
      return "this one may be a part of it"
    case "open-of-same-account":
      return "in the window and of the same account, and open as well"
    case "part-if-settled":
      return "not settled yet; the one may be a part of the other"
    case "part-from-settlement":
      return "the one may be a part of the other, counted from when the deposit settled"
    case "late-for-several":
      return "equal, outside the window and within the horizon of several"
    case "late-but-taken":
      return "equal and within the horizon, but taken by one that is nearer"
    case "may-be-late":
      return `equal and within the horizon${because.isSettled ? "" : ", but not settled yet"}`
    case "outside-window":
      return `equal, but ${Words.duration(because.excessMs)} ${
        because.as === "late" ? "after the window closed" : "before the window opened"
      }`
    case "beyond-lateness":
      return `${Words.duration(because.lagMs)} ${
        because.lagMs < 0 ? "earlier" : "later"
      }; outside the policy's lateness`
    case "other-amount":
      return `the only open one in the window, but ${difference(because)}`
    case "near-amount":
      return `in the window, but ${
        because.accepted === "0"
          ? difference(because)
          : `residual ${because.difference}${
            because.fee === undefined ? "" : ` after a ${Pair.feeText(because.fee)}`
          } exceeds ${because.accepted}`
      }`
    case "farther-in-time":
      return `${Words.duration(because.apartMs)} away instead of ${Words.duration(because.ownMs)}`
    case "worse-fit":
      return `${fit(because.residual, because.apartMs)}, instead of ${fit(because.ownResidual, because.ownMs)}`
    case "fits-deposit":
      return `residual ${because.residual} to deposit ${because.deposit}, ${Words.lag(because.lagMs)} it`
    case "fits-but-taken":
      return `fits as well, but was taken by ${
        because.by === undefined ? "another" : `${because.by.side} ${because.by.id}`
      }`
    case "equal":
      return "equal"
    case "equal-but-moved-back":
      return "equal, but moved back"
    case "equal-but-taken":
      return taken(because)
    case "may-belong-here":
      return `${connections[because.how]}, but ${
        because.by === undefined
          ? `part of another outcome (${because.outcome})`
          : `taken by ${because.by.side} ${because.by.id}`
      }`
    case "in-sets":
      return because.sets
        .map(({ set, size }) =>
          `one of ${size} in set ${set} of ${because.atLeast > COUNTED ? `more than ${COUNTED}` : because.atLeast}`
        )
        .join(", ")
    case "twin":
      return `alike in ${Words.twinFields[side]}, ${Words.apart(because.apartMs)}, and matched (${because.outcome})`
    case "unlike-versions":
      return `told in ${because.versions} versions, one of which may belong here`
    case "versions":
      return `a ${side} of that amount exists in ${because.versions} versions`
    case "version":
      return `also told with ${Versions.differences(because.version)}`
    case "objected":
      return `equal, but ${Words.objected(because.objected)}`
    default:
      return absurd(because)
  }
}

/** Returns a candidate with its reason in words. */
export const explain = ({ because, id, side }: Candidate): Outcome.Candidate => ({
  side,
  id,
  reason: of(side, because),
  because
})
