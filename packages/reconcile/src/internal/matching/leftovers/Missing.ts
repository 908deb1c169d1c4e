/** What is still open: in flight, undecidable, or missing. */
import type * as Outcome from "../../../Outcome.ts"
import { at, bucket, item } from "../Column.ts"
import type { Draft } from "../Drafts.ts"
import * as Ledger from "../Ledger.ts"
import type { Run } from "../Run.ts"
import * as Words from "../Words.ts"

/** The most counterparts that are named as having gone elsewhere. */
const NAMED = 3

/** Equal counterparts inside the window that belong to other outcomes, the nearest first. */
type Elsewhere = (index: number) => ReadonlyArray<Outcome.Candidate>

const where = (ledger: Ledger.Ledger, side: Ledger.Side, draft: Draft | undefined): string => {
  if (draft === undefined) return "equal"
  const other = side.side === "transfer" ? ledger.deposits : ledger.transfers
  const partners = side.side === "transfer" ? draft.deposits : draft.transfers
  const partner = partners.length === 1 ? other.entries[partners[0] ?? -1] : undefined
  if (partner === undefined) return `equal, but part of another outcome (${draft.code})`
  const only = draft.decidedBy === "forced"
    ? ", which has no other"
    : draft.decidedBy === "time"
    ? ", which is nearer in time"
    : ""
  return `equal, but taken by ${other.side} ${partner.id}${only}`
}

const elsewhere = (
  { ledger }: Run,
  drafts: ReadonlyArray<Draft>
): { readonly ofDeposit: Elsewhere; readonly ofTransfer: Elsewhere } => {
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
  ): ReadonlyArray<Outcome.Candidate> => {
    // Outwards from the entry's own time, so that a large class costs no more than a small one.
    let low = 0
    let high = candidates.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (at(side.at, at(candidates, middle)) < time) low = middle + 1
      else high = middle
    }
    const found: Array<Outcome.Candidate> = []
    let before = low - 1
    let after = low
    for (let step = 0; step < 4 * NAMED && found.length < NAMED && (before >= 0 || after < candidates.length); step++) {
      const isBefore = after >= candidates.length ||
        (before >= 0 && time - at(side.at, at(candidates, before)) <= at(side.at, at(candidates, after)) - time)
      const index = at(candidates, isBefore ? before-- : after++)
      if (!isCandidate(own, index) || side.open[index] === 1) continue
      const reason = where(ledger, side, draftOf[side.side].get(index))
      found.push({ side: side.side, id: item(side.entries, index).id, reason })
    }
    return found
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

export const missing = (run: Run, drafts: ReadonlyArray<Draft>): void => {
  const { closure, ledger, notes, reading, settle } = run
  const others = elsewhere(run, drafts.slice())
  for (const side of [ledger.deposits, ledger.transfers]) {
    const isDeposit = side.side === "deposit"
    const name = isDeposit ? "Deposit" : "Transfer"
    const other = isDeposit ? "transfer" : "deposit"
    side.entries.forEach((entry, index) => {
      if (side.open[index] !== 1) return
      const { missing, state } = isDeposit ? closure.ofDeposit(index) : closure.ofTransfer(index)
      const own = isDeposit ? reading.deposit(index) : reading.transfer(index)
      const noted = isDeposit ? notes.ofDeposit(index) : notes.ofTransfer(index)
      const went = isDeposit ? others.ofDeposit(index) : others.ofTransfer(index)
      const common = {
        deposits: isDeposit ? [index] : [],
        transfers: isDeposit ? [] : [index],
        candidates: [...noted, ...went]
      }
      const what = `${name} ${entry.id} of ${Words.money(entry)}`
      if (state === "gap") {
        settle({
          ...common,
          code: "coverage-gap",
          finality: "never",
          ...(missing === undefined ? {} : { missing }),
          explanation: `${what} has no ${other} among what was read; it may be among what was not read: ${
            missing === undefined ? "an unknown part" : Words.gap(missing)
          }.`
        })
      } else if (state === "open") {
        settle({
          ...common,
          code: "in-flight",
          finality: "never",
          explanation: own.state === "complete"
            ? `${what} has no ${other} left; one that it competes for may still go to an entry whose window is not over.`
            : `${what} has no ${other} yet; its window is not over, or was not read to its end.`
        })
      } else {
        const except = went.length === 0 ? "" : "; what was equal in its window went to others (see the candidates)"
        settle({
          ...common,
          code: isDeposit ? "missing-transfer" : "missing-deposit",
          finality: "horizon",
          explanation: `${what} has no ${other}, although everything in its window was read${except}.`
        })
      }
    })
  }
}
