/** Parts that threads decide make the run that one thread makes, or none. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Drivers from "../src/internal/Drivers.ts"
import * as Runs from "../src/Runs.ts"
import * as Workers from "../src/Workers.ts"
import { at } from "./support/at.ts"
import { databases, type Kind } from "./support/databases.ts"
import { archiveOn, clerk, DAY, decide, HOUR, kept } from "./support/decisions.ts"
import { NOW } from "./support/records.ts"

/** Opens a new archive, and gives its place. */
const opened = <A, E, R>(kind: Kind, body: (workers: Workers.Workers) => Effect.Effect<A, E, R>) =>
  Effect.scoped(Effect.flatMap(kind.fresh, (archive) =>
    body(Workers.make({ archive, count: 2, least: 1 })).pipe(
      Effect.provide(archiveOn({ layer: Layer.fresh(Drivers.layerLocation(archive)) }))
    )))

const asked = { range: { from: NOW - 5 * DAY, to: NOW + HOUR }, accounts: { list: ["a@x"], complete: true } }

const recorded = Effect.map(Runs.Runs.use(({ list }) => list()), (runs) => runs.length)

describe.each(databases)("a run whose parts are decided in threads, over $name", (kind) => {
  it.live("is the run of one thread, with the same report, also of what was accepted", () =>
    opened(kind, (workers) =>
      Effect.gen(function*() {
        yield* kept
        const item = (yield* ArchiveReconciliation.run(asked)).outcomes.find(({ outcome }) => outcome === "discrepancy")
        yield* ArchiveReconciliation.book({ ...asked, range: { from: NOW - 5 * DAY, to: NOW + DAY } }, {
          author: clerk
        })
        yield* decide([{ kind: "accept", outcome: item?.id ?? "", provisional: true, reason: "other", words: "seen" }])
        const whole = yield* ArchiveReconciliation.record(asked)
        assert.include(JSON.stringify(whole.report), "\"accepted\"")
        assert.lengthOf(new Set(whole.report.outcomes.flatMap(({ deposits }) => deposits.map(({ asset }) => asset))), 2)
        const told: Array<number> = []
        const apart = yield* ArchiveReconciliation.record({
          ...asked,
          workers,
          onProgress: ({ done, of }) => Effect.sync(() => void told.push(done / of))
        })
        assert.deepStrictEqual(apart, { ...whole, isNew: false, run: { ...whole.run } })
        assert.strictEqual(told.at(-1), 1)
      })).pipe(at(NOW + 7 * DAY)))

  it.live("is decided by one thread where the threads read another archive, and records nothing where they cannot read theirs", () =>
    Effect.gen(function*() {
      yield* kept
      const whole = yield* ArchiveReconciliation.run(asked)
      const other = yield* kind.fresh
      const workers = { count: 2, least: 1 }
      const lost = { _tag: "File", file: "/nowhere/archive.db" } as const
      const failure = yield* Effect.flip(
        ArchiveReconciliation.record({ ...asked, workers: Workers.make({ ...workers, archive: lost }) })
      )
      assert.deepInclude(failure, { _tag: "ArchiveError", category: "place" })
      assert.strictEqual(yield* recorded, 0)
      yield* Effect.void.pipe(Effect.provide(archiveOn({ layer: Drivers.layerLocation(other) })))
      assert.deepStrictEqual(
        yield* ArchiveReconciliation.run({ ...asked, workers: Workers.make({ ...workers, archive: other }) }),
        whole
      )
    }).pipe(at(NOW + 7 * DAY), Effect.provide(archiveOn(kind)), Effect.scoped))
})
