/** Equal counterparts of open entries that belong to other outcomes, and how certain it is that they belong there. */
import type * as Outcome from "../../../Outcome.ts"
import { at, bucket, item } from "../Column.ts"
import type { Draft } from "../Drafts.ts"
import * as Ledger from "../Ledger.ts"
import type { Run } from "../Run.ts"

/** The most counterparts that are named as having gone elsewhere. */
const NAMED = 3

/** How many of the nearest counterparts are looked at. */
const NEAREST = 12

export interface Elsewhere {
  /** The nearest first. */
  readonly candidates: ReadonlyArray<Outcome.Candidate>
  /** Time alone gave one of them to another entry: it may as well belong here. */
  readonly isDoubtful: boolean
}

const partnerOf = (side: Ledger.Side, draft: Draft): number | undefined => {
  const partners = side.side === "transfer" ? draft.deposits : draft.transfers
  return partners.length === 1 ? partners[0] : undefined
}

const where = (ledger: Ledger.Ledger, side: Ledger.Side, draft: Draft | undefined): string => {
  if (draft === undefined) return "equal"
  const other = side.side === "transfer" ? ledger.deposits : ledger.transfers
  const partner = other.entries[partnerOf(side, draft) ?? -1]
  if (partner === undefined) return `equal, but part of another outcome (${draft.code})`
  const only = draft.decidedBy === "forced"
    ? ", which has no other"
    : draft.decidedBy === "time"
    ? ", which is nearer in time"
    : ""
  return `equal, but taken by ${other.side} ${partner.id}${only}`
}

export const make = (
  { ledger }: Run,
  drafts: ReadonlyArray<Draft>
): { readonly ofDeposit: (deposit: number) => Elsewhere; readonly ofTransfer: (transfer: number) => Elsewhere } => {
  const { amountClasses, deposits, transfers } = ledger
  const lefts = bucket(deposits.amountClass, amountClasses, (index) => deposits.eligible[index] === 1)
  const rights = bucket(transfers.amountClass, amountClasses, (index) => transfers.eligible[index] === 1)
  const draftOf = { deposit: new Map<number, Draft>(), transfer: new Map<number, Draft>() }
  for (const draft of drafts) {
    for (const deposit of draft.deposits) draftOf.deposit.set(deposit, draft)
    for (const transfer of draft.transfers) draftOf.transfer.set(transfer, draft)
  }
  const nearest = (
    own: number,
    time: number,
    candidates: Int32Array,
    side: Ledger.Side,
    isCandidate: (own: number, other: number) => boolean
  ): Elsewhere => {
    // Outwards from the entry's own time, so that a large class costs no more than a small one.
    let low = 0
    let high = candidates.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (at(side.at, at(candidates, middle)) < time) low = middle + 1
      else high = middle
    }
    const found: Array<Outcome.Candidate> = []
    let doubtful = false
    let before = low - 1
    let after = low
    for (let step = 0; step < NEAREST && (before >= 0 || after < candidates.length); step++) {
      const isBefore = after >= candidates.length ||
        (before >= 0 && time - at(side.at, at(candidates, before)) <= at(side.at, at(candidates, after)) - time)
      const index = at(candidates, isBefore ? before-- : after++)
      if (!isCandidate(own, index) || side.open[index] === 1) continue
      const draft = draftOf[side.side].get(index)
      doubtful ||= draft?.decidedBy === "time"
      if (found.length < NAMED) {
        found.push({ side: side.side, id: item(side.entries, index).id, reason: where(ledger, side, draft) })
      }
    }
    return { candidates: found, isDoubtful: doubtful }
  }
  const isCandidate = (deposit: number, transfer: number): boolean =>
    ledger.compatible(deposit, transfer) && isInWindow(ledger, deposit, transfer)
  return {
    ofDeposit: (deposit) =>
      nearest(deposit, at(deposits.at, deposit), rights.of(at(deposits.amountClass, deposit)), transfers, isCandidate),
    ofTransfer: (transfer) =>
      nearest(
        transfer,
        at(transfers.at, transfer),
        lefts.of(at(transfers.amountClass, transfer)),
        deposits,
        (own, other) => isCandidate(other, own)
      )
  }
}

const isInWindow = (ledger: Ledger.Ledger, deposit: number, transfer: number): boolean => {
  const lag = Ledger.lag(ledger, deposit, transfer)
  const { after, before } = ledger.rule(deposit).window
  return -before <= lag && lag <= after
}
