import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { linkSync, mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { run, start } from "./support/Process.ts"

/** A service without any record, whose answers about deposits can be held back. */
const service = () => {
  let isHeld = false
  let onHeld: () => void = () => undefined
  let waiting: Array<() => void> = []
  const server = createServer((request, response) => {
    const isTime = request.url?.includes("/time") === true
    const answer = (): void => {
      response.writeHead(200, { "content-type": "application/json" })
      response.end(isTime ? JSON.stringify({ serverTime: Date.now() }) : "[]")
    }
    if (!isHeld || isTime) return answer()
    waiting.push(answer)
    return onHeld()
  })
  return {
    server,
    /** From here on nothing is answered; ends when somebody waits for an answer. */
    hold: () => {
      isHeld = true
      return new Promise<void>((resolve) => void (onHeld = resolve))
    },
    release: () => {
      isHeld = false
      const late = waiting
      waiting = []
      for (const answer of late) answer()
    }
  }
}

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`)
    })
  )

const { hold, release, server } = service()
let folder = ""
let env: Record<string, string> = {}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tallystick-sync-"))
  writeFileSync(join(folder, "accounts.txt"), "sub00001\n")
  env = {
    TALLYSTICK_BASE_URL: await listen(server),
    TALLYSTICK_API_KEY: "mx0key",
    TALLYSTICK_SECRET_KEY: "very-secret",
    TALLYSTICK_RATE: "1000"
  }
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

const args = (file: string) => {
  const place = ["--archive-file", join(folder, file)]
  return ["sync", "--since", "1h", "--accounts", join(folder, "accounts.txt"), ...place]
}

describe("the process of tallystick sync", () => {
  it("watches until SIGTERM, which is no failure, and gives the archive free", async () => {
    const watching = start([...args("a.db"), "--watch", "--every", "1h"], { env })
    assert.match(await watching.told("hours left"), /^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC ok: 0 added; complete from /)
    watching.process.kill("SIGTERM")
    const { exitCode, stderr, stdout } = await watching.ended
    assert.strictEqual(exitCode, 0, stderr)
    assert.match(stderr, /\n20[-\d]+ [:\d]+ UTC stopped\n$/)
    assert.strictEqual(stdout, "")
    const next = await run(args("a.db"), { env })
    assert.strictEqual(next.exitCode, 0, next.stderr)
    assert.notMatch(next.stderr, /very-secret|mx0key|Warning/)
  })

  it("ends a watch with 130 at Ctrl-C", async () => {
    const watching = start([...args("b.db"), "--watch"], { env })
    await watching.told("hours left")
    watching.process.kill("SIGINT")
    const { exitCode, stderr } = await watching.ended
    assert.strictEqual(exitCode, 130)
    assert.match(stderr, /\n20[-\d]+ [:\d]+ UTC stopped\n$/)
  })

  it("ends a watch with 141 where the reader of its log went away, so that a supervisor starts it again", async () => {
    const watching = start([...args("h.db"), "--watch", "--every", "1s"], { env })
    await watching.told("hours left")
    watching.process.stderr?.destroy()
    assert.strictEqual((await watching.ended).exitCode, 141)
    const next = await run(args("h.db"), { env })
    assert.strictEqual(next.exitCode, 0, next.stderr)
  })

  it("tells a second one who is at it, and can be told to end in the middle of a round", async () => {
    const held = hold()
    const first = start(args("c.db"), { env })
    await held
    const second = await run(args("c.db"), { env })
    assert.strictEqual(second.exitCode, 3)
    assert.match(second.stderr, new RegExp(`is in use: sync, process ${first.process.pid} on `))
    first.process.kill("SIGTERM")
    const { exitCode, stderr } = await first.ended
    assert.strictEqual(exitCode, 130)
    assert.include(stderr, "What was read is kept")
    release()
    const last = await run(args("c.db"), { env })
    assert.strictEqual(last.exitCode, 0, last.stderr)
  })

  it("keeps a second one out whose file has another name, or whose lock file was removed, and lets readers in", async () => {
    await run(args("d.db"), { env })
    const held = hold()
    const first = start(args("d.db"), { env })
    await held
    const reader = await run(["export", "--side", "deposits", "--archive-file", join(folder, "d.db")], { env })
    assert.strictEqual(reader.exitCode, 0, reader.stderr)
    linkSync(join(folder, "d.db"), join(folder, "linked.db"))
    const linked = await run(args("linked.db"), { env })
    assert.strictEqual(linked.exitCode, 2)
    assert.include(linked.stderr, "linked.db may not be opened by this name: it has 2 names (hard links)")
    unlinkSync(join(folder, "linked.db"))
    unlinkSync(join(folder, "d.db-lock"))
    const second = await run(args("d.db"), { env })
    assert.strictEqual(second.exitCode, 3)
    assert.include(second.stderr, "-lock, its lock, was removed or replaced")
    release()
    const { exitCode, stderr } = await first.ended
    assert.strictEqual(exitCode, 0, stderr)
    assert.strictEqual((await run(args("d.db"), { env })).exitCode, 0)
  })

  it("ends its round with 3 when another took the archive over, and writes nothing more", async () => {
    const file = join(folder, "e.db")
    await run(args("e.db"), { env })
    const held = hold()
    const first = start(args("e.db"), { env })
    await held
    // As another would that got the lock, because the system forgot it.
    const other = new DatabaseSync(file)
    other.exec("UPDATE holder SET purpose = 'import', host = 'elsewhere', fence = fence + 1")
    const coverage = () => JSON.stringify(other.prepare("SELECT * FROM coverage ORDER BY operation, from_ms").all())
    const before = coverage()
    release()
    const { exitCode, stderr } = await first.ended
    assert.strictEqual(exitCode, 3, stderr)
    assert.match(stderr, /e\.db was taken over by import, process \d+ on elsewhere since /)
    assert.strictEqual(coverage(), before)
    other.close()
    assert.strictEqual((await run(args("e.db"), { env })).exitCode, 0)
  })

  it("ends a watch with 3 whose file was moved away, because it does not come back to that process", async () => {
    const held = hold()
    const watching = start([...args("f.db"), "--watch"], { env })
    await held
    renameSync(join(folder, "f.db"), join(folder, "away.db"))
    release()
    const { exitCode, stderr } = await watching.ended
    assert.strictEqual(exitCode, 3)
    assert.include(stderr, "f.db was moved, removed or replaced while the archive was open")
  })

  it("ends a watch with 3 whose lock file was removed, at its next round", async () => {
    const held = hold()
    const watching = start([...args("g.db"), "--watch", "--every", "1s"], { env })
    await held
    unlinkSync(join(folder, "g.db-lock"))
    release()
    const { exitCode, stderr } = await watching.ended
    assert.strictEqual(exitCode, 3)
    assert.include(stderr, "g.db-lock was moved, removed or replaced while the archive was open")
    assert.notInclude(stderr, "open in another program")
  })
})
