/** Adds a doubt to outcomes of entries that have a disputed entry in their window. */
import type * as Outcome from "../../../Outcome.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import * as Lacking from "../../Lacking.ts"
import { item } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Kind from "../ledger/Kind.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { Disputed } from "./Disputed.ts"

/** Outcomes that get no doubt: links were decided by hand, and a reversed pair needs no counterpart. */
const silent: ReadonlySet<Outcome.Code> = new Set(["linked", "reversed"])

/** Matches of amounts that differ. They name disputed entries of any amount, for these may fit as well. */
const ofUnlike: ReadonlySet<Outcome.Code> = new Set(["tolerant", "fee", "grouped"])

/** The largest number of disputed entries that an outcome names. */
const NAMED = 3

const isAsked = ({ code }: Draft): boolean => {
  const kind = Kind.of(code)
  // Missing entries name disputed ones themselves.
  return (kind === "matched" || kind === "discrepancy") && !silent.has(code) && !Lacking.isMissing(code)
}

const key = ({ id, side }: Pick<Candidate, "side" | "id">): string => `${side} ${id}`

const beside = ({ deposits, transfers }: Ledger, disputed: Disputed, draft: Draft): Draft => {
  const members = new Set([
    ...draft.deposits.map((index) => key(item(deposits.entries, index))),
    ...draft.transfers.map((index) => key(item(transfers.entries, index)))
  ])
  // A match names only contents that are told now: most matches are lone pairs, which are stated without a look at other
  // contents.
  const isMatch = Kind.of(draft.code) === "matched"
  const lack = Lacking.of(draft.code)
  const isLacking = lack === "another" || lack === "better"
  const isAny = isLacking || ofUnlike.has(draft.code)
  const [equal, unlike] = [new Map<string, Candidate>(), new Map<string, Candidate>()]
  for (const side of ["deposit", "transfer"] as const) {
    for (const index of draft[`${side}s`]) {
      // This asks for every member, and also for outcomes that are not decided yet: asking ties the entry to the disputed
      // ones, so that a stream keeps them together.
      const near = disputed.near(side, index)
      if (!isAsked(draft) || equal.size + unlike.size >= NAMED) continue
      const fresh = (isMatch ? near.own : near.candidates).filter((candidate) => !members.has(key(candidate)))
      for (const candidate of fresh) equal.set(key(candidate), candidate)
      if (!isAny) continue
      for (const candidate of near.unlike) if (!members.has(key(candidate))) unlike.set(key(candidate), candidate)
    }
  }
  if (equal.size + unlike.size === 0) return draft
  const { candidates = [] } = draft
  const known = new Set(candidates.map(key))
  const fresh = new Map([...equal, ...unlike])
  const named = {
    ...draft,
    candidates: [...candidates, ...Array.from(fresh.values()).filter((candidate) => !known.has(key(candidate)))]
  }
  if (!isLacking) return named
  const ofEqual = lack === "another" ? "lacking-in-dispute" as const : "counterpart-in-dispute" as const
  return {
    ...named,
    because: {
      ...draft.because,
      doubts: [
        ...draft.because.doubts ?? [],
        ...(equal.size > 0 ? [ofEqual] : []),
        ...(unlike.size > 0 ? ["conflict-beside" as const] : [])
      ]
    },
    finality: "never"
  }
}

export const besideDisputed = (
  ledger: Ledger,
  disputed: Disputed,
  drafts: ReadonlyArray<Draft>
): ReadonlyArray<Draft> => disputed.isAny ? drafts.map((draft) => beside(ledger, disputed, draft)) : drafts
