/** A line that tells how far work has come. What it shows of the whole never becomes less. */
import * as Text from "@tallystick/report/text/Text"
import * as Times from "@tallystick/report/text/Times"

export interface About {
  /** What is read now: `transfers from sub00001`, or the name of a file. */
  readonly what: string
  /** The unit of `done` and `of`; a share has none that means anything, and some work has nothing to count. */
  readonly unit: "query" | "slice" | "byte" | "share" | "none"
}

export interface Counts extends About {
  readonly done: number
  /** How much there is to do, as far as that is known; 0 where it is not. */
  readonly of: number
  readonly pages: number
  readonly records: number
  /** Records that were not there before, where that is known. */
  readonly added: number
}

type Numbers = Omit<Counts, keyof About>

interface Piece extends About {
  readonly counts: Numbers
}

/** So much was done at this time, ms. */
interface Mark {
  readonly done: number
  readonly at: number
}

/** Everything that goes on since nothing did. Times are ms of one clock. */
export interface State {
  readonly startedAt: number
  /** When something was last done. */
  readonly moved: Mark
  /** Earlier marks in order of time: the beginning, the first thing that was done, and then one every so often. */
  readonly marks: ReadonlyArray<Mark>
  /** The greatest share of the whole that was ever reached, 0 to 1. */
  readonly share: number
  readonly pieces: ReadonlyMap<symbol, Piece>
}

const nothing: Numbers = { done: 0, of: 0, pages: 0, records: 0, added: 0 }

export const begin = (now: number): State => ({
  startedAt: now,
  moved: { done: 0, at: now },
  marks: [{ done: 0, at: now }],
  share: 0,
  pieces: new Map()
})

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

const sum = (pieces: State["pieces"]): Numbers =>
  Array.from(pieces.values()).reduce((sum, { counts }) => combined(sum, counts), nothing)

/** About so many marks are kept of the whole. */
const MARKS = 64

const marked = (marks: State["marks"], mark: Mark, of: number): State["marks"] => {
  const least = marks.length < 2 ? 0 : of / MARKS
  return mark.done - (marks.at(-1)?.done ?? 0) > least ? [...marks, mark] : marks
}

/** The state after a piece has come on by `counts`, or to them. */
export const changed = (
  state: State,
  id: symbol,
  { unit, what, ...counts }: Partial<Counts>,
  isMore: boolean,
  now: number
): State => {
  const piece = state.pieces.get(id)
  if (piece === undefined) return state
  const next = {
    what: what ?? piece.what,
    unit: unit ?? piece.unit,
    counts: isMore ? combined(piece.counts, counts) : { ...piece.counts, ...counts }
  }
  const pieces = new Map([...state.pieces, [id, next]])
  const { done, of } = sum(pieces)
  const moved = done > state.moved.done ? { done, at: now } : state.moved
  return {
    ...state,
    moved,
    marks: marked(state.marks, moved, of),
    share: of === 0 ? state.share : Math.max(state.share, Math.min(1, done / of)),
    pieces
  }
}

const whole = ({ pieces }: State) => {
  const all = [...pieces.values()]
  return {
    what: Array.from(new Set(all.map(({ what }) => what))).join(", "),
    unit: all[0]?.unit ?? "slice",
    counts: sum(pieces)
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

/** A terminal that is narrower has no room for a bar, and one that is this wide has room for a long one. */
const NARROW = 50
const WIDE = 120

/** When nothing was done for so long, a guess of the time left would be none, ms. */
const STILL = 10_000

/** From so much of the whole on a guess is made. */
const ENOUGH = 0.1

/**
 * The time that the rest takes, ms, if it goes on as the last two thirds of what is done; undefined where nobody can tell. It is within
 * a factor of two of the truth where no query takes more than half as long again as another.
 */
export const remaining = (state: State, now: number): number | undefined => {
  const { marks, moved } = state
  const { counts: { of }, unit } = whole(state)
  if (of === 0 || moved.done >= of || moved.done < of * ENOUGH || now - moved.at >= STILL) return undefined
  const since = marks.findLast(({ done }) => done <= moved.done / 3)
  // The first query is that of all deposits, which is like no other.
  if (since === undefined || (unit === "query" && since.done === 0)) return undefined
  const rest = ((moved.at - since.at) / (moved.done - since.done)) * (of - moved.done)
  return Math.max(0, rest - (now - moved.at))
}

/** A guess in whole seconds, at least one. */
const left = (state: State, now: number): string => {
  const rest = remaining(state, now)
  return rest === undefined ? "" : `${Times.duration(Math.max(1, Math.ceil(rest / 1000)) * 1000)} left`
}

const rate = (records: number, elapsed: number): string =>
  elapsed <= 0 || records === 0 ? "" : `${Text.count(Math.round((records * 1000) / elapsed))} records/s`

const MEGA = 1e6

/** `12.3 MB`. */
const size = (bytes: number): string =>
  `${Text.count(Math.floor(bytes / MEGA))}.${Math.floor((bytes / (MEGA / 10)) % 10)} MB`

const units = { query: "queries", slice: "slices" } as const

const isScan = (unit: About["unit"]): unit is keyof typeof units => unit in units

const amount = (unit: About["unit"], { done, of }: Numbers, share: number): string => {
  if (unit === "none" || (unit === "share" && of === 0)) return ""
  if (unit === "share") return `${Math.floor(100 * share)} %`
  // A slice may fall apart while it is read. How many queries there are may not be known before the first of them is read.
  if (isScan(unit)) return of === 0 ? "" : `${Text.count(done)}/${Text.count(Math.max(done, of))} ${units[unit]}`
  return of === 0 ? size(done) : `${size(done)} of ${size(of)}`
}

const recordsOf = ({ added, records }: Numbers): string =>
  Text.counted(records, "record") + (added === 0 ? "" : ` (${Text.count(added)} new)`)

/** The words beside the bar, in at most `width` cells; what matters least is left out first. */
const words = (state: State, now: number, width: number): string => {
  const { counts, unit, what } = whole(state)
  const parts = [
    { text: Text.plain(what), weight: 6 },
    { text: amount(unit, counts, state.share), weight: 7 },
    // Queries end without any page where nothing answers.
    { text: isScan(unit) ? Text.counted(counts.pages, "page") : "", weight: counts.pages === 0 ? 6 : 2 },
    { text: isScan(unit) ? Text.counted(counts.records, "record") : "", weight: 4 },
    { text: rate(counts.records, now - state.startedAt), weight: 3 },
    { text: left(state, now), weight: 5 }
  ].filter(({ text }) => text !== "")
  const joined = (least: number) => parts.filter(({ weight }) => weight >= least).map(({ text }) => text).join("  ")
  const all = joined(1).replace(Text.counted(counts.records, "record"), recordsOf(counts))
  const fitting = [all, ...[1, 3, 4, 5, 6].map(joined)].find((text) => Text.width(text) <= width)
  return fitting ?? joined(7).slice(0, Math.max(0, width))
}

/** One line of at most `width` cells. */
export const line = (state: State, now: number, width: number): string => {
  const { of } = sum(state.pieces)
  if (of === 0 || width < NARROW) return words(state, now, width)
  const cells = width < WIDE ? SMALL_BAR : BAR
  return bar(state.share, cells) + words(state, now, width - FRAME - cells)
}

/** The same for a log. */
export const sentence = (state: State, now: number): string => {
  const { counts, unit, what } = whole(state)
  const come = isScan(unit) && counts.of > 0
    ? `${Text.count(counts.done)} of ${Text.counted(Math.max(counts.done, counts.of), unit, units[unit])}`
    : amount(unit, counts, state.share)
  const told = [
    come,
    ...(isScan(unit) ? [Text.counted(counts.pages, "page"), recordsOf(counts)] : []),
    rate(counts.records, now - state.startedAt),
    left(state, now)
  ].filter((text) => text !== "")
  return told.length === 0 ? what : `${what}: ${told.join(", ")}`
}
