/** What a report says of the books: what came to wait, what was settled and by what, and what waits on. */
import type * as Report from "@tallystick/reconcile/Report"
import * as BookState from "../../BookState.ts"
import type * as Execution from "../../Execution.ts"
import type * as OpenItem from "../../OpenItem.ts"
import * as Subjects from "../ledger/Subjects.ts"
import type * as EntryStates from "./EntryStates.ts"
import * as Items from "./Items.ts"
import * as Rolling from "./Rolling.ts"
import * as Worth from "./Worth.ts"

/** A report names so many items. */
const OLDEST = 20

/** Of an item a report names so many entries. */
const NAMED = 3

interface Read {
  /** The entries that waited after the execution, by time. */
  readonly waiting: ReadonlyArray<EntryStates.EntryState>
  /** What the execution changed, and how these entries stood before. */
  readonly changes: ReadonlyArray<EntryStates.EntryState>
  readonly before: ReadonlyArray<EntryStates.EntryState>
  /** The prices of the execution before; undefined where it has none. */
  readonly pricesBefore: Execution.Prices | undefined
}

type Closed = Report.Books["closed"][number]

const closed = (
  changes: ReadonlyArray<EntryStates.EntryState>,
  waited: ReadonlySet<string>
): ReadonlyArray<Closed> => {
  const found = new Map<string, Closed>()
  for (const change of changes) {
    const { code, state } = change
    if (BookState.isWaiting(state) || !waited.has(Subjects.keyOf(change))) continue
    const key = `${state} ${code}`
    found.set(key, { state, code, count: (found.get(key)?.count ?? 0) + 1 })
  }
  return Array.from(found.values()).toSorted((a, b) =>
    b.count - a.count || (`${a.state} ${a.code}` < `${b.state} ${b.code}` ? -1 : 1)
  )
}

const itemOf = (
  { at, code, entries, id, since, state }: OpenItem.OpenItem
): Report.Books["carried"]["oldest"][number] => ({
  id,
  state,
  code,
  at,
  since,
  count: entries.length,
  entries: entries.slice(0, NAMED).map(({ account, amount, asset, id, side }) =>
    Object.assign({ side, id, asset, amount }, account === undefined ? undefined : { account })
  )
})

export const make = (
  { body: { number, prices }, id }: Execution.Execution,
  { before, changes, pricesBefore, waiting }: Read
): Report.Books => {
  // What it did not change waited before as well.
  const changed = new Set(changes.map(Subjects.keyOf))
  const waitedBefore = [
    ...waiting.filter((entry) => !changed.has(Subjects.keyOf(entry))),
    ...before.filter(Items.isWaiting)
  ]
  const waited = new Set(waitedBefore.map(Subjects.keyOf))
  const carried = waiting.filter((entry) => waited.has(Subjects.keyOf(entry)))
  const items = Items.make(carried.filter(Items.isWaiting))
  const rollForward = Rolling.make(waitedBefore, Rolling.steps(changes, before))
  return {
    execution: { number, id },
    rollForward,
    ...(prices === undefined ? {} : { worth: Worth.make(rollForward, prices, pricesBefore) }),
    new: waiting.length - carried.length,
    closed: closed(changes, waited),
    carried: { entries: carried.length, items: items.length, oldest: items.slice(0, OLDEST).map(itemOf) }
  }
}
