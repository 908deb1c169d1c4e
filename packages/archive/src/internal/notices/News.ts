/** What an execution of the books is to tell a destination: the items that are open since it was told the last time. */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import * as BookState from "../../BookState.ts"
import type * as OpenItem from "../../OpenItem.ts"
import type * as EntryStates from "../books/EntryStates.ts"
import * as Items from "../books/Items.ts"
import * as Subjects from "../ledger/Subjects.ts"

/** The time in which an entry is open, or waits after it was, until it is settled. */
interface Episode {
  /** The execution that found it open first. */
  readonly began: number
  /** Whether it was open in an episode before. */
  readonly isAgain: boolean
}

/** An item of which a destination was not told, by the first entry that makes it news. */
export interface News extends Episode {
  readonly item: OpenItem.OpenItem
  readonly entry: EntryStates.EntryState
}

type Open = EntryStates.EntryState & { readonly state: "open" }

const isOpen = (entry: EntryStates.EntryState): entry is Open => entry.state === "open"

/** Gives the episode of an entry that is open, from what became of it; an entry that is not open may have none. */
const episode = (
  history: ReadonlyArray<Pick<EntryStates.EntryState, "execution" | "state">>
): Episode | undefined => {
  let began: number | undefined
  let episodes = 0
  for (const { execution, state } of history) {
    if (!BookState.isWaiting(state)) began = undefined
    else if (state === "open" && began === undefined) {
      began = execution
      episodes++
    }
  }
  return began === undefined ? undefined : { began, isAgain: episodes > 1 }
}

type States = ReturnType<typeof EntryStates.make>

/** Gives the items that are open. */
export const open = (states: States): Effect.Effect<ReadonlyArray<OpenItem.OpenItem>, SqlError> =>
  Effect.map(states.waiting, (waiting) => Items.make(waiting.filter(isOpen)))

/** Gives the items that are open and have an entry whose episode began behind an execution. */
export const behind = Effect.fnUntraced(function*(
  states: States,
  execution: number
): Effect.fn.Return<ReadonlyArray<News>, SqlError> {
  const changed = yield* states.openedBehind(execution)
  const histories = Map.groupBy(yield* states.historiesOf(changed), Subjects.keyOf)
  const news = changed.flatMap((entry) => {
    const found = episode(histories.get(Subjects.keyOf(entry)) ?? [])
    return found === undefined || found.began <= execution ? [] : [{ entry, ...found }]
  })
  if (news.length === 0) return []
  const byOutcome = Map.groupBy(news, ({ entry }) => entry.outcome)
  const waiting = yield* states.waitingIn(Array.from(byOutcome.keys()))
  return Items.make(waiting.filter(isOpen)).flatMap((item) => {
    const [first, ...others] = byOutcome.get(item.outcome) ?? []
    return first === undefined
      ? []
      : [{ ...first, item, isAgain: [first, ...others].some(({ isAgain }) => isAgain) }]
  })
})
