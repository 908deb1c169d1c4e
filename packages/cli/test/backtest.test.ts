import { assert, it } from "@effect/vitest"
import * as Backtest from "@tallystick/reconcile/Backtest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { directory, layerFiles, layerNoNetwork, type Options, tallystick } from "./support/Run.ts"

const AT = Date.UTC(2026, 10, 19, 8)
const MINUTE = 60_000

const plain = (id: string, amount: string, minutes: number, more: object = {}) =>
  JSON.stringify({ id, asset: "USDT", amount, at: AT + minutes * MINUTE, ...more })

const deposits = [plain("d1", "10.5", 0), plain("d2", "20", 60), plain("d3", "30", 120)].join("\n")
const transfers = [plain("t1", "10.50", 1), plain("t2", "20", 150), plain("t3", "30", 121, { status: "DONE" })].join(
  "\n"
)

const read = Schema.decodeSync(Schema.fromJsonString(Backtest.Backtest))

const codes = ({ groups }: Backtest.Backtest) => groups.map(({ after, before, count }) => [count, before, after])

/** A time when all of it is past. */
const later = TestClock.setTime(AT + 48 * 60 * MINUTE)

/** A backtest of two files with these policies; `undefined` is no policy at all. */
const backtest = Effect.fnUntraced(function*(
  policies: readonly [before: string | undefined, after: string],
  args: ReadonlyArray<string> = [],
  options: Options = {}
) {
  yield* later
  const { put } = yield* directory
  const [before, after] = policies
  const policy = before === undefined ? [] : ["--policy", yield* put("old.json", before)]
  return yield* tallystick([
    "backtest",
    "--deposits",
    yield* put("d.ndjson", deposits),
    "--transfers",
    yield* put("t.ndjson", transfers),
    ...policy,
    "--against",
    yield* put("new.json", after),
    ...args
  ], options)
})

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("tallystick backtest", (it) => {
  it.effect("exits with 0 when nothing changes", () =>
    Effect.gen(function*() {
      const { exitCode, stderr, stdout } = yield* backtest([undefined, "{}"], ["--complete", "--format", "json"])
      assert.deepStrictEqual(read(stdout).entries, { changed: 0, same: 6 })
      assert.deepStrictEqual([exitCode, stderr], [0, "Nothing changes: all 6 entries stay as they are.\n"])
    }))

  it.effect("exits with 1 when something changes, and says what", () =>
    Effect.gen(function*() {
      const { exitCode, stderr, stdout } = yield* backtest(
        [`{"late": 0}`, `{"late": 0, "window": {"after": "2 hours"}}`],
        ["--complete", "--format", "json"]
      )
      assert.deepStrictEqual(codes(read(stdout)), [[1, "missing-deposit", "exact"], [1, "missing-transfer", "exact"]])
      assert.deepStrictEqual([exitCode, stderr], [1, "tallystick: 2 entries change, 4 stay.\n"])
    }))

  it.effect("counts what either policy finds where no true pair can lie", () =>
    Effect.gen(function*() {
      yield* later
      const { put } = yield* directory
      const { stdout } = yield* tallystick([
        "backtest",
        "--deposits",
        yield* put("d.ndjson", deposits),
        "--transfers",
        // An hour before d3, an amount like its own was moved.
        yield* put("t.ndjson", [transfers, plain("t0", "30", 60), plain("t9", "7", 0)].join("\n")),
        "--policy",
        yield* put("old.json", `{"late": 0}`),
        "--against",
        yield* put("new.json", `{"late": "1 day"}`),
        "--format",
        "json"
      ])
      const { chance } = read(stdout)
      assert.deepStrictEqual([chance?.before.pairs, chance?.before.deposits], [1, 1])
      assert.deepStrictEqual([chance?.after.pairs, chance?.after.deposits], [0, 0])
    }))

  it.effect("reads statuses with the words of each policy", () =>
    Effect.gen(function*() {
      const { stdout } = yield* backtest(
        [undefined, `{"statuses": {"transfer": {"settled": ["DONE"]}}}`],
        ["--complete", "--format", "json"]
      )
      assert.deepStrictEqual(codes(read(stdout)), [[2, "unknown-status", "exact"]])
    }))

  it.effect("counts records that could not be read among what stays", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const bad = yield* put("bad.ndjson", "{}\n[]")
      const { stdout } = yield* tallystick(
        ["backtest", "--deposits", bad, "--transfers", bad, "--against", yield* put("new.json", "{}"), "--complete"]
      )
      assert.match(
        stdout,
        /^Nothing changes: all 4 entries stay as they are; 4 records among them could not be read\.\n/
      )
    }))

  it.effect("shows people the settings that differ, the totals, and both explanations", () =>
    Effect.gen(function*() {
      const { stdout } = yield* backtest([undefined, `{"window": {"after": "2 hours"}}`], ["--complete"])
      assert.include(stdout, "2 entries change, 4 stay.\n")
      assert.include(stdout, "after   A transfer may come up to 1 minute before and up to 2 hours after its deposit.\n")
      assert.match(stdout, /\n {8}2 {2}late +exact +USDT +1 +20 +1 +20\n/)
      assert.match(stdout, /\n {2}USDT +deposits +matched +1 +10\.5 +2 +30\.5\n/)
      assert.match(
        stdout,
        /\nbefore: late\n(?: .*\n)+after: exact\n(?: .*\n)*.*20 USDT arrived on 19 Nov 2026 09:00 UTC and was moved 1 h 30 min later\./
      )
    }))

  it.effect("takes the flags of a range, as reconcile does", () =>
    Effect.gen(function*() {
      const policies = [undefined, `{"window": {"after": "2 hours"}}`] as const
      const inside = yield* backtest(policies, ["--from", "2026-11-19T08:00:00Z", "--to", "2026-11-19T08:30:00Z"])
      assert.deepStrictEqual([inside.exitCode, inside.stderr], [
        0,
        "Nothing changes: all 2 entries stay as they are.\n"
      ])
    }))

  it.effect("reads one side from stdin, for both policies", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      yield* later
      const policy = yield* put("new.json", `{"window": {"after": "2 hours"}}`)
      const files = ["--deposits", "-", "--transfers", yield* put("t.ndjson", transfers)]
      const { exitCode, stderr } = yield* tallystick(["backtest", ...files, "--against", policy, "--complete"], {
        stdin: deposits
      })
      assert.deepStrictEqual([exitCode, stderr], [1, "tallystick: 2 entries change, 4 stay.\n"])
    }))

  it.effect("exits with 2 when a flag is missing, stdin serves two, or a policy is not valid, and names the file", () =>
    Effect.gen(function*() {
      const missing = yield* tallystick(["backtest", "--deposits", "d.ndjson", "--transfers", "t.ndjson"])
      assert.deepStrictEqual([missing.exitCode, missing.stdout], [2, ""])
      assert.match(missing.stderr, /^tallystick: --against FILE is missing/)
      const twice = yield* tallystick(["backtest", "--deposits", "-", "--transfers", "t.ndjson", "--against", "-"])
      assert.match(twice.stderr, /stdin can be read once: only one of --deposits and --against may be -/)
      const wrong = yield* backtest([`{"late": "soon"}`, "{}"])
      assert.strictEqual(wrong.exitCode, 2)
      assert.match(wrong.stderr, /^tallystick: .*old\.json: late: Expected a duration/)
    }))

  it.effect("exits with 3 when nothing could be read, instead of saying that nothing changes", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const empty = yield* put("empty.ndjson", "")
      const policy = yield* put("new.json", "{}")
      const files = ["--deposits", empty, "--transfers", empty]
      const { exitCode } = yield* tallystick(["backtest", ...files, "--against", policy])
      assert.strictEqual(exitCode, 3)
    }))
})
