/** Killed at any step, a process leaves a file of decisions whole or undone, and the books as some execution brought them. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Archive from "../../src/Archive.ts"
import * as Books from "../../src/Books.ts"
import * as Decisions from "../../src/Decisions.ts"
import { at } from "../support/at.ts"
import { book, far, options, waiting } from "../support/books.ts"
import { temporaryFolder } from "../support/databases.ts"
import { DAY, kept, MINUTE } from "../support/decisions.ts"
import { NOW } from "../support/records.ts"
import * as Child from "./Child.ts"

const LATER = NOW + 7 * DAY

/** TALLYSTICK_KILLS: how often the process is killed (default 12). */
const KILLS = Number(process.env["TALLYSTICK_KILLS"] ?? 12)

const script = fileURLToPath(new URL("Desk.ts", import.meta.url))

const run = (archive: string, death?: Child.Death) =>
  Effect.promise(() =>
    Child.start({ script, args: [], env: { TALLYSTICK_ARCHIVE: archive }, now: LATER + MINUTE }, death).ended
  )

/** The linked entries, and whether they wait. */
const linked = Effect.map(waiting(), (items) => items.filter((item) => item.includes(" 9 ")).length)

describe("a process of the desk", () => {
  it.live("is killed at any step: its decisions are all there or none is, and so are the states of all days", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const before = join(folder, "before.db")
      yield* kept.pipe(
        Effect.andThen(book()),
        Effect.andThen(book(options(far))),
        at(LATER),
        Effect.provide(Archive.Archive.layerSqlite({ file: before }))
      )
      const copied = (name: string) => {
        const file = join(folder, name)
        copyFileSync(before, file)
        return file
      }
      const whole = yield* run(copied("whole.db"))
      const steps = whole.steps ?? assert.fail(whole.output)
      const found = new Set<string>()
      for (let kill = 0; kill < KILLS; kill++) {
        // Opening takes the first steps; the decisions and the books are written in the last ones.
        const n = Math.max(1, steps - Math.floor(kill * steps / (2 * KILLS)))
        const file = copied(`${kill}.db`)
        const { killed, output } = yield* run(file, { at: "step", n, when: kill % 2 === 0 ? "before" : "after" })
        assert.isTrue(killed, output)
        yield* Effect.gen(function*() {
          const decisions = yield* Decisions.Decisions.use(({ all }) => all)
          const { executions, verify } = yield* Books.Books
          assert.include([0, 21], decisions.length, `step ${n} of ${steps}`)
          assert.deepStrictEqual(yield* verify, [], `step ${n} of ${steps}`)
          const count = (yield* executions).length
          assert.strictEqual(yield* linked, count === 2 ? 2 : 0, `step ${n} of ${steps}`)
          found.add(`${decisions.length} ${count}`)
        }).pipe(at(LATER + 2 * MINUTE), Effect.provide(Archive.Archive.layerSqlite({ file })))
      }
      assert.isAbove(found.size, 1, "deaths at different times")
    }).pipe(Effect.scoped))
})
