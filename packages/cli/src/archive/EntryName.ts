/** Entries are named by what a person has at hand: a transfer's id, or a deposit's id or transaction, or the beginning of one. */
import * as Decisions from "@tallystick/archive/Decisions"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Failure from "../Failure.ts"
import * as WithoutEntriesName from "./WithoutEntriesName.ts"
import * as WithoutEntriesText from "./WithoutEntriesText.ts"

/** Ids of items look like this; they name entries where `item` and `decide accept` take them. */
const ITEM = /^i[0-9a-f]+$/

/** Finds the one entry that is meant, and names those that could be where there are several. */
export const find = Effect.fnUntraced(function*(name: string) {
  const { find } = yield* Decisions.Decisions
  const found = yield* find(name)
  const [entry, ...others] = found
  if (entry === undefined) {
    if (WithoutEntriesText.ID.test(name)) return yield* WithoutEntriesName.undecidable(name)
    return yield* Failure.usage(
      `the archive keeps no transfer with the id ${name}, and no deposit with this id or transaction, nor any of them that begins so`,
      ...(ITEM.test(name) ? [`this looks like an item: tallystick item ${name} names its entries`] : [])
    )
  }
  return others.length === 0 ? entry : yield* Failure.usage(
    `${name} is the name of ${Text.counted(found.length, "entry", "entries")}; say which one is meant:`,
    ...found.map(({ amount, asset, id, side }) => `${side} ${id}, ${amount} ${asset}`)
  )
})
