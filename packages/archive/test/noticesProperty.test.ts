/** Whatever is decided and booked in whatever order, a destination is told of each entry once while it waits. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Decisions from "../src/Decisions.ts"
import * as Drivers from "../src/internal/Drivers.ts"
import type * as Notice from "../src/Notice.ts"
import * as OpenItems from "../src/OpenItems.ts"
import { decide, testOn } from "./support/decisions.ts"
import { bookFor, deliver, receiver } from "./support/notices.ts"
import { cases } from "./support/Seeded.ts"

/** Of these transfers each is excluded or, where it was, taken back in; then the books are brought forward, with notices or without. */
const Step = Schema.Struct({
  toggled: Schema.Literals(["", "t1", "t2", "t1 t2"]),
  isTold: Schema.Boolean
})

const toggle = Effect.fnUntraced(function*(id: string) {
  const { of } = yield* Decisions.Decisions
  const held = (yield* of({ side: "transfer", id })).find(({ revokedBy }) => revokedBy === undefined)
  yield* decide([
    held === undefined
      ? { kind: "exclude", side: "transfer", id, reason: "test", words: "a test of ours" }
      : { kind: "revoke", decision: held.body.number, words: "it was none" }
  ])
})

const waiting = Effect.map(
  OpenItems.OpenItems.use(({ list }) => list()),
  (items) => new Map(items.flatMap(({ entries, state }) => entries.map(({ id, side }) => [`${side} ${id}`, state])))
)

const entriesOf = (notice: Notice.Notice): ReadonlyArray<string> =>
  "item" in notice ? notice.item.entries.map(({ id, side }) => `${side} ${id}`) : []

const isOver = ({ kind }: Notice.Notice): boolean => kind === "item-settled"

const test = testOn({ layer: Layer.fresh(Drivers.layerMemory()) })

it.live.prop(
  "a destination is told of an entry when it is open and was not told since it was settled last, and once when it is settled",
  { steps: Schema.Array(Step).check(Schema.isMinLength(4), Schema.isMaxLength(9)) },
  ({ steps }) =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* bookFor([desk])
      yield* deliver(desk)
      assert.lengthOf(desk.taken, 1)
      /** The entries that wait and were told, as a person would keep them on a list. */
      const told = new Set((yield* waiting).keys())
      /** Those that were told one by one since they were settled last. */
      const alone = new Set<string>()
      for (const step of steps) {
        yield* Effect.forEach(step.toggled.split(" ").filter((id) => id !== ""), toggle, { discard: true })
        const before = desk.taken.length
        yield* bookFor(step.isTold ? [desk] : [])
        yield* deliver(desk)
        const now = yield* waiting
        for (const key of told) if (!now.has(key)) told.delete(key)
        const due = step.isTold ? Array.from(now.keys()).filter((key) => !told.has(key)) : []
        const taken = desk.taken.slice(before)
        assert.deepStrictEqual(taken.filter((one) => !isOver(one)).flatMap(entriesOf).toSorted(), due.toSorted())
        const over = step.isTold ? Array.from(alone).filter((key) => !now.has(key)) : []
        assert.deepStrictEqual(taken.filter(isOver).flatMap(entriesOf).toSorted(), over.toSorted())
        for (const key of over) alone.delete(key)
        for (const key of due) {
          told.add(key)
          alone.add(key)
        }
      }
      const keys = desk.taken.map(({ key }) => key)
      assert.strictEqual(new Set(keys).size, keys.length)
    })),
  { arbitrary: { runs: Math.min(cases(15), 200) } }
)
