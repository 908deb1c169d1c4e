/** A component with more candidate pairs than are searched: said so, with its size, and nothing guessed. */
import type { Component } from "./CandidateGraph.ts"
import { BUDGET } from "./CandidateGraph.ts"
import { item } from "./Column.ts"
import type { Run } from "./Run.ts"
import * as Words from "./Words.ts"

/** `what` says what they have in common: `equal amounts`. */
export const exhausted = (
  { closure, settle }: Run,
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
