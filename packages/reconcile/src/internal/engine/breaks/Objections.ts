/**
 * Entries whose past speaks against them: told in several ways, no longer shown, or gone back from a status that is final.
 * They take part in no match; who has no other counterpart than one of them belongs to its outcome.
 */
import type * as Outcome from "../../../Outcome.ts"
import type { Objection } from "../../Past.ts"
import type { Component } from "../candidates/CandidateGraph.ts"
import * as Unsettled from "../candidates/Unsettled.ts"
import * as TakenCandidates from "../evidence/TakenCandidates.ts"
import { item } from "../ledger/Column.ts"
import type { ConflictVersions } from "../ledger/ConflictVersions.ts"
import type { Draft } from "../ledger/Draft.ts"
import type { Side } from "../ledger/Ledger.ts"
import * as Words from "../Words.ts"
import type { Workbench } from "../Workbench.ts"

/** The most that a sentence names. */
const NAMED = 3

const listed = (names: ReadonlyArray<string>, between: string): string =>
  names.slice(0, NAMED).concat(names.length > NAMED ? [`${names.length - NAMED} more`] : []).join(between)

/** A component: `side` is the one whose entries have the objection. */
const together = (
  { settle }: Workbench,
  code: Objection,
  side: Side,
  part: Component
): void => {
  const { deposits, transfers } = part
  const objected = part[`${side.side}s`].map((index) => item(side.entries, index))
  const others = part[`${side.other.side}s`].map((index) => item(side.other.entries, index))
  const [entry, other] = [item(objected, 0), item(others, 0)]
  const isLone = objected.length === 1 && others.length === 1
  settle({
    code,
    deposits,
    transfers,
    finality: "horizon",
    explanation: isLone
      ? `${Words.side(other.side)} ${other.id} of ${Words.money(other)} has its ${side.side} ${entry.id}, but that ${
        Words.objection(code, entry)
      }; there is no other.`
      : `${Words.count(deposits.length, "deposit")} and ${Words.count(transfers.length, "transfer")} of ${
        Words.money(entry)
      } may belong together, but ${
        listed(objected.map((one) => `${side.side} ${one.id} ${Words.objection(code, one)}`), "; ")
      }. Which belongs to which is not known.`
  })
}

const alone = (
  { settle }: Workbench,
  code: "vanished" | "status-regressed",
  side: Side,
  index: number,
  candidates: ReadonlyArray<Outcome.Candidate>
): void => {
  const entry = item(side.entries, index)
  settle({
    code,
    ...side.alone(index),
    finality: "horizon",
    candidates,
    explanation: `${Words.side(side.side)} ${entry.id} of ${Words.money(entry)} ${Words.objection(code, entry)}; ` +
      (candidates.length === 0
        ? `nothing open is equal to it.`
        : "what is equal in its window went to others (see the candidates).")
  })
}

const conflict = ({ settle }: Workbench, side: Side, index: number, contents: ConflictVersions): void => {
  const entry = item(side.entries, index)
  const others = contents(entry)
  settle({
    code: "source-conflict",
    ...side.alone(index),
    finality: "horizon",
    candidates: others.map(({ differs }): Outcome.Candidate => ({
      side: side.side,
      id: entry.id,
      reason: `also told with ${differs}`
    })),
    explanation: `The source gave ${others.length + 1} different contents for ${side.side} ${entry.id} of ${
      Words.money(entry)
    } at ${Words.instant(entry.at)}; none of them was matched. It was also told with ${
      listed(others.map(({ differs }) => differs), "; with ")
    }.`
  })
}

/** In the order of their gravity; what is equal to several goes with the gravest. */
export const objections = (bench: Workbench, drafts: ReadonlyArray<Draft>, contents: ConflictVersions): void => {
  const { ledger } = bench
  const sides = [ledger.deposits, ledger.transfers]
  if (sides.every(({ objections }) => objections.size === 0)) return
  Unsettled.joinObjected(bench)
  const open = (code: Objection, visit: (side: Side, index: number) => void): void => {
    for (const side of sides) {
      for (const [index, objection] of side.objections) {
        if (objection === code && side.open[index] === 1) visit(side, index)
      }
    }
  }
  open("source-conflict", (side, index) => conflict(bench, side, index, contents))
  const others = TakenCandidates.make(bench, TakenCandidates.draftsOf(drafts))
  const wentTo = (side: Side, index: number): ReadonlyArray<Outcome.Candidate> => {
    if (side.inFlow[index] !== 1) return []
    return others(side.side, index).candidates
  }
  for (const code of ["vanished", "status-regressed"] as const) {
    for (const part of Unsettled.objectedTransfers(ledger, code)) together(bench, code, ledger.transfers, part)
    for (const part of Unsettled.objectedDeposits(ledger, code)) together(bench, code, ledger.deposits, part)
    open(code, (side, index) => alone(bench, code, side, index, wentTo(side, index)))
  }
}
