/** `--notify-url` and `--notify-command` at the command line. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as ArchiveNotices from "@tallystick/archive/Notices"
import * as NoticeReceivers from "@tallystick/cli/archive/NoticeReceivers"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import { TestClock, TestConsole } from "effect/testing"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { books, sandbox } from "./support/Books.ts"
import * as Notices from "./support/Notices.ts"
import { directory, layerFiles, tallystick } from "./support/Run.ts"
import * as Service from "./support/Service.ts"
import { env, HOUR, linesOf, listed, NOW } from "./support/SyncRound.ts"

const TOKEN = "token-that-nobody-may-see"

const iso = (ms: number): string => new Date(ms).toISOString()

/** What a report says of the records. Its account of the books differs: a second execution brings forward what the first one made. */
const findings = (csv: string): string => csv.split("\n").filter((row) => !row.startsWith("roll-forward")).join("\n")

/** An archive whose books can be brought forward, and a receiver beside the exchange. */
const kept = Effect.gen(function*() {
  const all = yield* books
  const synced = yield* all.run([...all.sync, "--since", "71h"])
  assert.strictEqual(synced.exitCode, 0, synced.stderr)
  const receiver = Notices.beside(yield* HttpClient.HttpClient)
  const end = all.history.options.to
  const book = Effect.fnUntraced(function*(from: number, to: number, args: ReadonlyArray<string>, more: object = {}) {
    const range = ["--from", iso(end - from * HOUR), "--to", iso(end - to * HOUR)]
    const result = yield* all.run(
      ["reconcile", "--archive", "--book", "--by", "clerk", "--accounts", all.accounts, ...range, ...args],
      { ...more, env: { TALLYSTICK_NOTIFY_TOKEN: TOKEN } }
    ).pipe(Effect.provideService(HttpClient.HttpClient, receiver.client))
    assert.notInclude(result.stdout + result.stderr, TOKEN)
    return result
  })
  return { ...all, book, receiver }
})

it.layer(sandbox, { excludeTestServices: true })("notices of the books", (it) => {
  it.effect("one tells what is open, then each new item has its own; the token is told to the receiver alone", () =>
    Effect.gen(function*() {
      const { at, book, receiver } = yield* kept
      const first = yield* book(60, 40, ["--notify-url", Notices.URL_OF])
      assert.include(first.stderr, "1 notice sent to https://notices.example.com")
      assert.deepStrictEqual(receiver.told(), ["open-items"])
      const second = yield* book(40, 5, ["--notify-url", Notices.URL_OF])
      const items = receiver.told().slice(1)
      assert.isAbove(items.length, 1)
      assert.isTrue(items.every((told) => told.startsWith("item-opened ")), items.join())
      assert.include(second.stderr, `${items.length} notices sent to https://notices.example.com`)
      const again = yield* book(40, 5, ["--notify-url", Notices.URL_OF])
      assert.notInclude(again.stderr, "sent to")
      assert.lengthOf(receiver.taken, items.length + 1)
      assert.deepStrictEqual(Array.from(receiver.authorizations), [`Bearer ${TOKEN}`])
      const bytes = readFileSync(at("books.db"))
      assert.isTrue(bytes.includes("item-opened"))
      assert.isFalse(bytes.includes(TOKEN))
      assert.isFalse(bytes.includes("notices.example.com"))
    }))

  it.effect("a receiver that takes nothing is told of, and changes neither the report nor how the command ends", () =>
    Effect.gen(function*() {
      const { at, book, receiver } = yield* kept
      const without = yield* book(60, 5, ["--format", "csv"])
      receiver.state.status = 500
      const waits = "1 notice waits for a later run, for 7 days at most"
      const place = at("file")
      writeFileSync(place, "")
      const unable: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
        [["--notify-url", Notices.URL_OF], "https://notices.example.com did not take a notice: it answered HTTP 500"],
        [["--notify-command", `${place}/x`], `${place}/x did not take a notice: it could not be run (ENOTDIR)`]
      ]
      for (const [args, told] of unable) {
        const down = yield* book(60, 5, ["--format", "csv", ...args])
        assert.strictEqual(down.exitCode, without.exitCode)
        assert.strictEqual(findings(down.stdout), findings(without.stdout))
        assert.include(down.stderr, `${told}; ${waits}`)
      }
    }))

  it.effect("a command gets them from stdin, with sub-accounts where details are asked for and worths where prices are", () =>
    Effect.gen(function*() {
      const { at, book, put } = yield* kept
      const prices = yield* put("prices.csv", "asset,price\nUSDT,1\nBTC,100000\nUSDC,1\nETH,3000\nXRP,2\n")
      const take = yield* put("take", `#!/bin/sh\ncat >> "$1"\n`)
      chmodSync(take, 0o700)
      const [plain, details] = [at("plain.ndjson"), at("details.ndjson")]
      for (const [from, to] of [[60, 40], [40, 5]] as const) {
        yield* book(from, to, ["--notify-command", `${take} ${plain}`, "--prices", prices])
        yield* book(from, to, ["--notify-command", JSON.stringify([take, details]), "--notify-details"])
      }
      assert.notInclude(readFileSync(plain, "utf8"), "\"account\"")
      assert.include(readFileSync(plain, "utf8"), "\"worth\":\"")
      assert.include(readFileSync(details, "utf8"), "\"account\":\"")
      assert.notInclude(readFileSync(details, "utf8"), "\"address\"")
    }))

  it.effect("a command knows neither the token nor the address, which may be a secret", () =>
    Effect.gen(function*() {
      const { at, book, put, receiver } = yield* kept
      const take = yield* put("take", `#!/bin/sh\nenv > "$1"\n`)
      chmodSync(take, 0o700)
      const env = { TALLYSTICK_NOTIFY_TOKEN: TOKEN, TALLYSTICK_NOTIFY_URL: Notices.URL_OF, TALLYSTICK_ZONE: "UTC" }
      yield* Effect.acquireUseRelease(
        Effect.sync(() => Object.entries(env).forEach(([name, value]) => Reflect.set(process.env, name, value))),
        () => book(60, 5, ["--notify-command", `${take} ${at("env")}`, "--notify-url", Notices.URL_OF]),
        () => Effect.sync(() => Object.keys(env).forEach((name) => Reflect.deleteProperty(process.env, name)))
      )
      assert.deepStrictEqual(receiver.told(), ["open-items"])
      const told = readFileSync(at("env"), "utf8")
      assert.include(told, "TALLYSTICK_ZONE=UTC")
      assert.notInclude(told, TOKEN)
      assert.notInclude(told, Notices.URL_OF)
    }))

  it.effect("settings say the same as flags, and a file that nobody named names neither an address nor a command", () =>
    Effect.gen(function*() {
      const { at, book, put, receiver } = yield* kept
      yield* put("token", `${TOKEN}\n`)
      chmodSync(at("token"), 0o600)
      mkdirSync(at("found"))
      yield* put("found/tallystick.json", JSON.stringify({ notifyUrl: Notices.URL_OF, notifyDetails: true }))
      const address = yield* book(60, 5, [], { folder: at("found") })
      assert.strictEqual(address.exitCode, 2)
      assert.include(address.stderr, "notifyUrl: a file that nobody named may name no address")
      assert.deepStrictEqual(Array.from(receiver.authorizations), [])
      yield* book(60, 5, ["--config", at("found/tallystick.json")])
      assert.deepStrictEqual(receiver.told(), ["open-items"])
      yield* put("found/tallystick.json", JSON.stringify({ notifyCommand: ["touch", at("touched")] }))
      const command = yield* book(60, 5, [], { folder: at("found") })
      assert.strictEqual(command.exitCode, 2)
      assert.include(command.stderr, "a file that nobody named may name no command to run")
      const named = yield* book(60, 5, ["--config", at("found/tallystick.json")])
      assert.include(named.stderr, "1 notice sent to touch")
    }))

  it.effect("flags that make no sense are refused before anything runs", () =>
    Effect.gen(function*() {
      const { book, run } = yield* kept
      const wrong: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
        [["--notify-url", "http://example.com"], "--notify-url must be https"],
        [["--notify-url", "hook"], "--notify-url is not an absolute address"],
        [["--notify-command", "mail -s 'a b'"], "--notify-command has a quotation mark"],
        [["--notify-command", "[1]"], "--notify-command is no JSON array of texts"],
        [["--notify-details"], "give --notify-url or --notify-command with it"]
      ]
      for (const [args, told] of wrong) {
        const { exitCode, stderr } = yield* book(60, 5, args)
        assert.strictEqual(exitCode, 2, stderr)
        assert.include(stderr, told)
      }
      const unbooked = yield* run(["reconcile", "--archive", "--notify-url", Notices.URL_OF])
      assert.include(unbooked.stderr, "--notify-url is about notices, which come with --book")
      const unwatched = yield* run(["sync", "--notify-command", "true"])
      assert.include(unwatched.stderr, "--notify-command is about notices, which come with --watch")
      const secret = yield* run(["sync", "--watch", "--notify-token", "abc"])
      assert.include(secret.stderr, "TALLYSTICK_NOTIFY_TOKEN_FILE")
    }))
})

describe("what breaks while notices are written or sent", () => {
  const broken = ArchiveNotices.Notices.of({
    deliver: () => Effect.die("secret"),
    tell: () => Effect.die("secret"),
    expireOthers: () => Effect.succeed(2),
    waiting: Effect.die("secret")
  })
  const receiver = { id: "a", place: "desk", hasDetails: false, send: () => Effect.void }

  it.effect("is complained of and ends nothing, but an interruption goes on", () =>
    Effect.gen(function*() {
      yield* NoticeReceivers.deliver([receiver]).pipe(Effect.provideService(ArchiveNotices.Notices, broken))
      const interrupted = { ...broken, deliver: () => Effect.interrupt }
      const exit = yield* NoticeReceivers.deliver([receiver]).pipe(
        Effect.provideService(ArchiveNotices.Notices, interrupted),
        Effect.exit
      )
      assert.isTrue(Exit.hasInterrupts(exit))
      const lines = yield* TestConsole.errorLines
      const gone = "2 notices given up: not taken in 7 days, for a destination that is not named any more; " +
        "tallystick open lists what waits"
      assert.deepStrictEqual(lines, [gone, "notices wait for the next run: an internal error", gone])
    }).pipe(Effect.provide(NodeServices.layer)))
})

/** Time goes on in steps of seconds: the hours of a watch are long. */
const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
  return Effect.raceFirst(effect, Effect.forever(Effect.andThen(TestClock.adjust("2 seconds"), turn)))
}

it.layer(layerFiles)("notices of a watch", (it) => {
  it.effect(
    "tell once of a refused key, of an hour without reading, of a near deadline, and once when each is over",
    () =>
      Effect.gen(function*() {
        const { at } = yield* directory
        /**
         * After a round the key is refused, until it is told that nothing is read; once that is over the exchange is gone, until the deadline is
         * near. Each fault goes on until it was told, however fast time runs.
         */
        let begin: number | undefined
        let told: () => ReadonlyArray<string> = () => []
        const answered = (usual: Service.Answer): Service.Answer => (url) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            begin ??= now
            const has = (notice: string, times = 1): boolean => told().filter((one) => one === notice).length >= times
            const isAtEnd = has("deadline over") && has("nothing-read over", 2)
            if (isAtEnd) return Effect.interrupt
            const answer = has("nothing-read over")
              ? has("deadline began") ? usual : Service.broken("ECONNREFUSED")
              : has("nothing-read began") || now < begin + HOUR / 3
              ? usual
              : Service.refusal(10_072, 401)
            const response = answer(url)
            return Effect.isEffect(response) ? response : Effect.succeed(response)
          })
        const empty: Service.Answer = (url) => listed(url, [])
        const service = Service.make({
          time: answered(Service.timeAhead(0)),
          deposits: answered(empty),
          transfers: answered(empty)
        })
        const receiver = Notices.beside(service.client)
        told = receiver.told
        yield* TestClock.setTime(NOW)
        const accounts = ["--accounts", at("accounts.txt")]
        writeFileSync(at("accounts.txt"), "sub00001\n")
        const { stderr } = yield* tallystick(
          [
            "sync",
            "--watch",
            "--every",
            "30m",
            ...accounts,
            "--archive-file",
            at("b.db"),
            "--notify-url",
            Notices.URL_OF,
            "--warn-hours",
            "69"
          ],
          { env }
        ).pipe(Effect.provideService(HttpClient.HttpClient, receiver.client), inTime)
        const ofKind = (kind: string) => receiver.told().filter((told) => told.startsWith(kind))
        assert.deepStrictEqual(ofKind("key-refused"), ["key-refused began", "key-refused over"])
        assert.deepStrictEqual(ofKind("deadline"), ["deadline began", "deadline over"])
        const silence = ["nothing-read began", "nothing-read over"]
        assert.deepStrictEqual(ofKind("nothing-read"), [...silence, ...silence])
        const sent = linesOf(stderr).map((line) => /^(\d+) notices? sent to https:/.exec(line)?.[1] ?? "0")
        assert.strictEqual(sent.reduce((sum, count) => sum + Number(count), 0), receiver.taken.length)
        using database = new DatabaseSync(at("b.db"), { readOnly: true })
        assert.deepStrictEqual(database.prepare("SELECT * FROM notice_marks").all(), [])
      })
  )
})
