/**
 * Entries that no tier took, though one of unlike amount fits them that the exact tier gave to others by time, or left
 * undecided among equals: it may as well be their counterpart, so they must not be named missing.
 */
import type * as Entry from "../../../Entry.ts"
import * as AmountRule from "../AmountRule.ts"
import * as Amounts from "../Amounts.ts"
import * as CandidateIndex from "../CandidateIndex.ts"
import { at, bucket, item } from "../Column.ts"
import type { Draft } from "../Drafts.ts"
import * as FitIndex from "../FitIndex.ts"
import * as Ledger from "../Ledger.ts"
import type { Doubt } from "../Notes.ts"
import type { Run } from "../Run.ts"
import * as NearInTime from "./NearInTime.ts"

/** The most candidates that are named. */
const NAMED = 3

const undecided: ReadonlySet<Draft["code"]> = new Set(["ambiguous", "search-exhausted"])

/** How a draft of the tiers leaves it open whether its entries have their counterparts in it. */
const doubtOf = ({ code, decidedBy, openCount = 0 }: Draft): Doubt | undefined => {
  if (code === "exact" && decidedBy === "time") return "nearer"
  return openCount > 0 || undecided.has(code) ? "undecided" : undefined
}

/** The entries of such drafts. */
type Doubted = Readonly<Record<Entry.Side, ReadonlyMap<number, Draft>>>

const doubtedBy = (drafts: ReadonlyArray<Draft>): Doubted => {
  const doubted = { deposit: new Map<number, Draft>(), transfer: new Map<number, Draft>() }
  for (const draft of drafts) {
    if (doubtOf(draft) === undefined) continue
    for (const deposit of draft.deposits) doubted.deposit.set(deposit, draft)
    for (const transfer of draft.transfers) doubted.transfer.set(transfer, draft)
  }
  return doubted
}

/** Those of `deposits` that fit one of `transfers`. */
const fittingDeposits = (
  { compatible, filtered }: Ledger.Ledger,
  deposits: Int32Array,
  index: CandidateIndex.CandidateIndex
): ReadonlyArray<number> =>
  Array.from(deposits).filter((deposit) => {
    let isFound = false
    index(deposit, ({ items }, from, to) => {
      for (let place = from; place < to && !isFound; place++) {
        isFound = !filtered || compatible(deposit, at(items, place))
      }
    })
    return isFound
  })

/** The transfers of the index that fit one of `deposits`; one that is found is not looked at again. */
const fittingTransfers = (
  { compatible, filtered }: Ledger.Ledger,
  deposits: Int32Array,
  index: CandidateIndex.CandidateIndex
): ReadonlySet<number> => {
  const found = new Set<number>()
  for (const deposit of deposits) {
    index(deposit, (list, from, to) => {
      const last = list.items.length - 1
      for (let place = CandidateIndex.findRunEnd(list, from); place < to;) {
        const transfer = at(list.items, place)
        if (!filtered || compatible(deposit, transfer)) {
          found.add(transfer)
          list.runEnd[place] = Math.min(place + 1, last)
        }
        if (place === last) break
        place = CandidateIndex.findRunEnd(list, place + 1)
      }
    })
  }
  return found
}

export const unlikeDoubts = (run: Run, drafts: ReadonlyArray<Draft>): void => {
  const { ledger, notes } = run
  const { deposits, groups, policy, transfers } = ledger
  if (!AmountRule.areUnlike(policy) || policy.ambiguity.mode === "assign" || policy.reference === "only") return
  const doubted = doubtedBy(drafts)
  if (doubted.deposit.size + doubted.transfer.size === 0) return
  const isDoubted = (side: Entry.Side) => (index: number): boolean => doubted[side].has(index)
  const isFree = (side: Ledger.Side) => (index: number): boolean => Ledger.isFree(side, index)
  const by = {
    free: {
      deposits: bucket(deposits.group, groups, isFree(deposits)),
      transfers: bucket(transfers.group, groups, isFree(transfers))
    },
    doubted: {
      deposits: bucket(deposits.group, groups, isDoubted("deposit")),
      transfers: bucket(transfers.group, groups, isDoubted("transfer"))
    }
  }
  for (let group = 0; group < groups; group++) {
    const [lefts, rights] = [by.free.deposits.of(group), by.free.transfers.of(group)]
    const [doubtedLefts, doubtedRights] = [by.doubted.deposits.of(group), by.doubted.transfers.of(group)]
    const amounts = Amounts.make(ledger, [...lefts, ...doubtedLefts], [...rights, ...doubtedRights])
    const indexOf = (some: Int32Array) => FitIndex.make(ledger, amounts, some)
    const isUnlike = (deposit: number, transfer: number): boolean =>
      deposits.amountClass[deposit] !== transfers.amountClass[transfer] &&
      ledger.compatible(deposit, transfer) && amounts.fit(deposit, transfer) !== undefined
    const nearest = {
      deposit: NearInTime.make(ledger, deposits, "group", isDoubted("transfer"), "window", isUnlike),
      transfer: NearInTime.make(ledger, transfers, "group", isDoubted("deposit"), "window", isUnlike)
    }
    const note = (side: Entry.Side, index: number): void => {
      const other = side === "deposit" ? "transfer" : "deposit"
      for (const one of nearest[side](index, NAMED)) {
        const draft = doubted[other].get(one)
        const why = draft === undefined ? undefined : doubtOf(draft)
        if (draft === undefined || why === undefined) continue
        notes.doubt(side, index, why)
        const reason = why === "nearer"
          ? `fits as well, but was taken by ${side} ${
            item(ledger[`${side}s`].entries, item(draft[`${side}s`], 0)).id
          }, which is equal and nearer in time`
          : `fits as well, but is among entries that cannot be told apart (${draft.code})`
        if (side === "deposit") notes.ofDepositOnly(index, one, reason)
        else notes.ofTransferOnly(one, index, reason)
      }
    }
    if (lefts.length > 0 && doubtedRights.length > 0) {
      for (const deposit of fittingDeposits(ledger, lefts, indexOf(doubtedRights))) note("deposit", deposit)
    }
    if (rights.length > 0 && doubtedLefts.length > 0) {
      for (const transfer of fittingTransfers(ledger, doubtedLefts, indexOf(rights))) note("transfer", transfer)
    }
  }
}
