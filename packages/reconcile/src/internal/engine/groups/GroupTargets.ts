/** Keeps the targets of tier `grouped` that were not stated, until the rules before `splitAmbiguous` have run. */
import type * as Entry from "../../../Entry.ts"

/** One entry of either side. */
export interface Place {
  readonly side: Entry.Side
  readonly index: number
}

/** The reason why no group is stated for a target. */
export type Reason =
  | { readonly kind: "ambiguous"; readonly atLeast: number; readonly sets: ReadonlyArray<Int32Array> }
  /** The target or one of its members is in another group as well. */
  | { readonly kind: "contested"; readonly members: Int32Array }
  /** One set covers the target, and may do so by accident. */
  | { readonly kind: "chance"; readonly members: Int32Array; readonly candidates: number }
  /** So many sums are possible that no set would be evidence, or none beyond those that were tried. */
  | { readonly kind: "uncertain"; readonly candidates: number }
  | {
    readonly kind: "exhausted"
    readonly candidates: number
    /** The number of members at which the search ended, if it began. */
    readonly size: number | undefined
  }

export interface Unstated extends Place {
  readonly reason: Reason
  /** Candidates of the other side that may be parts. They are not listed if there are too many. */
  readonly parts: Int32Array
  /** The share of the parts that may belong to the target, from 0 to `GroupChance.WHOLE`. */
  readonly share: number
}

/** Returns the share that targets with too many candidates to list have in an entry; 0 if it can be a part of none. */
type InCrowd = (side: Entry.Side, index: number) => number

export interface GroupTargets {
  readonly add: (target: Unstated) => void
  /** Returns the targets in the order in which they were added. */
  readonly all: () => ReadonlyArray<Unstated>
  readonly addCrowd: (inCrowd: InCrowd) => void
  readonly inCrowd: InCrowd
}

export const make = (): GroupTargets => {
  const targets: Array<Unstated> = []
  const crowds: Array<InCrowd> = []
  return {
    add: (target) => {
      targets.push(target)
    },
    all: () => targets,
    addCrowd: (inCrowd) => {
      crowds.push(inCrowd)
    },
    inCrowd: (side, index) => crowds.reduce((shares, inCrowd) => shares + inCrowd(side, index), 0)
  }
}
