/**
 * A sparse bipartite graph, stored in compressed rows. Deposits and transfers share one numbering (transfer j is the vertex
 * `deposits + j`), so that every algorithm works from either side.
 */
import { i32, u8 } from "../Column.ts"

export interface Graph {
  readonly vertices: number
  /** Vertices below this are deposits. */
  readonly deposits: number
  /** The two ends of each edge. */
  readonly deposit: Int32Array
  readonly transfer: Int32Array
  /** The edges of vertex v are `incident[start[v]..start[v + 1])`, in the order given, and `neighbour` their far ends. */
  readonly start: Int32Array
  readonly incident: Int32Array
  readonly neighbour: Int32Array
}

export const make = (deposits: number, transfers: number, deposit: Int32Array, transfer: Int32Array): Graph => {
  const vertices = deposits + transfers
  const edges = deposit.length
  const ends = transfer.map((index) => deposits + index)
  const start = new Int32Array(vertices + 1)
  const next = new Int32Array(vertices)
  const incident = new Int32Array(2 * edges)
  const neighbour = new Int32Array(2 * edges)
  for (let edge = 0; edge < edges; edge++) {
    next[i32(deposit, edge)] = i32(next, i32(deposit, edge)) + 1
    next[i32(ends, edge)] = i32(next, i32(ends, edge)) + 1
  }
  for (let vertex = 0; vertex < vertices; vertex++) {
    start[vertex + 1] = i32(start, vertex) + i32(next, vertex)
    next[vertex] = i32(start, vertex)
  }
  const add = (vertex: number, edge: number, far: number) => {
    const slot = i32(next, vertex)
    incident[slot] = edge
    neighbour[slot] = far
    next[vertex] = slot + 1
  }
  for (let edge = 0; edge < edges; edge++) {
    add(i32(deposit, edge), edge, i32(ends, edge))
    add(i32(ends, edge), edge, i32(deposit, edge))
  }
  return { vertices, deposits, deposit, transfer: ends, start, incident, neighbour }
}

/** Leaves out the edges between different parts. The other edges keep their numbers. */
export const within = (graph: Graph, parts: Uint8Array): Graph => {
  const start = new Int32Array(graph.vertices + 1)
  const incident = new Int32Array(graph.incident.length)
  const neighbour = new Int32Array(graph.neighbour.length)
  let size = 0
  for (let vertex = 0; vertex < graph.vertices; vertex++) {
    for (let slot = i32(graph.start, vertex); slot < i32(graph.start, vertex + 1); slot++) {
      const far = i32(graph.neighbour, slot)
      if (u8(parts, far) !== u8(parts, vertex)) continue
      incident[size] = i32(graph.incident, slot)
      neighbour[size++] = far
    }
    start[vertex + 1] = size
  }
  return { ...graph, start, incident: incident.subarray(0, size), neighbour: neighbour.subarray(0, size) }
}

/** The end of an edge that is not `vertex`. */
export const opposite = (graph: Graph, edge: number, vertex: number): number =>
  vertex < graph.deposits ? i32(graph.transfer, edge) : i32(graph.deposit, edge)
