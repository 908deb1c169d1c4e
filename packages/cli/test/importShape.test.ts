import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { archive, AT, deposit } from "./support/Imports.ts"
import { layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("tallystick import", (it) => {
  it.effect("takes no array for whole in which a place is empty, or around which something else stands", () =>
    Effect.gen(function*() {
      const { at, get, put, run } = yield* archive
      const [one, other] = [JSON.stringify(deposit(1)), JSON.stringify(deposit(2))]
      const vouching = ["--covers-from", "2026-11-19", "--covers-to", "2026-11-20"]
      const texts = [`[${one},,${other}]`, `[,${one}]`, `[${one},]`, `[${one}] x`, `{"result":[${one}]`]
      for (const [index, text] of texts.entries()) {
        const { exitCode, stderr } = yield* run("import", "--deposits", yield* put(`${index}.json`, text), ...vouching)
        assert.strictEqual(exitCode, 1, text)
        assert.include(stderr, "No coverage was recorded")
        assert.match(yield* get(`${index}.json.rejects.ndjson`), /nothing stands here|is not valid JSON/)
      }
      const status = tallystick(["archive", "status", "--format", "json", "--archive-file", at("books.db")])
      assert.notInclude((yield* status).stdout, `"vouched"`)
      yield* run("import", "--deposits", yield* put("whole.json", `[${one},${other}]`), ...vouching)
      assert.include((yield* status).stdout, `"vouched"`)
    }))

  it.effect("says which columns a CSV file lacks, once, although they are not refused", () =>
    Effect.gen(function*() {
      const { put, run } = yield* archive
      const input = yield* put("d.csv", `amount,coin,status,address,txId,insertTime\n1,BTC,5,a,t1,${AT}\n`)
      const { exitCode, stderr } = yield* run("import", "--deposits", input)
      assert.strictEqual(exitCode, 0)
      const told =
        `${input}: the header lacks network, unlockConfirm, confirmTimes, memo; what it lacks counts as empty`
      assert.strictEqual(stderr.split(told).length, 2, stderr)
      const whole = yield* put("whole.csv", (yield* run("export", "--side", "deposits", "--format", "csv")).stdout)
      assert.notInclude((yield* run("import", "--deposits", whole)).stderr, "lacks")
    }))
})
