/** Reports that are mailed name nobody, whatever their form and wherever the records come from. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

const AT = Date.UTC(2026, 10, 19, 8)
const MINUTE = 60_000

const names = ["qx.desk@broker.test", "QXSUB2", "QXMASTER", "TQXWALLET", "QXMEMO", "QXNOTE"]
const [desk = "", sub = "", master = "", address = "", memo = "", note = ""] = names

const deposits = [
  { id: `${desk}/1`, asset: "USDT", amount: "10.5", at: AT, account: desk, note },
  { id: "d2", asset: "USDT", amount: "77", at: AT, account: sub },
  { coin: "BTC", amount: "2", status: 5, insertTime: AT, address, addressTag: memo, network: "BTC", txId: "tx" },
  { id: "d4", asset: "USDT", amount: `1e3 ${note}`, at: AT, account: desk }
]
const transfers = [
  { id: "t1", asset: "USDT", amount: "10.5", at: AT + MINUTE, account: sub, reference: `of ${desk}` },
  {
    tranId: "t2",
    fromEmail: sub,
    asset: "USDT",
    amount: "77",
    timestamp: AT + MINUTE
  }
]

const lines = (rows: ReadonlyArray<object>): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("")

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("--mask-accounts", (it) => {
  it.effect.each(["table", "json", "ndjson", "csv", "markdown", "html"])(
    "names nobody in %s",
    (format) =>
      Effect.gen(function*() {
        const { put } = yield* directory
        yield* TestClock.setTime(AT + 48 * 60 * MINUTE)
        const run = Effect.fnUntraced(function*(...args: ReadonlyArray<string>) {
          const left = yield* put("d.ndjson", lines(deposits))
          const right = yield* put("t.ndjson", lines(transfers))
          const accounts = yield* put("a.json", JSON.stringify({ master, list: [desk], complete: false }))
          const addresses = yield* put("b.json", JSON.stringify([{ address, memo, account: desk }]))
          const files = ["--deposits", left, "--transfers", right, "--accounts", accounts, "--addresses", addresses]
          return yield* tallystick(["reconcile", ...files, "--complete", "--format", format, ...args])
        })
        const open = yield* run()
        assert.isAbove(names.filter((name) => open.stdout.includes(name)).length, 2, open.stderr)
        const { exitCode, stdout } = yield* run("--mask-accounts")
        assert.strictEqual(exitCode, 1)
        assert.deepStrictEqual(names.filter((name) => stdout.includes(name)), [])
        assert.include(stdout, "account-1")
      })
  )

  it.effect("is refused for lines that would name somebody before anybody knows the name", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const left = yield* put("d.ndjson", lines(deposits))
      const right = yield* put("t.ndjson", lines(transfers))
      const files = ["--deposits", left, "--transfers", right, "--complete"]
      const { exitCode, stderr, stdout } = yield* tallystick([
        "reconcile",
        ...files,
        "--mask-accounts",
        "--format",
        "ndjson"
      ])
      assert.deepStrictEqual([exitCode, stdout], [2, ""])
      assert.include(stderr, "name them with --accounts or --addresses")
    }))
})

/** A service whose answers break off in the name of an account. */
const broken = HttpClient.make((request) =>
  Effect.succeed(HttpClientResponse.fromWeb(request, new Response(`[{"tranId":1,"fromAccount":"${sub}`)))
)

it.layer(Layer.merge(layerFiles, Layer.succeed(HttpClient.HttpClient, broken)), { excludeTestServices: true })(
  "--mask-accounts, where the service breaks off",
  (it) => {
    it.effect.each(["table", "json", "ndjson", "csv", "markdown", "html"])(
      "names nobody in %s, nor in what is said beside it",
      (format) =>
        Effect.gen(function*() {
          const { put } = yield* directory
          const accounts = yield* put("a.json", JSON.stringify({ master, list: [sub], complete: false }))
          const env = {
            TALLYSTICK_BASE_URL: "https://api.example.com",
            TALLYSTICK_API_KEY: "key",
            TALLYSTICK_SECRET_KEY: "secret",
            TALLYSTICK_RETRIES: "0"
          }
          const args = ["reconcile", "--since", "1h", "--accounts", accounts, "--format", format]
          const open = yield* tallystick(args, { env })
          assert.include(open.stderr, sub)
          const { stderr, stdout } = yield* tallystick([...args, "--mask-accounts"], { env })
          assert.deepStrictEqual(names.filter((name) => (stdout + stderr).includes(name)), [])
          assert.include(stderr, "tallystick summary result=unread")
        })
    )
  }
)
