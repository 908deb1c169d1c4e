/** Entries that wait are one item where one outcome has them. */
import * as Arr from "effect/Array"
import * as Stream from "effect/Stream"
import * as BookState from "../../BookState.ts"
import type * as OpenItem from "../../OpenItem.ts"
import type * as EntryStates from "./EntryStates.ts"

type Waiting = EntryStates.EntryState & { readonly state: BookState.Waiting }

export const isWaiting = (entry: EntryStates.EntryState): entry is Waiting => BookState.isWaiting(entry.state)

const keyOf = ({ outcome, state }: Waiting): string => `${state} ${outcome}`

/** Makes an item of all of its entries, of which the first one is the earliest. */
const of = (entries: Arr.NonEmptyReadonlyArray<Waiting>): OpenItem.OpenItem => {
  const [first] = entries
  let { execution, since } = first
  for (const entry of entries) {
    if (entry.since < since) since = entry.since
    if (entry.execution > execution) execution = entry.execution
  }
  const { at, code, item, outcome, state } = first
  return { id: item, state, code, outcome, at, since, execution, entries }
}

/** Makes items of entries that stand in the order of their times; the earliest item comes first. */
export const make = (waiting: ReadonlyArray<Waiting>): ReadonlyArray<OpenItem.OpenItem> =>
  Array.from(Map.groupBy(waiting, keyOf).values()).flatMap((entries) =>
    Arr.isReadonlyArrayNonEmpty(entries) ? [of(entries)] : []
  )

/** An item of which not all entries have come, perhaps. */
interface Gathered {
  readonly entries: Arr.NonEmptyArray<Waiting>
  readonly together: number
}

/** Gathers entries that come in the order of their times, and gives each item as soon as all before it are whole. */
const gather = () => {
  const gathered = new Map<string, Gathered>()
  let queue: Array<Gathered> = []
  const add = (entry: Waiting, together: number): void => {
    const known = together === 1 ? undefined : gathered.get(keyOf(entry))
    if (known !== undefined) {
      known.entries.push(entry)
      if (known.entries.length === known.together) gathered.delete(keyOf(entry))
      return
    }
    const begun: Gathered = { entries: [entry], together }
    if (together > 1) gathered.set(keyOf(entry), begun)
    queue.push(begun)
  }
  return (waiting: ReadonlyArray<EntryStates.Together>): ReadonlyArray<OpenItem.OpenItem> => {
    for (const { entry, together } of waiting) if (isWaiting(entry)) add(entry, together)
    const begun = queue.findIndex(({ entries, together }) => entries.length < together)
    const whole = begun < 0 ? queue : queue.slice(0, begun)
    queue = begun < 0 ? [] : queue.slice(begun)
    return whole.map(({ entries }) => of(entries))
  }
}

/** Makes the same items of a stream of the entries. What it holds are the items behind one of which an entry has not come yet. */
export const streamed = <E, R>(
  waiting: Stream.Stream<EntryStates.Together, E, R>
): Stream.Stream<OpenItem.OpenItem, E, R> =>
  Stream.mapAccumArray(waiting, gather, (take, waiting) => [take, take(waiting)])
