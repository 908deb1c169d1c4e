/**
 * Tier `grouped`: states one transfer that moved several deposits, or one deposit that several transfers moved.
 *
 * A group is stated only if nothing that is still to be read could change it: another candidate could make a second set, or
 * the members may then no longer be all that there is. So a target hangs together with its candidates wherever its answer may
 * depend on them: if it has an answer, if its window is not read to its end, and if an entry in its window may still be
 * released by others.
 *
 * The two directions contest each other: an entry that is the target of one group and a member of another belongs to neither.
 */
import type * as Entry from "../../../Entry.ts"
import * as Groups from "../../kernel/sums/Groups.ts"
import * as Steps from "../../Steps.ts"
import * as Connected from "../candidates/Connected.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import { bucket } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import { opposite } from "../ledger/Side.ts"
import type { Workbench } from "../Workbench.ts"
import * as GroupChance from "./GroupChance.ts"
import * as GroupIndex from "./GroupIndex.ts"
import * as GroupSearch from "./GroupSearch.ts"
import type { Place } from "./GroupTargets.ts"
import * as GroupText from "./GroupText.ts"

/** The number of targets that are asked in a step. */
const AT_ONCE = 16

type Search = ReturnType<typeof GroupSearch.make>

interface Asked extends Place, GroupSearch.Found {
  readonly search: Search
}

// Returns the targets of one asset group whose answer says something about their candidates, now or once more is read.
const askAll = function*(
  bench: Workbench,
  search: Search,
  side: Entry.Side,
  own: Int32Array,
  loose: Int32Array
): Steps.Steps<ReadonlyArray<Asked>> {
  const { finality, ledger } = bench
  const { ask, index: candidates } = search[side]
  const released = loose.length === 0 ? undefined : GroupIndex.make(
    ledger,
    ledger[`${side}s`],
    loose,
    () => 0n
  )
  const asked: Array<Asked> = []
  yield* Steps.forEach(own, (index) => {
    const found = ask(index)
    const isNone = found.verdict.kind === "none" && !found.mayGainByLoss
    if (isNone) {
      const mayGain = (released?.atMost(index) ?? 0) > 0 ||
        finality.window(side, index).state !== "complete"
      const hasParts = found.candidates === undefined ? candidates.atMost(index) > 0 : found.parts.length > 0
      if (!mayGain || !hasParts) return
    }
    asked.push({
      ...found,
      side,
      index,
      search,
      candidates: isNone && found.candidates ? found.parts : found.candidates
    })
  }, AT_ONCE)
  return asked
}

const connect = ({ finality, ledger }: Workbench, { candidates, index, search, side }: Asked): void => {
  const own = ledger[`${side}s`]
  const join = (other: number): void => finality.join(...own.pair(index, other), "unlike")
  if (candidates === undefined) search[side].index.connect(index, join)
  else for (const other of candidates) join(other)
}

const state = ({ ledger, settle }: Workbench, asked: Asked, verdict: GroupSearch.Verdict): void => {
  if (verdict.kind !== "group") return
  const { index, search: { amounts, sums }, side } = asked
  const members = Array.from(verdict.members)
  const [deposits, transfers] = ledger[`${side}s`].pair([index], members)
  const fit = sums.fit(deposits, transfers)
  if (fit === undefined) return
  const total = GroupText.sum(amounts, opposite[side], members)
  const own = side === "deposit" ? amounts.deposit(index) : amounts.transfer(index)
  settle({
    code: "grouped",
    deposits,
    transfers,
    finality: "closed",
    residual: amounts.format(fit.residual),
    decidedBy: "forced",
    because: {
      code: "sum",
      ...AmountRule.factOf(fit.fee),
      sum: amounts.format(total),
      amounts: fit.fee !== undefined ? "fee" : total === own ? "equal" : "tolerance",
      everything: verdict.isSweep,
      among: verdict.candidates
    }
  })
}

/** Notes targets with too many candidates to list, for the entries that may be parts of them. */
const noteCrowd = (
  { groupTargets, ledger }: Workbench,
  search: Search,
  side: Entry.Side,
  crowd: ReadonlyArray<Asked>
): void => {
  const [first] = crowd
  if (first === undefined) return
  const otherSide = opposite[side]
  const own = ledger[`${otherSide}s`]
  const group = own.other.group[first.index]
  const indices = crowd.map(({ index }) => index)
  const shares = new Map(crowd.map(({ index, share }) => [index, BigInt(share)] as const))
  const byAmount = GroupIndex.make(ledger, own, indices, search[side].amount)
  const byShare = GroupIndex.make(ledger, own, indices, (index) => shares.get(index) ?? 0n)
  groupTargets.addCrowd((of, index) => {
    if (of !== otherSide || own.group[index] !== group) return 0
    const isPart = byAmount.count(index, search[otherSide].amount(index) + 1n, undefined) > 0
    return isPart ? Number(byShare.sum(index)) : 0
  })
}

/** States the groups that stand and that nothing unread can change. The reasons of the others are kept. */
const decide = (bench: Workbench, asked: ReadonlyArray<Asked>): void => {
  const { groupTargets, ledger } = bench
  const nodeOf = ({ index, side }: Place): number => ledger[`${side}s`].node(index)
  /** Returns the difference between the numbers of its candidates and their positions. */
  const shiftOf = ({ side }: Place): number => ledger[`${opposite[side]}s`].node(0)
  const isClosed = bench.finality.closedNow()
  const byNode = new Map(asked.map((one) => [nodeOf(one), one] as const))
  const verdicts = new Map(asked.map((one) => [nodeOf(one), one.verdict] as const))
  // Where no group is proposed, none can stand.
  const proposing = asked.some(({ verdict }) => verdict.kind === "group") ? asked : []
  const targets = proposing.flatMap((one): ReadonlyArray<Groups.Target> => {
    if (one.candidates === undefined || (one.verdict.kind === "none" && !one.mayGainByLoss)) return []
    if (!isClosed(one.side, one.index)) return []
    const shift = shiftOf(one)
    return [{ entry: nodeOf(one), candidates: one.candidates.map((other) => other + shift) }]
  })
  const { contested, standing } = Groups.decide(targets, (entry, candidates) => {
    const one = byNode.get(entry)
    if (one === undefined) return undefined
    const shift = shiftOf(one)
    const verdict = candidates.length === one.candidates?.length
      ? one.verdict
      : one.search[one.side].among(one.index, candidates.map((other) => other - shift))
    verdicts.set(entry, verdict)
    return verdict.kind === "group" ? verdict.members.map((member) => member + shift) : undefined
  })
  const decided = new Set(targets.map(({ entry }) => entry))
  const refused = new Set(contested.map(({ target }) => target))
  for (const { target } of standing) {
    const one = byNode.get(target)
    if (one !== undefined) state(bench, one, verdicts.get(target) ?? one.verdict)
  }
  for (const one of asked) {
    const { index, parts, share, side } = one
    const node = nodeOf(one)
    const verdict = verdicts.get(node) ?? one.verdict
    if (verdict.kind === "none" || !Ledger.isFree(ledger[`${side}s`], index)) continue
    // A group that is not closed yet waits, and nothing is said about it.
    if (verdict.kind === "group" && !decided.has(node)) continue
    const reason = verdict.kind !== "group"
      ? verdict
      : refused.has(node)
      ? { kind: "contested" as const, members: verdict.members }
      : undefined
    if (reason !== undefined) {
      groupTargets.add({ side, index, parts, reason, share: reason.kind === "contested" ? GroupChance.WHOLE : share })
    }
  }
}

export const grouped = function*(bench: Workbench): Steps.Steps<void> {
  const { ledger } = bench
  const { deposits, groups, policy, transfers } = ledger
  const { manyToOne, oneToMany } = policy.grouping
  if (!manyToOne && !oneToMany) return
  const isClosed = bench.finality.closedNow()
  const isLoose = (side: Ledger.Side) => (index: number): boolean =>
    side.eligible[index] === 1 && side.open[index] !== 1 && !isClosed(side.side, index)
  const loose = {
    deposit: bucket(transfers.group, groups, isLoose(transfers)),
    transfer: bucket(deposits.group, groups, isLoose(deposits))
  }
  const asked: Array<Asked> = []
  for (const free of Connected.alike(Connected.byAsset(ledger), Connected.free(ledger))) {
    const search = GroupSearch.make(ledger, free.deposits, free.transfers)
    for (const side of ["transfer", "deposit"] as const) {
      if (side === "deposit" ? !oneToMany : !manyToOne) continue
      const found = yield* askAll(bench, search, side, free[`${side}s`], loose[side].of(free.key))
      noteCrowd(
        bench,
        search,
        side,
        found.filter(({ candidates, verdict }) => candidates === undefined && verdict.kind === "exhausted")
      )
      for (const one of found) asked.push(one)
    }
  }
  if (asked.length === 0) return
  yield* Steps.forEach(asked, (one) => connect(bench, one))
  decide(bench, asked)
}
