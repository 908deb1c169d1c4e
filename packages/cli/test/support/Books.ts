/** An archive of its own against a sandbox without a socket. */
import { assert } from "@effect/vitest"
import * as BookState from "@tallystick/archive/BookState"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Afternoon from "./Afternoon.ts"
import { directory, layerFiles, type Options, tallystick } from "./Run.ts"

const SECRET = "sandbox-secret"

export const sandbox = Layer.merge(
  layerFiles,
  Sandbox.Sandbox.layerInProcess({
    history: { seed: 11, deposits: 120, subAccounts: 3, breaks: 9 },
    rules: { rate: null }
  })
).pipe(Layer.provideMerge(Afternoon.layer))

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

const HOUR = 3_600_000

const iso = (ms: number): string => new Date(ms).toISOString()

const Item = Schema.Struct({
  id: Schema.String,
  code: Schema.String,
  state: BookState.Waiting,
  since: Schema.Int,
  decision: Schema.optionalKey(Schema.Int),
  entries: Schema.Array(Schema.Struct({ side: Schema.String, id: Schema.String, at: Schema.Int }))
})

export const decodeItems = Schema.decodeEffect(Schema.fromJsonString(Schema.Array(Item)))

/** An archive whose books can be brought forward. */
export const kept = Effect.gen(function*() {
  const all = yield* books
  const synced = yield* all.run([...all.sync, "--since", "71h"])
  assert.strictEqual(synced.exitCode, 0, synced.stderr)
  const addresses = yield* all.put("addresses.json", JSON.stringify(all.history.addressBook))
  const end = all.history.options.to
  const range = ["--from", iso(end - 60 * HOUR), "--to", iso(end - 5 * HOUR)]
  const settings = ["--accounts", all.accounts, "--addresses", addresses]
  const book = (...more: ReadonlyArray<string>) =>
    all.run(["reconcile", "--archive", "--book", "--by", "clerk", ...settings, ...range, ...more])
  const listed = Effect.flatMap(all.run(["open", "--format", "json"]), ({ stdout }) => decodeItems(stdout))
  return { ...all, settings, range, book, listed }
})
