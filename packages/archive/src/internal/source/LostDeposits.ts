/**
 * A deposit that was lost, is not as it was written, or was never read may have settled long after its own time. Until then,
 * too, it is not known which deposits count.
 *
 * The time before any deposit was read does not count: no later sync sees a deposit of that time settle.
 */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Service } from "../../Archive.ts"
import type { DatabaseError } from "../../ArchiveError.ts"
import * as Damages from "../coverage/Damages.ts"
import * as Settling from "../history/Settling.ts"
import * as FileWord from "../records/FileWord.ts"

const LOST: Coverage.Gap = {
  code: Damages.GAP.code,
  detail: "the archive does not hold all deposits of the week before, one of which may have settled here: " +
    "read them again, or restore a backup"
}

const DISPUTED: Coverage.Gap = {
  code: FileWord.GAP.code,
  detail:
    "a file tells another status of a deposit of the week before than the exchange does, and that deposit may have " +
    "settled here"
}

const UNREAD: Coverage.Gap = {
  code: "not-read",
  detail: "deposits of the week before were not all read, one of which may have settled here"
}

export interface State {
  /** The first deposits were read from this time on, Unix ms. */
  readonly begin: number
  /** A deposit that was lost may settle until this time, Unix ms. */
  readonly lost: number
  /** A deposit of which a file and the service tell different statuses may settle until this time, Unix ms. */
  readonly disputed: number
  /** A deposit that was not read may settle until this time, Unix ms. */
  readonly unread: number
}

const latest = (parts: ReadonlyArray<Coverage.Interval>, least: number): number =>
  parts.reduce((end, { to }) => Math.max(end, to + Settling.MEMORY), least)

/** This coverage of deposits was known when a report began; it is absent where nobody writes meanwhile. */
type Believed = ReadonlyArray<Coverage.Coverage> | undefined

const before = Effect.fnUntraced(function*({ deposits, settlingUnknown }: Service, believed: Believed, at: number) {
  const week = { from: Math.max(at - Settling.MEMORY, 0), to: at }
  if (week.from >= week.to) return { begin: at, lost: at, disputed: at, unread: at }
  const { begin, damaged, disputed, unread } = yield* settlingUnknown(week)
  const since = { from: Math.max(week.from, begin), to: at }
  // Time counts that was not complete when the report began, beside time that is not complete now.
  const untold = believed === undefined || since.from >= at ? [] : Coverage.uncovered(believed, since)
  return {
    begin,
    lost: latest([...damaged, ...yield* deposits.lost(week)], at),
    disputed: latest(disputed, at),
    unread: latest([...unread, ...untold], at)
  }
})

const isLost = ({ gap }: Coverage.Coverage): boolean => gap?.code === Damages.GAP.code

const isDisputed = ({ gap }: Coverage.Coverage): boolean => gap?.detail === FileWord.GAP.detail

const inTurn = (parts: ReadonlyArray<Coverage.Coverage>) => parts.toSorted((a, b) => a.from - b.from)

/** Finds the gaps that `parts`, and parts before them, leave in a slice, and the end that follows from them. */
const behind = (
  { from }: Coverage.Interval,
  end: number,
  parts: ReadonlyArray<Coverage.Interval>,
  gap: Coverage.Gap
) => {
  const gaps: Array<Damages.Damaged> = end > from ? [{ from, to: end, gap }] : []
  let last = end
  for (const part of parts) {
    if (part.to + Settling.MEMORY <= last) continue
    gaps.push({ from: Math.max(part.from, last), to: part.to + Settling.MEMORY, gap })
    last = part.to + Settling.MEMORY
  }
  return { gaps, last }
}

/** Adds to a slice the gaps that follow from what is known before it and in it, and gives what is known behind it. */
export const extended = <Record>(state: State, slice: Slice.Slice<Record>) => {
  const deposits = slice.coverage.filter(({ operation }) => operation === "deposits")
  const from = Math.min(Math.max(slice.from, state.begin), slice.to)
  // Lost deposits had been read, even where they were the first.
  const lost = behind(slice, state.lost, inTurn(deposits.filter(isLost)), LOST)
  const disputed = behind(slice, state.disputed, inTurn(deposits.filter(isDisputed)), DISPUTED)
  const unread = behind(slice, state.unread, Coverage.uncovered(deposits, { from, to: slice.to }), UNREAD)
  const coverage = [lost, disputed, unread].reduce((parts, { gaps }) => Damages.withGaps(parts, gaps), slice.coverage)
  return [
    { ...state, lost: lost.last, disputed: disputed.last, unread: unread.last },
    [{ ...slice, coverage }]
  ] as const
}

/** Gives slices of deposits in order of time, whose coverage has a gap wherever an unknown deposit may have settled. */
export const named = (archive: Service, believed: Believed) =>
<Record, E, R>(
  slices: Stream.Stream<Slice.Slice<Record>, E, R>
): Stream.Stream<Slice.Slice<Record>, E | DatabaseError, R> =>
  Stream.mapAccumEffect(slices, (): State | undefined => undefined, (state, slice) =>
    Effect.map(
      state === undefined ? before(archive, believed, slice.from) : Effect.succeed(state),
      (known) => extended(known, slice)
    ))
