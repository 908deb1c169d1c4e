/** The README's programs are these files, and they run. */
import { assert, describe, it, layer } from "@effect/vitest"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

const names = ["embed", "report", "scheduled", "compose"] as const

describe("the README", () => {
  const readme = readFileSync(path("../../README.md"), "utf8")
  const snippets = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, code = ""]) => code)

  it("shows the examples, to the letter, and no other program", () => {
    assert.deepStrictEqual(snippets, names.map((name) => readFileSync(path(`../src/${name}.ts`), "utf8")))
  })
})

const run = (name: string, env: Record<string, string>) =>
  Effect.promise(() => promisify(execFile)(process.execPath, [path(`../src/${name}.ts`)], { env }))

layer(Sandbox.Sandbox.layer({ history: { deposits: 200, subAccounts: 5 }, rules: { rate: null } }), {
  excludeTestServices: true
})((it) => {
  it.effect.each(
    [
      ["embed", /^\d+ settled deposits in the 24 hours until two minutes ago/],
      ["report", /The books (agree|do not agree)/],
      ["compose", /^missing-transfer: .*d2/]
    ] as const
  )("the example %s runs as it stands", ([name, expected]) =>
    Effect.gen(function*() {
      const { apiKey, baseUrl, secretKey } = yield* Sandbox.Sandbox
      const { stderr, stdout } = yield* run(name, {
        TALLYSTICK_BASE_URL: baseUrl,
        TALLYSTICK_API_KEY: Redacted.value(apiKey),
        TALLYSTICK_SECRET_KEY: Redacted.value(secretKey),
        TALLYSTICK_RATE: "1000"
      })
      assert.strictEqual(stderr, "")
      assert.match(stdout, expected)
    }))
})
