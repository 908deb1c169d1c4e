/** Entries that wait are one item where one outcome has them. */
import * as BookState from "../../BookState.ts"
import type * as OpenItem from "../../OpenItem.ts"
import type * as EntryStates from "./EntryStates.ts"

type Waiting = EntryStates.EntryState & { readonly state: BookState.Waiting }

export const isWaiting = (entry: EntryStates.EntryState): entry is Waiting => BookState.isWaiting(entry.state)

/** Makes items of entries that stand in the order of their times; the earliest item comes first. */
export const make = (waiting: ReadonlyArray<Waiting>): ReadonlyArray<OpenItem.OpenItem> =>
  Array.from(Map.groupBy(waiting, ({ outcome, state }) => `${state} ${outcome}`).values()).flatMap((entries) => {
    const [first] = entries
    return first === undefined ? [] : [{
      id: first.item,
      state: first.state,
      code: first.code,
      outcome: first.outcome,
      at: first.at,
      since: Math.min(...entries.map(({ since }) => since)),
      execution: Math.max(...entries.map(({ execution }) => execution)),
      entries
    }]
  })
