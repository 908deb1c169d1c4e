import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

const AT = Date.UTC(2026, 10, 19, 8)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const plain = (id: string, amount: string, at: number) =>
  JSON.stringify({ id, asset: "USDT", amount, at, account: "sub00001" })

/** A run over two files of this directory, two days after the first of their records. */
const reconcile = Effect.fnUntraced(function*(
  [deposits, transfers]: readonly [string, string],
  args: ReadonlyArray<string> = []
) {
  yield* TestClock.setTime(AT + 48 * HOUR)
  return yield* tallystick(["reconcile", "--deposits", deposits, "--transfers", transfers, ...args])
})

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("tallystick reconcile at the edges of files", (it) => {
  it.effect("vouches for nothing that has not happened, in every form", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const now = AT + 48 * HOUR
      const iso = (time: number) => new Date(time).toISOString()
      const deposits = [plain("d1", "10", now - 5 * HOUR), plain("d2", "20", now - 2 * MINUTE)].join("\n")
      const files = [
        yield* put("d.ndjson", deposits),
        yield* put("t.ndjson", plain("t1", "10", now - 5 * HOUR + MINUTE))
      ] as const
      for (const format of ["json", "ndjson"]) {
        for (
          const [exitCode, args] of [
            [0, ["--complete"]],
            [0, ["--complete", "--from", iso(now - 6 * HOUR)]],
            [0, ["--from", iso(now - 6 * HOUR), "--to", iso(now)]],
            [1, ["--from", iso(now - 6 * HOUR), "--to", iso(now + HOUR)]],
            [1, ["--from", iso(now - 6 * HOUR), "--to", iso(now + 48 * HOUR)]],
            [1, ["--day", iso(now).slice(0, 10)]]
          ] as const
        ) {
          const result = yield* reconcile(files, [...args, "--format", format])
          assert.strictEqual(result.exitCode, exitCode, `${args.join(" ")}: ${result.stderr}`)
          assert.include(result.stdout, "\"in-flight\"")
          assert.notInclude(result.stdout, "\"missing-transfer\"")
          assert.include(result.stderr, `unread=${exitCode * 2} `)
        }
        const future = yield* reconcile(files, ["--from", "2030-01-01", "--to", "2030-01-02", "--format", format])
        assert.strictEqual(future.exitCode, 2)
        assert.include(future.stderr, "the range lies in the future")
      }
    }))

  it.effect("says that a file ends early where the other one goes on for longer than a window", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const rows = (id: string, count: number, lag: number) =>
        Array.from({ length: count }, (_, n) => plain(`${id}${n}`, `${n + 1}`, AT + n * 10 * MINUTE + lag)).join("\n")
      const files = [yield* put("d.ndjson", rows("d", 40, 0)), yield* put("t.ndjson", rows("t", 20, MINUTE))] as const
      for (const format of ["json", "ndjson"]) {
        const result = yield* reconcile(files, ["--format", format])
        assert.strictEqual(result.exitCode, 1)
        assert.include(
          result.stderr,
          "Whether the books agree cannot be said: transfers were not all read (what was read of"
        )
        assert.include(result.stderr, " unread=1 ")
      }
      const together = yield* put("half.ndjson", rows("d", 22, 0))
      assert.strictEqual((yield* reconcile([together, files[1]])).exitCode, 0)
    }))
})
