/** Settles every entry that is still open: as in flight, undetermined, ambiguous or missing. */
import * as Amount from "@tallystick/core/Amount"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Policy from "../../../Policy.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import * as Steps from "../../Steps.ts"
import * as NearMisses from "../evidence/NearMisses.ts"
import * as TakenCandidates from "../evidence/TakenCandidates.ts"
import * as UnlistedAccounts from "../evidence/UnlistedAccounts.ts"
import * as Unread from "../evidence/Unread.ts"
import * as Finality from "../finality/Finality.ts"
import { at } from "../ledger/Column.ts"
import type { Direction } from "../ledger/Direction.ts"
import type { Draft } from "../ledger/Draft.ts"
import type { Side } from "../ledger/Side.ts"
import * as Window from "../ledger/Window.ts"
import type { Workbench } from "../Workbench.ts"
import { assetMismatch } from "./AssetMismatch.ts"
import type { Disputed } from "./Disputed.ts"
import { duplicateSuspect } from "./DuplicateSuspect.ts"

/** Keeps each candidate once, with its first reason. */
const named = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const known = new Set<string>()
  return candidates.filter(({ id, side }) => {
    const key = `${side} ${id}`
    const isNew = !known.has(key)
    known.add(key)
    return isNew
  })
}

/** Says what is not known and could change the outcome of a missing entry. It returns nothing if everything is known. */
const unknown = (worst: Finality.Judgement, isAround: boolean) => {
  if (worst.state === "complete") return {}
  const isGap = worst.state === "gap"
  if (isAround) return { unknown: isGap ? "around-unread" as const : "around-open" as const }
  return { unknown: isGap ? "beside-unread" as const : "beside-open" as const }
}

/** Returns the account to which every flow leads, if there is one. */
const destinationOf = ({ flows: [first, ...others] }: Policy.Resolved): { readonly to?: string } =>
  first === undefined || first.to === "*" || others.some(({ to }) => to !== first.to) ? {} : { to: first.to }

/** The largest number of near misses that are named. */
const NAMED = 3

/** The number of entries that are worked on in a step, because each is compared with many others. */
const AT_ONCE = 64

export const missing = function*(
  bench: Workbench,
  drafts: ReadonlyArray<Draft>,
  disputed: Disputed,
  direction: Direction
): Steps.Steps<void> {
  const { doubts, finality, ledger, settle } = bench
  const draftOf = TakenCandidates.draftsOf(drafts)
  const others = TakenCandidates.make(bench, draftOf)
  yield* duplicateSuspect(bench, draftOf, others)
  yield
  assetMismatch(bench)
  yield

  const windowOf = (side: Side, index: number): { readonly from: number; readonly to: number } => {
    const [from, to] = side.side === "deposit"
      ? Window.around(at(side.at, index), Window.span(ledger, index))
      : side.windowOf(index)
    return { from, to }
  }
  const destination = destinationOf(ledger.policy)
  const nearMisses = NearMisses.make(bench, draftOf)
  const unvouched = UnlistedAccounts.make(bench, direction)
  const unread = Unread.make(bench)
  const mayDoubt = ledger.policy.ambiguity.mode === "report"
  const { fees, per } = ledger.policy
  const hasNoise = [ledger.policy, ...per].some(({ ambiguity }) => !Amount.isZero(ambiguity.residual))
  const nearer = hasNoise || fees.length > 0 ? "time or amount" as const : "time" as const
  for (const side of [ledger.deposits, ledger.transfers]) {
    const isDeposit = side.side === "deposit"
    yield* Steps.forEach(side.entries.entries(), ([index, entry]) => {
      if (side.open[index] !== 1) return
      const windows = finality.windows(entry.side, index)
      const own = finality.window(entry.side, index)
      const noted = doubts.of(entry.side, index)
      const went = others(entry.side, index)
      const refuted = isDeposit && windows.state === "complete" ? unvouched(index) : undefined
      const common = {
        ...side.alone(index),
        candidates: named([...noted, ...went.candidates])
      }
      const [elsewhere, partner] = [finality.elsewhere(entry.side, index), unread.partner(entry.side, index)]
      const gap = (missing: Coverage.Coverage | undefined): Draft => ({
        ...common,
        code: "coverage-gap",
        finality: "never",
        ...(missing === undefined ? {} : { missing }),
        because: { code: "counterpart-unread" }
      })
      if (Finality.isLeftOut(windows)) settle(gap(windows.missing))
      else if (windows.state === "open") {
        settle({
          ...common,
          code: "in-flight",
          finality: "never",
          because: own.state === "complete"
            ? { code: "competitor-open" }
            : { code: "window-open", until: windowOf(side, index).to }
        })
      } else if (mayDoubt && (went.isDoubtful || finality.isDoubtful(entry.side, index))) {
        settle({
          ...common,
          code: "ambiguous",
          finality: "horizon",
          matchedCount: 0,
          openCount: 1,
          because: { code: "counterpart-went-nearer", by: nearer }
        })
      } else if (refuted !== undefined) {
        settle({
          ...common,
          code: "coverage-gap",
          finality: "never",
          because: refuted
        })
      } else if (elsewhere.state !== "complete") {
        settle(gap(elsewhere.missing))
      } else if (partner.state !== "complete") {
        const isGap = Finality.isLeftOut(partner)
        settle({
          ...common,
          candidates: named([...common.candidates, ...partner.candidates]),
          code: isGap ? "coverage-gap" : "in-flight",
          finality: "never",
          ...(partner.missing === undefined ? {} : { missing: partner.missing }),
          because: { code: isGap ? "candidate-unread" : "candidate-open" }
        })
      } else {
        const around = finality.around(entry.side, index)
        const worst = Finality.worst([around, unread.beside(entry.side, index)])
        const { candidates: versions, isConflict, unlike } = disputed.near(entry.side, index)
        const misses = nearMisses(entry.side, index, NAMED - common.candidates.length)
        const doubts = unlike.length > 0 ? { doubts: ["conflict-beside" as const] } : {}
        settle({
          ...common,
          candidates: named([...versions, ...unlike, ...common.candidates, ...misses]),
          code: isDeposit ? "missing-transfer" : "missing-deposit",
          finality: versions.length + unlike.length > 0 ? "never" : "horizon",
          ...(worst.missing === undefined ? {} : { missing: worst.missing }),
          because: isConflict
            ? { code: "several-versions" }
            : versions.length > 0
            ? { code: "counterpart-in-dispute", ...doubts }
            : {
              code: "no-counterpart",
              taken: went.candidates.length > 0,
              window: windowOf(side, index),
              ...(isDeposit ? destination : {}),
              ...unknown(worst, worst === around),
              ...doubts
            }
        })
      }
    }, AT_ONCE)
  }
}
