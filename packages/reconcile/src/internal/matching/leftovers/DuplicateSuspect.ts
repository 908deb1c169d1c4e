/** Left-over entries that have a twin on their own side, alike in all but the id, which is matched. */
import type * as Outcome from "../../../Outcome.ts"
import { at, bucket, firstNotBefore, item } from "../Column.ts"
import * as Finish from "../Finish.ts"
import * as Ledger from "../Ledger.ts"
import type { Run } from "../Run.ts"
import * as Words from "../Words.ts"
import type { DraftOf, Elsewhere, Others } from "./Elsewhere.ts"

/** The most that are looked at for one entry on either side of it in time. */
const LOOKS = 32

/** Where an empty field says no more than an absent one. */
const texts = ["address", "memo", "fromType", "toType"] as const

const isTwin = (side: Ledger.Side, one: number, other: number): boolean => {
  const [left, right] = [item(side.entries, one), item(side.entries, other)]
  return one !== other && side.account[one] === side.account[other] &&
    left.from === right.from && left.to === right.to &&
    texts.every((field) => (left[field] ?? "") === (right[field] ?? ""))
}

/** The nearest twin that is matched; the earlier of two equally near ones. */
const nearest = (
  ledger: Ledger.Ledger,
  side: Ledger.Side,
  index: number,
  candidates: Int32Array
): number | undefined => {
  const [time, reach] = [at(side.at, index), Ledger.reach(ledger, side.side, index)]
  const [first, start] = [firstNotBefore(side.at, candidates, time - reach), firstNotBefore(side.at, candidates, time)]
  let best: number | undefined
  for (let place = start - 1; place >= Math.max(first, start - LOOKS) && best === undefined; place--) {
    if (isTwin(side, index, at(candidates, place))) best = at(candidates, place)
  }
  const farthest = best === undefined ? reach : time - at(side.at, best) - 1
  for (let place = start; place < Math.min(candidates.length, start + LOOKS); place++) {
    const other = at(candidates, place)
    if (at(side.at, other) > time + farthest) break
    if (isTwin(side, index, other)) return other
  }
  return best
}

const settleOne = (
  { notes, settle }: Run,
  side: Ledger.Side,
  index: number,
  twin: number,
  code: Outcome.Code,
  went: Elsewhere
): void => {
  const isDeposit = side.side === "deposit"
  const [entry, other] = [item(side.entries, index), item(side.entries, twin)]
  const [name, counterpart] = isDeposit ? ["Deposit", "transfer"] : ["Transfer", "deposit"]
  const lag = at(side.at, twin) - at(side.at, index)
  const when = lag === 0 ? "at the same moment" : `${Words.duration(lag)} ${lag < 0 ? "earlier" : "later"}`
  const isDoubtful = went.isDoubtful || notes.isDoubtful(side.side, index)
  settle({
    code: "duplicate-suspect",
    deposits: isDeposit ? [index] : [],
    transfers: isDeposit ? [] : [index],
    finality: "horizon",
    candidates: [
      { side: side.side, id: other.id, reason: `alike in all but the id, ${when}, and matched (${code})` },
      ...(isDeposit ? notes.ofDeposit(index) : notes.ofTransfer(index)),
      ...went.candidates
    ],
    explanation:
      `${name} ${entry.id} of ${
        Words.money(entry)
      } has no ${counterpart}, and is like ${side.side} ${other.id} in all but the id, which came ${when} and is matched` +
      (isDoubtful ? "; it may be the other way round." : "; it may be the same one told twice.")
  })
}

export const duplicateSuspect = (run: Run, draftOf: DraftOf, others: Others): void => {
  const { closure, ledger, ties, told } = run
  for (const side of [ledger.deposits, ledger.transfers]) {
    const isDeposit = side.side === "deposit"
    const codeOf = (index: number): Outcome.Code | undefined =>
      (isDeposit ? told.ofDeposit(index) : told.ofTransfer(index))?.code ?? draftOf(side.side, index)?.code
    const isMatched = (index: number): boolean => {
      const code = side.open[index] === 1 ? undefined : codeOf(index)
      return code !== undefined && Finish.kindOf(code) === "matched"
    }
    const left = Array.from(side.entries.keys()).filter((index) => Ledger.isFree(side, index))
    // What the tiers took may still be released, and what is late or ambiguous so far; it will look at its twins then.
    const restless = Array.from(side.entries.keys()).filter((index) =>
      side.eligible[index] === 1 && side.open[index] === 0 &&
      (!isMatched(index) || !closure.isAtRest(side.side, index))
    )
    const classes = new Set([...left, ...restless].map((index) => at(side.amountClass, index)))
    const twins = bucket(
      side.amountClass,
      ledger.amountClasses,
      (index) => classes.has(at(side.amountClass, index)) && isMatched(index)
    )
    const isTold = (index: number): boolean =>
      (isDeposit ? told.ofDeposit(index) : told.ofTransfer(index)) !== undefined
    // The nearest twin may lose its match; then the nearest of those that keep theirs is the evidence.
    const lasting = bucket(
      side.amountClass,
      ledger.amountClasses,
      (index) =>
        classes.has(at(side.amountClass, index)) && isMatched(index) &&
        (isTold(index) || closure.isAtRest(side.side, index))
    )
    const tie = isDeposit ? ties.deposits : ties.transfers
    for (const index of [...left, ...restless]) {
      for (const candidates of [twins, lasting]) {
        const twin = nearest(ledger, side, index, candidates.of(at(side.amountClass, index)))
        if (twin !== undefined) tie(index, twin)
      }
    }
    for (const index of left) {
      const twin = nearest(ledger, side, index, twins.of(at(side.amountClass, index)))
      const code = twin === undefined ? undefined : codeOf(twin)
      if (twin === undefined || code === undefined) continue
      const { state } = isDeposit ? closure.ofDeposit(index) : closure.ofTransfer(index)
      if (state !== "complete") continue
      settleOne(run, side, index, twin, code, isDeposit ? others.ofDeposit(index) : others.ofTransfer(index))
    }
  }
}
