/** Marks change when there is something new, also where another connection wrote it, and at no other time. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import type * as Decisions from "../src/Decisions.ts"
import * as Drivers from "../src/internal/Drivers.ts"
import * as Periods from "../src/Periods.ts"
import { at } from "./support/at.ts"
import { book, options, swept } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { archiveOn, clerk, DAY, decide, kept, testOn, why } from "./support/decisions.ts"
import { bookDay, close } from "./support/periods.ts"
import { NOW } from "./support/records.ts"

const marks = Archive.Archive.use(({ marks }) => marks)

const names = ["run", "ledger", "decision", "execution", "closing", "rebuilt", "sync"] as const

/** Names the marks that something changes. */
const changing = Effect.fnUntraced(function*<A, E, R>(step: Effect.Effect<A, E, R>) {
  const before = yield* marks
  yield* step
  const after = yield* marks
  return names.filter((name) => before[name] !== after[name])
})

const excluded = decide([{ kind: "exclude", side: "transfer", id: "t1", ...why }])

describe.each(databases)("marks, on $name", (kind) => {
  it.live("change with a run, a decision, an execution, a close and what the holder of the archive writes, each by itself", () =>
    testOn(kind)(Effect.gen(function*() {
      assert.deepStrictEqual(yield* changing(marks), [])
      assert.deepStrictEqual(yield* changing(ArchiveReconciliation.record(options())), ["run"])
      assert.deepStrictEqual(yield* changing(ArchiveReconciliation.record(options())), [])
      assert.deepStrictEqual(yield* changing(excluded), [
        "ledger",
        "decision"
      ])
      assert.deepStrictEqual(yield* changing(book()), ["run", "ledger", "execution"])
      const { rebuild, verify } = yield* Books.Books
      assert.deepStrictEqual(yield* changing(rebuild), ["rebuilt"])
      assert.deepStrictEqual(yield* changing(verify), [])
    })))

  it.live("change with each step of whoever holds the archive, and tell the next holder from the last", () =>
    testOn(kind)(Effect.gen(function*() {
      const { exclusive, transfers } = yield* Archive.Archive
      const step = transfers.savePage({ records: [swept], bad: [], readAt: NOW + 6 * DAY })
      const held = Effect.scoped(Effect.andThen(exclusive("sync"), Effect.all([changing(step), changing(step)])))
      assert.deepStrictEqual(yield* changing(held), ["sync"])
      assert.deepStrictEqual(yield* held, [["sync"], ["sync"]])
      assert.deepStrictEqual(yield* changing(Effect.scoped(exclusive("sync"))), ["sync"])
    })))

  it.live("tell of what another connection wrote", () =>
    Effect.gen(function*() {
      const place = yield* kind.fresh
      const opened = () => archiveOn({ layer: Layer.fresh(Drivers.layerLocation(place)) })
      yield* Effect.gen(function*() {
        yield* kept
        const others = <A, E>(effect: Effect.Effect<A, E, Archive.Archive | Decisions.Decisions>) =>
          changing(effect.pipe(Effect.provide(Layer.fresh(opened()))))
        assert.deepStrictEqual(yield* others(excluded), ["ledger", "decision"])
        const { transfers } = yield* Archive.Archive
        const step = transfers.savePage({ records: [swept], bad: [], readAt: NOW + 6 * DAY })
        assert.deepStrictEqual(
          yield* others(Archive.Archive.use(({ exclusive }) => Effect.scoped(Effect.andThen(exclusive("sync"), step)))),
          ["sync"]
        )
      }).pipe(Effect.provide(opened()))
    }).pipe(at(NOW + 7 * DAY), Effect.scoped))

  it.live("change with a close and a reopening", () =>
    testOn(kind)(Effect.gen(function*() {
      yield* bookDay()
      assert.deepStrictEqual(yield* changing(close()), ["ledger", "closing"])
      const reopened = Periods.Periods.use(({ reopen }) => reopen({ author: clerk, close: 2, ...why }))
      assert.deepStrictEqual(yield* changing(reopened), ["ledger", "closing"])
    })))
})
