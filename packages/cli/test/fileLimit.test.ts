import { assert, describe, it } from "@effect/vitest"
import * as FileLimit from "@tallystick/cli/files/FileLimit"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { configured } from "./support/Configured.ts"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

const AT = Date.UTC(2026, 10, 19, 8)
const LEAST = 1024

const deposit = (more: string) =>
  `{"amount":"1","coin":"BTC","network":"BTC","status":5,"address":"bc1","txId":"t","unlockConfirm":"2","confirmTimes":"2",` +
  `"insertTime":${AT},"memo":""${more}}`

const levels = (count: number): string => "[".repeat(count) + "]".repeat(count)

const world = Layer.merge(layerFiles, layerNoNetwork)

it.layer(world)("what is nested deeper than a record needs", (it) => {
  const deep = deposit(`,"more":${levels(32)}`)
  const told = "nested deeper than 32 levels"

  it.effect("is no record of a file, and the others are read", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(AT)
      const { at, get, put } = yield* directory
      const fits = deposit(`,"more":${levels(31)}`)
      const forms = {
        "a.ndjson": `${fits}\n${deep}\n`,
        "b.json": `[${fits},${deep}]`,
        "c.json": `{"result":[${fits},${deep}]}`
      }
      for (const [name, text] of Object.entries(forms)) {
        const input = ["--deposits", yield* put(name, text)]
        const { stderr } = yield* tallystick(["import", ...input, "--archive-file", at("books.db")])
        assert.include(stderr, "1 deposit record read")
        assert.include(
          yield* get(`${name}.rejects.ndjson`),
          `"reason":"${told}, from character ${deep.indexOf("[") + 32} on"`
        )
        const sides = [...input, "--transfers", yield* put("t.csv", "id,asset,amount,at\n"), "--complete"]
        for (const format of ["json", "ndjson"]) {
          const { stderr, stdout } = yield* tallystick(["reconcile", ...sides, "--format", format])
          assert.include(stdout, told)
          assert.include(stderr, "deposits=0/1")
        }
      }
    }))

  it.effect("is no setting, and costs nothing", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const text = `{"links": ${levels(3_000_000)}}`
      const file = yield* put("setting.json", text)
      const policy = yield* tallystick(["policy", "check", file])
      assert.strictEqual(policy.exitCode, 2)
      assert.include(policy.stderr, `setting.json, line 1, column 42: ${told}`)
      const small = yield* put("small.json", `{"links": ${levels(32)}}`)
      const config = yield* tallystick(["config", "show", "--config", small])
      assert.strictEqual(config.exitCode, 2)
      assert.include(config.stdout, told)
    }))

  it.effect("is no exact text of an export", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(AT)
      const { at, get, put } = yield* directory
      const header = "amount,coin,network,status,address,txId,unlockConfirm,confirmTimes,insertTime,memo,exact"
      const file = yield* put("d.csv", `${header}\n1,BTC,BTC,5,bc1,t,2,2,${AT},,"${levels(100_000)}"\n`)
      const { exitCode } = yield* tallystick(["import", "--deposits", file, "--archive-file", at("books.db")])
      assert.strictEqual(exitCode, 1)
      assert.include(yield* get("d.csv.rejects.ndjson"), `"reason":"not a JSON object of texts","path":"exact"`)
    }))
})

const encoder = new TextEncoder()

/** Gives a text in pieces of this many bytes, and says how it ended and how many pieces were asked for. */
const bounded = (text: string, size: number) => {
  const bytes = encoder.encode(text)
  let pieces = 0
  return Stream.range(0, Math.ceil(bytes.length / size) - 1).pipe(
    Stream.rechunk(1),
    Stream.map((index) => {
      pieces++
      return bytes.subarray(index * size, (index + 1) * size)
    }),
    FileLimit.lines("d.ndjson"),
    Stream.runDrain,
    Effect.result,
    Effect.map((ended) => ({ pieces, told: Result.isFailure(ended) ? ended.failure.message : undefined })),
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ TALLYSTICK_MAX_LINE: String(LEAST) })))
  )
}

describe("a line of records", () => {
  const Length = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: LEAST + 20 }))
  const Size = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3 * LEAST }))

  it.effect.prop(
    "is refused when it is longer than the limit, wherever the file is cut as it is read",
    [Schema.Array(Length), Size, Schema.Boolean],
    ([lengths, size, isCsv]) =>
      Effect.gen(function*() {
        const begin = isCsv ? "id,asset" : "{}"
        const lines = [begin, ...lengths.map((length) => "x".repeat(length))]
        const first = lines.findIndex(({ length }) => length > LEAST)
        for (const ending of ["\n", "\r\n"]) {
          const { told } = yield* bounded(lines.join(ending), size)
          if (first < 0) assert.isUndefined(told)
          else assert.include(told, `d.ndjson, line ${first + 1}: longer than ${LEAST} bytes`)
        }
        assert.strictEqual((yield* bounded(lines.join("\r"), size)).told !== undefined, first >= 0)
      })
  )

  it.effect("is not read to its end when it is too long", () =>
    Effect.gen(function*() {
      const { pieces, told } = yield* bounded(`{}\n${"x".repeat(1_000_000)}`, 1000)
      assert.strictEqual(pieces, 2)
      assert.strictEqual(
        told,
        "d.ndjson, line 2: longer than 1024 bytes, which no record is; if it is one, set TALLYSTICK_MAX_LINE or maxLine of " +
          "the configuration file to more"
      )
    }))

  it.effect("is nothing that a list has: its records may share one", () =>
    Effect.gen(function*() {
      const long = `{"memo":"${"x".repeat(2 * LEAST)}"}`
      for (const text of [`[${long}]`, `\uFEFF \n [\n${long}]`, `{ "totalCount": 1, "result": [${long}]}`]) {
        assert.isUndefined((yield* bounded(text, 100)).told, text)
      }
      assert.isUndefined((yield* bounded("id\r".repeat(LEAST), 100)).told)
    }))
})

it.layer(world)("the longest line", (it) => {
  const memo = (length: number) => deposit("").replace("\"memo\":\"\"", `"memo":"${"x".repeat(length)}"`)

  it.effect("is 1 MiB unless it is set, by a variable or in the configuration file", () =>
    Effect.gen(function*() {
      const { put, run, show } = yield* configured({ maxLine: 2048 })
      const sides = [
        "--deposits",
        yield* put("d.ndjson", memo(3000)),
        "--transfers",
        yield* put("t.csv", "id,asset,amount,at\n")
      ]
      for (const format of ["table", "ndjson"]) {
        const args = ["reconcile", ...sides, "--complete", "--format", format]
        const refused = yield* run(args)
        assert.strictEqual(refused.exitCode, 2)
        assert.include(refused.stderr, "d.ndjson, line 1: longer than 2048 bytes")
        assert.notInclude((yield* run(args, { env: { TALLYSTICK_MAX_LINE: "4096" } })).stderr, "longer")
      }
      assert.strictEqual((yield* show([])).one("maxLine").value, "2048")
      const wrong = yield* run(["reconcile", ...sides, "--complete"], { env: { TALLYSTICK_MAX_LINE: "1023" } })
      assert.strictEqual(wrong.exitCode, 2)
      assert.include(wrong.stderr, "TALLYSTICK_MAX_LINE is not valid; allowed: 1024 to 268435456")
      const shown = yield* show([], { TALLYSTICK_MAX_LINE: "1k" })
      assert.strictEqual(shown.one("maxLine").problem, "is not valid; allowed: 1024 to 268435456")
    }))

  it.effect("is that of an import and of a backtest too", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(AT)
      const { at, names, put } = yield* directory
      const input = ["--deposits", yield* put("d.ndjson", `${deposit("")}\n${memo(1_048_576)}\n`)]
      const imported = yield* tallystick(["import", ...input, "--archive-file", at("books.db")])
      assert.strictEqual(imported.exitCode, 2)
      assert.include(imported.stderr, "d.ndjson, line 2: longer than 1048576 bytes")
      assert.notInclude(yield* names, "d.ndjson.rejects.ndjson")
      const other = [
        "--transfers",
        yield* put("t.csv", "id,asset,amount,at\n"),
        "--against",
        yield* put("p.json", "{}")
      ]
      assert.include((yield* tallystick(["backtest", ...input, ...other])).stderr, "longer than 1048576 bytes")
    }))
})
