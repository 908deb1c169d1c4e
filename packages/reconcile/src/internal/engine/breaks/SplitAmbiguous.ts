/**
 * Targets that several sets explain, or one that may be chance, or that were not searched to the end. Then the entries that
 * may be parts of them: those are not missing, though it is not known what they belong to, unless the targets could take
 * hardly any of what they may be made up of.
 */
import type * as Entry from "../../../Entry.ts"
import * as GroupChance from "../groups/GroupChance.ts"
import type { Place, Unstated } from "../groups/GroupTargets.ts"
import * as GroupText from "../groups/GroupText.ts"
import * as Ledger from "../ledger/Ledger.ts"
import { opposite } from "../ledger/Side.ts"
import * as Words from "../Words.ts"
import type { Workbench } from "../Workbench.ts"

/** Sets are counted up to this. */
const COUNTED = 1000

/** How many targets are named to a part. */
const NAMED = 3

/**
 * An entry is not missing where the targets that it may be a part of could take an eighth of what they may be made up of:
 * a stray large entry beside many small ones says nothing about these.
 */
const PROBABLE = 8

const PART = "this one may be a part of it"

interface Account {
  readonly explanation: string
  /** The sets that are named, of so many. */
  readonly sets?: ReadonlyArray<Int32Array>
  readonly of?: string
}

/** Why no group is stated for the target. */
const accountOf = (ledger: Ledger.Ledger, target: Unstated): Account => {
  const { reason, side } = target
  const otherSide = opposite[side]
  const what = GroupText.target(ledger, target)
  const small = (count: number): string =>
    `${Words.count(count, `open ${otherSide}`)} in its window that are small enough`
  switch (reason.kind) {
    case "ambiguous": {
      const { atLeast, sets } = reason
      const of = atLeast > COUNTED ? `more than ${COUNTED}` : String(atLeast)
      const explanation = atLeast === 1
        ? `${what} comes to what ${
          Words.count(sets[0]?.length ?? 0, otherSide)
        } in its window sum to, but their rules differ, so that they are not taken for a group.`
        : `${what} can be made up of open ${otherSide}s in its window in ${
          atLeast > COUNTED ? of : `at least ${of}`
        } ways, and none of them is all there is; the candidates list the smallest.`
      return { sets, of, explanation }
    }
    case "contested":
      return {
        sets: [reason.members],
        explanation: `${what} can be made up of ${
          GroupText.members(ledger, otherSide, reason.members)
        }, but an entry of them can as well be a part of another sum, so neither is taken.`
      }
    case "chance":
      return {
        sets: [reason.members],
        explanation: `${what} comes to what ${GroupText.members(ledger, otherSide, reason.members)} sum to, but among ${
          small(reason.candidates)
        } so many sums are possible that it may be chance.`
      }
    case "uncertain":
      return {
        explanation: `${what} may be made up of some of the ${
          small(reason.candidates)
        }, but among them so many sums are possible that none would be evidence.`
      }
    default:
      return {
        explanation: `${what} may be made up of some of the ${
          small(reason.candidates)
        }; there are more sets than are searched${
          reason.size === undefined ? "" : ` (the search ended at sets of ${reason.size})`
        }.`
      }
  }
}

const settleTarget = ({ ledger, settle }: Workbench, target: Unstated): void => {
  const { index, reason, side } = target
  const { explanation, of = "1", sets = [] } = accountOf(ledger, target)
  settle({
    code: reason.kind === "exhausted" ? "search-exhausted" : "split-ambiguous",
    ...ledger[`${side}s`].alone(index),
    finality: "horizon",
    candidates: GroupText.candidates(ledger, opposite[side], sets, of),
    explanation
  })
}

const settlePart = ({ ledger, settle }: Workbench, place: Place, targets: ReadonlyArray<Unstated>): void => {
  const { index, side } = place
  const [first] = targets
  const otherSide = opposite[side]
  settle({
    code: first === undefined || first.reason.kind === "exhausted" ? "search-exhausted" : "split-ambiguous",
    ...ledger[`${side}s`].alone(index),
    finality: "horizon",
    candidates: targets.slice(0, NAMED).map((target) => ({
      side: otherSide,
      id: GroupText.entryOf(ledger, target).id,
      reason: PART
    })),
    explanation: first === undefined
      ? `${
        GroupText.target(ledger, place)
      } may be a part of a larger ${otherSide}, but there are more sets than are searched.`
      : `${GroupText.target(ledger, place)} may be a part of ${otherSide} ${GroupText.entryOf(ledger, first).id}${
        targets.length > 1 ? ` or of ${Words.count(targets.length - 1, "other")}` : ""
      }; which ${side}s make that up is not decided.`
  })
}

/** It is more probably missing than a part of one of the targets. */
const noteTargets = ({ doubts }: Workbench, { index, side }: Place, targets: ReadonlyArray<Unstated>): void => {
  for (const target of targets.slice(0, NAMED)) {
    if (side === "deposit") doubts.ofDepositOnly(index, target.index, PART)
    else doubts.ofTransferOnly(target.index, index, PART)
  }
}

export const splitAmbiguous = (bench: Workbench): void => {
  const { finality, groupTargets, ledger } = bench
  const isRead = (side: Entry.Side, index: number): boolean => finality.window(side, index).state === "complete"
  const partsOf = { deposit: new Map<number, Array<Unstated>>(), transfer: new Map<number, Array<Unstated>>() }
  const open = groupTargets.all().filter((target) =>
    Ledger.isFree(ledger[`${target.side}s`], target.index) && isRead(target.side, target.index) &&
    target.parts.every((part) => isRead(opposite[target.side], part))
  )
  for (const target of open) {
    settleTarget(bench, target)
    const parts = partsOf[opposite[target.side]]
    for (const part of target.parts) {
      const known = parts.get(part)
      if (known === undefined) parts.set(part, [target])
      else known.push(target)
    }
  }
  for (const side of ["deposit", "transfer"] as const) {
    const own = ledger[`${side}s`]
    own.entries.forEach((_, index) => {
      if (!Ledger.isFree(own, index) || !isRead(side, index)) return
      const targets = partsOf[side].get(index) ?? []
      const share = targets.reduce((sum, target) => sum + target.share, 0)
      if (PROBABLE * (share + groupTargets.inCrowd(side, index)) >= GroupChance.WHOLE) {
        settlePart(bench, { side, index }, targets)
      } else noteTargets(bench, { side, index }, targets)
    })
  }
}
