import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { start } from "./support/Process.ts"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

describe("tallystick sandbox --faults", () => {
  it.effect.each<[string, string, RegExp]>([
    ["an unknown key", "{\"wires\":[]}", /faults\.json: wires: this key is not known here/],
    [
      "a value out of range",
      "{\"wire\":[{\"kind\":\"error\",\"share\":2}]}",
      /faults\.json: wire\.0\.share: Expected a value between 0 and 1/
    ],
    ["broken JSON", "{\n  \"seed\": 1,\n}", /faults\.json, line 3, column 1: not valid JSON/]
  ])("refuses %s with its place and exit code 2", ([, text, message]) =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const { exitCode, stderr, stdout } = yield* tallystick(["sandbox", "--faults", yield* put("faults.json", text)])
      assert.strictEqual(exitCode, 2)
      assert.match(stderr, message)
      assert.strictEqual(stdout, "")
    }).pipe(Effect.provide([layerFiles, layerNoNetwork])))

  it.effect("refuses a file that is not there with exit code 2", () =>
    Effect.gen(function*() {
      const { exitCode, stderr } = yield* tallystick(["sandbox", "--faults", "nowhere.json"])
      assert.strictEqual(exitCode, 2)
      assert.include(stderr, "nowhere.json cannot be read: it does not exist")
    }).pipe(Effect.provide([layerFiles, layerNoNetwork])))

  it("makes the server misbehave, until the address that it tells on stderr is asked for something else", async () => {
    const sandbox = start(["sandbox", "--deposits", "20", "--faults", "-"], {
      stdin: "{\"wire\":[{\"kind\":\"error\",\"status\":502}]}"
    })
    const baseUrl = (await sandbox.line("TALLYSTICK_BASE_URL=")).slice("TALLYSTICK_BASE_URL=".length)
    const faults = `${baseUrl}/sandbox/faults`
    const time = async () => (await fetch(`${baseUrl}/api/v3/time`)).status
    assert.strictEqual(await time(), 502)
    const put = (body: string) =>
      fetch(faults, { method: "PUT", headers: { "content-type": "application/json" }, body })
    assert.strictEqual((await put("{\"wire\":[{\"kind\":\"firewall\"}]}")).status, 200)
    assert.strictEqual(await time(), 403)
    assert.strictEqual((await fetch(faults, { method: "DELETE" })).status, 200)
    assert.strictEqual(await time(), 200)
    sandbox.process.kill("SIGINT")
    const { exitCode, stderr } = await sandbox.ended
    assert.strictEqual(exitCode, 130)
    assert.include(stderr, faults)
  })
})
