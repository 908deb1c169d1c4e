/** Puts planned items into the order of time, in a binary heap that holds only future items. */

export interface Agenda<A> {
  readonly add: (at: number, item: A) => void
  /** Takes the earliest item before `time`; equal times leave in the order they came. */
  readonly takeBefore: (time: number) => A | undefined
}

interface Entry<A> {
  readonly at: number
  readonly ordinal: number
  readonly item: A
}

const before = <A>(a: Entry<A>, b: Entry<A>): boolean => a.at < b.at || (a.at === b.at && a.ordinal < b.ordinal)

export const make = <A>(): Agenda<A> => {
  const heap: Array<Entry<A>> = []
  let ordinal = 0

  const sinkFromTop = (moved: Entry<A>) => {
    let hole = 0
    for (;;) {
      const left = heap[2 * hole + 1]
      const right = heap[2 * hole + 2]
      const useRight = left !== undefined && right !== undefined && before(right, left)
      const child = useRight ? right : left
      if (child === undefined || !before(child, moved)) break
      heap[hole] = child
      hole = 2 * hole + (useRight ? 2 : 1)
    }
    heap[hole] = moved
  }

  return {
    add: (at, item) => {
      const entry = { at, ordinal: ordinal++, item }
      let hole = heap.length
      while (hole > 0) {
        const up = (hole - 1) >>> 1
        const parent = heap[up]
        if (parent === undefined || !before(entry, parent)) break
        heap[hole] = parent
        hole = up
      }
      heap[hole] = entry
    },
    takeBefore: (time) => {
      const [top] = heap
      if (top === undefined || top.at >= time) return undefined
      const last = heap.pop()
      if (last !== undefined && heap.length > 0) sinkFromTop(last)
      return top.item
    }
  }
}
