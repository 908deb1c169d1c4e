/** Items without entries are named by the beginning of their ids. */
import * as Books from "@tallystick/archive/Books"
import type * as OpenItem from "@tallystick/archive/OpenItem"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as Timeline from "@tallystick/core/Timeline"
import * as Effect from "effect/Effect"
import * as Failure from "../Failure.ts"
import type * as WithoutEntriesText from "./WithoutEntriesText.ts"

/** Finds under which ids time of a gap is unread still: a gap that begins elsewhere has another id. */
const standing = (item: OpenItem.WithoutEntries, now: ReadonlyArray<OpenItem.WithoutEntries>): ReadonlyArray<string> =>
  item._tag !== "Gap" ?
    [] :
    now.flatMap((one) =>
      one._tag === "Gap" && one.operation === item.operation && Timeline.overlaps(one, item) ? [one.id] : []
    )

/** Finds the item that is meant after the last execution, and if it is gone as the last execution that met it told it. */
export const find = Effect.fnUntraced(function*(name: string) {
  const prefix = name.toLowerCase()
  const { withoutEntries } = yield* OpenItems.OpenItems
  const numbers = (yield* Books.Books.use(({ executions }) => executions)).map(({ body }) => body.number)
  let goneBy: number | undefined
  for (const number of numbers.toReversed()) {
    const found = (yield* withoutEntries(number)).filter(({ id }) => id.startsWith(prefix))
    const [item, ...others] = found
    if (others.length > 0) {
      return yield* Failure.usage(
        `the ids of ${found.length} items begin with ${name}; give more of the one that you mean`
      )
    }
    if (item !== undefined) {
      if (goneBy === undefined) return { item } satisfies WithoutEntriesText.Told
      return { item, goneBy, unreadIn: standing(item, yield* withoutEntries()) } satisfies WithoutEntriesText.Told
    }
    goneBy = number
  }
  return undefined
})

/** Says why nobody can decide on such an item. */
export const undecidable = (name: string): Failure.Failure =>
  Failure.usage(
    `${name} looks like a record that could not be read, or time that was not: it has no entry on which anybody could decide`,
    `tallystick item ${name} tells what it is and what helps; close --carry-open carries records that could not be read`
  )
