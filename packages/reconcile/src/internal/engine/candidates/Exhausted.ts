/**
 * Settles a component that has more candidate pairs than are searched. The outcome says how many there are, and nothing is
 * guessed.
 */
import type * as Because from "../../explain/Because.ts"
import type { Workbench } from "../Workbench.ts"
import type { Component } from "./CandidateGraph.ts"
import { BUDGET } from "./CandidateGraph.ts"

/** Settles it. `common` names the property that its entries share. */
export const exhausted = (
  { finality, settle }: Workbench,
  component: Component,
  common: Extract<Because.Because, { readonly code: "too-many-pairs" }>["common"]
): void => {
  const { deposits, size, transfers } = component
  finality.joinAmong(component, "unlike")
  settle({
    code: "search-exhausted",
    deposits,
    transfers,
    finality: "horizon",
    because: { code: "too-many-pairs", common, pairs: size, searched: BUDGET }
  })
}
