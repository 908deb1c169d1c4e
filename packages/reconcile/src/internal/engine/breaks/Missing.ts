/** What is still open: in flight, undecidable, ambiguous, or missing. */
import * as Amount from "@tallystick/core/Amount"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "../../../Outcome.ts"
import * as NearMisses from "../evidence/NearMisses.ts"
import * as TakenCandidates from "../evidence/TakenCandidates.ts"
import * as UnlistedAccounts from "../evidence/UnlistedAccounts.ts"
import * as Unread from "../evidence/Unread.ts"
import * as Finality from "../finality/Finality.ts"
import type { Direction } from "../ledger/Direction.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Words from "../Words.ts"
import type { Workbench } from "../Workbench.ts"
import { assetMismatch } from "./AssetMismatch.ts"
import type { Disputed } from "./Disputed.ts"
import { duplicateSuspect } from "./DuplicateSuspect.ts"

/** Each candidate once, for the first reason. */
const named = (candidates: ReadonlyArray<Outcome.Candidate>): ReadonlyArray<Outcome.Candidate> => {
  const known = new Set<string>()
  return candidates.filter(({ id, side }) => {
    const key = `${side} ${id}`
    const isNew = !known.has(key)
    known.add(key)
    return isNew
  })
}

const unreadPart = (missing: Coverage.Coverage | undefined): string =>
  missing === undefined ? "an unknown part" : Words.gap(missing)

/** What could still tell it otherwise and was not read, around it or beside it. */
const doubt = (worst: Finality.Judgement, isAround: boolean): string => {
  const isGap = worst.state === "gap"
  return isAround
    ? `what could explain it otherwise, such as a late one, ${
      isGap ? `was not read: ${unreadPart(worst.missing)}` : "is not read to its end yet"
    }`
    : `what is open beside it ${
      isGap ? `depends on what was not read: ${unreadPart(worst.missing)}` : "is not decided yet"
    }`
}

/** How many near misses are named. */
const NAMED = 3

export const missing = (
  bench: Workbench,
  drafts: ReadonlyArray<Draft>,
  disputed: Disputed,
  direction: Direction
): void => {
  const { doubts, finality, ledger, settle } = bench
  const draftOf = TakenCandidates.draftsOf(drafts)
  const others = TakenCandidates.make(bench, draftOf)
  duplicateSuspect(bench, draftOf, others)
  assetMismatch(bench)

  const nearMisses = NearMisses.make(bench, draftOf)
  const unvouched = UnlistedAccounts.make(bench, direction)
  const unread = Unread.make(bench)
  const mayDoubt = ledger.policy.ambiguity.mode === "report"
  const { fees, per } = ledger.policy
  const hasNoise = [ledger.policy, ...per].some(({ ambiguity }) => !Amount.isZero(ambiguity.residual))
  const nearer = hasNoise || fees.length > 0 ? "time or amount" : "time"
  for (const side of [ledger.deposits, ledger.transfers]) {
    const isDeposit = side.side === "deposit"
    const name = Words.side(side.side)
    const other = side.other.side
    side.entries.forEach((entry, index) => {
      if (side.open[index] !== 1) return
      const { missing, state } = finality.windows(entry.side, index)
      const own = finality.window(entry.side, index)
      const noted = doubts.of(entry.side, index)
      const went = others(entry.side, index)
      const refuted = isDeposit && state === "complete" ? unvouched(index) : undefined
      const common = {
        ...side.alone(index),
        candidates: named([...noted, ...went.candidates])
      }
      const [elsewhere, partner] = [finality.elsewhere(entry.side, index), unread.partner(entry.side, index)]
      const what = `${name} ${entry.id} of ${Words.money(entry)}`
      const gap = (missing: Coverage.Coverage | undefined): Draft => ({
        ...common,
        code: "coverage-gap",
        finality: "never",
        ...(missing === undefined ? {} : { missing }),
        explanation: `${what} has no ${other} among what was read; it may be among what was not read: ${
          unreadPart(missing)
        }.`
      })
      if (state === "gap") settle(gap(missing))
      else if (state === "open") {
        settle({
          ...common,
          code: "in-flight",
          finality: "never",
          explanation: own.state === "complete"
            ? `${what} has no ${other} left; one that it competes for may still go to an entry whose window is not over.`
            : `${what} has no ${other} yet; its window is not over, or was not read to its end.`
        })
      } else if (mayDoubt && (went.isDoubtful || finality.isDoubtful(entry.side, index))) {
        settle({
          ...common,
          code: "ambiguous",
          finality: "horizon",
          matchedCount: 0,
          openCount: 1,
          explanation:
            `${what} has no ${other} left: one that fits went to another ${entry.side}, which is nearer in ${nearer}; it ` +
            "may be the other way round."
        })
      } else if (refuted !== undefined) {
        settle({
          ...common,
          code: "coverage-gap",
          finality: "never",
          explanation: `${what} has no transfer among those that count, but ${refuted}; correct the list, or do not ` +
            "vouch for it."
        })
      } else if (elsewhere.state !== "complete") {
        settle(gap(elsewhere.missing))
      } else if (partner.state !== "complete") {
        const isGap = partner.state === "gap"
        settle({
          ...common,
          candidates: named([...common.candidates, ...partner.candidates]),
          code: isGap ? "coverage-gap" : "in-flight",
          finality: "never",
          ...(partner.missing === undefined ? {} : { missing: partner.missing }),
          explanation:
            `${what} has no ${other} that is certain: whether it belongs to one that was read (see the candidates) ` + (
              isGap
                ? `depends on what was not read: ${unreadPart(partner.missing)}.`
                : "depends on a window that is not over, or was not read to its end."
            )
        })
      } else {
        const around = finality.around(entry.side, index)
        const worst = Finality.worst([around, unread.beside(entry.side, index)])
        const except = went.candidates.length === 0
          ? ""
          : "; what was equal in its window went to others (see the candidates)"
        const { candidates: versions, isConflict } = disputed.near(entry.side, index)
        const misses = nearMisses(entry.side, index, NAMED - common.candidates.length)
        settle({
          ...common,
          candidates: named([...versions, ...common.candidates, ...misses]),
          code: isDeposit ? "missing-transfer" : "missing-deposit",
          finality: isConflict ? "never" : "horizon",
          ...(worst.missing === undefined ? {} : { missing: worst.missing }),
          explanation: isConflict
            ? `${what} has no ${other} that can be used; one of that amount was told in several versions, so none of ` +
              "them was matched."
            : versions.length > 0
            ? `${what} has no ${other} that can be used; one of that amount is in dispute (see the candidates).`
            : worst.state === "complete"
            ? `${what} has no ${other}${Words.everythingRead}${except}.`
            : `${what} has no ${other} in its window${except}; ${doubt(worst, worst === around)}.`
        })
      }
    })
  }
}
