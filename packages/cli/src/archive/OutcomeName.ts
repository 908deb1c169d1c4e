/** Outcomes of the books are named by what a person has at hand: an item, one of the entries, or the outcome itself. */
import * as Decisions from "@tallystick/archive/Decisions"
import type * as OpenItem from "@tallystick/archive/OpenItem"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as Runs from "@tallystick/archive/Runs"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Failure from "../Failure.ts"
import * as EntryName from "./EntryName.ts"

/** The one outcome in which entries of the books stand. */
const ofEntries = (name: string, entries: ReadonlyArray<OpenItem.EntryState>) => {
  const outcomes = Array.from(new Set(entries.map(({ outcome }) => outcome)))
  const [outcome = "", ...others] = outcomes
  return others.length === 0 ? Effect.succeed(outcome) : Effect.fail(Failure.usage(
    `${name} is the beginning of ${Text.counted(outcomes.length, "item")}; give more of the one that you mean`
  ))
}

const ofEntry = Effect.fnUntraced(function*(name: string) {
  const entry = yield* EntryName.find(name)
  const story = yield* OpenItems.OpenItems.use(({ story }) => story(entry))
  if (Option.isSome(story) && story.value.entry.outcome !== "") return story.value.entry.outcome
  return yield* Failure.usage(
    `${entry.side} ${entry.id} stands in no outcome of the books: reconcile its time with --book first; ` +
      "if it waited in none, name the outcome that the report shows"
  )
})

const ofPrefix = Effect.fnUntraced(function*(prefix: string) {
  const found = yield* Runs.Runs.use(({ outcome }) => outcome(prefix)).pipe(
    Effect.catchTag("Ambiguous", ({ message }) => Effect.fail(Failure.usage(message)))
  )
  return Option.map(found, ({ id }) => id)
})

/** Finds the whole id of the outcome that is meant. */
export const find = Effect.fnUntraced(function*(name: string) {
  const lower = name.toLowerCase()
  if (/^i[0-9a-f]+$/.test(lower)) {
    const entries = yield* OpenItems.OpenItems.use(({ find }) => find(lower))
    if (entries.length > 0) return yield* ofEntries(name, entries)
  }
  const entries = yield* Decisions.Decisions.use(({ find }) => find(name))
  const outcome = entries.length === 0 ? yield* ofPrefix(lower) : Option.none()
  return Option.isSome(outcome) ? outcome.value : yield* ofEntry(name)
})
