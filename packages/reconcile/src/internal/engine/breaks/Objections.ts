/**
 * Settles entries with an objection: their source told them in several ways, no longer shows them, or took back a status that
 * is final. They take part in no match. An entry whose only counterpart is one of them belongs to its outcome.
 */
import type { Candidate } from "../../explain/Unexplained.ts"
import type { Objection } from "../../Past.ts"
import type { Component } from "../candidates/CandidateGraph.ts"
import * as Unsettled from "../candidates/Unsettled.ts"
import * as TakenCandidates from "../evidence/TakenCandidates.ts"
import { item } from "../ledger/Column.ts"
import type { ConflictVersions } from "../ledger/ConflictVersions.ts"
import type { Draft } from "../ledger/Draft.ts"
import type { Side } from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"

/** The largest number of versions of an entry that its facts hold. */
const NAMED = 3

/** Settles a component as one outcome. `side` is the one whose entries have the objection. */
const together = (
  { settle }: Workbench,
  code: Objection,
  side: Side,
  { deposits, transfers }: Component
): void => {
  settle({ code, deposits, transfers, finality: "horizon", because: { code: "objected", side: side.side } })
}

const alone = (
  { settle }: Workbench,
  code: "vanished" | "status-regressed",
  side: Side,
  index: number,
  candidates: ReadonlyArray<Candidate>
): void => {
  settle({
    code,
    ...side.alone(index),
    finality: "horizon",
    candidates,
    because: { code: "objected-alone", taken: candidates.length > 0 }
  })
}

const conflict = ({ settle }: Workbench, side: Side, index: number, contents: ConflictVersions): void => {
  const entry = item(side.entries, index)
  const others = contents(entry)
  settle({
    code: "source-conflict",
    ...side.alone(index),
    finality: "horizon",
    candidates: others.map(({ differs }): Candidate => ({
      side: side.side,
      id: entry.id,
      because: { code: "version", version: differs }
    })),
    because: {
      code: "told-in-versions",
      versions: others.length + 1,
      others: others.slice(0, NAMED).map(({ differs }) => differs)
    }
  })
}

/** Settles the gravest objection first. An entry that is equal to several disputed ones goes with the gravest. */
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
  const wentTo = (side: Side, index: number): ReadonlyArray<Candidate> => {
    if (side.inFlow[index] !== 1) return []
    return others(side.side, index).candidates
  }
  for (const code of ["vanished", "status-regressed"] as const) {
    for (const part of Unsettled.objectedTransfers(ledger, code)) together(bench, code, ledger.transfers, part)
    for (const part of Unsettled.objectedDeposits(ledger, code)) together(bench, code, ledger.deposits, part)
    open(code, (side, index) => alone(bench, code, side, index, wentTo(side, index)))
  }
}
