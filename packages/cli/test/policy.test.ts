import { assert, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

const read = Schema.decodeSync(Schema.fromJsonString(Policy.Resolved))

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("tallystick policy check", (it) => {
  it.effect("says in words what a policy allows, and what of it the file says", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const path = yield* put("policy.json", `{"window": {"after": "3 hours"}, "late": "2 days"}`)
      const { exitCode, stderr, stdout } = yield* tallystick(["policy", "check", path])
      assert.strictEqual(exitCode, 0)
      assert.strictEqual(stderr, `${path} is a valid policy\n`)
      assert.include(
        stdout,
        "window (after from the file; before default)\n" +
          "  A transfer may come up to 1 minute before and up to 3 hours after its deposit.\n" +
          "late (from the file)\n"
      )
    }))

  it.effect("prints the policy with its defaults as JSON, which is a policy file again", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const first = yield* tallystick(["policy", "check", "-", "--format", "json"], { stdin: `{"late": "2 days"}` })
      assert.deepStrictEqual(read(first.stdout), { ...Policy.defaults, late: 2 * 86_400_000 })
      const again = yield* tallystick(["policy", "check", yield* put("p.json", first.stdout), "--format", "json"])
      assert.strictEqual(again.stdout, first.stdout)
    }))

  it.effect("says what the policy finds in two files where no true pair can lie", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 10, 19))
      const { put } = yield* directory
      const row = (id: string, amount: string, minute: number) =>
        JSON.stringify({ id, asset: "USDT", amount, at: Date.UTC(2020, 10, 19, 8, minute) })
      const deposits = yield* put(
        "d.ndjson",
        [row("d1", "10", 0), row("d2", "20", 100), row("d3", "30", 110)].join("\n")
      )
      const transfers = yield* put("t.ndjson", [row("t1", "5", 0), row("t2", "20", 60), "no record"].join("\n"))
      const path = yield* put("policy.json", `{"late": 0}`)
      const { exitCode, stderr } = yield* tallystick(
        ["policy", "check", path, "--deposits", deposits, "--transfers", transfers, "--format", "json"]
      )
      assert.strictEqual(exitCode, 0)
      assert.strictEqual(
        stderr,
        "Chance: In a window as wide, 1 h 1 min earlier, where no true pair can lie, the policy states 1 pair for 1 deposit.\n" +
          `warning: 1 record could not be read\n` +
          `${path} is a valid policy\n`
      )
      const alone = yield* tallystick(["policy", "check", path, "--deposits", deposits])
      assert.deepStrictEqual([alone.exitCode, alone.stdout], [2, ""])
      assert.include(alone.stderr, "--deposits FILE and --transfers FILE go together")
    }))

  it.effect("exits with 2 and names everything that is wrong, with its place", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const path = yield* put("policy.json", `{"windows": {}, "late": "soon", "per": [{"asset": "BTC", "lat": 1}]}`)
      const { exitCode, stderr, stdout } = yield* tallystick(["policy", "check", path])
      assert.strictEqual(exitCode, 2)
      assert.strictEqual(stdout, "")
      assert.deepStrictEqual(
        stderr.trimEnd().split("\n").map((line) =>
          line.replace("tallystick: ", "").replace(`${path}: `, "").slice(0, 36)
        ),
        [
          "windows: this key is not known to a policy",
          "late: Expected a duration such as \"90 seconds\"",
          "per[0].lat: this key is not known to a policy"
        ].map((line) => line.slice(0, 36))
      )
    }))

  it.effect("exits with 2 when there is no file, and when it holds no JSON", () =>
    Effect.gen(function*() {
      const { at, put } = yield* directory
      const missing = yield* tallystick(["policy", "check", at("none.json")])
      assert.deepStrictEqual(
        [missing.exitCode, missing.stderr],
        [2, `tallystick: ${at("none.json")} cannot be read: it does not exist\n`]
      )
      const broken = yield* put("broken.json", "{\n  \"late\": \"1 day\",\n}")
      const refused = yield* tallystick(["policy", "check", broken])
      assert.strictEqual(refused.exitCode, 2)
      assert.match(refused.stderr, /broken\.json, line 3, column 1: not valid JSON/)
    }))

  it.effect("warns of what is legal and probably not meant, and writes to a file where it is told to", () =>
    Effect.gen(function*() {
      const { at, get, put } = yield* directory
      const path = yield* put("policy.json", `{"tolerance": {"relative": "1"}}`)
      const { exitCode, stderr, stdout } = yield* tallystick(["policy", "check", path, "--out", at("words.txt")])
      assert.deepStrictEqual([exitCode, stdout], [0, ""])
      assert.match(stderr, /^warning: .*policy\.json: tolerance\.relative: "1" is 100 % of the amount/)
      assert.include(yield* get("words.txt"), "up to 100 % of the deposit's amount")
    }))
})
