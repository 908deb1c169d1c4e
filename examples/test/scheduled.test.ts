/** The program that keeps books on a schedule never ends by itself: it is watched for a round, killed, and started again. */
import { assert, layer } from "@effect/vitest"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../src/scheduled.ts", import.meta.url))

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "tallystick-example-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** The first line that it says, on whichever stream; then it is killed. */
const firstLine = (cwd: string, env: Record<string, string>) =>
  Effect.promise(async () => {
    const child = spawn(process.execPath, [program], { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
    const exit = once(child, "exit")
    const line = await new Promise<string>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).once("line", resolve)
    })
    child.kill("SIGKILL")
    await exit
    return line
  })

layer(Sandbox.Sandbox.layer({ history: { deposits: 200, subAccounts: 5 }, rules: { rate: null } }), {
  excludeTestServices: true
})((it) => {
  it.effect("the example scheduled syncs and reconciles, and goes on where it was killed", () =>
    Effect.gen(function*() {
      const env = (yield* Sandbox.Sandbox).environment()
      const cwd = yield* folder
      for (let round = 0; round < 2; round++) {
        assert.match(yield* firstLine(cwd, env), /^r[0-9a-f]{16}( \(known\))?: (the books agree|look at them)$/)
      }
    }))
})
