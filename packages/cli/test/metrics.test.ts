/** `sync --watch --metrics`: what it serves while it reads, and that nothing of it is lost on monitoring or told to strangers. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import * as Exposition from "../../archive/test/support/exposition.ts"
import { books, sandbox } from "./support/Books.ts"
import * as Metrics from "./support/Metrics.ts"
import { layerFiles } from "./support/Run.ts"
import type * as Service from "./support/Service.ts"
import { against, deposit, linesOf, listed } from "./support/SyncRound.ts"

const ofDocs = (file: string): string => readFileSync(new URL(`../../../docs/${file}`, import.meta.url), "utf8")

/** Families that the page does not explain: those of the client stand there under the names that they have in a program. */
const undocumented = (families: ReadonlyMap<string, Exposition.Family>): ReadonlyArray<string> => {
  const page = ofDocs("observability.md")
  const ofClient = /^(?:tallystick_client|http_client)_.*?(?=_(?:total|seconds|milliseconds)$|$)/
  const documented = new Set(
    Array.from(page.matchAll(/^\| `([\w.]+)`/gm), ([, name = ""]) => name.replaceAll(".", "_"))
  )
  return Array.from(families).flatMap(([name, { help }]) =>
    help !== "" && (documented.has(name) || documented.has(ofClient.exec(name)?.[0] ?? "")) ? [] : [name]
  )
}

const decodeDashboard = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({
  panels: Schema.Array(Schema.Struct({
    id: Schema.Int,
    title: Schema.NonEmptyString,
    description: Schema.NonEmptyString,
    targets: Schema.NonEmptyArray(Schema.Struct({ expr: Schema.NonEmptyString }))
  }))
})))

/** Metrics, and labels of them, that the dashboard or an alarm of the page asks for and a watch does not tell. */
const unknown = (families: ReadonlyMap<string, Exposition.Family>): ReadonlyArray<string> => {
  const { panels } = decodeDashboard(ofDocs("grafana.json"))
  assert.strictEqual(new Set(panels.map(({ id }) => id)).size, panels.length)
  const asked = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...Array.from(ofDocs("observability.md").matchAll(/^ +expr: (.*)$/gm), ([, expr = ""]) => expr)
  ]
  assert.isAbove(asked.length, panels.length)
  return asked.flatMap((expr) => {
    const names = Array.from(expr.matchAll(/\b(?:tallystick|http_client)_\w+/g), ([name]) => name)
    const found = names.map((name) => families.get(name) ?? families.get(name.replace(/_bucket$/, "")))
    const told = found.flatMap((family) => Array.from(family?.samples.keys() ?? [])).join()
    const labels = Array.from(expr.matchAll(/\bby \(([^)]*)\)/g), ([, list = ""]) => list.split(", ")).flat()
    const isTold = names.length > 0 && !found.includes(undefined) &&
      labels.every((label) => told.includes(`${label}="`))
    return isTold ? [] : [expr]
  })
}

it.layer(sandbox)("sync --watch --metrics", (it) => {
  it.effect("serves the counts of the process and the facts of the archive, without a name, an address or a secret", () =>
    Effect.gen(function*() {
      const { text } = yield* Metrics.watched
      const found = Exposition.samples(text)
      assert.deepInclude(found, {
        "tallystick_sync_rounds_total{outcome=\"ok\"}": 1,
        tallystick_sync_last_round_success: 1,
        tallystick_archive_read_success: 1,
        tallystick_notices_waiting: 1
      })
      const count = (begin: string) => Object.keys(found).filter((name) => name.startsWith(begin)).length
      for (const name of ["books_items{", "books_oldest_item_timestamp_seconds{", "books_unpriced_entries{"]) {
        assert.isAbove(count(`tallystick_${name}`), 0, name)
      }
      assert.isAbove(count("tallystick_client_requests_total{operation=\"universalTransfers\",outcome=\"ok\"}"), 0)
      assert.match(text, /tallystick_books_worth\{side="deposit",state="open",currency="USD"\} \d/)
      assert.deepStrictEqual(undocumented(Exposition.read(text)), [])
      assert.deepStrictEqual(unknown(Exposition.read(text)), [])
      assert.notMatch(text, /sandbox-secret|mx0|sub0|@|bc1|0x|signature|apikey/i)
    }))

  it.effect("--metrics without --watch, or with what is no address, is refused before anything runs", () =>
    Effect.gen(function*() {
      const { run, sync } = yield* books
      const once = yield* run([...sync, "--metrics", "9464"])
      assert.deepStrictEqual([once.exitCode, /give --watch with it/.test(once.stderr)], [2, true])
      const wrong = yield* run([...sync, "--watch", "--metrics", "http://localhost"])
      assert.strictEqual(wrong.exitCode, 2)
      assert.include(wrong.stderr, "--metrics cannot be \"http://localhost\"; wanted: a port, or an address and a port")
    }))
})

it.layer(layerFiles)("a watch that is scraped", (it) => {
  it.effect("a scrape in the middle of a round is answered with what the rounds before it came to", () =>
    Effect.gen(function*() {
      const port = yield* Metrics.freePort
      const told: Array<ReadonlyArray<number | undefined>> = []
      const names = ["rounds_total{outcome=\"ok\"}", "rounds_total{outcome=\"gaps\"}", "last_round_success", "gaps"]
      /** The second round finds no page, the fourth is the last. */
      const answers: Service.Answers = {
        deposits: Effect.fnUntraced(function*(url: URL) {
          const found = Exposition.samples((yield* Metrics.ask(port)).body)
          const now = names.map((name) => found[`tallystick_sync_${name}`])
          if (String(now) !== String(told.at(-1))) told.push(now)
          if (told.length > 3) return yield* Effect.interrupt
          return told.length === 2 ? new Response("", { status: 503 }) : listed(url, [deposit()])
        })
      }
      const { stderr } = yield* against(
        answers,
        "--since",
        "2h",
        "--watch",
        "--every",
        "1m",
        "--metrics",
        `127.0.0.1:${port}`
      )
      assert.include(linesOf(stderr), `metrics at http://127.0.0.1:${port}/metrics`)
      assert.deepStrictEqual(told, [
        [undefined, undefined, undefined, undefined],
        [1, undefined, 1, 0],
        [1, 1, 0, 2],
        [2, 1, 1, 0]
      ])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())))
})
