/** A component with more candidate pairs than are searched: said so, with its size, and nothing guessed. */
import { item } from "../ledger/Column.ts"
import * as Words from "../Words.ts"
import type { Workbench } from "../Workbench.ts"
import type { Component } from "./CandidateGraph.ts"
import { BUDGET } from "./CandidateGraph.ts"

/** `what` says what they have in common: `equal amounts`. */
export const exhausted = (
  { closure, settle }: Workbench,
  { deposits, size, transfers }: Component,
  what: string
): void => {
  for (const deposit of deposits) closure.joinUnlike(deposit, item(transfers, 0))
  for (const transfer of transfers) closure.joinUnlike(item(deposits, 0), transfer)
  settle({
    code: "search-exhausted",
    deposits,
    transfers,
    finality: "horizon",
    explanation:
      `${Words.count(deposits.length, "deposit")} and ${Words.count(transfers.length, "transfer")} with ${what} ` +
      `hang together by ${size} possible pairs, more than the ${BUDGET} that are searched; none of them was matched.`
  })
}
