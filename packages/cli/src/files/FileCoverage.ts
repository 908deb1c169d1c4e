/** The coverage of a file says which time its records cover completely: its own records show it, or a person vouches for it. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"

/** The flags that vouch for a file. */
export interface Vouched {
  /** The vouched time begins here, Unix ms. Where it is absent, it begins at the first record of the file. */
  readonly from: number | undefined
  /** The vouched time ends before this, Unix ms. Where it is absent, it ends behind the last record of the file. */
  readonly to: number | undefined
  /** The file holds everything of all time. */
  readonly complete: boolean
}

/** The last millisecond that a calendar knows. */
export const END_OF_TIME = 8_640_000_000_000_000

interface Read {
  readonly name: string
  readonly operation: Coverage.Coverage["operation"]
  /** From its first record to behind its last one, as far as it was read. */
  readonly own: Coverage.Interval | undefined
}

/** From the first of the entries to behind the last one; they are in order of time. */
export const ownInterval = (entries: ReadonlyArray<Entry.Entry>): Coverage.Interval | undefined => {
  const [first, last] = [entries[0], entries.at(-1)]
  return first === undefined || last === undefined ? undefined : { from: first.at, to: last.at + 1 }
}

const vouchedInterval = (
  { complete, from, to }: Vouched,
  own: Coverage.Interval | undefined
): Coverage.Interval | undefined => {
  if (complete) return { from: 0, to: END_OF_TIME }
  const [begin, end] = [from ?? own?.from, to ?? own?.to]
  return begin === undefined || end === undefined || begin >= end ? undefined : { from: begin, to: end }
}

/**
 * Gives the coverage of a file. The file is complete from its first record to its last one, and where a person vouches for it.
 * Nobody can vouch for time behind `now`, the time of the run in Unix ms. Time before the complete part is a gap, which names the
 * flag that would close it. Time behind it is no gap: its records are not there yet.
 */
export const of = (
  { name, operation, own }: Read,
  vouched: Vouched,
  now: number
): ReadonlyArray<Coverage.Coverage> => {
  const intervals = [own, vouchedInterval(vouched, own)].filter((interval) => interval !== undefined)
  const readAt = Math.max(0, Math.min(now, Math.max(...intervals.map(({ to }) => to))))
  const begin = Math.min(END_OF_TIME, ...intervals.map(({ from }) => from))
  const complete = intervals.map(({ from, to }): Coverage.Coverage => ({
    operation,
    from,
    to,
    readAt,
    state: "complete"
  }))
  if (begin === 0) return complete
  const detail = own === undefined
    ? `${name} holds no record, and proves nothing unless --from and --to, or --complete, vouch for it`
    : `${name} proves nothing before its first record unless --from or --complete vouches for it`
  return [
    { operation, from: 0, to: begin, readAt: begin, state: "incomplete", gap: { code: "not-read", detail } },
    ...complete
  ]
}
