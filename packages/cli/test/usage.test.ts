import { assert, it } from "@effect/vitest"
import * as Commands from "@tallystick/cli/commands/Commands"
import * as Tallystick from "@tallystick/cli/Tallystick"
import type * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { fileURLToPath } from "node:url"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

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
          ["reconcile", "--workers", "2"],
          ["reconcile", "--archive", "--workers", "0"],
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

  it.effect("is told in a line of some length, however many arguments there are", () =>
    Effect.gen(function*() {
      const names = Array.from({ length: 2000 }, (_, index) => `sub${index}@x.test`)
      for (const args of [["sync", "--accounts", ...names], ["sync", "--accounts", names.join(",")]]) {
        const { exitCode, stderr } = yield* tallystick(args)
        assert.strictEqual(exitCode, 2)
        assert.isBelow(stderr.length, 1000)
      }
    }))

  it.effect("takes nothing that begins with a dash for a flag of its own where a value is wanted", () =>
    Effect.gen(function*() {
      for (
        const args of [
          ["reconcile", "--since", "-3h"],
          ["reconcile", "--since", "-h"],
          ["reconcile", "--since", "--help"],
          ["deposits", "--to", "-v"],
          ["reconcile", "--out", "--quiet", "--archive"],
          ["--config", "-h", "demo"],
          ["keys", "create", "--sub-account", "-h"],
          ["policy", "check", "--accounts", "-h", "policy.json"],
          ["demo", "--seed", "-h"]
        ]
      ) {
        const { exitCode, stderr, stdout } = yield* tallystick(args)
        assert.strictEqual(exitCode, 2, args.join(" "))
        assert.strictEqual(stdout, "", args.join(" "))
        assert.include(stderr, "begins with a dash", args.join(" "))
      }
      const meant = yield* tallystick(["reconcile", "--since=-3h"])
      assert.strictEqual(meant.exitCode, 2)
      assert.include(meant.stderr, "--since: \"-3h\" is neither a time nor a length of time")
      for (const args of [["reconcile", "--complete", "-h"], ["reconcile", "-q", "--help"]]) {
        assert.strictEqual((yield* tallystick(args)).exitCode, 0, args.join(" "))
      }
    }))

  it.effect("suggests what may have been meant, and where to read on", () =>
    Effect.gen(function*() {
      const { stderr } = yield* tallystick(["reconcile", "--formt", "json"])
      assert.include(stderr, "in command tallystick reconcile. Did you mean this? --format\n")
      assert.include(stderr, "See tallystick reconcile --help")
      for (
        const [args, meant] of [
          [["reconcile", "--format", "jsno"], "--format cannot be \"jsno\"; it is table, json, "],
          [["reconcile", "--format", "jsno"], "Did you mean this? json\n"],
          [["export", "--side", "depoists"], "it is deposits or transfers. Did you mean this? deposits\n"],
          [["--log-level", "debgu", "demo"], "Did you mean this? debug\n"],
          [["recncile"], "Did you mean this? reconcile\n"],
          [["recon"], "Did you mean this? reconcile\n"],
          [["arch"], "Did you mean this? archive\n"],
          [["config", "shwo"], "Did you mean this? show\n"],
          [["archive", "stat"], "Did you mean this? status\n"],
          [["reconcile", "--format", "md"], "Did you mean this? markdown\n"],
          [["reconcile", "--format", "jsonl"], "Did you mean this? ndjson\n"],
          [["reconcile", "--format", "mark"], "Did you mean this? markdown\n"],
          [["reconcile", "--fail"], "Did you mean this? --fail-on\n"],
          [["reconcile", "--fail-on", "missing"], "did you mean missing-transfer or missing-deposit?\n"],
          [["--completions", "zhs"], "Did you mean this? zsh\n"],
          [["demo", "--queit"], "Did you mean this? --quiet\n"],
          [["reconcile", "--confg=x"], "Did you mean this? --config\n"],
          [["--verison"], "Did you mean this? --version\n"],
          [["demo", "--log-leve=debug"], "Did you mean this? --log-level\n"],
          [["demo", "--deposits", "abc"], "--deposits cannot be \"abc\"; a whole number is wanted\n"],
          [["demo", "--deposits", "1.5"], "--deposits cannot be \"1.5\"; a whole number is wanted\n"],
          [["sandbox", "--port", "99999"], "--port cannot be \"99999\"; a whole number from 0 to 65535 is wanted\n"]
        ] as const
      ) {
        assert.include((yield* tallystick(args)).stderr, meant)
      }
      assert.include((yield* tallystick(["r"])).stderr, "Did you mean this? reconcile or runs or reopen\n")
      for (const args of [["--completions", "tcsh"], ["reconcile", "--format", "pdf"]]) {
        const { stderr } = yield* tallystick(args)
        assert.include(stderr, `cannot be "${args.at(-1)}"; it is `)
        assert.notInclude(stderr, "Did you mean")
      }
    }))

  it.effect("shows defaults, the environment that matters, and examples that are understood", () =>
    Effect.gen(function*() {
      const { stdout } = yield* tallystick(["sandbox", "--help"])
      assert.include(stdout.replaceAll(/\s+/g, " "), "(default: 10000)")
      const deposits = yield* tallystick(["deposits", "--help"])
      assert.match(deposits.stdout, /^ {2}TALLYSTICK_TIMEOUT +Longest wait for one answer \(default: 30 seconds\)$/m)
      assert.include(deposits.stdout.replaceAll(/\s+/g, " "), "(else TALLYSTICK_ZONE, else UTC)")
      assert.notInclude(deposits.stdout, "TALLYSTICK_ARCHIVE")

      const examples = (commands: ReadonlyArray<Command.Command.Any>): ReadonlyArray<string> =>
        commands.flatMap(({ examples: own, subcommands }) => [
          ...own.map(({ command }) => command),
          ...subcommands.flatMap((group) => examples(group.commands))
        ])
      const all = examples(yield* Commands.named(["--completions"]))
      assert.isAbove(all.length, 20)
      for (const example of all) {
        // What is behind a pipe is the command; no value in the examples holds a space.
        const [name, ...args] = example.split(" | ").at(-1)?.split(" ") ?? []
        assert.strictEqual(name, "tallystick")
        const { stderr } = yield* tallystick([...args, "--surplus"])
        assert.include(stderr, "Unrecognized flag: --surplus", example)
        assert.strictEqual(stderr.split("\n").length, 3, `${example}: ${stderr}`)
      }
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
          ["runs", "prune"],
          ["show"],
          ["doctor"],
          ["sandbox"]
        ]
      ) {
        const { exitCode, stderr, stdout } = yield* tallystick([...args, "--help"])
        assert.strictEqual(exitCode, 0)
        assert.strictEqual(stderr, "")
        assert.include(stdout, `USAGE\n  tallystick ${args.join(" ")} [flags]`)
        for (const line of stdout.split("\n")) assert.isAtMost(line.length, 80)
      }
      assert.include((yield* tallystick(["runs", "--help"])).stdout, "USAGE\n  tallystick runs [subcommand] [flags]")
      assert.include((yield* tallystick(["keys", "--help"])).stdout, "USAGE\n  tallystick keys <subcommand> [flags]")
    }))

  it.effect("says nothing but errors when it is told to be quiet", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 10, 19))
      const { put } = yield* directory
      const rows = `${JSON.stringify({ id: "1", asset: "BTC", amount: "1", at: 0 })}\n`
      const policy = yield* put("policy.json", "{}")
      const spoken = yield* tallystick(["policy", "check", policy])
      assert.include(spoken.stderr, "is a valid policy")
      for (const args of [["-q", "policy", "check", policy], ["policy", "check", policy, "--quiet"]]) {
        const quiet = yield* tallystick(args)
        assert.strictEqual(quiet.stderr, "")
        assert.strictEqual(quiet.stdout, spoken.stdout)
        assert.strictEqual(quiet.exitCode, 0)
      }
      const sides = ["--deposits", yield* put("d.ndjson", rows), "--transfers", yield* put("t.ndjson", "")]
      const refused = yield* tallystick(["reconcile", "--quiet", ...sides, "--complete"])
      assert.strictEqual(refused.exitCode, 1)
      assert.match(refused.stderr, /^tallystick: /)
    }))

  it.effect("tells the version of its package", () =>
    Effect.gen(function*() {
      const fileSystem = yield* FileSystem.FileSystem
      const manifest = yield* fileSystem.readFileString(fileURLToPath(new URL("../package.json", import.meta.url)))
      assert.strictEqual(JSON.parse(manifest).version, Tallystick.VERSION)
      for (const args of [["--version"], ["version"]]) {
        assert.strictEqual((yield* tallystick(args)).stdout, `${Tallystick.VERSION}\n`)
      }
    }))

  it.effect("help is asked for as a flag or as a command", () =>
    Effect.gen(function*() {
      for (const command of [[], ["sync"], ["policy", "check"]]) {
        const { exitCode, stdout } = yield* tallystick(["help", ...command])
        assert.strictEqual(exitCode, 0)
        assert.strictEqual(stdout, (yield* tallystick([...command, "--help"])).stdout)
      }
    }))
})
