/**
 * A deposit that was lost, or is not as it was written, may have settled long after its own time: of the time until then, too,
 * the deposits that count are not known.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Service } from "../Archive.ts"
import type { ArchiveError } from "../ArchiveError.ts"
import * as Damages from "./Damages.ts"
import * as Settling from "./Settling.ts"

const GAP: Coverage.Gap = {
  code: Damages.GAP.code,
  detail: "the archive does not hold all deposits of the week before, one of which may have settled here: " +
    "read them again, or restore a backup"
}

const isDamaged = ({ gap, operation, state }: Coverage.Coverage): boolean =>
  operation === "deposits" && state === "incomplete" && gap?.code === Damages.GAP.code

/** The end of the time in which a deposit may have settled that was lost before `at`; `at` where none was. */
const since = Effect.fnUntraced(function*({ coverage, deposits }: Service, at: number) {
  const before = { from: Math.max(at - Settling.MEMORY, 0), to: at }
  if (before.from >= before.to) return at
  const damaged = [
    ...yield* deposits.check(before),
    ...yield* deposits.lost(before),
    ...(yield* coverage(before)).filter(isDamaged)
  ]
  return damaged.reduce((end, { to }) => Math.max(end, to + Settling.MEMORY), at)
})

/** The slice without complete coverage until `end` and behind what is damaged in it, and the end that follows from it. */
const extended = <Record>(end: number, slice: Slice.Slice<Record>) => {
  const lost: Array<Coverage.Interval> = end > slice.from ? [{ from: slice.from, to: end }] : []
  let last = end
  for (const { from, to } of slice.coverage.filter(isDamaged)) {
    if (to + Settling.MEMORY <= last) continue
    lost.push({ from: Math.max(from, last), to: to + Settling.MEMORY })
    last = to + Settling.MEMORY
  }
  return [last, [{ ...slice, coverage: Damages.withGaps(slice.coverage, lost.map(Damages.of(GAP))) }]] as const
}

/** Slices of deposits in order of time, whose coverage is a gap wherever a lost deposit may have settled. */
export const named = (archive: Service) =>
<Record, E, R>(
  slices: Stream.Stream<Slice.Slice<Record>, E, R>
): Stream.Stream<Slice.Slice<Record>, E | ArchiveError, R> =>
  Stream.mapAccumEffect(slices, (): number | undefined => undefined, (end, slice) =>
    Effect.map(
      end === undefined ? since(archive, slice.from) : Effect.succeed(end),
      (known) => extended(known, slice)
    ))
