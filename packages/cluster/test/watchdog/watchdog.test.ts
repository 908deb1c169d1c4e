/** A process that stands still is ended from outside its main loop, and one that is slow or was stopped is not: real processes. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import * as Watchdog from "../../src/Watchdog.ts"

const script = fileURLToPath(new URL("process.ts", import.meta.url))

const start = (kind: string) =>
  Effect.acquireRelease(
    Effect.gen(function*() {
      const child = spawn(process.execPath, [script, kind], { stdio: ["ignore", "pipe", "pipe"] })
      let stderr = ""
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text
      })
      const ended = once(child, "close")
      yield* Effect.promise(() => once(child.stdout, "data"))
      return { child, ended: Effect.promise(() => ended), said: () => stderr }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

describe("a watchdog", () => {
  it.live.each([
    { kind: "stuck", why: "its main loop did nothing for 3 seconds" },
    { kind: "asleep", why: "its main loop did nothing for 3 seconds" },
    { kind: "job", why: "the thread of a job did nothing for 3 seconds" }
  ])("ends a process that is $kind, with a code of its own and one line", ({ kind, why }) =>
    Effect.gen(function*() {
      const { ended, said } = yield* start(kind)
      const [exitCode] = yield* ended
      assert.strictEqual(exitCode, Watchdog.EXIT_CODE, said())
      assert.strictEqual(said(), `this runner is ended by its watchdog (exit code 70): ${why}\n`)
    }).pipe(Effect.scoped))

  it.live("kills a process that is not in JavaScript", () =>
    Effect.gen(function*() {
      const { child, ended, said } = yield* start("away")
      yield* ended
      assert.strictEqual(child.signalCode, "SIGKILL")
      assert.include(said(), "its main loop did nothing for 3 seconds")
    }).pipe(Effect.scoped))

  it.live.each([{ kind: "idle" }, { kind: "slow" }])(
    "leaves one alone that is $kind, also after it was stopped for long",
    ({ kind }) =>
      Effect.gen(function*() {
        const { child, said } = yield* start(kind)
        yield* Effect.sleep("2 seconds")
        child.kill("SIGSTOP")
        yield* Effect.sleep("5 seconds")
        child.kill("SIGCONT")
        yield* Effect.sleep("5 seconds")
        assert.isNull(child.exitCode, said())
        assert.isNull(child.signalCode)
        assert.strictEqual(said(), "")
      }).pipe(Effect.scoped)
  )
})
