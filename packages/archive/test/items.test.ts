/** Items come out of a stream of entries as they are made of all entries at once. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as BookState from "../src/BookState.ts"
import type * as EntryStates from "../src/internal/books/EntryStates.ts"
import * as Items from "../src/internal/books/Items.ts"

const Meant = Schema.Array(
  Schema.Struct({
    outcome: Schema.Literals(["a", "b", "c"]),
    state: BookState.Waiting,
    since: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3 }))
  })
).check(Schema.isMaxLength(12))

const Size = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 }))

const entry = ({ outcome, since, state }: (typeof Meant.Type)[number], index: number) => ({
  side: "deposit" as const,
  id: `d${index}`,
  item: `i${index}`,
  asset: "BTC",
  amount: "1",
  at: index,
  state,
  code: "missing-transfer" as const,
  outcome,
  since,
  execution: since + 1
})

describe("a stream of items", () => {
  it.effect.prop(
    "has the items that are made of all entries at once, in the same order, however its chunks are cut",
    [Meant, Size],
    ([all, size]) =>
      Effect.gen(function*() {
        const entries = all.map(entry)
        const together = entries.map((one): EntryStates.Together => ({
          entry: one,
          together: entries.filter(({ outcome, state }) => outcome === one.outcome && state === one.state).length
        }))
        const stream = Stream.rechunk(Stream.fromIterable(together), size)
        assert.deepStrictEqual(yield* Stream.runCollect(Items.streamed(stream)), Items.make(entries))
      })
  )
})
