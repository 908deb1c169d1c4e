/** A discrepancy is accepted at the command line, and every format of a report shows by whom and why. */
import { assert, it } from "@effect/vitest"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { books, sandbox } from "./support/Books.ts"

const HOUR = 3_600_000

const iso = (ms: number): string => new Date(ms).toISOString()

const decodeReport = Schema.decodeEffect(Schema.fromJsonString(Report.Report))

const why = ["--reason", "write-off", "--words", "lost on a wrong network, ticket 4711", "--by", "clerk"]

/** An archive whose books were brought forward, and the outcomes of its report. */
const kept = Effect.gen(function*() {
  const all = yield* books
  const synced = yield* all.run([...all.sync, "--since", "71h"])
  assert.strictEqual(synced.exitCode, 0, synced.stderr)
  const addresses = yield* all.put("addresses.json", JSON.stringify(all.history.addressBook))
  const end = all.history.options.to
  const settings = ["--accounts", all.accounts, "--addresses", addresses]
  const range = ["--from", iso(end - 60 * HOUR), "--to", iso(end - 5 * HOUR)]
  const reconcile = (...more: ReadonlyArray<string>) =>
    all.run(["reconcile", "--archive", ...settings, ...range, ...more])
  const report = Effect.flatMap(reconcile("--format", "json"), ({ stdout }) => decodeReport(stdout))
  yield* reconcile("--book")
  const { outcomes } = yield* report
  const missing = outcomes.find(({ code, final }) => code === "missing-transfer" && final) ??
    assert.fail("nothing is missing")
  const entry = missing.deposits[0] ?? assert.fail("a discrepancy has an entry")
  return { ...all, settings, reconcile, report, outcomes, missing, entry }
})

it.layer(sandbox, { excludeTestServices: true })("tallystick decide accept", (it) => {
  it.effect("accepts a discrepancy by an entry, an item or the outcome, and shows before what that would change", () =>
    Effect.gen(function*() {
      const { entry, missing, report, run, settings } = yield* kept
      const preview = yield* run(["decide", "accept", entry.id, ...why, "--dry-run", ...settings])
      assert.include(preview.stderr, "1 decision would be made; nothing was decided; 1 entry changes")
      assert.include(preview.stdout, "SAME OUTCOME, ACCEPTED OTHERWISE")
      const story = yield* run(["item", entry.id])
      const item = story.stdout.split(" ")[0] ?? ""
      for (const [index, name] of [entry.id, entry.id.slice(0, 14), item, missing.id.slice(0, 10)].entries()) {
        const made = yield* run(["decide", "accept", name, ...why])
        assert.strictEqual(made.exitCode, 0, made.stderr)
        assert.include(made.stdout, `missing-transfer of deposit`)
        const told = (yield* report).outcomes.find(({ id }) => id === missing.id)
        assert.deepStrictEqual(told?.accepted, {
          decision: 2 + 2 * index,
          by: "clerk (claimed)",
          reason: "write-off",
          words: "lost on a wrong network, ticket 4711"
        })
        yield* run(["undo", "--by", "clerk"])
      }
      const unknown = yield* run(["decide", "accept", "0badc0de", ...why])
      assert.strictEqual(unknown.exitCode, 2)
      assert.include(unknown.stderr, "the archive keeps no transfer with the id 0badc0de")
    }))

  it.effect("every format says who accepted it and why, and it counts neither in the verdict nor for --fail-on", () =>
    Effect.gen(function*() {
      const { entry, missing, outcomes, reconcile, run } = yield* kept
      const lacking = outcomes.filter(({ code }) => code === "missing-transfer").length
      yield* run(["decide", "accept", entry.id, ...why])
      const sentence =
        "It is accepted by clerk (claimed): lost on a wrong network, ticket 4711 (write-off; decision 2)."
      for (const format of ["csv", "html", "json", "ndjson"]) {
        assert.include((yield* reconcile("--format", format)).stdout, sentence, format)
      }
      for (const format of ["table", "markdown"]) {
        const words = (yield* reconcile("--format", format)).stdout.replaceAll(/[\s\\]+/g, " ")
        assert.include(words, sentence, format)
        assert.include(
          words,
          format === "table" ? "; 1 accepted [missing-transfer]" : ", accepted by clerk (claimed)",
          format
        )
      }
      const { stderr, stdout } = yield* reconcile("--fail-on", "missing-transfer", "--format", "csv")
      assert.include(stdout, `,${missing.id},`)
      assert.include(stderr, lacking === 1 ? "failing=none" : `failing=missing-transfer:${lacking - 1} `)
      assert.include(stderr, "accepted: 1 unmatched deposit")
      const masked = yield* reconcile("--format", "json", "--mask-accounts")
      assert.include(masked.stdout, "It is accepted by")
    }))

  it.effect("open lists it no longer after the next execution, and item tells by whom", () =>
    Effect.gen(function*() {
      const { entry, put, reconcile, missing, run } = yield* kept
      const acts = yield* put(
        "acts.ndjson",
        `${JSON.stringify({ kind: "accept", outcome: missing.id, reason: "fee", words: "ours" })}\n`
      )
      const made = yield* run(["decide", "--file", acts, "--by", "clerk"])
      assert.strictEqual(made.exitCode, 0, made.stderr)
      assert.include((yield* run(["open", "--format", "csv"])).stdout, entry.id)
      yield* reconcile("--book")
      assert.notInclude((yield* run(["open", "--format", "csv"])).stdout, entry.id)
      const story = (yield* run(["item", entry.id])).stdout.replaceAll(/\s+/g, " ")
      assert.include(story, "decided: missing-transfer, last judged by execution 3")
      assert.include(story, "decision 2, accept missing-transfer of deposit")
    }))
})
