/** A line that tells how far work has come. */
import * as Text from "@tallystick/report/text/Text"
import * as Times from "@tallystick/report/text/Times"

export interface About {
  /** `transfers`, or the name of a file. */
  readonly what: string
  /** The unit of `done` and `of`; a share has none that means anything, and some work has nothing to count. */
  readonly unit: "slice" | "byte" | "share" | "none"
}

export interface Counts {
  readonly done: number
  /** How much there is to do, as far as that is known; 0 where it is not. */
  readonly of: number
  readonly pages: number
  readonly records: number
  /** Records that were not there before, where that is known. */
  readonly added: number
  readonly what: string
}

type Numbers = Omit<Counts, "what">

interface Piece extends About {
  readonly counts: Numbers
}

/** Everything that goes on since nothing did. Times are Unix ms. */
export interface State {
  readonly startedAt: number
  /** When something was last done. */
  readonly movedAt: number
  readonly pieces: ReadonlyMap<symbol, Piece>
}

const nothing: Numbers = { done: 0, of: 0, pages: 0, records: 0, added: 0 }

export const begin = (now: number): State => ({ startedAt: now, movedAt: now, pieces: new Map() })

export const opened = (state: State, id: symbol, about: About): State => ({
  ...state,
  pieces: new Map([...state.pieces, [id, { ...about, counts: nothing }]])
})

const combined = (left: Numbers, right: Partial<Numbers>): Numbers => ({
  done: left.done + (right.done ?? 0),
  of: left.of + (right.of ?? 0),
  pages: left.pages + (right.pages ?? 0),
  records: left.records + (right.records ?? 0),
  added: left.added + (right.added ?? 0)
})

/** The state after a piece has come on by `counts`, or to them. */
export const changed = (
  state: State,
  id: symbol,
  { what, ...counts }: Partial<Counts>,
  isMore: boolean,
  now: number
): State => {
  const piece = state.pieces.get(id)
  if (piece === undefined) return state
  const next = isMore ? combined(piece.counts, counts) : { ...piece.counts, ...counts }
  return {
    ...state,
    movedAt: next.done === piece.counts.done ? state.movedAt : now,
    pieces: new Map([...state.pieces, [id, { ...piece, what: what ?? piece.what, counts: next }]])
  }
}

/** Cells of the bar within its brackets, where there is room for more, and the least that is one. */
const BAR = 20
const SMALL_BAR = 8

/** The brackets, and the room behind them. */
const FRAME = 4

const bar = (share: number, cells: number): string => {
  const full = Math.floor(Math.min(1, share) * cells)
  return `[${"=".repeat(full)}${full < cells ? ">" : ""}${" ".repeat(Math.max(0, cells - full - 1))}]  `
}

/** A terminal that is narrower has no room for a bar. */
const NARROW = 50

/** When nothing was done for so long, a guess of the time left would be none, ms. */
const STILL = 10_000

/** Slices differ in size: the time left is a guess, none before the first is done, and none while one takes long. */
const left = ({ done, of }: Numbers, { movedAt, startedAt }: State, now: number): string =>
  done === 0 || done >= of || now - movedAt >= STILL
    ? ""
    : `${Times.duration(Math.ceil((((now - startedAt) / done) * (of - done)) / 1000) * 1000)} left`

const rate = (records: number, elapsed: number): string =>
  elapsed <= 0 || records === 0 ? "" : `${Text.count(Math.round((records * 1000) / elapsed))} records/s`

const MEGA = 1e6

/** `12.3 MB`. */
const size = (bytes: number): string =>
  `${Text.count(Math.floor(bytes / MEGA))}.${Math.floor((bytes / (MEGA / 10)) % 10)} MB`

const amount = (unit: About["unit"], { done, of }: Numbers): string => {
  if (unit === "none" || (unit === "share" && of === 0)) return ""
  if (unit === "share") return `${Math.floor((100 * done) / of)} %`
  // A slice may fall apart while it is read.
  if (unit === "slice") return `${Text.count(done)}/${Text.count(Math.max(done, of))} slices`
  return of === 0 ? size(done) : `${size(done)} of ${size(of)}`
}

const whole = ({ pieces }: State) => {
  const all = [...pieces.values()]
  return {
    what: Array.from(new Set(all.map(({ what }) => what))).join(", "),
    unit: all[0]?.unit ?? "slice",
    counts: all.reduce((sum, { counts }) => combined(sum, counts), nothing)
  }
}

const recordsOf = ({ added, records }: Numbers): string =>
  Text.counted(records, "record") + (added === 0 ? "" : ` (${Text.count(added)} new)`)

/** The words beside the bar, in at most `width` cells; what matters least is left out first. */
const words = (state: State, now: number, width: number): string => {
  const { counts, unit, what } = whole(state)
  const isScan = unit === "slice"
  const parts = [
    { text: Text.plain(what), weight: 5 },
    { text: amount(unit, counts), weight: 7 },
    // Slices end without any page where nothing answers.
    { text: isScan ? Text.counted(counts.pages, "page") : "", weight: counts.pages === 0 ? 6 : 2 },
    { text: isScan ? Text.counted(counts.records, "record") : "", weight: 6 },
    { text: rate(counts.records, now - state.startedAt), weight: 3 },
    { text: left(counts, state, now), weight: 4 }
  ].filter(({ text }) => text !== "")
  const joined = (least: number) => parts.filter(({ weight }) => weight >= least).map(({ text }) => text).join("  ")
  const all = joined(1).replace(Text.counted(counts.records, "record"), recordsOf(counts))
  const fitting = [all, ...[1, 3, 4, 5, 6].map(joined)].find((text) => Text.width(text) <= width)
  return fitting ?? joined(7).slice(0, Math.max(0, width))
}

/** One line of at most `width` cells. */
export const line = (state: State, now: number, width: number): string => {
  const { done, of } = whole(state).counts
  if (of === 0 || width < NARROW) return words(state, now, width)
  const text = words(state, now, width - FRAME - SMALL_BAR)
  return bar(done / of, Math.min(BAR, width - FRAME - Text.width(text))) + text
}

/** The same for a log. */
export const sentence = (state: State, now: number): string => {
  const { counts, unit, what } = whole(state)
  const come = amount(unit, counts)
  if (unit !== "slice") return come === "" ? what : `${what}: ${come}`
  const speed = rate(counts.records, now - state.startedAt)
  return `${what}: ${Text.count(counts.done)} of ${Text.counted(counts.of, "slice")}, ${
    Text.counted(counts.pages, "page")
  }, ${recordsOf(counts)}${speed === "" ? "" : `, ${speed}`}`
}
