/**
 * A process with a watchdog of short limits: it says `up`, and then does as `argv` says. `slow` blocks for less than a limit, again and again;
 * `stuck` never comes back; `asleep` waits for memory that nobody changes; `away` is in a program that it started; `job` has a thread of a job
 * that never comes back, beside a main loop that turns.
 */
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import { Worker } from "node:worker_threads"
import { Watched } from "../../src/internal/watchdog/Watched.ts"
import * as Watchdog from "../../src/Watchdog.ts"

const block = (ms: number): void => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

const kinds: Readonly<Record<string, Effect.Effect<void>>> = {
  idle: Effect.sleep("1 hour"),
  slow: Effect.forever(Effect.andThen(Effect.sync(() => block(1500)), Effect.sleep("100 millis"))),
  stuck: Effect.sync(() => block(Number.POSITIVE_INFINITY)),
  asleep: Effect.sync(() => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)),
  away: Effect.sync(() => void execFileSync("sleep", ["60"])),
  job: Effect.gen(function*() {
    const pulse = (yield* Watched)?.take()
    yield* Effect.sync(() => new Worker(new URL("./stuck.ts", import.meta.url), { workerData: { pulse } }))
    return yield* Effect.never
  })
}

Effect.runFork(
  Effect.sync(() => process.stdout.write("up\n")).pipe(
    Effect.andThen(Effect.sleep("1 second")),
    Effect.andThen(kinds[process.argv[2] ?? ""] ?? Effect.die(new Error("no such kind"))),
    Effect.andThen(Effect.never),
    Effect.provide(Watchdog.layer({ name: "this runner", limits: { main: 3, job: 3 } }))
  )
)
