/**
 * Whatever is killed, a job comes to the report to which one process comes, and makes one execution: three runners as real processes,
 * SIGKILL, a real PostgreSQL.
 *
 * TALLYSTICK_KILLS: so many runners are killed at work, half as many times a cluster of one process, and a quarter as many submitters
 * (default 2). TALLYSTICK_SEED draws other moments.
 */
import { assert, describe, it, layer } from "@effect/vitest"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Books from "@tallystick/archive/Books"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { join } from "node:path"
import { temporaryFolder } from "../../../archive/test/support/databases.ts"
import * as Seeded from "../../../archive/test/support/Seeded.ts"
import * as Desk from "../support/Desk.ts"
import * as Fleets from "./Fleets.ts"
import * as Moments from "./Moments.ts"
import * as Processes from "./Processes.ts"

const killed: Moments.Fault = {
  name: "SIGKILL",
  strike: ({ fleet, worker }) => worker.running.kill.pipe(Effect.andThen(fleet.replace(worker)), Effect.as(Effect.void))
}

layer(Fleets.layer, Fleets.options)("a cluster of three runners", (it) => {
  it.effect("a job whose runner is killed at any moment is done by another one, once", () => Fleets.tried(killed))

  it.effect("a job whose submitter is killed at any moment is done once, and asked again it is the same job", () =>
    Effect.gen(function*() {
      const [{ fleet } = assert.fail("no fleet is there")] = yield* Fleets.Fleets
      const seeded = Seeded.make(Moments.SEED + 1)
      for (let turn = 0; turn < Math.ceil(Moments.KILLS / 4); turn++) {
        const { alone, question } = yield* fleet.next
        const submitter = yield* Processes.submitter(Redacted.make(fleet.server.url), question.range.to)
        yield* submitter.told("begins")
        yield* Effect.sleep(seeded.int(0, 2000))
        yield* submitter.kill
        const { id } = yield* fleet.ask(({ submit }) => submit(question))
        yield* Moments.done(fleet, { alone, id })
        const told = submitter.lines().find((line) => /^[0-9a-f]{64}$/.test(line))
        assert.strictEqual(told ?? id, id)
      }
    }))
})

describe("a cluster in one process", () => {
  it.live("goes on with its job when it was killed at any moment and is started again, and does it once", () =>
    Effect.gen(function*() {
      const seeded = Seeded.make(Moments.SEED + 2)
      for (let turn = 0; turn < Math.ceil(Moments.KILLS / 2); turn++) {
        const folder = yield* temporaryFolder
        const [file, jobs] = [join(folder, "archive.db"), join(folder, "jobs.db")]
        const archive: ArchiveConfig.Location = { _tag: "File", file }
        yield* Desk.keep(archive, 3000)
        const first = yield* Processes.single(file, jobs)
        yield* first.told("begun")
        yield* Effect.sleep(seeded.int(0, 2500))
        yield* first.kill
        const second = yield* Processes.single(file, jobs)
        assert.match(yield* second.told("done"), /^done [12]$/)
        yield* second.kill
        const executions = yield* Books.Books.use(({ executions }) => executions).pipe(Desk.within(archive))
        assert.lengthOf(executions, 1)
      }
    }).pipe(Effect.scoped))
})
