/** The items that a destination was told one by one: it is told of each once more when all that it was told of is settled. */
import * as BookState from "../../BookState.ts"
import type * as EntryStates from "../books/EntryStates.ts"

/** The subjects under which they are marked begin with this word. */
export const WORD = "item"

/** An item as it was told, with its entries. */
export interface Item {
  readonly id: string
  readonly entries: ReadonlyArray<EntryStates.EntryState>
}

/** Names an item with each of its entries, which is named as the item that it makes alone. */
export const subjectsOf = ({ entries, id }: Item): ReadonlyArray<string> =>
  entries.map(({ item }) => `${WORD} ${id} ${item}`)

/** Gives the items that subjects name, each with the names of its entries. */
export const items = (subjects: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, Array<string>>()
  for (const subject of subjects) {
    const [, id = "", entry = ""] = subject.split(" ")
    const entries = found.get(id)
    if (entries === undefined) found.set(id, [entry])
    else entries.push(entry)
  }
  return found
}

const byTime = (a: EntryStates.EntryState | undefined, b: EntryStates.EntryState | undefined): number =>
  (a?.at ?? 0) - (b?.at ?? 0)

/** Gives those of these items of which each entry is settled, by time. Of one that has an entry of which nothing is known nothing is told. */
export const settled = (
  told: ReadonlyMap<string, ReadonlyArray<string>>,
  stand: ReadonlyArray<EntryStates.EntryState>
): ReadonlyArray<Item> => {
  const byName = new Map(stand.map((entry) => [entry.item, entry]))
  return Array.from(told).flatMap(([id, names]) => {
    const entries = names.flatMap((name) => byName.get(name) ?? [])
    return entries.length === names.length && entries.every(({ state }) => !BookState.isWaiting(state))
      ? [{ id, entries: entries.toSorted(byTime) }]
      : []
  }).toSorted((a, b) => byTime(a.entries[0], b.entries[0]))
}
