/**
 * Settles targets of groups that are not stated: several sets explain them, the only set may be chance, or the search did not
 * end. Then it settles the entries that may be parts of them. Such an entry is not missing, although its target is not known,
 * unless the targets could take hardly any of the entries that may be parts.
 */
import type * as Entry from "../../../Entry.ts"
import type * as Because from "../../explain/Because.ts"
import * as GroupChance from "../groups/GroupChance.ts"
import type { Place, Unstated } from "../groups/GroupTargets.ts"
import * as GroupText from "../groups/GroupText.ts"
import * as Ledger from "../ledger/Ledger.ts"
import { opposite } from "../ledger/Side.ts"
import type { Workbench } from "../Workbench.ts"

/** The largest number of targets that are named for a part. */
const NAMED = 3

/**
 * A target is an entry to which several entries of the other side, its possible parts, may add up. A possible part is called
 * missing if all its targets together can take less than one in eight of their possible parts. Otherwise one stray large entry
 * would make many small entries ambiguous.
 */
const PROBABLE = 8

const PART = { code: "may-be-the-whole" } as const

interface Account {
  readonly because: Because.Because
  /** The sets that are named; there are at least `atLeast` sets. */
  readonly sets?: ReadonlyArray<Int32Array>
  readonly atLeast?: number
}

/** Says why no group is stated for the target. */
const accountOf = (ledger: Ledger.Ledger, { reason, side }: Unstated): Account => {
  const parts = (members: Int32Array) => ({
    ids: GroupText.ids(ledger, opposite[side], members),
    parts: members.length
  })
  switch (reason.kind) {
    case "ambiguous": {
      const { atLeast, sets } = reason
      const because: Because.Because = atLeast === 1
        ? { code: "sum-of-other-rules", parts: sets[0]?.length ?? 0 }
        : { code: "several-sums", atLeast }
      return { sets, atLeast, because }
    }
    case "contested":
      return { sets: [reason.members], because: { code: "contested-sum", ...parts(reason.members) } }
    case "chance":
      return {
        sets: [reason.members],
        because: { code: "sum-by-chance", ...parts(reason.members), among: reason.candidates }
      }
    case "uncertain":
      return { because: { code: "sums-without-evidence", among: reason.candidates } }
    default: {
      const size = reason.size === undefined ? {} : { size: reason.size }
      return { because: { code: "sums-not-searched", among: reason.candidates, ...size } }
    }
  }
}

const settleTarget = ({ ledger, settle }: Workbench, target: Unstated): void => {
  const { index, reason, side } = target
  const { atLeast = 1, because, sets = [] } = accountOf(ledger, target)
  settle({
    code: reason.kind === "exhausted" ? "search-exhausted" : "split-ambiguous",
    ...ledger[`${side}s`].alone(index),
    finality: "horizon",
    candidates: GroupText.candidates(ledger, opposite[side], sets, atLeast),
    because
  })
}

/** What is known of the targets of one entry. */
interface Targets {
  count: number
  /** The sum of the shares of its targets. */
  share: number
  /** The first of them, up to `NAMED`. */
  readonly first: Array<Unstated>
}

const settlePart = ({ ledger, settle }: Workbench, place: Place, targets: Targets | undefined): void => {
  const { index, side } = place
  const named = targets?.first ?? []
  const [first] = named
  const otherSide = opposite[side]
  settle({
    code: first === undefined || first.reason.kind === "exhausted" ? "search-exhausted" : "split-ambiguous",
    ...ledger[`${side}s`].alone(index),
    finality: "horizon",
    candidates: named.map((target) => ({
      side: otherSide,
      id: GroupText.entryOf(ledger, target).id,
      because: PART
    })),
    because: first === undefined
      ? { code: "part-not-searched" }
      : { code: "part-of-a-sum", id: GroupText.entryOf(ledger, first).id, others: (targets?.count ?? 0) - 1 }
  })
}

/** Notes the targets as candidates of an entry that is more probably missing than a part of one of them. */
const noteTargets = ({ doubts }: Workbench, { index, side }: Place, targets: Targets | undefined): void => {
  for (const target of targets?.first ?? []) {
    if (side === "deposit") doubts.ofDepositOnly(index, target.index, PART)
    else doubts.ofTransferOnly(target.index, index, PART)
  }
}

export const splitAmbiguous = (bench: Workbench): void => {
  const { finality, groupTargets, ledger } = bench
  // Many targets share their parts, so each entry is asked once.
  const read = {
    deposit: new Uint8Array(ledger.deposits.entries.length),
    transfer: new Uint8Array(ledger.transfers.entries.length)
  }
  const isRead = (side: Entry.Side, index: number): boolean => {
    const known = read[side]
    if (known[index] === 0) known[index] = finality.window(side, index).state === "complete" ? 1 : 2
    return known[index] === 1
  }
  const targetsOf = { deposit: new Map<number, Targets>(), transfer: new Map<number, Targets>() }
  const open = groupTargets.all().filter((target) =>
    Ledger.isFree(ledger[`${target.side}s`], target.index) && isRead(target.side, target.index) &&
    target.parts.every((part) => isRead(opposite[target.side], part))
  )
  for (const target of open) {
    settleTarget(bench, target)
    const { parts, share, side } = target
    const known = targetsOf[opposite[side]]
    for (const part of parts) {
      const before = known.get(part)
      if (before === undefined) known.set(part, { count: 1, share, first: [target] })
      else {
        before.count++
        before.share += share
        if (before.first.length < NAMED) before.first.push(target)
      }
    }
  }
  for (const side of ["deposit", "transfer"] as const) {
    const own = ledger[`${side}s`]
    own.entries.forEach((_, index) => {
      if (!Ledger.isFree(own, index) || !isRead(side, index)) return
      const targets = targetsOf[side].get(index)
      if (PROBABLE * ((targets?.share ?? 0) + groupTargets.inCrowd(side, index)) >= GroupChance.WHOLE) {
        settlePart(bench, { side, index }, targets)
      } else noteTargets(bench, { side, index }, targets)
    })
  }
}
