import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { execFileSync } from "node:child_process"
import { renameSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
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
          "Whether the books agree is not decidable: transfers were not all read (what was read of"
        )
        assert.include(result.stderr, " unread=1 ")
      }
      const together = yield* put("half.ndjson", rows("d", 22, 0))
      assert.strictEqual((yield* reconcile([together, files[1]])).exitCode, 0)
    }))

  it.effect("replaces no file that came to --out while it read, and says where the result is instead", () =>
    Effect.gen(function*() {
      const { at, get, names, put } = yield* directory
      const fileSystem = yield* FileSystem.FileSystem
      const other = yield* put("t.ndjson", plain("t1", "10.5", AT))
      execFileSync("mkfifo", [at("pipe")])
      for (const format of ["json", "ndjson"]) {
        for (const before of [undefined, "old"]) {
          const name = `${format}-${before ?? "nothing"}.json`
          if (before !== undefined) yield* put(name, before)
          // The pipe opens when the command begins to read.
          const meanwhile = Effect.promise(async () => {
            const writer = await open(at("pipe"), "w")
            writeFileSync(at("theirs"), "theirs")
            renameSync(at("theirs"), at(name))
            await writer.writeFile(plain("d1", "10.5", AT))
            await writer.close()
          })
          const args = ["--complete", "--out", at(name), "--format", format]
          const [result] = yield* Effect.all([reconcile([at("pipe"), other], args), meanwhile], {
            concurrency: "unbounded"
          })
          assert.strictEqual(result.exitCode, 3, result.stderr)
          assert.include(result.stderr, `another program has put a file at ${at(name)} since the command began`)
          assert.strictEqual(yield* get(name), "theirs")
          const kept = (yield* names).filter((one) => one.startsWith(`${name}.`))
          assert.strictEqual(kept.length, 1)
          assert.include(result.stderr, `the result is in ${at(kept[0] ?? "")}`)
          assert.include(yield* get(kept[0] ?? ""), `"d1"`)
          assert.deepStrictEqual((yield* names).filter((one) => one.endsWith(".tmp")), [])
          yield* fileSystem.remove(at(kept[0] ?? ""))
        }
      }
    }))

  it.effect("refuses a CSV file with a column that is nearly one which it reads", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const none = yield* put("t.ndjson", "")
      const cases = [
        ["id,asset,amount,at,Account", "Account", "account"],
        ["id,asset,amount,at,from,To Type", "To Type", "toType"],
        ["coin,amount,insertTime,txId,status,MEMO", "MEMO", "memo"],
        ["coin,amount,insertTime,txId,status,memo,Memo", "Memo", "memo"]
      ] as const
      for (const [header, column, meant] of cases) {
        const result = yield* reconcile([yield* put("d.csv", `${header}\n`), none])
        assert.strictEqual(result.exitCode, 2, header)
        assert.include(
          result.stderr,
          `d.csv, line 1: the column "${column}" would not be read; name it "${meant}" if that is what it holds`
        )
      }
      for (const header of ["id,asset,amount,at,Date,Coin,Notes", "coin,amount,insertTime,txId,netWork,memo"]) {
        const result = yield* reconcile([yield* put("d.csv", `${header}\n`), none])
        assert.notStrictEqual(result.exitCode, 2, result.stderr)
      }
    }))
})
