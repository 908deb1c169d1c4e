/**
 * Finds many shortest augmenting paths at once, among vertices that are all matched in the end: there the prices of free
 * vertices need not be zero. One search starts from all free vertices of a side, moves all prices by the distances, and takes
 * a path in every tree that reaches a free vertex. A few such searches replace most of the searches for one path each.
 */
import { i32, u8 } from "../Column.ts"
import { type Graph, opposite } from "./Bipartite.ts"
import * as Heap from "./Heap.ts"
import { MAX_PHASES, type Prices } from "./Prices.ts"

/**
 * Extends `mate` by paths between vertices of `perfect`. Some matching matches all of these, and no edge leaves them;
 * `required` marks those of one side. Vertices that are still free after the last search are left to the caller.
 */
export const extend = (
  graph: Graph,
  required: Uint8Array,
  perfect: Uint8Array,
  prices: Prices,
  mate: Int32Array
): void => {
  const { incident, neighbour, start, vertices } = graph
  const isRoot = (vertex: number): boolean =>
    u8(required, vertex) === 1 && u8(perfect, vertex) === 1 && i32(mate, vertex) < 0
  if (!required.some((_, vertex) => isRoot(vertex))) return

  const via = new Int32Array(vertices)
  const seen = new Int32Array(vertices).fill(-1)
  const root = new Int32Array(vertices)
  const order = new Int32Array(vertices)
  const isSettled = new Uint8Array(vertices)
  const isDone = new Uint8Array(vertices)
  const heap = Heap.make(vertices, prices.nearer)

  /** Flips the path of the tree that ends at the free vertex `last`. */
  const flip = (last: number) => {
    for (let far = last; far >= 0;) {
      const edge = i32(via, far)
      const near = opposite(graph, edge, far)
      const freed = i32(mate, near)
      mate[near] = edge
      mate[far] = edge
      far = freed < 0 ? -1 : opposite(graph, freed, near)
    }
  }

  const search = (phase: number) => {
    const relax = (vertex: number, from: number) => {
      for (let slot = i32(start, vertex); slot < i32(start, vertex + 1); slot++) {
        const far = i32(neighbour, slot)
        if (u8(isSettled, far) === 1 || !prices.reach(i32(incident, slot), far, i32(seen, far) !== phase)) {
          continue
        }
        seen[far] = phase
        via[far] = i32(incident, slot)
        root[far] = from
        heap.raise(far)
      }
    }
    let count = 0
    isSettled.fill(0)
    isDone.fill(0)
    prices.begin()
    for (let vertex = 0; vertex < vertices; vertex++) {
      if (isRoot(vertex)) relax(vertex, vertex)
    }
    for (let next = heap.pop(); next >= 0; next = heap.pop()) {
      order[count++] = next
      isSettled[next] = 1
      if (i32(mate, next) < 0) continue
      prices.continueFrom(next)
      relax(opposite(graph, i32(mate, next), next), i32(root, next))
    }
    return count
  }

  for (let phase = 0; phase < MAX_PHASES; phase++) {
    const count = search(phase)
    if (count === 0) return
    const last = i32(order, count - 1)
    for (let vertex = 0; vertex < vertices; vertex++) {
      if (u8(perfect, vertex) === 0) continue
      if (u8(required, vertex) === 0) {
        prices.raise(vertex, u8(isSettled, vertex) === 1 ? vertex : last, -1)
        continue
      }
      const edge = i32(mate, vertex)
      if (edge < 0) continue
      const far = opposite(graph, edge, vertex)
      prices.lower(vertex, u8(isSettled, far) === 1 ? far : last, -1)
    }
    for (let index = 0; index < count; index++) {
      const far = i32(order, index)
      if (i32(mate, far) >= 0 || u8(isDone, i32(root, far)) === 1) continue
      isDone[i32(root, far)] = 1
      flip(far)
    }
  }
}
