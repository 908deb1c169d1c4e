/** `tallystick console` as a process: who can open it, what it says, and how it ends. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Users from "@tallystick/console/Users"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { existsSync, readFileSync, statSync } from "node:fs"
import { run, start } from "./support/Process.ts"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

const SECRET = "do-not-show-me"

const Session = Schema.Struct({
  bearer: Schema.String,
  person: Schema.Struct({ name: Schema.String, role: Schema.String, identity: Schema.String })
})

const post = (url: string, body: unknown) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })

const sessionOf = async (response: Response) => Schema.decodeUnknownSync(Session)(await response.json())

/** An archive that has nothing. */
const archive = Effect.gen(function*() {
  const files = yield* directory
  const file = files.at("books.db")
  yield* Effect.provide(Effect.void, Archive.Archive.layerSqlite({ file }))
  return { ...files, file }
})

describe("tallystick console", () => {
  it.effect("is opened once by the address that it prints, tells what it writes in the user's name, and ends with Ctrl-C", () =>
    Effect.gen(function*() {
      const { file } = yield* archive
      const keys = { TALLYSTICK_API_KEY: SECRET, TALLYSTICK_SECRET_KEY: SECRET }
      const console = start(["console", "--archive-file", file, "--by", "clerk"], { env: keys })
      yield* Effect.promise(async () => {
        const address = await console.line("http://127.0.0.1:")
        const { hash, origin } = new URL(address)
        assert.match(hash, /^#token=[\w-]{43}$/)
        const exchange = () => post(`${origin}/api/session/exchange`, { token: hash.slice("#token=".length) })
        const { bearer, person } = await sessionOf(await exchange())
        assert.deepStrictEqual(person, { name: "clerk", role: "approve", identity: "claimed" })
        assert.strictEqual((await exchange()).status, 401)
        const headers = { authorization: `Bearer ${bearer}` }
        const status = await fetch(`${origin}/api/status`, { headers })
        assert.strictEqual(status.status, 200)
        // Somebody who watches holds nobody up.
        const events = await fetch(`${origin}/api/events`, { headers })
        assert.strictEqual(events.status, 200)
        console.process.kill("SIGINT")
        const { exitCode, stderr, stdout } = await console.ended
        assert.strictEqual(exitCode, 130)
        assert.notInclude(stderr + stdout, SECRET)
        assert.notInclude(stderr, hash)
        assert.include(stderr, `${origin}/docs`)
        for (const key of Object.keys(keys)) assert.include(stderr, `${key} is set, and the console needs no key`)
        await events.body?.cancel().catch(() => undefined)
      })
    }).pipe(Effect.scoped, Effect.provide(layerFiles)))

  it.effect("lets the people of a file in, by the tokens that console token made", () =>
    Effect.gen(function*() {
      const { at, file } = yield* archive
      const users = at("users.json")
      const token = (name: string, role: string) =>
        Effect.promise(() => run(["console", "token", name, "--role", role, "--users", users]))
      const clerk = yield* token("clerk", "decide")
      assert.strictEqual(clerk.exitCode, 0, clerk.stderr)
      assert.match(clerk.stdout, /^[\w-]{43}\n$/)
      assert.strictEqual(statSync(users).mode & 0o777, 0o600)
      const auditor = yield* token("auditor", "read")
      assert.notInclude(readFileSync(users, "utf8"), clerk.stdout.trim())
      const again = yield* token("Auditor", "read")
      const kept = Users.decode(readFileSync(users, "utf8"))
      assert.isTrue(Result.isSuccess(kept))
      assert.deepStrictEqual(
        Result.getOrThrow(kept).users.map(({ name, role }) => `${name} ${role}`),
        ["clerk decide", "Auditor read"]
      )
      const console = start(["console", "--archive-file", file, "--users", users, "--read-only"])
      yield* Effect.promise(async () => {
        const origin = await console.line("http://127.0.0.1:")
        const login = (name: string, { stdout }: typeof clerk) =>
          post(`${origin}/api/session`, { name, token: stdout.trim() })
        assert.strictEqual((await sessionOf(await login("clerk", clerk))).person.role, "decide")
        assert.strictEqual((await login("auditor", auditor)).status, 401)
        assert.strictEqual((await login("Auditor", again)).status, 200)
        console.process.kill("SIGTERM")
        await console.ended
      })
    }).pipe(Effect.scoped, Effect.provide(layerFiles)))

  it.effect("does not start where it could not be safe, or where there is no archive", () =>
    Effect.gen(function*() {
      const { at, file, put } = yield* archive
      const users = yield* put("users.json", JSON.stringify({ users: [] }))
      const wrong: ReadonlyArray<readonly [ReadonlyArray<string>, RegExp]> = [
        [["--host", "0.0.0.0"], /without a file of users the console listens on this machine alone/],
        [["--host", "0.0.0.0", "--users", users], /needs a proxy that speaks TLS/],
        [["--public-origin", "https://books.example.com"], /--public-origin needs --users/],
        [["--users", users, "--public-origin", "http://books.example.com"], /is no origin of a proxy/],
        [["--users", users, "--by", "clerk"], /--by does not go with --users/],
        [["--by", "x".repeat(101)], /is no name/],
        [
          ["--host", "192.0.2.1", "--users", users, "--public-origin", "https://books.example.com"],
          /cannot listen on port 0/
        ]
      ]
      for (const [args, message] of wrong) {
        const { exitCode, stderr } = yield* tallystick(["console", "--archive-file", file, ...args])
        assert.strictEqual(exitCode, 2, args.join(" "))
        assert.match(stderr, message)
      }
      const none = yield* tallystick(["console", "--archive-file", at("none.db")])
      assert.strictEqual(none.exitCode, 2)
      assert.include(none.stderr, "there is no archive in")
      assert.isFalse(existsSync(at("none.db")))
    }).pipe(Effect.provide([layerFiles, layerNoNetwork])))
})

describe("tallystick console token", () => {
  it.effect("changes no file that is none of users, and takes no name that does not show", () =>
    Effect.gen(function*() {
      const { at, put } = yield* directory
      const other = yield* put("policy.json", "{\"window\":{}}")
      const token = (name: string, file: string) =>
        tallystick(["console", "token", name, "--role", "read", "--users", file])
      const refused = yield* token("clerk", other)
      assert.strictEqual(refused.exitCode, 2)
      assert.include(refused.stderr, "is no file of users")
      assert.strictEqual(readFileSync(other, "utf8"), "{\"window\":{}}")
      for (const name of [" clerk", "cl\u200berk", "cl\u2800erk", "", "x".repeat(101), "clerk\u001b[2J"]) {
        const { exitCode, stderr } = yield* token(name, at("users.json"))
        assert.strictEqual(exitCode, 2, name)
        assert.notInclude(stderr, "\u001b")
      }
      assert.isFalse(existsSync(at("users.json")))
    }).pipe(Effect.provide([layerFiles, layerNoNetwork])))
})
