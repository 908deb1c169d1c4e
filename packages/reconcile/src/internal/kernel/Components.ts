/** Connected components of a sparse bipartite graph, numbered by their first deposit; -1 for vertices without an edge. */
import { i32 } from "./Column.ts"

export interface Components {
  readonly ofDeposit: Int32Array
  readonly ofTransfer: Int32Array
  readonly count: number
}

/** Union-find that halves paths and hangs later vertices under earlier ones, hence deposits come first. */
export const components = (
  deposits: number,
  transfers: number,
  edgeDeposit: Int32Array,
  edgeTransfer: Int32Array
): Components => {
  const parent = Int32Array.from({ length: deposits + transfers }, (_, vertex) => vertex)
  const root = (start: number): number => {
    let vertex = start
    while (i32(parent, vertex) !== vertex) {
      const above = i32(parent, i32(parent, vertex))
      parent[vertex] = above
      vertex = above
    }
    return vertex
  }
  for (let edge = 0; edge < edgeDeposit.length; edge++) {
    const a = root(i32(edgeDeposit, edge))
    const b = root(deposits + i32(edgeTransfer, edge))
    parent[Math.max(a, b)] = Math.min(a, b)
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
