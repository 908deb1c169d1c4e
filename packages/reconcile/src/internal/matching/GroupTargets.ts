/** Targets of tier `grouped` that were not stated: what is to be said about them once the rules before have had their say. */
import type * as Entry from "../../Entry.ts"

/** One entry of either side. */
export interface Place {
  readonly side: Entry.Side
  readonly index: number
}

/** Why no group is stated for a target. */
export type Reason =
  | { readonly kind: "ambiguous"; readonly atLeast: number; readonly sets: ReadonlyArray<Int32Array> }
  /** Its members, or it itself, are in another group as well. */
  | { readonly kind: "contested"; readonly members: Int32Array }
  | {
    readonly kind: "exhausted"
    readonly candidates: number
    /** The number of members at which the search ended, if it began. */
    readonly size: number | undefined
  }

export interface Unstated extends Place {
  readonly reason: Reason
  /** Candidates that may be parts, on the other side; not listed where there are too many. */
  readonly parts: Int32Array
}

/** Whether an entry may be a part of a target that has too many candidates to list. */
type InCrowd = (side: Entry.Side, index: number) => boolean

export interface GroupTargets {
  readonly add: (target: Unstated) => void
  /** In the order in which they were added. */
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
    inCrowd: (side, index) => crowds.some((inCrowd) => inCrowd(side, index))
  }
}
