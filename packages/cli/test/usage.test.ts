import { assert, it } from "@effect/vitest"
import * as Tallystick from "@tallystick/cli/Tallystick"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import { fileURLToPath } from "node:url"
import { layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("the command line", (it) => {
  it.effect("exits with 2 on every usage error, and says it on stderr alone", () =>
    Effect.gen(function*() {
      for (
        const args of [
          [],
          ["keys"],
          ["recncile"],
          ["reconcile", "surplus"],
          ["reconcile", "--format", "xml"],
          ["reconcile", "--deposits", "d.ndjson"],
          ["reconcile", "--complete"],
          ["reconcile", "--day", "2026-02-30"],
          ["backtest", "--against", "policy.json"],
          ["policy", "check"],
          ["keys", "create", "--note", "n"],
          ["doctor", "--deposits", "-", "--transfers", "-"],
          ["deposits", "--from", "yesterday"],
          ["sync"],
          ["import"],
          ["export"],
          ["export", "--side", "both"],
          ["archive"],
          ["show"],
          ["runs", "surplus"],
          ["reconcile", "--archive", "--complete"],
          ["demo", "--seed", "minus one"],
          ["sandbox", "--port", "99999"]
        ]
      ) {
        const { exitCode, stderr, stdout } = yield* tallystick(args)
        assert.strictEqual(exitCode, 2, args.join(" "))
        assert.strictEqual(stdout, "", args.join(" "))
        assert.notStrictEqual(stderr, "", args.join(" "))
      }
    }))

  it.effect("suggests what may have been meant, and where to read on", () =>
    Effect.gen(function*() {
      const { stderr } = yield* tallystick(["reconcile", "--formt", "json"])
      assert.include(stderr, "in command tallystick reconcile. Did you mean this? --format\n")
      assert.include(stderr, "See tallystick reconcile --help")
    }))

  it.effect("explains every command with its flags when it is asked to", () =>
    Effect.gen(function*() {
      for (
        const args of [
          ["demo"],
          ["reconcile"],
          ["backtest"],
          ["policy", "check"],
          ["deposits"],
          ["transfers"],
          [
            "keys",
            "create"
          ],
          ["sync"],
          ["import"],
          ["export"],
          ["archive", "status"],
          ["archive", "trust"],
          ["runs"],
          ["show"],
          ["doctor"],
          ["sandbox"]
        ]
      ) {
        const { exitCode, stderr, stdout } = yield* tallystick([...args, "--help"])
        assert.strictEqual(exitCode, 0)
        assert.strictEqual(stderr, "")
        assert.include(stdout, "DESCRIPTION")
      }
    }))

  it.effect("tells the version of its package", () =>
    Effect.gen(function*() {
      const fileSystem = yield* FileSystem.FileSystem
      const manifest = yield* fileSystem.readFileString(fileURLToPath(new URL("../package.json", import.meta.url)))
      assert.strictEqual(JSON.parse(manifest).version, Tallystick.VERSION)
      assert.strictEqual((yield* tallystick(["--version"])).stdout, `${Tallystick.VERSION}\n`)
    }))
})
