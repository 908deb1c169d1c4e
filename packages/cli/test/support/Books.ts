/** An archive of its own against a sandbox without a socket. */
import { assert } from "@effect/vitest"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { directory, layerFiles, type Options, tallystick } from "./Run.ts"

const SECRET = "sandbox-secret"

export const sandbox = Layer.merge(
  layerFiles,
  Sandbox.Sandbox.layerInProcess({
    history: { seed: 11, deposits: 120, subAccounts: 3, breaks: 9 },
    rules: { rate: null }
  })
)

export const rows = (text: string): ReadonlyArray<unknown> =>
  text.split("\n").filter((line) => line !== "").map((line): unknown => JSON.parse(line))

/** Commands run at a rate at which nothing waits, and show no secret. */
export const books = Effect.gen(function*() {
  const { environment, history } = yield* Sandbox.Sandbox
  const files = yield* directory
  const env = {
    ...environment(),
    TALLYSTICK_RETRIES: "0",
    TALLYSTICK_ARCHIVE: files.at("books.db")
  }
  const accounts = yield* files.put("accounts.json", JSON.stringify({ list: history.subAccounts, complete: true }))
  const run = Effect.fnUntraced(function*(args: ReadonlyArray<string>, options: Options = {}) {
    const result = yield* tallystick(args, { ...options, env: { ...env, ...options.env } })
    assert.notInclude(result.stdout + result.stderr, SECRET)
    return result
  })
  return { ...files, history, accounts, run, sync: ["sync", "--accounts", accounts] }
})
