/** The status of an archive says what it holds and what it lacks, for people and for monitoring. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import type { Covered } from "./internal/coverage/Covered.ts"
import * as Damages from "./internal/coverage/Damages.ts"
import * as FileWord from "./internal/records/FileWord.ts"

/**
 * A state says what is known about a stretch of record time. `unread` means that nobody asked, `vouched` that a person said
 * that it is complete.
 */
export type State = "complete" | "vouched" | "open" | "incomplete" | "unread"

/** The states stand in order, from the one that claims most to the one that claims least. */
export const states: ReadonlyArray<State> = ["complete", "vouched", "open", "incomplete", "unread"]

/** One thing is known throughout this stretch of record time; Unix ms, `to` not included. */
export interface Part extends Coverage.Interval {
  /** Whether the part is complete, open or incomplete. */
  readonly state: State
  /** The gap says why the part is incomplete. */
  readonly gap?: Coverage.Gap
}

/** A scope says what is known about one query; without a query, about everything of the operation. */
export interface Scope {
  /** The transfer query; it is absent for deposits, and for what came from files. */
  readonly query?: Coverage.TransferQuery
  /** The parts cover the whole interval in time order, without holes: time that nobody asked about is `unread`. */
  readonly parts: ReadonlyArray<Part>
  /** The last complete part ends at this time, Unix ms; null where no part is complete. */
  readonly completeTo: number | null
}

/** Gives coverage that claims nothing of time that was `lost` (`Integrity.lost`), as reports do not, and says why. */
export const withLost = (
  coverage: ReadonlyArray<Covered>,
  lost: ReadonlyArray<Coverage.Coverage>
): ReadonlyArray<Covered> => {
  const damaged = Map.groupBy(lost, ({ operation }) => operation)
  return coverage.flatMap((part) => Damages.withLost([part], damaged.get(part.operation) ?? []))
}

/**
 * Gives coverage that claims nothing of moments at which a file disputes a record (`History.disputed`), as reports do not, and
 * says why.
 */
export const withDisputed = (
  coverage: ReadonlyArray<Covered>,
  disputed: Readonly<Record<Coverage.Coverage["operation"], ReadonlyArray<Coverage.Interval>>>
): ReadonlyArray<Covered> => {
  const gaps = {
    deposits: disputed.deposits.map(Damages.of(FileWord.GAP)),
    transfers: disputed.transfers.map(Damages.of(FileWord.GAP))
  }
  return coverage.flatMap((part) => Damages.withGaps([part], gaps[part.operation]))
}

const stateOf = ({ state, vouched }: Covered): State => state === "complete" && vouched ? "vouched" : state

const rank = (state: State): number => states.indexOf(state)

/** Tells whether two touching parts say the same. */
const joins = (a: Part, b: Part): boolean =>
  a.state === b.state && a.gap?.code === b.gap?.code && a.gap?.detail === b.gap?.detail

/** Adds a part behind the others. */
const push = (parts: Array<Part>, part: Part): void => {
  const last = parts.at(-1)
  if (last !== undefined && joins(last, part)) parts[parts.length - 1] = { ...last, to: part.to }
  else parts.push(part)
}

/** Gives parts without overlaps in time order, with `unread` where they have holes. */
const filled = (coverage: ReadonlyArray<Covered>, interval: Coverage.Interval): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  for (const { from, part, to } of Timeline.pieces(coverage, interval)) {
    push(parts, {
      from,
      to,
      state: part === undefined ? "unread" : stateOf(part),
      ...(part?.state === "incomplete" && part.gap !== undefined ? { gap: part.gap } : {})
    })
  }
  return parts
}

/** Joins two timelines of one interval, and takes everywhere the part that claims more. */
const better = (a: ReadonlyArray<Part>, b: ReadonlyArray<Part>): ReadonlyArray<Part> => {
  const parts: Array<Part> = []
  let [left, right] = [0, 0]
  for (let at = a[0]?.from;;) {
    const [one, other] = [a[left], b[right]]
    if (at === undefined || one === undefined || other === undefined) return parts
    const to = Math.min(one.to, other.to)
    push(parts, { ...(rank(one.state) <= rank(other.state) ? one : other), from: at, to })
    if (one.to === to) left++
    if (other.to === to) right++
    at = to
  }
}

const isComplete = ({ state }: Part): boolean => state === "complete" || state === "vouched"

/**
 * Tells what is known about `[from, to)`, query by query; deposits have one scope. Coverage of one operation and query must not
 * overlap. `queries` names the queries that are of interest, known or not; without them, all known queries count. Where
 * transfers were never asked for there is one scope too.
 */
export const scopes = (
  operation: Coverage.Coverage["operation"],
  coverage: ReadonlyArray<Covered>,
  interval: Coverage.Interval,
  queries?: ReadonlyArray<Coverage.TransferQuery>
): ReadonlyArray<Scope> => {
  const mine = coverage.filter((part) => part.operation === operation)
  const everything = filled(mine.filter(({ query }) => query === undefined), interval)
  const own = Map.groupBy(mine.filter(({ query }) => query !== undefined), ({ query }) => Coverage.keyOf(query))
  const known = Array.from(own.values(), ([first]) => first?.query).filter((query) => query !== undefined)
  const scope = (parts: ReadonlyArray<Part>, query?: Coverage.TransferQuery): Scope => ({
    ...(query === undefined ? {} : { query }),
    parts,
    completeTo: parts.findLast(isComplete)?.to ?? null
  })
  const asked = operation === "deposits" ? [] : queries ?? known
  if (asked.length === 0) return [scope(everything)]
  return asked.map((query) => scope(better(filled(own.get(Coverage.keyOf(query)) ?? [], interval), everything), query))
}

/** Tells what is known about all scopes together: it takes everywhere the part that claims least. */
export const together = (scopes: ReadonlyArray<Scope>): ReadonlyArray<Part> => {
  const borders = Timeline.borders(scopes.flatMap(({ parts }) => parts))
  const next = scopes.map(() => 0)
  const found: Array<Part> = []
  for (const [index, from] of borders.entries()) {
    const to = borders[index + 1]
    if (to === undefined) break
    let least: Part | undefined
    for (const [number, { parts }] of scopes.entries()) {
      let at = next[number] ?? 0
      while ((parts[at]?.to ?? Number.POSITIVE_INFINITY) <= from) at++
      next[number] = at
      const part = parts[at]
      if (part !== undefined && (least === undefined || rank(part.state) > rank(least.state))) least = part
    }
    if (least !== undefined) push(found, { ...least, from, to })
  }
  return found
}

/**
 * Divides the interval into `cells` equal pieces and gives each the state that claims least, so that no gap is too small to be
 * seen. Time that has passed since a reading up to its own present says nothing of the cell in which the reading ends.
 */
export const timeline = (
  parts: ReadonlyArray<Part>,
  { from, to }: Coverage.Interval,
  cells: number
): ReadonlyArray<State> => {
  const worst = new Map<number, State>()
  const place = (time: number): number => (time - from) * cells / (to - from)
  for (const [index, part] of parts.entries()) {
    const isSince = part.state === "unread" && index === parts.length - 1 && parts[index - 1]?.state === "open"
    const end = Math.min(cells, Math.ceil(place(part.to)))
    for (let cell = Math.max(0, Math.floor(place(part.from))); cell < end; cell++) {
      const known = worst.get(cell)
      if (known === undefined || (!isSince && rank(part.state) > rank(known))) worst.set(cell, part.state)
    }
  }
  return Array.from({ length: cells }, (_, cell) => worst.get(cell) ?? "unread")
}

/** A hole is a stretch that is not complete, with the queries of which this is true. */
export interface Hole extends Part {
  /** These queries share the hole. */
  readonly queries: ReadonlyArray<Coverage.TransferQuery>
}

/** Gives parts in time order; a part that many queries share is given once. */
const grouped = (
  scopes: ReadonlyArray<Scope>,
  isTold: (part: Part, parts: ReadonlyArray<Part>) => boolean
): ReadonlyArray<Hole> => {
  const found = new Map<string, { readonly part: Part; readonly queries: Array<Coverage.TransferQuery> }>()
  for (const { parts, query } of scopes) {
    for (const part of parts) {
      if (!isTold(part, parts)) continue
      const key = JSON.stringify([part.from, part.to, part.state, part.gap?.code, part.gap?.detail])
      const known = found.get(key) ?? { part, queries: [] }
      found.set(key, known)
      if (query !== undefined) known.queries.push(query)
    }
  }
  return Array.from(found.values(), ({ part, queries }) => Object.assign({ queries }, part))
    .toSorted((a, b) => a.from - b.from || a.to - b.to)
}

/**
 * Gives the stretches that are missing, in time order; a stretch that many queries miss is given once. Time behind everything
 * that was read is not missing but to come.
 */
export const holes = (scopes: ReadonlyArray<Scope>): ReadonlyArray<Hole> =>
  grouped(scopes, (part, parts) => {
    const isToCome = part.state === "unread" && part === parts.at(-1) && parts.length > 1
    return !isComplete(part) && part.state !== "open" && !isToCome
  })

/**
 * Gives the holes of which the end of complete coverage says nothing, because more is complete behind them. Time that was never
 * read, or was forgotten before anything was complete, is not a hole but the beginning.
 */
export const inside = (scopes: ReadonlyArray<Scope>): ReadonlyArray<Hole> =>
  grouped(scopes, (part, parts) => {
    const index = parts.indexOf(part)
    const isBeginning = index < parts.findIndex(isComplete) &&
      (part.state === "unread" || part.gap?.code === "retention" || part.gap?.code === "not-read")
    return !isComplete(part) && !isBeginning && index < parts.findLastIndex(isComplete)
  })

/** Gives every stretch that is not complete, also those that are too young or lie behind everything that was read. */
export const unproven = (scopes: ReadonlyArray<Scope>): ReadonlyArray<Hole> =>
  grouped(scopes, (part) => !isComplete(part))

/** Gives the end of complete coverage, Unix ms, the least over all scopes; null where a scope has none. */
export const completeTo = (scopes: ReadonlyArray<Scope>): number | null =>
  scopes.reduce<number | null>(
    (least, { completeTo }) => least === null || completeTo === null ? null : Math.min(least, completeTo),
    scopes.length === 0 ? null : Number.POSITIVE_INFINITY
  )

/** Gives the beginning of complete coverage, Unix ms, the latest over all scopes; null where a scope has none. */
export const completeFrom = (scopes: ReadonlyArray<Scope>): number | null =>
  scopes.reduce<number | null>((latest, { parts }) => {
    const from = parts.find(isComplete)?.from
    return latest === null || from === undefined ? null : Math.max(latest, from)
  }, scopes.length === 0 ? null : Number.NEGATIVE_INFINITY)

/** A sync reads its queries one after another, so that a difference of so much is no delay, ms. */
const TOGETHER = 600_000

/** Gives the scopes whose complete coverage ends well before that of others, the furthest behind first. */
export const laggards = (scopes: ReadonlyArray<Scope>): ReadonlyArray<Scope> => {
  const latest = scopes.reduce((latest, { completeTo }) => Math.max(latest, completeTo ?? 0), 0)
  return scopes.filter(({ completeTo }) => (completeTo ?? 0) < latest - TOGETHER)
    .toSorted((a, b) => (a.completeTo ?? 0) - (b.completeTo ?? 0))
}

/**
 * A first round asks for the last minutes before the service forgets, which end on a whole minute when it surely no longer does, ms.
 * What could not be read of them is where the archive begins, and nothing that is still to be read.
 */
const BORDER = 4 * 60_000

/**
 * Tells when the service forgets the first deposit that may still be unread, Unix ms: `now + history` when everything since the
 * archive began is read, `now` when something is being forgotten. Deposits that it had forgotten before they could be read do
 * not count any more. `history` says how long the service keeps deposits, ms.
 */
export const deadline = (coverage: ReadonlyArray<Coverage.Coverage>, now: number, history: number): number => {
  const deposits = coverage.filter(({ operation }) => operation === "deposits")
  const first = deposits.reduce(
    (least, { from, state }) => state === "complete" ? Math.min(least, from) : least,
    Number.POSITIVE_INFINITY
  )
  const isBorder = ({ readAt, state, to }: Coverage.Coverage): boolean =>
    state === "incomplete" && to <= first && Number.isFinite(first) && to <= readAt - history + BORDER
  const settled = deposits.filter((part) =>
    part.state === "complete" || part.gap?.code === "retention" || isBorder(part)
  )
    .map((part): Coverage.Coverage => Object.assign({}, part, { state: "complete" as const }))
  const began = deposits.length === 0 ? 0 : Math.min(...deposits.map(({ from }) => from))
  const from = Math.max(now - history, began)
  const [unread] = from < now ? Coverage.uncovered(settled, { from, to: now }) : []
  return (unread?.from ?? now) + history
}
