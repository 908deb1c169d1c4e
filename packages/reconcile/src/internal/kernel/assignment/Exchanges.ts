/**
 * Finds the vertices that can exchange partners without loss. Alternating cycles of usable edges lead from one optimum to
 * any other; so do alternating paths that free one optional vertex and match another, and these are cycles through a hub.
 * So an edge is in some optima and not in others exactly if it lies on a directed cycle, that is, inside one strongly
 * connected component. Tarjan's algorithm finds the components in linear time, here without recursion.
 */
import { i32, u8 } from "../Column.ts"
import { type Graph, opposite } from "./Bipartite.ts"

export interface Question {
  readonly graph: Graph
  readonly required: Uint8Array
  readonly mate: Int32Array
  /** Whether an edge may be used. */
  readonly isUsable: (edge: number) => boolean
  /** Whether an optional vertex may be left free. */
  readonly isReleasable: (vertex: number) => boolean
}

/**
 * Returns the component of each vertex, and that of the hub as the last element. Directed edges lead from a required vertex
 * along its usable edges, from a matched optional vertex to its partner, from a free optional vertex to the hub, and from
 * the hub to the matched optional vertices that may be left free.
 */
export const exchanges = ({ graph, isReleasable, isUsable, mate, required }: Question): Int32Array => {
  const { incident, neighbour, start, vertices } = graph
  const hub = vertices
  const released = new Int32Array(vertices)
  let releasedCount = 0
  for (let vertex = 0; vertex < vertices; vertex++) {
    if (u8(required, vertex) === 0 && i32(mate, vertex) >= 0 && isReleasable(vertex)) released[releasedCount++] = vertex
  }

  const cursor = new Int32Array(vertices + 1)
  /** Returns the next vertex that an edge from `vertex` leads to, or -1 when there are no more. */
  const follow = (vertex: number): number => {
    const position = i32(cursor, vertex)
    if (vertex === hub) {
      cursor[hub] = position + 1
      return position < releasedCount ? i32(released, position) : -1
    }
    if (u8(required, vertex) === 0) {
      cursor[vertex] = 1
      if (position === 1) return -1
      const edge = i32(mate, vertex)
      return edge < 0 ? hub : opposite(graph, edge, vertex)
    }
    for (let slot = i32(start, vertex) + position; slot < i32(start, vertex + 1); slot++) {
      const edge = i32(incident, slot)
      if (edge === i32(mate, vertex) || !isUsable(edge)) continue
      cursor[vertex] = slot - i32(start, vertex) + 1
      return i32(neighbour, slot)
    }
    return -1
  }

  const component = new Int32Array(vertices + 1).fill(-1)
  const found = new Int32Array(vertices + 1).fill(-1)
  const lowest = new Int32Array(vertices + 1)
  const open = new Int32Array(vertices + 1)
  const path = new Int32Array(vertices + 1)
  let time = 0
  let openSize = 0
  let count = 0

  const close = (vertex: number) => {
    for (;;) {
      const member = i32(open, --openSize)
      component[member] = count
      if (member === vertex) break
    }
    count++
  }

  const search = (origin: number) => {
    let depth = -1
    const enter = (vertex: number) => {
      found[vertex] = time
      lowest[vertex] = time++
      open[openSize++] = vertex
      path[++depth] = vertex
    }
    enter(origin)
    while (depth >= 0) {
      const vertex = i32(path, depth)
      const next = follow(vertex)
      if (next >= 0) {
        if (i32(found, next) < 0) enter(next)
        else if (i32(component, next) < 0) lowest[vertex] = Math.min(i32(lowest, vertex), i32(found, next))
        continue
      }
      depth--
      if (i32(lowest, vertex) === i32(found, vertex)) close(vertex)
      if (depth < 0) continue
      const above = i32(path, depth)
      lowest[above] = Math.min(i32(lowest, above), i32(lowest, vertex))
    }
  }

  for (let vertex = 0; vertex <= vertices; vertex++) if (i32(found, vertex) < 0) search(vertex)
  return component
}
