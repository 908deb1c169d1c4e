/** The connected components of a sparse bipartite graph, numbered by their first deposit. A vertex without an edge has -1. */
import { i32 } from "../Column.ts"
import * as DisjointSets from "../DisjointSets.ts"

export interface Components {
  readonly ofDeposit: Int32Array
  readonly ofTransfer: Int32Array
  readonly count: number
}

/** Finds the components. The root of a set is its smallest vertex, and deposits have the smaller numbers. */
export const components = (
  deposits: number,
  transfers: number,
  edgeDeposit: Int32Array,
  edgeTransfer: Int32Array
): Components => {
  const { find: root, join } = DisjointSets.make(deposits + transfers)
  for (let edge = 0; edge < edgeDeposit.length; edge++) {
    join(i32(edgeDeposit, edge), deposits + i32(edgeTransfer, edge))
  }

  // The root of an edge is the first deposit of its component.
  const touched = new Uint8Array(deposits)
  for (let edge = 0; edge < edgeDeposit.length; edge++) touched[i32(edgeDeposit, edge)] = 1
  const ofDeposit = new Int32Array(deposits).fill(-1)
  const ofTransfer = new Int32Array(transfers).fill(-1)
  let count = 0
  for (let deposit = 0; deposit < deposits; deposit++) {
    if (touched[deposit] === 0) continue
    const first = root(deposit)
    ofDeposit[deposit] = first === deposit ? count++ : i32(ofDeposit, first)
  }
  for (let edge = 0; edge < edgeDeposit.length; edge++) {
    ofTransfer[i32(edgeTransfer, edge)] = i32(ofDeposit, i32(edgeDeposit, edge))
  }
  return { ofDeposit, ofTransfer, count }
}
