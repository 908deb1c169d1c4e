/**
 * The rate of several processes, through a real Redis: `REDIS_URL`, or a `redis-server` of our own where one is installed.
 * Where there is neither, the same bound is shown with two limiters over one store in memory.
 */
import { assert, describe, it } from "@effect/vitest"
import * as RateLimit from "@tallystick/core/RateLimit"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { TestClock } from "effect/testing"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Service from "./support/service.ts"
import * as Wire from "./support/wire.ts"

/** Twenty a second with a tenth of headroom, ms. */
const SPACING = 55
const CALLS = 30

const redisUrl = process.env["REDIS_URL"]
const hasRedis = redisUrl !== undefined || spawnSync("redis-server", ["--version"]).status === 0

/** A child process for the scope's lifetime. */
const child = (command: string, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] })),
    (child) =>
      Effect.callback<void>((resume) => {
        if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
        child.once("exit", () => resume(Effect.void))
        child.kill()
      })
  )

/** What a process has printed when it says `mark`, or ends. */
const printed = (child: ChildProcess, mark: string | undefined) =>
  Effect.callback<string>((resume) => {
    let text = ""
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8")
      if (mark !== undefined && text.includes(mark)) resume(Effect.succeed(text))
    })
    child.once("close", () => resume(Effect.succeed(text)))
  })

const redis = Effect.gen(function*() {
  if (redisUrl !== undefined) return redisUrl
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "tallystick-redis-"))),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  )
  const socket = join(directory, "redis.sock")
  const server = yield* child("redis-server", ["--port", "0", "--unixsocket", socket, "--save", "", "--dir", directory])
  assert.include(yield* printed(server, "ready to accept connections"), "ready to accept connections")
  return socket
})

/** The nth of all requests comes no sooner than n - 1 spacings after somebody first asked for leave, ms. */
const assertSpaced = (asked: number, arrivals: ReadonlyArray<number>) => {
  assert.strictEqual(arrivals.length, 2 * CALLS)
  for (const [index, arrival] of arrivals.toSorted((a, b) => a - b).entries()) {
    // Timers may fire a millisecond early, and Redis counts whole ones.
    assert.isAtLeast(arrival - asked, index * SPACING - 5, `request ${index + 1}`)
  }
}

const viaRedis = Effect.gen(function*() {
  const store = yield* redis
  const arrivals: Array<number> = []
  const server = yield* Wire.server((request, response, socket) => {
    arrivals.push(Number(process.hrtime.bigint()) / 1e6)
    Wire.sendJson([])(request, response, socket)
  })
  const script = fileURLToPath(new URL("support/sharedRateProcess.ts", import.meta.url))
  const run = Effect.flatMap(
    child(process.execPath, [script, server.baseUrl, store, String(CALLS)]),
    (child) => printed(child, undefined)
  )
  const outputs = yield* Effect.all([run, run], { concurrency: "unbounded" })
  assertSpaced(Math.min(...outputs.map((text) => Number(text) / 1e6)), arrivals)
})

const inMemory = Effect.gen(function*() {
  const limiter = yield* RateLimiter.RateLimiter
  const limit = RateLimit.RateLimit.useSync((limit) => limit).pipe(
    Effect.provide(RateLimit.RateLimit.layerShared(Service.options)),
    Effect.provideService(RateLimiter.RateLimiter, limiter)
  )
  const limits = yield* Effect.all([limit, limit])
  const arrivals: Array<number> = []
  const mark = Effect.map(Clock.currentTimeMillis, (now) => void arrivals.push(now))
  const fiber = yield* Effect.forkChild(
    Effect.forEach(Array.from({ length: 2 * CALLS }), (_, index) => limits[index % 2]!.permit(mark), {
      concurrency: "unbounded",
      discard: true
    })
  )
  yield* TestClock.adjust("1 minute")
  yield* Fiber.join(fiber)
  assertSpaced(0, arrivals)
}).pipe(Effect.provide(RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))))

describe("the rate of two processes", () => {
  if (hasRedis) it.effect("is one rate at the service, kept by Redis", () => viaRedis)
  else it.effect("is one rate, kept by a store in memory", () => inMemory)

  it("is set up in docs/rate-limits.md as in a file that type-checks, to the letter", () => {
    const text = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")
    assert.include(text("../../../docs/rate-limits.md"), `\`\`\`ts\n${text("support/sharedRate.ts")}\`\`\``)
  })
})
