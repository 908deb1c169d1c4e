/** A binary heap of vertices. A vertex inside it may come nearer, and then moves up. */
import { i32 } from "../Column.ts"

export interface Heap {
  /** Inserts a vertex, or moves it up after it came nearer. */
  readonly raise: (vertex: number) => void
  /** Removes and returns the nearest vertex; returns -1 if the heap is empty. */
  readonly pop: () => number
  readonly clear: () => void
}

const absent = -1

export const make = (vertices: number, nearer: (a: number, b: number) => boolean): Heap => {
  const heap = new Int32Array(vertices)
  const position = new Int32Array(vertices).fill(absent)
  let size = 0

  const place = (vertex: number, slot: number) => {
    heap[slot] = vertex
    position[vertex] = slot
  }

  const raise = (vertex: number) => {
    let slot = i32(position, vertex)
    if (slot === absent) slot = size++
    while (slot > 0) {
      const parent = (slot - 1) >> 1
      const above = i32(heap, parent)
      if (!nearer(vertex, above)) break
      place(above, slot)
      slot = parent
    }
    place(vertex, slot)
  }

  const pop = (): number => {
    if (size === 0) return -1
    const top = i32(heap, 0)
    position[top] = absent
    const vertex = i32(heap, --size)
    if (size === 0) return top
    let slot = 0
    for (let child = 1; child < size; child = 2 * slot + 1) {
      if (child + 1 < size && nearer(i32(heap, child + 1), i32(heap, child))) child++
      const below = i32(heap, child)
      if (!nearer(below, vertex)) break
      place(below, slot)
      slot = child
    }
    place(vertex, slot)
    return top
  }

  const clear = () => {
    for (let slot = 0; slot < size; slot++) position[i32(heap, slot)] = absent
    size = 0
  }

  return { raise, pop, clear }
}
