/** A component with more candidate pairs than are searched: said so, with its size, and nothing guessed. */
import * as Words from "../Words.ts"
import type { Workbench } from "../Workbench.ts"
import type { Component } from "./CandidateGraph.ts"
import { BUDGET } from "./CandidateGraph.ts"

/** `what` says what they have in common: `equal amounts`. */
export const exhausted = (
  { finality, settle }: Workbench,
  component: Component,
  what: string
): void => {
  const { deposits, size, transfers } = component
  finality.joinAmong(component, "unlike")
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
