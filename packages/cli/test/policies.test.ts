/** The policies to begin with, each against a few entries where it makes the difference that it promises. */
import { assert, describe, it } from "@effect/vitest"
import * as Backtest from "@tallystick/reconcile/Backtest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

const path = (relative: string): string => fileURLToPath(new URL(`../../../${relative}`, import.meta.url))
const policy = (name: string): string => path(`policies/${name}.json`)
const text = (relative: string): string => readFileSync(path(relative), "utf8")

const names = ["exact", "network-fees", "own-ledger", "sweeps"] as const

const AT = Date.UTC(2026, 10, 19, 8)
const MINUTE = 60_000

type Row = readonly [id: string, amount: string, minutes: number, more?: object]

const ndjson = (rows: ReadonlyArray<Row>): string =>
  rows.map(([id, amount, minutes, more = {}]) =>
    JSON.stringify({ id, asset: "BTC", amount, at: AT + minutes * MINUTE, account: "sub00001", ...more })
  ).join("\n")

const read = Schema.decodeSync(Schema.fromJsonString(Backtest.Backtest))

/** What becomes of the entries with a policy (none: the defaults) and then with another: `2 late to exact`. */
const difference = Effect.fnUntraced(function*(
  [before, after]: readonly [before: string | undefined, after: string],
  deposits: ReadonlyArray<Row>,
  transfers: ReadonlyArray<Row>
) {
  yield* TestClock.setTime(AT + 10 * 24 * 60 * MINUTE)
  const { put } = yield* directory
  const { stdout } = yield* tallystick([
    "backtest",
    "--deposits",
    yield* put("d.ndjson", ndjson(deposits)),
    "--transfers",
    yield* put("t.ndjson", ndjson(transfers)),
    ...(before === undefined ? [] : ["--policy", policy(before)]),
    "--against",
    policy(after),
    "--complete",
    "--format",
    "json"
  ])
  return read(stdout).groups.map(({ after, before, count }) => `${count} ${before} to ${after}`).toSorted()
})

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("the policies to begin with", (it) => {
  it.effect.each(names)(
    "%s is valid, is told in words, and gives no reason for a warning",
    (name) =>
      Effect.gen(function*() {
        const { exitCode, stderr, stdout } = yield* tallystick(["policy", "check", policy(name)])
        assert.deepStrictEqual([exitCode, stderr], [0, `${policy(name)} is a valid policy\n`])
        assert.match(stdout, /^window \(from the file\)\n {2}A transfer (?:may|must) come/)
      })
  )

  it.effect("exact takes no transfer that differs by a fee, network-fees does", () =>
    Effect.gen(function*() {
      const deposits = [["d1", "1", 0], ["d2", "2", 300]] as const
      const transfers = [["t1", "0.9999", 5], ["t2", "2", 305]] as const
      assert.deepStrictEqual(yield* difference(["exact", "network-fees"], deposits, transfers), [
        "2 amount-mismatch to fee"
      ])
    }))

  it.effect("sweeps takes the transfer of the next morning, which is late by default", () =>
    Effect.gen(function*() {
      const found = yield* difference([undefined, "sweeps"], [["d1", "1", 0]], [["t1", "1", 22 * 60]])
      assert.deepStrictEqual(found, ["2 late to exact"])
    }))

  it.effect("sweeps takes one transfer for the deposits of a day, exact does not", () =>
    Effect.gen(function*() {
      const deposits = [["d1", "1", 0], ["d2", "0.5", 300], ["d3", "2.25", 600]] as const
      const found = yield* difference(["exact", "sweeps"], deposits, [["t1", "3.75", 22 * 60]])
      assert.deepStrictEqual(found, ["1 missing-deposit to grouped", "3 missing-transfer to grouped"])
    }))

  it.effect("own-ledger knows the words of a ledger, and keeps different references apart", () =>
    Effect.gen(function*() {
      const booked = { status: "booked" }
      const words = yield* difference([undefined, "own-ledger"], [["d1", "1", 0]], [["t1", "1", 5, booked]])
      assert.deepStrictEqual(words, ["2 unknown-status to exact"])
      const references = yield* difference(
        [undefined, "own-ledger"],
        [["d1", "1", 0, { reference: "a" }]],
        [["t1", "1", 5, { reference: "b" }]]
      )
      assert.deepStrictEqual(references, ["1 exact to missing-deposit", "1 exact to missing-transfer"])
    }))
})

describe("the documentation of policies", () => {
  it("lists every policy to begin with", () => {
    const files = readdirSync(path("policies")).filter((name) => name.endsWith(".json"))
    assert.sameMembers(files, names.map((name) => `${name}.json`))
    for (const file of files) assert.include(text("policies/README.md"), `[${file}](${file})`)
  })

  it("shows only policies that are valid, and every key of them", () => {
    const examples = Array.from(text("docs/policies.md").matchAll(/^```json\n(.*?)^```$/gms), ([, code = ""]) => code)
    const keys = examples.flatMap((example) => {
      const value: unknown = JSON.parse(example)
      const decoded = Policy.decode(value)
      assert.isTrue(Result.isSuccess(decoded), example)
      return Object.keys(Result.getOrElse(decoded, () => ({})))
    })
    assert.sameMembers(Array.from(new Set(keys)), Object.keys(Policy.defaults))
  })
})
