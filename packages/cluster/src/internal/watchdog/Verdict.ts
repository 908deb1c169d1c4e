/**
 * Judges from ticks of a thread of its own whether another thread stands still. Time in which the whole process stood still (SIGSTOP, a
 * virtual machine that was paused), in which the machine gave it no processor, or in which its memory was fetched from a disk, counts against
 * nobody: what is merely slow is not to be ended.
 */

/** The time between two ticks, ms. */
export const TICK = 1000

/** A tick that came later than this after the one before it was kept from coming itself, ms. */
const LATE = 1500

/** So many pages that are fetched from a disk in a second keep a thread from doing anything else. */
const SWAPPING = 100

/** A thread that did not beat in so many ticks that count stands still. Jobs compute for longer without a pause. */
export const LIMITS = { main: 30, job: 300 } as const

export interface Tick {
  /** The time since the tick before, ms. */
  readonly elapsed: number
  /** So many pages were fetched from a disk since then, by the whole process. */
  readonly fetched: number
  /** How often the thread at each place beat until now; the first one is the main thread, and nothing is where no thread is. */
  readonly beats: ReadonlyArray<number | undefined>
}

/** The first place whose thread stands still. */
export type Judge = (tick: Tick) => number | undefined

export const make = (limits: { readonly main: number; readonly job: number } = LIMITS): Judge => {
  let last: ReadonlyArray<number | undefined> = []
  let still: ReadonlyArray<number> = []
  return ({ beats, elapsed, fetched }) => {
    const counts = elapsed <= LATE && fetched < SWAPPING
    still = beats.map((count, place) => {
      const before = still[place] ?? 0
      if (count === undefined || count !== last[place]) return 0
      return counts ? before + 1 : before
    })
    last = beats
    const found = still.findIndex((ticks, place) => ticks >= (place === 0 ? limits.main : limits.job))
    return found < 0 ? undefined : found
  }
}
