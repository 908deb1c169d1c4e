/**
 * Memory that the threads of a runner share: each counts in a place of its own that it is alive, and the watchdog looks whether they count.
 * No place is read and written by anything but `Atomics`.
 */

/** The main thread and 64 jobs at a time, which is the most that a runner does. */
const PLACES = 65

/** The place of the main thread. */
export const MAIN = 0

/** Why the main thread itself asks for the end: 0 where it does not. */
export const END = { none: 0, heartbeat: 1 } as const
type End = (typeof END)[keyof typeof END]

/** Each place has whether a thread is there, and how often it beat. The last number is `End`. */
const LENGTH = 2 * PLACES + 1

export interface Pulse {
  readonly memory: SharedArrayBuffer
  readonly place: number
}

export interface Pulses {
  readonly memory: SharedArrayBuffer
  /** Takes a place for a thread, if one is free. */
  readonly take: () => Pulse | undefined
  /** Asks for the end of the process. */
  readonly end: (why: End) => void
}

export const release = ({ memory, place }: Pulse): void => void Atomics.store(new Int32Array(memory), 2 * place, 0)

/** Says that the thread is alive. */
export const beat = ({ memory, place }: Pulse): void => void Atomics.add(new Int32Array(memory), 2 * place + 1, 1)

/** How often the thread at each place beat; nothing where none is. */
export const beats = (memory: SharedArrayBuffer): ReadonlyArray<number | undefined> => {
  const numbers = new Int32Array(memory)
  return Array.from(
    { length: PLACES },
    (_, place) => Atomics.load(numbers, 2 * place) === 1 ? Atomics.load(numbers, 2 * place + 1) : undefined
  )
}

export const asked = (memory: SharedArrayBuffer): number => Atomics.load(new Int32Array(memory), LENGTH - 1)

/** Makes the memory; the main thread has its place. */
export const make = (): Pulses => {
  const memory = new SharedArrayBuffer(LENGTH * Int32Array.BYTES_PER_ELEMENT)
  const numbers = new Int32Array(memory)
  Atomics.store(numbers, 2 * MAIN, 1)
  return {
    memory,
    take: () => {
      for (let place = MAIN + 1; place < PLACES; place++) {
        if (Atomics.compareExchange(numbers, 2 * place, 0, 1) === 0) return { memory, place }
      }
      return undefined
    },
    end: (why) => void Atomics.store(numbers, LENGTH - 1, why)
  }
}
