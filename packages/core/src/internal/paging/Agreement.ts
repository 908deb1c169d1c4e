/**
 * Reads a part of time where neither pages nor long ranges are believed.
 *
 * Only first responses count. A response is believed when it is shorter than another one that was seen, when its range is no
 * longer than one that was answered from end to end, and when two cuts of the same time, into halves and into quarters, hold
 * exactly the same records. The range of any other response is read in halves.
 */
import * as Effect from "effect/Effect"
import * as Page from "../../Page.ts"
import * as Asking from "./Asking.ts"
import * as PageLengths from "./PageLengths.ts"
import * as Reading from "./Reading.ts"

/** The most times that a part is halved. */
const DEEPEST = 40

export const make = <Record, E>(
  source: Asking.Source<Record, E>,
  lengths: PageLengths.PageLengths,
  { ask, keep }: Asking.Asking<Record, E>
): Reading.Read<Record, E> => {
  const response = (from: number, to: number, left: Reading.Left, limit?: number) =>
    Effect.map(
      ask(from, to, limit === undefined ? {} : { limit }, left),
      ({ at, failed, page }): Reading.Part<Record> => {
        const kept = keep(from, to, [page])
        const length = Page.length(page)
        return {
          ...kept,
          gap: failed ?? kept.gap,
          at,
          failed,
          listing: { listed: length, pages: 1, length, within: 1 }
        }
      }
    )

  const join = (parts: ReadonlyArray<Reading.Part<Record>>): Reading.Part<Record> => ({
    records: parts.flatMap(({ records }) => records),
    bad: parts.reduce<Reading.Part<Record>["bad"]>((all, { bad }) => Reading.distinctBad(all, bad), []),
    gap: parts.find(({ gap }) => gap !== undefined)?.gap,
    at: parts.reduce((all, { at }) => Reading.around(all, at), Reading.NEVER),
    failed: parts.find(({ failed }) => failed !== undefined)?.failed,
    listing: parts.reduce((all, { listing }) => PageLengths.longest(all, listing), PageLengths.NOTHING)
  })

  const inParts = (borders: ReadonlyArray<number>, left: Reading.Left) =>
    Effect.map(
      Effect.forEach(borders.slice(1), (to, index) => response(borders[index] ?? to, to, left)),
      join
    )

  const content = source.content ?? source.identity
  const same = (one: Reading.Part<Record>, other: Reading.Part<Record>): boolean =>
    one.gap === undefined && other.gap === undefined && Reading.sameCounts(
      Reading.counted(one.records, content),
      Reading.counted(other.records, content)
    )

  const isCut = ({ listing: { listed } }: Reading.Part<Record>): boolean =>
    listed > 1 && (lengths.mayBeCut(listed) || source.looksCut(listed))

  const holding = Reading.holding(source)
  const held = (part: Reading.Part<Record>, shown: Reading.Shown<Record>): Reading.Part<Record> => ({
    ...part,
    ...holding(part, shown)
  })

  const millisecond = Effect.fnUntraced(function*(from: number, whole: Reading.Part<Record>, left: Reading.Left) {
    const { listed } = whole.listing
    if (isCut(whole)) return { ...whole, gap: Reading.fullMillisecond(from, listed) }
    const again = yield* response(from, from + 1, left, listed + 1)
    const at = Reading.around(whole.at, again.at)
    return same(whole, again)
      ? { ...whole, at }
      : { ...held(again, whole), at, gap: again.gap ?? Reading.gap("unproven", "two readings differ") }
  })

  const read = (depth: number): Reading.Read<Record, E> =>
    Effect.fnUntraced(function*(from, to, left): Effect.fn.Return<Reading.Part<Record>, E> {
      const whole = yield* response(from, to, left)
      if (whole.gap !== undefined) return whole
      if (to - from === 1) return yield* millisecond(from, whole, left)
      const middle = Asking.middle(from, to)
      const halves = [from, middle, to]
      const shown = [whole]
      if (!isCut(whole) && to - from <= lengths.reach()) {
        const quarters = halves.flatMap((border, index) => {
          const next = halves[index + 1]
          return next === undefined || next - border === 1 ? [border] : [border, Asking.middle(border, next)]
        })
        const byHalves = yield* inParts(halves, left)
        shown.push(byHalves)
        if (same(whole, byHalves)) {
          const byQuarters = yield* inParts(quarters, left)
          shown.push(byQuarters)
          const at = Reading.around(whole.at, Reading.around(byHalves.at, byQuarters.at))
          if (same(whole, byQuarters)) return { ...whole, at }
        }
      }
      if (depth === DEEPEST) {
        return { ...shown.reduce(held, whole), gap: Reading.gap("unproven", "no two readings of it were the same") }
      }
      const early = yield* read(depth + 1)(from, middle, left)
      if (early.failed !== undefined) return shown.reduce(held, early)
      const late = yield* read(depth + 1)(middle, to, left)
      return shown.reduce(held, join([early, late]))
    })

  return read(0)
}
