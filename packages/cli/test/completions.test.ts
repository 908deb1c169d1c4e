/** The completion scripts, as a shell reads them. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

/** What bash offers for each line, when its cursor stands at the end. */
const PROBE = `
source ./completions
while IFS= read -r COMP_LINE; do
  read -ra COMP_WORDS <<<"$COMP_LINE"
  [[ "$COMP_LINE" == *" " ]] && COMP_WORDS+=("")
  COMP_CWORD=$((\${#COMP_WORDS[@]}-1)) COMP_POINT=\${#COMP_LINE} COMPREPLY=()
  _tallystick tallystick "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
  echo "\${COMPREPLY[*]}"
done <lines
`

const offered = Effect.fnUntraced(function*(lines: ReadonlyArray<string>) {
  const { at, put } = yield* directory
  yield* put("completions", (yield* tallystick(["--completions", "bash"])).stdout)
  yield* put("lines", lines.map((line) => `tallystick ${line}\n`).join(""))
  yield* put("accounts.json", "")
  yield* put("my books.csv", "")
  const { stderr, stdout } = yield* Effect.promise(() =>
    promisify(execFile)("bash", ["--norc", "-c", PROBE], { cwd: at("") })
  )
  assert.strictEqual(stderr, "")
  return stdout.split("\n").slice(0, -1)
})

it.layer(Layer.merge(layerFiles, layerNoNetwork))("in bash", (it) => {
  it.effect("commands, flags, values and files are completed, behind the flags of every command too", () =>
    Effect.gen(function*() {
      const cases: ReadonlyArray<readonly [line: string, offered: string]> = [
        ["rec", "reconcile"],
        ["reconcile --pol", "--policy"],
        ["reconcile --format c", "csv"],
        ["reconcile --accounts a", "accounts.json"],
        ["reconcile --deposits m", "my\\ books.csv"],
        ["reconcile --out a", "accounts.json"],
        ["--config a", "accounts.json"],
        ["--quiet --config x.json archive s", "status setting"],
        ["archive status --format j", "json"],
        ["policy check a", "accounts.json"],
        ["export --side ", "deposits transfers"],
        ["--completions ", "bash zsh fish"],
        ["deposits --log-level w", "warn"],
        ["reconcile --format=c", "csv"],
        ["reconcile --accounts=a", "accounts.json"],
        ["reconcile --fail-on missing-t", "missing-transfer"],
        ["show r1 --only op", "open"],
        ["deposits --q", "--quiet"],
        ["config ", "show"],
        ["doctor --permissions ", ""]
      ]
      assert.deepStrictEqual(yield* offered(cases.map(([line]) => line)), cases.map(([, words]) => words))
    }))

  it.effect("fish is told the show of config from the show of runs", () =>
    Effect.gen(function*() {
      const { stdout } = yield* tallystick(["--completions", "fish"])
      const masking = stdout.split("\n").filter((line) => / -l mask-accounts | -a .--mask-accounts/.test(line))
      const ofShow = masking.filter((line) => line.includes("__fish_seen_subcommand_from show;"))
      assert.isNotEmpty(ofShow)
      for (const line of ofShow) {
        assert.include(line, "-n 'not __fish_seen_subcommand_from config; and __fish_seen_subcommand_from show; and ")
      }
      assert.include(stdout, "-n '__fish_seen_subcommand_from config; and __fish_seen_subcommand_from show; and ")
    }))

  it.effect("fish is told the commands from the values of flags", () =>
    Effect.gen(function*() {
      const { stdout } = yield* tallystick(["--completions", "fish"])
      assert.match(stdout, /^function __tallystick_needs_command\n  not __fish_seen_subcommand_from demo reconcile /)
      assert.include(stdout, "-n '__tallystick_needs_command' -f -a 'reconcile'")
      assert.notInclude(stdout, "__fish_use_subcommand")
    }))

  it.effect("no other shell is promised than those that were tried", () =>
    Effect.gen(function*() {
      for (const shell of ["zsh", "fish"]) {
        const { exitCode, stderr, stdout } = yield* tallystick(["--completions", shell])
        assert.strictEqual(exitCode, 0)
        assert.strictEqual(stderr, "")
        assert.include(stdout, "reconcile")
      }
      assert.strictEqual((yield* tallystick(["--completions", "powershell"])).exitCode, 2)
    }))
})
