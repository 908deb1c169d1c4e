/** The maximum matching of a sparse bipartite graph (Hopcroft and Karp), and the Dulmage-Mendelsohn decomposition. */
import { i32, u8 } from "../Column.ts"
import { type Graph, opposite } from "./Bipartite.ts"

const unseen = -1

/**
 * Returns for each vertex the edge that matches it, or -1. Breadth-first and depth-first searches take turns:
 * O(edges · √vertices).
 */
export const maximumMatching = (graph: Graph): Int32Array => {
  const { deposits, incident, neighbour, start, vertices } = graph
  const mate = new Int32Array(vertices).fill(-1)
  const layer = new Int32Array(deposits)
  const queue = new Int32Array(deposits)
  const next = new Int32Array(deposits)
  const path = new Int32Array(deposits)

  /**
   * Puts deposits in layers by the length of the shortest alternating path from a free deposit. Returns whether a path
   * reaches a free transfer.
   */
  const layered = (): boolean => {
    layer.fill(unseen)
    let size = 0
    let found = false
    for (let deposit = 0; deposit < deposits; deposit++) {
      next[deposit] = i32(start, deposit)
      if (i32(mate, deposit) >= 0) continue
      layer[deposit] = 0
      queue[size++] = deposit
    }
    for (let head = 0; head < size; head++) {
      const deposit = i32(queue, head)
      for (let slot = i32(start, deposit); slot < i32(start, deposit + 1); slot++) {
        const edge = i32(mate, i32(neighbour, slot))
        const behind = edge < 0 ? unseen : i32(graph.deposit, edge)
        if (behind === unseen) found = true
        else if (i32(layer, behind) === unseen) {
          layer[behind] = i32(layer, deposit) + 1
          queue[size++] = behind
        }
      }
    }
    return found
  }

  /** Flips the edges along `path`, which led to a free transfer; `next` points at the edge of each deposit. */
  const flip = (depth: number) => {
    for (let position = depth; position >= 0; position--) {
      const deposit = i32(path, position)
      const slot = i32(next, deposit)
      mate[deposit] = i32(incident, slot)
      mate[i32(neighbour, slot)] = i32(incident, slot)
    }
  }

  /** Searches depth first from a free deposit, layer by layer. A phase tries every slot at most once. */
  const augment = (free: number) => {
    let depth = 0
    path[0] = free
    while (depth >= 0) {
      const deposit = i32(path, depth)
      const slot = i32(next, deposit)
      if (slot === i32(start, deposit + 1)) {
        layer[deposit] = unseen
        depth--
        if (depth >= 0) next[i32(path, depth)] = i32(next, i32(path, depth)) + 1
        continue
      }
      const edge = i32(mate, i32(neighbour, slot))
      if (edge < 0) return flip(depth)
      const behind = i32(graph.deposit, edge)
      if (i32(layer, behind) === i32(layer, deposit) + 1) path[++depth] = behind
      else next[deposit] = slot + 1
    }
  }

  while (layered()) {
    for (let deposit = 0; deposit < deposits; deposit++) {
      if (i32(mate, deposit) < 0) augment(deposit)
    }
  }
  return mate
}

/** The part of the decomposition that a vertex belongs to. No maximum matching has an edge between two parts. */
export const part = { core: 0, depositSurplus: 1, transferSurplus: 2 } as const

/**
 * Finds the parts from any maximum matching. Alternating paths from free deposits reach the first part, where every maximum
 * matching matches all transfers; alternating paths from free transfers reach the second, where it matches all deposits. The
 * rest is the core, where every maximum matching is perfect.
 */
export const decompose = (graph: Graph, mate: Int32Array): Uint8Array => {
  const parts = new Uint8Array(graph.vertices)
  const open = new Int32Array(graph.vertices)
  let size = 0
  for (let vertex = 0; vertex < graph.vertices; vertex++) {
    if (i32(mate, vertex) >= 0) continue
    parts[vertex] = vertex < graph.deposits ? part.depositSurplus : part.transferSurplus
    open[size++] = vertex
  }
  while (size > 0) {
    const vertex = i32(open, --size)
    const own = u8(parts, vertex)
    for (let slot = i32(graph.start, vertex); slot < i32(graph.start, vertex + 1); slot++) {
      const far = i32(graph.neighbour, slot)
      if (u8(parts, far) === own) continue
      const behind = opposite(graph, i32(mate, far), far)
      parts[far] = own
      parts[behind] = own
      open[size++] = behind
    }
  }
  return parts
}
