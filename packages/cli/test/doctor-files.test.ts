import { assert, it } from "@effect/vitest"
import * as Check from "@tallystick/cli/doctor/Check"
import * as Effect from "effect/Effect"
import { doctor, line, NOW } from "./support/Doctor.ts"
import { directory, layerFiles } from "./support/Run.ts"

it.layer(layerFiles)("tallystick doctor over files", (it) => {
  const row = (id: string, at: number) => JSON.stringify({ id, asset: "USDT", amount: "1", at })

  it.effect("tells rows, range, order and the first record that cannot be read", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const sorted = yield* put("d.ndjson", [row("1", NOW), "{broken", row("2", NOW + 1000), "{}"].join("\n"))
      const youngest = yield* put("t.csv", `id,asset,amount,at\n1,BTC,1,${NOW}\n2,BTC,2,${NOW - 1000}\n`)
      const { exitCode, of } = yield* doctor({}, ["--deposits", sorted, "--transfers", youngest])
      assert.strictEqual(exitCode, 0)
      const deposits = of("deposits").map(line).join("\n")
      assert.include(deposits, "ok: " + sorted)
      assert.include(deposits, "2 records, from 2026-11-19 08:00:00 to 2026-11-19 08:00:01 UTC, in order of time")
      assert.include(deposits, "warning: 2 records of")
      assert.include(deposits, "the first is " + sorted + ", line 2: not valid JSON")
      assert.include(of("transfers").map(line).join("\n"), "youngest first")
    }))

  it.effect("fails where nothing of a file can be read, and asks whether the sides are swapped", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const transfer = { tranId: "1", fromAccount: "a", toAccount: "m", asset: "BTC", amount: "1", status: "SUCCESS" }
      const files = [
        "--deposits",
        yield* put("t.ndjson", `${JSON.stringify({ ...transfer, timestamp: NOW })}\n`),
        "--transfers",
        yield* put("log.txt", "{not\n{json\n")
      ]
      const { exitCode, of, stderr } = yield* doctor({}, files)
      assert.strictEqual(exitCode, 2)
      const [swapped, ...rest] = of("deposits").map(line)
      assert.strictEqual(rest.length, 0)
      assert.match(
        swapped ?? "",
        /^failed: nothing of .*t\.ndjson can be read, 1 record; the first is .*t\.ndjson, line 1: /
      )
      assert.match(swapped ?? "", /> .*--deposits and --transfers/)
      assert.match(
        of("transfers").map(line).join("\n"),
        /^failed: nothing of .*, 2 records; the first is .*line 1: not valid/
      )
      assert.include(stderr, "failed: deposits, transfers")
    }))

  it.effect("warns of a long file that is out of order, and of an empty one", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const rows = Array.from({ length: 10_002 }, (_, n) => row(String(n), NOW - n))
      const long = yield* put("long.ndjson", rows.join("\n"))
      const { of } = yield* doctor({}, ["--deposits", long, "--transfers", yield* put("none.ndjson", "")])
      assert.match(
        line(of("deposits")[0] ?? Check.ok("deposits", "")),
        /^warning: .*youngest first > --format ndjson/
      )
      assert.include(of("transfers").map(line).join("\n"), "warning: ")
      assert.include(of("transfers").map(line).join("\n"), "holds no record")
    }))

  it.effect("fails where a file cannot be read, while the rest goes on, with exit code 2", () =>
    Effect.gen(function*() {
      const { at, put } = yield* directory
      const files = ["--deposits", at("absent.ndjson"), "--transfers", yield* put("t.csv", "id;what\n1;2\n")]
      const settings = [
        "--accounts",
        yield* put("a.json", "{"),
        "--addresses",
        yield* put("b.json", "[{\"address\":\"x\"}]")
      ]
      const policy = yield* put("p.json", "{\"windo\":1}")
      const { exitCode, of, one } = yield* doctor({}, [...files, ...settings, "--policy", policy])
      assert.strictEqual(exitCode, 2)
      for (const what of ["deposits", "transfers", "policy", "accounts", "addresses"] as const) {
        assert.isTrue(of(what).some(({ status }) => status === "failed"), what)
      }
      assert.include(one("deposits").finding, "it does not exist")
      assert.include(one("transfers").finding, "the header lacks")
      assert.include(one("policy").finding, "windo")
      assert.strictEqual(one("read deposits").status, "ok")
    }))

  it.effect("names sub-accounts without an address, and addresses of accounts that nobody named", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const accounts = yield* put("accounts.txt", "sub1\nsub2\n")
      const addresses = yield* put(
        "addresses.csv",
        "address,account\nT1,sub1\nT2,sub3\nT3,master\n"
      )
      const { exitCode, of } = yield* doctor({}, ["--accounts", accounts, "--addresses", addresses])
      assert.strictEqual(exitCode, 0)
      const text = of("addresses").map(line).join("\n")
      assert.include(text, "warning: no address is known of 1 sub-account: sub2")
      assert.include(text, "warning: addresses of 1 account that --accounts does not name: sub3 >")
      const fits = yield* doctor({}, ["--accounts", yield* put("b.txt", "sub1\nsub3"), "--addresses", addresses])
      assert.strictEqual(fits.of("addresses").length, 1)
    }))
})
