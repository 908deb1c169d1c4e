/** What the policy could say in place of links, at the command line. */
import { assert, it } from "@effect/vitest"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { archive, AT, deposit, ndjson, transfer } from "./support/Imports.ts"
import { layerFiles, layerNoNetwork } from "./support/Run.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const decodeReport = Schema.decodeEffect(Schema.fromJsonString(Report.Report))

const Suggested = Schema.Struct({
  version: Schema.Literal(1),
  links: Schema.Int,
  pairs: Schema.Int,
  suggestions: Schema.Array(Schema.Struct({
    line: Schema.Unknown,
    decisions: Schema.Array(Schema.Int),
    backtest: Schema.Struct({ entries: Schema.Struct({ changed: Schema.Int, same: Schema.Int }) }),
    besides: Schema.Array(Schema.Struct({ code: Schema.String, transfers: Schema.Array(Schema.String) })),
    undone: Schema.Array(Schema.Unknown)
  })),
  together: Schema.optionalKey(Schema.Struct({
    line: Schema.Unknown,
    decisions: Schema.Array(Schema.Int),
    needed: Schema.Array(Schema.Int)
  })),
  dropped: Schema.Array(Schema.Struct({ decisions: Schema.Array(Schema.Int), unmatched: Schema.Int }))
})
const decodeSuggested = Schema.decodeEffect(Schema.fromJsonString(Suggested))

type Pair = readonly [deposit: string, transfer: string, asset?: string, hours?: number]

const pairs: ReadonlyArray<Pair> = [["1.5", "1.49"], ["2.75", "2.74"], ["3.1", "3.09"], ["4.2", "4.19"]]

/** Deposits two hours apart unless they say their own, each followed ten minutes later by a transfer; the four are more than theirs by 0.01. */
const keeping = Effect.fnUntraced(function*(amounts: ReadonlyArray<Pair>) {
  const all = yield* archive
  const covers = ["--covers-from", "2026-11-18", "--covers-to", "2026-11-20"]
  const times = amounts.map(([, , , hours], n) => AT + (hours ?? 2 * n) * HOUR)
  const deposits = amounts.map(([amount, , coin = "BTC"], n) => deposit(n, { amount, coin, insertTime: times[n] }))
  const transfers = amounts.map(([, amount, asset = "BTC"], n) =>
    transfer(n, { amount, asset, timestamp: (times[n] ?? AT) + 10 * MINUTE })
  )
  yield* all.run("import", "--deposits", yield* all.put("d.ndjson", ndjson(deposits)), ...covers)
  const read = yield* all.run("import", "--transfers", yield* all.put("t.ndjson", ndjson(transfers)), ...covers)
  assert.strictEqual(read.exitCode, 0, read.stderr)
  const told = yield* all.run("reconcile", "--archive", "--no-record", "--day", "2026-11-19", "--format", "json")
  const { outcomes } = yield* decodeReport(told.stdout)
  const entries = outcomes.flatMap(({ deposits }) => deposits)
  const idOf = (n: number) =>
    entries.find(({ id }) => id.startsWith(`t${n}:`))?.id ?? assert.fail(`deposit ${n} has no outcome`)
  const link = (n: number) => ({
    kind: "link",
    deposits: [idOf(n)],
    transfers: [transfer(n).tranId],
    reason: "fee",
    words: "the sweeper paid it"
  })
  const decide = (links: ReadonlyArray<number>) =>
    Effect.flatMap(
      all.put("links.ndjson", ndjson(links.map(link))),
      (file) => all.run("decide", "--file", file, "--by", "clerk")
    )
  return { ...all, decide, idOf }
})

const kept = keeping(pairs)

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("tallystick policy suggest", (it) => {
  it.effect("prints the line, what it would change and what else it would match; the line does so in the policy", () =>
    Effect.gen(function*() {
      const { decide, idOf, put, run } = yield* kept
      yield* decide([0, 1, 2])
      const before = yield* run("decisions", "--format", "json")
      const { exitCode, stderr, stdout } = yield* run("policy", "suggest")
      assert.strictEqual(exitCode, 0, stderr)
      assert.strictEqual(
        stdout,
        "Each transfer is less than its deposit of BTC by 0.01. 3 links (decisions 1, 2 and 3) would not be needed with this in the policy:\n" +
          "\n" +
          "  {\"fees\":[{\"asset\":\"BTC\",\"flat\":\"0.01\"}]}\n" +
          "\n" +
          "8 entries change, 0 stay.\n" +
          "  6 entries: linked → fee\n" +
          "  1 entry: missing-deposit → fee\n" +
          "  1 entry: missing-transfer → fee\n" +
          "1 other outcome would be a match:\n" +
          `  fee: deposit ${idOf(3)} (4.2 BTC) and transfer ${transfer(3).tranId} (4.19 BTC)\n`
      )
      assert.include(stderr, "3 links hold; 1 suggestion; nothing was changed")
      assert.strictEqual((yield* run("decisions", "--format", "json")).stdout, before.stdout)

      const { suggestions } = yield* decodeSuggested((yield* run("policy", "suggest", "--format", "json")).stdout)
      const one = suggestions[0] ?? assert.fail("nothing was suggested")
      assert.deepStrictEqual(one.decisions, [1, 2, 3])
      assert.deepStrictEqual(one.backtest.entries, { changed: 8, same: 0 })
      assert.deepStrictEqual(one.besides, [{ code: "fee", transfers: [transfer(3).tranId] }])

      for (const number of ["1", "2", "3"]) yield* run("decide", "revoke", number, "--words", "the policy says it")
      assert.deepStrictEqual(one.undone, [])
      const policy = yield* put("policy.json", JSON.stringify(one.line))
      const after = yield* run(
        "reconcile",
        "--archive",
        "--day",
        "2026-11-19",
        "--policy",
        policy,
        "--format",
        "json"
      )
      const { outcomes } = yield* decodeReport(after.stdout)
      assert.deepStrictEqual(outcomes.map(({ code }) => code), ["fee", "fee", "fee", "fee"])
    }))

  it.effect("gives two suggestions for one key, each with what it would change, and one line with both", () =>
    Effect.gen(function*() {
      const { decide, put, run } = yield* keeping([
        ...pairs.slice(0, 3),
        ["10", "9.5", "ETH"],
        ["20", "19.5", "ETH"],
        ["31", "30.5", "ETH"]
      ])
      yield* decide([0, 1, 2])
      const alone = yield* run("policy", "suggest")
      assert.notInclude(alone.stdout, "together")
      yield* decide([3, 4, 5])
      const policy = yield* put("before.json", JSON.stringify({ fees: [{ asset: "USDT", flat: "2" }] }))
      const both = yield* run("policy", "suggest", "--policy", policy)
      const links = (numbers: string) => `links (decisions ${numbers}) would not be needed with this in the policy`
      const inPlace = ", in place of what it says of fees:"
      const end = "Nothing else would be matched by it, and no other match undone.\n"
      assert.strictEqual(
        both.stdout,
        [
          `Each transfer is less than its deposit of BTC by 0.01. 3 ${links("1, 2 and 3")}${inPlace}\n\n` +
          "  {\"fees\":[{\"asset\":\"USDT\",\"flat\":\"2\"},{\"asset\":\"BTC\",\"flat\":\"0.01\"}]}\n\n" +
          "6 entries change, 6 stay.\n  6 entries: linked → fee\n" + end,
          `Each transfer is less than its deposit of ETH by 0.5. 3 ${links("4, 5 and 6")}${inPlace}\n\n` +
          "  {\"fees\":[{\"asset\":\"USDT\",\"flat\":\"2\"},{\"asset\":\"ETH\",\"flat\":\"0.5\"}]}\n\n" +
          "6 entries change, 6 stay.\n  6 entries: linked → fee\n" + end,
          `Both suggestions together: 6 ${links("1, 2, 3, 4, 5 and 6")}${inPlace}\n\n` +
          "  {\"fees\":[{\"asset\":\"USDT\",\"flat\":\"2\"},{\"asset\":\"BTC\",\"flat\":\"0.01\"},{\"asset\":\"ETH\",\"flat\":\"0.5\"}]}\n\n" +
          "12 entries change, 0 stay.\n  12 entries: linked → fee\n" + end
        ].join("\n\n")
      )
      const json = yield* run("policy", "suggest", "--policy", policy, "--format", "json")
      const { suggestions, together } = yield* decodeSuggested(json.stdout)
      assert.lengthOf(suggestions, 2)
      assert.deepStrictEqual([together?.decisions, together?.needed], [[1, 2, 3, 4, 5, 6], []])
      const next = yield* put("after.json", JSON.stringify(together?.line))
      const none = yield* run("policy", "suggest", "--policy", next)
      assert.deepStrictEqual([none.exitCode, none.stdout], [0, ""])
    }))

  it.effect("says which links all suggestions together would still need", () =>
    Effect.gen(function*() {
      const { decide, run } = yield* keeping([
        ...pairs.slice(0, 3),
        ["1.51", "1.1", "BTC", 0.1],
        ["7", "6.98", "BTC", 10],
        ["8", "7.98", "BTC", 12],
        ["9", "8.98", "BTC", 14]
      ])
      yield* decide([0, 1, 2, 4, 5, 6])
      const { stdout } = yield* run("policy", "suggest")
      assert.include(stdout, "Both suggestions together: 5 links (decisions 2, 3, 4, 5 and 6) would not be needed")
      assert.match(
        stdout,
        /\nOf the links above, 1 link \(decision 1\) would go on to be needed: something else may be its counterpart then\.\n$/
      )
    }))

  it.effect("says what links have in common that the engine would not match by it", () =>
    Effect.gen(function*() {
      const { decide, run } = yield* keeping([["1.5", "0.7", "BTC", 1.9], ...pairs.slice(0, 3)])
      yield* decide([1, 2, 3])
      const { exitCode, stderr, stdout } = yield* run("policy", "suggest")
      assert.deepStrictEqual([exitCode, stdout], [0, ""])
      assert.include(stderr, "3 links hold; no suggestion")
      assert.include(
        stderr,
        "3 links (decisions 1, 2 and 3) have something in common (each transfer is less than its deposit of BTC by 0.01), but the engine " +
          "would not match 1 of them by itself: something else may be their counterpart"
      )
      const json = yield* run("policy", "suggest", "--format", "json")
      assert.deepStrictEqual((yield* decodeSuggested(json.stdout)).dropped, [{ decisions: [1, 2, 3], unmatched: 1 }])
    }))

  it.effect("says that nothing is common where it is not, and keeps what the policy says beside", () =>
    Effect.gen(function*() {
      const { decide, put, run } = yield* kept
      const none = yield* run("policy", "suggest")
      assert.deepStrictEqual([none.exitCode, none.stdout], [0, ""])
      assert.include(none.stderr, "no link holds in this time")
      yield* decide([0, 1])
      const two = yield* run("policy", "suggest")
      assert.deepStrictEqual([two.exitCode, two.stdout], [0, ""])
      assert.include(two.stderr, "2 links hold; no three of them have something in common that the policy could say")
      yield* decide([2])
      const policy = yield* put("policy.json", JSON.stringify({ fees: [{ asset: "ETH", flat: "2" }] }))
      const three = yield* run("policy", "suggest", "--policy", policy)
      assert.include(three.stdout, "in the policy, in place of what it says of fees:")
      assert.include(
        three.stdout,
        "{\"fees\":[{\"asset\":\"ETH\",\"flat\":\"2\"},{\"asset\":\"BTC\",\"flat\":\"0.01\"}]}"
      )
      const other = yield* run("policy", "suggest", "--day", "2026-11-18")
      assert.include(other.stderr, "no link holds in this time")
    }))
})
