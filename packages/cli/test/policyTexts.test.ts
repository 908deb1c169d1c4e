/** Names and reasons of a policy, and a zone, that would be a pattern, a property, markup or a command somewhere else. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"
import { DRIVING } from "./support/Stranger.ts"

const AT = Date.UTC(2026, 10, 19, 8)
const MINUTE = 60_000

const NAMES = [
  "((a+)+)+$",
  ".*",
  "__proto__",
  "constructor",
  "$&",
  "入金🏦",
  "a".repeat(5000),
  "<script>alert(1)</script>",
  "\"><img src=x onerror=alert(1)>",
  "</script><script>alert(2)",
  "<!--",
  "a|b`c`[d](http://x.test)",
  "=HYPERLINK(\"http://x.test\")",
  "\u001b[2J\u202eevil",
  "a\nb\r\nc"
]

const lines = (rows: ReadonlyArray<object>): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("")

/** For each name a linked pair, an exact pair, an excluded deposit, and a transfer out of flow. */
const books = NAMES.map((name, n) => ({
  deposits: [
    { id: `l${n}`, asset: name, amount: "3", at: AT, account: name },
    { id: `d${n}`, asset: name, amount: "5", at: AT, account: name },
    { id: `x${n}`, asset: name, amount: "7", at: AT, account: name },
    { id: `s${n}`, asset: name, amount: "0.5", at: AT, account: name }
  ],
  transfers: [
    { id: `l${n}`, asset: name, amount: "2", at: AT + 9 * MINUTE, from: name, to: "master" },
    { id: `d${n}`, asset: name, amount: "5", at: AT + 9 * MINUTE, from: name, to: "master" },
    { id: `o${n}`, asset: name, amount: "11", at: AT + 9 * MINUTE, from: `${name}!`, to: "master" }
  ]
}))

const policy = JSON.stringify({
  flows: NAMES.map((from) => ({ from, to: "master" })),
  assets: { aliases: NAMES.map((name) => [name, `${name}2`]) },
  per: NAMES.map((asset) => ({ asset, network: asset })),
  links: NAMES.map((name, n) => ({ deposits: [`l${n}`], transfers: [`l${n}`], by: name, reason: name })),
  exclude: NAMES.map((name, n) => ({ side: "deposit", id: `x${n}`, reason: name })),
  minAmount: "MIN"
}).replace("\"MIN\"", () => `{${NAMES.map((name) => `${JSON.stringify(name)}:"1"`).join(",")}}`)

const desk = Effect.gen(function*() {
  yield* TestClock.setTime(AT + 60 * MINUTE)
  const { put } = yield* directory
  const deposits = yield* put("d.ndjson", lines(books.flatMap(({ deposits }) => deposits)))
  const transfers = yield* put("t.ndjson", lines(books.flatMap(({ transfers }) => transfers)))
  const file = yield* put("policy.json", policy)
  const run = (...args: ReadonlyArray<string>) =>
    tallystick(["reconcile", "--deposits", deposits, "--transfers", transfers, "--complete", "--policy", file, ...args])
  return { file, run }
})

it.layer(Layer.merge(layerFiles, layerNoNetwork))("a policy full of odd names", (it) => {
  it.effect("decides of each name what it decides of any other", () =>
    Effect.gen(function*() {
      const { run } = yield* desk
      const { stderr, stdout } = yield* run("--format", "json")
      const { outcomes } = JSON.parse(stdout)
      const codes = Object.fromEntries(
        outcomes.map(({ code, deposits, transfers }: Record<string, ReadonlyArray<{ readonly id: string }>>) => [
          [...(deposits ?? []).map(({ id }) => `d ${id}`), ...(transfers ?? []).map(({ id }) => `t ${id}`)].join(),
          code
        ])
      )
      NAMES.forEach((name, n) => {
        const seen = [`d l${n},t l${n}`, `d d${n},t d${n}`, `d x${n}`, `d s${n}`, `t o${n}`].map((key) => codes[key])
        assert.deepStrictEqual(
          seen,
          ["linked", "exact", "excluded", "excluded", "out-of-flow"],
          name.slice(0, 30) + stderr
        )
      })
    }))

  it.effect("is text in every form of a report, and in what policy check says", () =>
    Effect.gen(function*() {
      const { file, run } = yield* desk
      for (const format of ["table", "markdown", "csv", "html", "ndjson", "json"]) {
        const { stderr, stdout } = yield* run("--format", format)
        assert.notInclude(stderr, "internal error")
        assert.isNull(DRIVING.exec(format === "csv" ? stdout.replaceAll("\r\n", "\n") : stdout), format)
        if (format === "csv") assert.notMatch(stdout, /(?:^|,|;)"?[=@]HYPERLINK/m)
        // What stands between backticks is shown as it is.
        const marked = format === "markdown" ? stdout.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, "") : stdout
        if (format === "html" || format === "markdown") {
          assert.notMatch(marked, /<script>alert|<img src|<\/script><script>alert/, format)
        }
        if (format === "markdown") assert.notMatch(marked, /(?<!\\)\]\(http/)
      }
      const told = yield* tallystick(["policy", "check", file])
      assert.strictEqual(told.exitCode, 0, told.stderr)
      assert.isNull(DRIVING.exec(told.stdout + told.stderr))
    }))

  it.effect("takes no zone that is none, and repeats one only as text", () =>
    Effect.gen(function*() {
      const { run } = yield* desk
      for (
        const zone of [
          "<script>alert(1)</script>",
          "\"><img src=x onerror=alert(1)>",
          "UTC\u001b[2J",
          "\u202eCTU",
          "|`UTC`"
        ]
      ) {
        for (const format of ["html", "markdown", "table", "csv"]) {
          const { exitCode, stderr, stdout } = yield* run("--format", format, "--zone", zone)
          assert.strictEqual(exitCode, 2, zone)
          assert.strictEqual(stdout, "")
          assert.match(stderr, /^tallystick: --zone: /)
          assert.isNull(DRIVING.exec(stderr))
        }
      }
    }))
})
