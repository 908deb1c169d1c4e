/** A schedule whose runner is killed between booking and telling: the day is booked once, and its notice is sent once. */
import { assert, describe, it } from "@effect/vitest"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Books from "@tallystick/archive/Books"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryDatabase, temporaryFolder } from "../../../archive/test/support/databases.ts"
import * as Cluster from "../../src/Cluster.ts"
import * as Reconciling from "../../src/Reconciling.ts"
import * as Schedules from "../../src/Schedules.ts"
import * as Desk from "../support/Desk.ts"
import * as Processes from "./Processes.ts"

/** Most of what the desk has happens on this day. */
const DAY = "2023-11-15"

describe("a schedule", () => {
  it.live("books a day once and tells of it once, although its runner is killed between the two", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const archive: ArchiveConfig.Location = { _tag: "Postgres", url }
      yield* Desk.keep(archive, 200)
      const file = join(yield* temporaryFolder, "notices")
      const lines = Effect.sync(() => existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [])
      const run = (hold: Record<string, string>) =>
        Effect.flatMap(Processes.freePort, (port) => Processes.runner(url, port, { NOTICES: file, ...hold }))
      const cluster = Layer.merge(Reconciling.Reconciling.layer, Schedules.Schedules.layer).pipe(
        Layer.provide(Cluster.client({ url }))
      )
      yield* Effect.gen(function*() {
        const { remove, set } = yield* Schedules.Schedules
        const { accounts, author, policy } = Desk.question
        yield* set({ name: "desk", zone: "UTC", from: DAY, accounts, author, policy })
        const first = yield* run({ HOLD: "1" })
        yield* first.told("booked")
        assert.deepStrictEqual(yield* lines, [])
        // No job of another day sends what this one wrote.
        yield* remove("desk")
        yield* first.kill
        const second = yield* run({})
        const sent = yield* Effect.repeat(lines, {
          schedule: Schedule.spaced("200 millis"),
          until: (lines) => lines.length > 0
        })
        assert.lengthOf(sent, 1)
        assert.include(sent[0], "open-items")
        const { list } = yield* Reconciling.Reconciling
        assert.deepStrictEqual((yield* list(10)).map(({ state }) => state), ["done"])
        // The same day again opens nothing. The second of these jobs begins when the first one has told what there is.
        yield* second.kill
        yield* run({})
        const { follow, submit } = yield* Reconciling.Reconciling
        const range = yield* Effect.fromResult(TimeRange.businessDay(DAY))
        for (const declare of [true, false]) {
          const { id } = yield* submit({ ...Desk.question, range, declare }).pipe(Desk.within(archive))
          yield* Stream.runDrain(follow(id))
        }
        assert.deepStrictEqual(yield* lines, sent)
      }).pipe(Effect.provide(cluster))
      const executions = yield* Books.Books.use(({ executions }) => executions).pipe(Desk.within(archive))
      assert.lengthOf(executions, 3)
    }).pipe(Effect.scoped))
})
