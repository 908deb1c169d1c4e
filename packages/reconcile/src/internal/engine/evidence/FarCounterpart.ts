/**
 * Finds missing entries whose only counterpart lies farther away than the policy looks. Both stay missing, and each names the
 * other.
 */
import type * as Entry from "../../../Entry.ts"
import type * as Policy from "../../../Policy.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import * as Lacking from "../../Lacking.ts"
import * as CandidateIndex from "../candidates/CandidateIndex.ts"
import { at, bucket, firstNotBefore, item } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Ledger from "../ledger/Ledger.ts"
import { opposite } from "../ledger/Side.ts"
import * as Window from "../ledger/Window.ts"
import type { Workbench } from "../Workbench.ts"

/** The search goes this many times as far as a counterpart may lie. */
const TIMES = 2

const reachOf = ({ late, window }: Pick<Policy.Rule, "late" | "window">): number =>
  TIMES * (Math.max(Math.abs(window.before), Math.abs(window.after)) + late)

/** Returns how far from an entry such a counterpart may lie, by the widest rule of the policy; ms. */
export const reach = (policy: Policy.Resolved): number => Math.max(...[policy, ...policy.per].map(reachOf))

/** Finds entries that an entry could belong to if time did not matter, within that distance. It returns at most two. */
type Around = (side: Entry.Side, index: number) => ReadonlyArray<number>

type IsOne = (side: Entry.Side, index: number) => boolean

/** Makes this search among entries that `isOne` accepts. */
const around = (ledger: Ledger.Ledger, isOne: IsOne): Around => {
  const farthest = reach(ledger.policy)
  const isNear = (deposit: number, transfer: number): boolean =>
    ledger.compatible(deposit, transfer) &&
    Math.abs(Ledger.lag(ledger, deposit, transfer)) <= reachOf(ledger.rule(deposit))
  const ofSide = (own: Ledger.Side) => {
    const others = own.other
    const buckets = bucket(
      others.amountClass,
      ledger.amountClasses,
      (index) => others.eligible[index] === 1 && isOne(others.side, index)
    )
    const lists = new Map<number, (index: number) => ReadonlyArray<Int32Array>>()
    return (index: number): ReadonlyArray<number> => {
      const key = at(own.amountClass, index)
      const listsOf = lists.get(key) ?? CandidateIndex.byKeys(ledger, own, buckets.of(key), (indices) => indices)
      lists.set(key, listsOf)
      const time = at(own.at, index)
      const found: Array<number> = []
      for (const list of listsOf(index)) {
        const first = firstNotBefore(others.at, list, time - farthest)
        for (let place = first; place < list.length && found.length < 2; place++) {
          const one = at(list, place)
          if (at(others.at, one) > time + farthest) break
          if (isNear(...own.pair(index, one))) found.push(one)
        }
      }
      return found
    }
  }
  const sides = { deposit: ofSide(ledger.deposits), transfer: ofSide(ledger.transfers) }
  return (side, index) => sides[side](index)
}

/** Finds the far counterpart of an entry, if each of the two is the only missing one that the other could belong to. */
type FarCounterpart = (side: Entry.Side, index: number) => number | undefined

/**
 * Makes this search. The accounts have to be equal, or both unknown. An entry of unknown account is not named beside a known
 * one, but it keeps others from being named.
 */
const make = ({ finality, ledger }: Workbench, isMissing: IsOne): FarCounterpart => {
  const { deposits, transfers } = ledger
  const near = around(ledger, isMissing)
  const only = (side: Entry.Side, index: number): number | undefined => {
    const found = near(side, index)
    for (const one of found) finality.look(...ledger[`${side}s`].pair(index, one))
    return found.length > 1 ? undefined : found[0]
  }
  return (side, index) => {
    const one = only(side, index)
    if (one === undefined || only(opposite[side], one) !== index) return undefined
    const [deposit, transfer] = ledger[`${side}s`].pair(index, one)
    const { after, before } = Window.horizon(ledger, deposit)
    const lag = Ledger.lag(ledger, deposit, transfer)
    const isBeyond = lag > after || lag < -before
    return isBeyond && deposits.account[deposit] === transfers.account[transfer] ? one : undefined
  }
}

/** Returns the far counterpart as a candidate of the entry. */
const candidate = (entry: Entry.Entry, { at, id, side }: Entry.Entry): Candidate => ({
  side,
  id,
  because: { code: "beyond-lateness", lagMs: at - entry.at }
})

/** Names far counterparts in the outcomes of all missing entries. */
export const named = (bench: Workbench, drafts: ReadonlyArray<Draft>): ReadonlyArray<Draft> => {
  const { ledger } = bench
  const missing = drafts.filter(({ code }) => Lacking.isMissing(code))
  if (missing.length === 0) return drafts
  const marks = {
    deposit: new Set(missing.flatMap(({ deposits }) => deposits)),
    transfer: new Set(missing.flatMap(({ transfers }) => transfers))
  }
  const far = make(bench, (side, index) => marks[side].has(index))
  return drafts.map((draft) => {
    if (!Lacking.isMissing(draft.code)) return draft
    const side = draft.deposits.length > 0 ? "deposit" : "transfer"
    const index = item(draft[`${side}s`], 0)
    const one = far(side, index)
    if (one === undefined) return draft
    const found = candidate(item(ledger[`${side}s`].entries, index), item(ledger[`${opposite[side]}s`].entries, one))
    return { ...draft, candidates: [...draft.candidates ?? [], found] }
  })
}
