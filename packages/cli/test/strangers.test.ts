import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Random from "effect/Random"
import { directory, layerFiles, type Options, tallystick } from "./support/Run.ts"
import * as Service from "./support/Service.ts"
import { DRIVING, fileName, FORGED, forging, MARK, text } from "./support/Stranger.ts"

/** A seed takes seconds: more than 100 would take longer than they are worth. */
const MOST = 100
const SEEDS = Array.from(
  { length: Math.min(MOST, Number(process.env["TALLYSTICK_CASES"] ?? 5)) },
  (_, index) => index + 1
)
const MINUTE = 60_000

const env = {
  TALLYSTICK_BASE_URL: "https://api.example.com",
  TALLYSTICK_API_KEY: "mx0key",
  TALLYSTICK_SECRET_KEY: "secret",
  TALLYSTICK_RATE: "1000",
  TALLYSTICK_RETRIES: "0"
}

/** Runs a command and looks at everything that it says; the mark shows that a stranger's text was among it. */
const run = Effect.fnUntraced(function*(
  args: ReadonlyArray<string>,
  answers: Service.Answers = {},
  { marked = true, ...options }: Options & { readonly marked?: boolean } = {}
) {
  const result = yield* tallystick(args, { env, ...options }).pipe(
    Effect.provideService(HttpClient.HttpClient, Service.make(answers).client)
  )
  // Lines of CSV end in CRLF; every other carriage return would be a stranger's.
  const stdout = args.includes("csv") ? result.stdout.replaceAll("\r\n", "\n") : result.stdout
  const said = stdout + result.stderr
  const driving = DRIVING.exec(said)
  assert.isNull(
    driving,
    `${args.join(" ")}: …${
      JSON.stringify(said.slice(Math.max(0, (driving?.index ?? 0) - 60), (driving?.index ?? 0) + 20))
    }`
  )
  assert.notMatch(result.stderr, FORGED, args.join(" "))
  if (marked) assert.include(said, MARK, args.join(" "))
  assert.notInclude(said, "internal error", args.join(" "))
  return result
})

const lines = (text: string): ReadonlyArray<unknown> =>
  text.split("\n").filter((line) => line !== "").map((line): unknown => JSON.parse(line))

const deposit = Effect.fnUntraced(function*(at: number, address: string) {
  return {
    amount: "1.5",
    coin: yield* text,
    network: yield* text,
    status: 5,
    address,
    txId: yield* text,
    unlockConfirm: yield* text,
    confirmTimes: yield* text,
    insertTime: at,
    memo: yield* text
  }
})

const transfer = Effect.fnUntraced(function*(at: number, fromAccount: string) {
  return {
    tranId: yield* text,
    fromAccount,
    toAccount: "master",
    clientTranId: yield* text,
    asset: yield* text,
    amount: "1.5",
    fromAccountType: "SPOT",
    toAccountType: "SPOT",
    fromSymbol: yield* text,
    toSymbol: yield* text,
    status: "SUCCESS",
    timestamp: at
  }
})

/** A file names no account with blanks around its name, nor one that looks like a comment. */
const nameable = (name: string): string => name.replace(/^[#\s]+/, "").trim() || "a"

/** A history of which every text is a stranger's, and a service that tells it. */
const history = Effect.gen(function*() {
  const at = (yield* Clock.currentTimeMillis) - 30 * MINUTE
  const account = nameable((yield* text).toWellFormed())
  const address = yield* text
  const deposits = [yield* deposit(at, address), yield* deposit(at + MINUTE, yield* text)]
  const transfers = [yield* transfer(at + MINUTE, account), yield* transfer(at + 2 * MINUTE, account)]
  const unreadable = { ...(yield* deposit(at, address)), amount: yield* text }
  const unknown = { ...(yield* transfer(at, account)), status: yield* text, fromAccountType: yield* text }
  const page = (records: ReadonlyArray<unknown>): Service.Answer => (url) =>
    Response.json((url.searchParams.get("page") ?? "1") === "1" ? records : [])
  const answers: Service.Answers = {
    deposits: page([...deposits, unreadable]),
    transfers: (url) => page(url.searchParams.has("fromAccount") ? [...transfers, unknown] : [])(url)
  }
  return { account, address, deposits, transfers, unreadable, unknown, answers }
})

it.layer(layerFiles, { excludeTestServices: true })("text from strangers", (it) => {
  it.effect.each(SEEDS)(
    "in the service's records is printed as JSON that reads back the same (seed %d)",
    (seed) =>
      Effect.gen(function*() {
        const { account, answers, deposits, transfers } = yield* history
        const printed = yield* run(["deposits", "--since", "1h"], answers)
        assert.deepStrictEqual(lines(printed.stdout), deposits)
        assert.include(printed.stderr, "could not be read")
        const moved = yield* run(["transfers", "--since", "1h", "--from-account", account], answers)
        assert.deepInclude(lines(moved.stdout), transfers[0])
      }).pipe(Random.withSeed(seed))
  )

  it.effect.each(SEEDS)(
    "in the service's records drives no terminal through a report (seed %d)",
    (seed) =>
      Effect.gen(function*() {
        const { account, address, answers } = yield* history
        const { at, get, put } = yield* directory
        const accounts = yield* put("accounts.json", JSON.stringify({ list: [account], complete: true }))
        const addresses = yield* put("addresses.json", JSON.stringify([{ address, account }]))
        const settings = ["--accounts", accounts, "--addresses", addresses]
        for (const format of ["table", "json", "ndjson", "csv", "markdown", "html"]) {
          yield* run(["reconcile", "--since", "1h", "--format", format, ...settings], answers)
        }
        yield* run(
          ["reconcile", "--since", "1h", "--format", "json", "--out", at("report.json"), ...settings],
          answers,
          { marked: false }
        )
        assert.isNull(DRIVING.exec(yield* get("report.json")))
      }).pipe(Random.withSeed(seed))
  )

  it.effect.each(SEEDS)(
    "in files and their names drives no terminal through any command (seed %d)",
    (seed) =>
      Effect.gen(function*() {
        const { account, address, deposits, transfers, unknown, unreadable } = yield* history
        const { at, put } = yield* directory
        const stored = (text: string) => Effect.flatMap(fileName, (name) => put(name, text))
        const rows = (records: ReadonlyArray<unknown>) => records.map((record) => JSON.stringify(record)).join("\n")
        const left = yield* stored(`${rows([...deposits, unreadable])}\n{${yield* text}`)
        const right = yield* stored(rows([...transfers, unknown]))
        const policy = yield* stored(JSON.stringify({
          assets: { aliases: [[deposits[0]?.coin, transfers[0]?.asset]] },
          exclude: [{ id: transfers[1]?.tranId, reason: yield* text }],
          fees: [{ asset: yield* text, flat: "0.1" }],
          minAmount: { [yield* text]: "0.1" },
          flows: [{ from: yield* text, to: yield* text }]
        }))
        const settings = [
          "--accounts",
          yield* stored(JSON.stringify({ list: [account] })),
          "--addresses",
          yield* stored(JSON.stringify([{
            address,
            account,
            memo: yield* text,
            network: yield* text
          }]))
        ]
        const files = ["--deposits", left, "--transfers", right]
        for (const format of ["table", "json", "ndjson"]) {
          for (const more of [[], ["--policy", policy]]) {
            yield* run(["reconcile", ...files, ...settings, ...more, "--format", format])
          }
        }
        for (const format of ["table", "json"]) {
          yield* run(["backtest", ...files, ...settings, "--against", policy, "--format", format])
          yield* run(["doctor", ...files, ...settings, "--policy", policy, "--format", format])
        }
        for (const format of ["text", "json"]) yield* run(["policy", "check", policy, "--format", format])

        const csv = yield* stored(
          `id,asset,amount,at,${MARK}\n"${(yield* text).replaceAll("\"", "")}",BTC,${yield* text},now\n`
        )
        yield* run(["reconcile", "--deposits", csv, "--transfers", right])
        const wrong = [yield* text, `{"${MARK}\u009b":1}`, `[{"address":1,"${MARK}":"`]
        for (const content of wrong) {
          const file = yield* stored(content)
          yield* run(["policy", "check", file])
          yield* run(["reconcile", ...files, "--policy", file])
          yield* run(["reconcile", ...files, "--accounts", file, "--format", "json"])
          yield* run(["reconcile", ...files, "--addresses", file, "--format", "ndjson"])
          yield* run(["backtest", "--deposits", file, "--transfers", right, "--against", file])
          yield* run([
            "doctor",
            "--deposits",
            file,
            "--transfers",
            file,
            "--policy",
            file,
            "--accounts",
            file,
            "--addresses",
            file
          ])
        }
        yield* run(["reconcile", ...files, "--out", at(`${yield* fileName}/absent/${yield* fileName}`)])
        yield* run(["reconcile", "--deposits", at(yield* fileName), "--transfers", right])
      }).pipe(Random.withSeed(seed))
  )

  it.effect.each(SEEDS)(
    "in an archive drives no terminal, and comes out of it as it went in (seed %d)",
    (seed) =>
      Effect.gen(function*() {
        const { account, address, answers, deposits, transfers, unreadable } = yield* history
        const { at, get, put } = yield* directory
        const place = ["--archive-file", at(`${yield* fileName}.db`)]
        const accounts = yield* put("accounts.json", JSON.stringify({ list: [account], complete: true }))
        const addresses = yield* put("addresses.json", JSON.stringify([{ address, account }]))
        const settings = ["--accounts", accounts, "--addresses", addresses]
        const silent = { marked: false }
        yield* run(["sync", "--since", "1h", ...settings, ...place], answers, silent)
        for (const format of ["ndjson", "csv", "json"]) {
          yield* run(["export", "--side", "deposits", "--format", format, ...place])
        }
        assert.deepStrictEqual(lines((yield* run(["export", "--side", "deposits", ...place])).stdout), deposits)
        const moved = lines((yield* run(["export", "--side", "transfers", ...place])).stdout)
        for (const one of transfers) assert.deepInclude(moved, one)
        for (const format of ["table", "json"]) {
          const made = yield* run(["reconcile", "--archive", ...settings, "--format", format, ...place], {}, silent)
          yield* run(["archive", "status", "--format", format, ...place])
          yield* run(["runs", "--format", format, ...place], {}, silent)
          const [id = ""] = /\br[0-9a-f]{16}\b/.exec(made.stderr) ?? []
          yield* run(["show", id, "--format", format, ...place], {}, silent)
          yield* run(["show", yield* text, ...place])
        }
        const input = yield* put("old.ndjson", `${JSON.stringify(unreadable)}\n${yield* text}\n`)
        yield* run(["import", "--deposits", input, ...place], {}, silent)
        assert.isNull(DRIVING.exec(yield* get("old.ndjson.rejects.ndjson")))
        const ledger = yield* put("ledger.csv", `id,asset,amount,at,${MARK}\u009b31m\n`)
        yield* run(["import", "--deposits", ledger, ...place], {}, silent)
        yield* run(["archive", "status", "--archive-file", input], {}, silent)
      }).pipe(Random.withSeed(seed))
  )

  it.effect.each(SEEDS)("in the service's errors drives no terminal (seed %d)", (seed) =>
    Effect.gen(function*() {
      const words = forging(yield* text)
      const page = forging(yield* text)
      const { put } = yield* directory
      const accounts = yield* put("accounts.txt", "sub00001\n")
      const refused = (code: number | string): Service.Answer => () =>
        Response.json({ code, msg: words }, { status: 400 })
      for (
        const answer of [
          refused(700004),
          refused(700001),
          refused(700007),
          refused(730603),
          refused(12345),
          refused(forging(yield* text)),
          () => Response.json({ code: 429, msg: words }, { status: 429, headers: { "retry-after": "900" } }),
          () => new Response(page, { status: 403, headers: { "content-type": "text/html" } }),
          () => new Response(page, { status: 200, headers: { "content-type": "application/json" } })
        ]
      ) {
        yield* run(["deposits"], { deposits: answer })
        yield* run(["transfers"], { transfers: answer })
        for (const format of ["table", "json", "ndjson"]) {
          yield* run(["reconcile", "--accounts", accounts, "--format", format], { deposits: answer, transfers: answer })
        }
        yield* run(
          ["keys", "create", "--sub-account", "sub00001", "--permissions", "A", "--note", MARK, "--show-secret"],
          { create: answer }
        )
        for (const format of ["table", "json"]) {
          yield* run(["doctor", "--format", format], { deposits: answer, transfers: answer })
          yield* run(["doctor", "--format", format], { time: answer })
        }
      }
    }).pipe(Random.withSeed(seed)))

  it.effect.each(SEEDS)(
    "in what is typed, and in a new key, drives no terminal (seed %d)",
    (seed) =>
      Effect.gen(function*() {
        const note = yield* text
        const key = {
          subAccount: yield* text,
          note,
          apiKey: yield* text,
          secretKey: yield* text,
          permissions: yield* text
        }
        const made = () => Response.json({ ...key, ip: "", createTime: 1_790_000_000_000 })
        const args = [
          "keys",
          "create",
          "--sub-account",
          yield* text,
          "--permissions",
          "SPOT_ACCOUNT_READ",
          "--note",
          note
        ]
        const shown = yield* run([...args, "--show-secret"], { create: made })
        const printed: unknown = JSON.parse(shown.stdout)
        assert.deepInclude(printed, { apiKey: key.apiKey, secretKey: key.secretKey })
        yield* run([...args, "--show-secret"], { create: () => new Response(note, { status: 502 }) })
        for (
          const typed of [
            [yield* text],
            ["reconcile", `--${yield* text}`],
            ["reconcile", "--format", yield* text],
            ["reconcile", "--day", yield* text],
            ["deposits", "--zone", yield* text],
            ["deposits", "--since", yield* text],
            ["demo", "--seed", yield* text],
            ["transfers", "--from-type", yield* text],
            ["policy", "check", yield* fileName]
          ]
        ) yield* run(typed, {}, { marked: false })
      }).pipe(Random.withSeed(seed))
  )
})
