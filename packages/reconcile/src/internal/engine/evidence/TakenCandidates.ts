/** Finds equal counterparts of open entries that belong to other outcomes, and says how certain it is that they belong there. */
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import type * as Because from "../../explain/Because.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import * as NearInTime from "../candidates/NearInTime.ts"
import { item } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"

/** The largest number of counterparts that are named as having gone elsewhere. */
const NAMED = 3

/** The number of nearest counterparts that are looked at. */
const NEAREST = 12

export interface TakenCandidates {
  /** The candidates, the nearest first. */
  readonly candidates: ReadonlyArray<Candidate>
  /** Whether nearness alone gave one of them to another entry. It may as well belong here. */
  readonly isDoubtful: boolean
}

/** Codes of outcomes that state which entries belong together. The others only list entries between which nothing is decided. */
const stated: ReadonlySet<Outcome.Code> = new Set([
  "linked",
  "reference",
  "exact",
  "tolerant",
  "fee",
  "grouped",
  "late",
  "early",
  "amount-mismatch",
  "account-mismatch",
  "asset-mismatch",
  "wrong-direction",
  "failed-attempt",
  "split-incomplete"
])

const partnerOf = ({ other }: Ledger.Side, draft: Draft): number | undefined => {
  const partners = draft[`${other.side}s`]
  return stated.has(draft.code) && partners.length === 1 ? partners[0] : undefined
}

const where = (side: Ledger.Side, draft: Draft | undefined): Because.Note => {
  if (draft === undefined) return { code: "equal" }
  if (draft.code === "reversed") return { code: "equal-but-moved-back" }
  const { other } = side
  const partner = other.entries[partnerOf(side, draft) ?? -1]
  if (partner === undefined) return { code: "equal-but-taken", outcome: draft.code }
  return {
    code: "equal-but-taken",
    by: { side: other.side, id: partner.id },
    ...(draft.decidedBy === undefined ? {} : { decidedBy: draft.decidedBy })
  }
}

export type DraftOf = (side: Entry.Side, index: number) => Draft | undefined

/** Returns the draft of an entry, if it has one by the time it is asked for. */
export const draftsOf = (drafts: ReadonlyArray<Draft>): DraftOf => {
  const known = { deposit: new Map<number, Draft>(), transfer: new Map<number, Draft>() }
  let seen = 0
  return (side, index) => {
    for (; seen < drafts.length; seen++) {
      const draft = item(drafts, seen)
      for (const deposit of draft.deposits) known.deposit.set(deposit, draft)
      for (const transfer of draft.transfers) known.transfer.set(transfer, draft)
    }
    return known[side].get(index)
  }
}

/** Finds the counterparts that an entry could have had. */
export type Others = (side: Entry.Side, index: number) => TakenCandidates

/** Whether only nearness in time or amount decided. */
const isWeak = ({ decidedBy }: Draft): boolean => decidedBy === "time" || decidedBy === "amount"

/** Finds the equal counterparts of an entry that nearness alone gave to others. */
export const givenByTime = (
  ledger: Ledger.Ledger,
  draftOf: DraftOf,
  reach: "window" | "horizon"
): Readonly<Record<Entry.Side, NearInTime.NearInTime>> => {
  const of = (own: Ledger.Side, side: Entry.Side): NearInTime.NearInTime =>
    NearInTime.make(ledger, own, "amountClass", (index) => {
      const draft = draftOf(side, index)
      return draft !== undefined && isWeak(draft)
    }, reach)
  return { deposit: of(ledger.deposits, "transfer"), transfer: of(ledger.transfers, "deposit") }
}

export const make = ({ finality, ledger }: Workbench, draftOf: DraftOf): Others => {
  const { deposits, transfers } = ledger
  const near = {
    deposit: NearInTime.make(ledger, deposits, "amountClass", (index) => transfers.eligible[index] === 1),
    transfer: NearInTime.make(ledger, transfers, "amountClass", (index) => deposits.eligible[index] === 1)
  }
  const byTime = givenByTime(ledger, draftOf, "window")
  return (own, index) => {
    const side = ledger[`${own}s`].other
    const nearest = near[own](index, NEAREST)
    for (const other of nearest) finality.look(...ledger[`${own}s`].pair(index, other))
    const taken = nearest.filter((other) => side.open[other] !== 1).slice(0, NAMED)
    return {
      candidates: taken.map((other) => ({
        side: side.side,
        id: item(side.entries, other).id,
        because: where(side, draftOf(side.side, other))
      })),
      isDoubtful: byTime[own](index, 1).length > 0
    }
  }
}
