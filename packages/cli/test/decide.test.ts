/** Decisions at the command line: what is decided, what reports say of it, and what is refused. */
import { assert, it } from "@effect/vitest"
import * as Decision from "@tallystick/archive/Decision"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { REASONS } from "../src/commands/Decide.ts"
import { books, sandbox } from "./support/Books.ts"

const HOUR = 3_600_000

const decodeReport = Schema.decodeEffect(Schema.fromJsonString(Report.Report))

const Listed = Schema.Array(
  Schema.Struct({ id: Schema.String, number: Schema.Int, by: Schema.String, kind: Decision.Kind })
)
const decodeListed = Schema.decodeEffect(Schema.fromJsonString(Listed))

const iso = (ms: number): string => new Date(ms).toISOString()

/** An archive, its report, and a deposit and a transfer that found nothing, of one asset or of two. */
const kept = Effect.gen(function*() {
  const all = yield* books
  const synced = yield* all.run([...all.sync, "--since", "71h"])
  assert.strictEqual(synced.exitCode, 0, synced.stderr)
  const addresses = yield* all.put("addresses.json", JSON.stringify(all.history.addressBook))
  const end = all.history.options.to
  const range = ["--from", iso(end - 60 * HOUR), "--to", iso(end - 5 * HOUR)]
  const settings = ["--accounts", all.accounts, "--addresses", addresses]
  const report = Effect.flatMap(
    all.run(["reconcile", "--archive", ...settings, ...range, "--format", "json"]),
    ({ stdout }) => decodeReport(stdout)
  )
  const { outcomes } = yield* report
  const idOf = (code: string) => {
    const found = outcomes.find((outcome) => outcome.code === code)
    const [entry] = [...found?.deposits ?? [], ...found?.transfers ?? []]
    return entry?.id ?? assert.fail(`there is no ${code}`)
  }
  const listed = Effect.flatMap(all.run(["decisions", "--format", "json"]), ({ stdout }) => decodeListed(stdout))
  return { ...all, settings, range, report, listed, outcomes, idOf }
})

const codeOf = ({ outcomes }: Report.Report, id: string): string | undefined =>
  outcomes.find(({ deposits, transfers }) => [...deposits, ...transfers].some((entry) => entry.id === id))?.code

it.layer(sandbox, { excludeTestServices: true })("tallystick decide", (it) => {
  it.effect("excludes an entry by its id, which the next report says, and undo takes that back", () =>
    Effect.gen(function*() {
      const { idOf, listed, report, run } = yield* kept
      const id = idOf("missing-transfer")
      const made = yield* run([
        "decide",
        "exclude",
        id,
        "--reason",
        "test",
        "--words",
        "a test of ours",
        "--by",
        "clerk"
      ])
      assert.strictEqual(made.exitCode, 0, made.stderr)
      assert.match(made.stderr, /1 decision made; the ledger ends at 1@[0-9a-f]{64}/)
      assert.include(made.stdout, "clerk (claimed)")
      const after = yield* report
      assert.strictEqual(codeOf(after, id), "excluded")
      assert.strictEqual(after.decisions?.applied, 1)
      const undone = yield* run(["undo", "--by", "clerk"])
      assert.strictEqual(undone.exitCode, 0, undone.stderr)
      assert.strictEqual(codeOf(yield* report, id), "missing-transfer")
      assert.deepStrictEqual((yield* listed).map(({ kind }) => kind), ["exclude", "revoke"])
      const nothing = yield* run(["undo", "--by", "clerk"])
      assert.strictEqual(nothing.exitCode, 2)
      assert.include(nothing.stderr, "clerk has made no decision that could be undone")
    }))

  it.effect("shows with --dry-run what reports would say, and decides nothing", () =>
    Effect.gen(function*() {
      const { idOf, listed, run, settings } = yield* kept
      const id = idOf("missing-transfer")
      const args = ["decide", "exclude", id, "--reason", "test", "--words", "a test of ours", ...settings, "--dry-run"]
      const tried = yield* run(args)
      assert.strictEqual(tried.exitCode, 0, tried.stderr)
      assert.include(tried.stdout, "1 entry changes")
      assert.include(tried.stdout, "after: excluded")
      assert.include(tried.stderr, "1 decision would be made; nothing was decided")
      assert.deepStrictEqual(yield* listed, [])
    }))

  it.effect("warns with --dry-run where the last execution of the books was asked otherwise, and only there", () =>
    Effect.gen(function*() {
      const { idOf, put, range, run, settings } = yield* kept
      const id = idOf("missing-transfer")
      const booked = yield* run(["reconcile", "--archive", "--book", ...settings, ...range, "--by", "clerk"])
      assert.notInclude([2, 3], booked.exitCode, booked.stderr)
      const args = ["decide", "exclude", id, "--reason", "test", "--words", "a test", ...settings, "--dry-run"]
      assert.notInclude((yield* run(args)).stdout, "execution")
      const policy = ["--policy", yield* put("other.json", JSON.stringify({ late: "2 hours" }))]
      const told = "The last execution of the books (1) followed another policy"
      const text = (yield* run([...args, ...policy])).stdout.replaceAll(/\s+/g, " ")
      assert.include(text, told)
      assert.include((yield* run([...args, ...policy, "--format", "json"])).stdout, told)
    }))

  it.effect("knows every reason that a decision may have", () =>
    Effect.sync(() => assert.deepStrictEqual<ReadonlyArray<string>>(REASONS, Decision.Reason.literals)))

  it.effect("decides all lines of a file or none, and names the line that is refused", () =>
    Effect.gen(function*() {
      const { idOf, listed, put, run } = yield* kept
      const id = idOf("missing-transfer")
      const note = JSON.stringify({ kind: "note", entries: [{ side: "deposit", id }], words: "asked the exchange" })
      const file = (...lines: ReadonlyArray<string>) =>
        Effect.flatMap(put("acts.ndjson", lines.join("\n")), (path) => run(["decide", "--file", path, "--by", "clerk"]))
      const refused = [
        [
          JSON.stringify({ kind: "exclude", side: "transfer", id: "1", reason: "test", words: "x" }),
          "acts.ndjson, line 3: the archive keeps no transfer"
        ],
        ["{\"kind\":\"note\"", "acts.ndjson, line 3: "],
        [
          JSON.stringify({ kind: "exclude", side: "deposit", id, reason: "why not", words: "x" }),
          "acts.ndjson, line 3: reason: "
        ],
        [JSON.stringify({ kind: "note", entries: [], words: "x" }), "acts.ndjson, line 3: entries"],
        [
          JSON.stringify({ kind: "exclud", words: "x" }),
          "acts.ndjson, line 3: Expected an act: its kind is link, forbid, exclude, accept, note, revoke, approve or setting"
        ]
      ] as const
      for (const [line, message] of refused) {
        const { exitCode, stderr } = yield* file(note, "", line)
        assert.strictEqual(exitCode, 2, stderr)
        assert.include(stderr, message)
      }
      assert.deepStrictEqual(yield* listed, [])
      assert.strictEqual((yield* file(note, note)).exitCode, 0)
      assert.deepStrictEqual((yield* listed).map(({ by, kind, number }) => `${number} ${kind} ${by}`), [
        "1 note clerk",
        "2 note clerk"
      ])
    }))

  it.effect("refuses what somebody else's later decision stands against, and names it", () =>
    Effect.gen(function*() {
      const { idOf, run } = yield* kept
      const id = idOf("missing-transfer")
      yield* run(["decide", "note", id, "--words", "asked", "--by", "auditor"])
      const args = ["decide", "exclude", id, "--reason", "test", "--words", "ours", "--by", "clerk"]
      const late = yield* run([...args, "--seen", "0"])
      assert.strictEqual(late.exitCode, 1)
      assert.include(late.stderr, "meanwhile decision 1 is a note on deposit")
      assert.strictEqual((yield* run([...args, "--seen", "1"])).exitCode, 0)
      const again = yield* run(args)
      assert.strictEqual(again.exitCode, 2)
      assert.include(again.stderr, "decision 2 excludes deposit")
    }))

  it.effect("writes nothing twice that is sent again, and tells the end that the ledger has", () =>
    Effect.gen(function*() {
      const { idOf, listed, put, run } = yield* kept
      const note = (words: string) =>
        JSON.stringify({ kind: "note", entries: [{ side: "deposit", id: idOf("missing-transfer") }], words })
      const file = (...lines: ReadonlyArray<string>) =>
        Effect.flatMap(
          put("acts.ndjson", lines.join("\n")),
          (path) => run(["decide", "--file", path, "--by", "clerk", "--seen", "0", "--format", "json"])
        )
      assert.strictEqual((yield* file(note("one"), note("two"))).exitCode, 0)
      const end = yield* Effect.map(listed, (decisions) => decisions.at(-1)?.id ?? "")
      const again = yield* file(note("one"))
      assert.strictEqual(again.exitCode, 0, again.stderr)
      assert.include(again.stderr, "decision 1 was made already")
      assert.include(again.stderr, `0 decisions made; the ledger ends at 2@${end}`)
      assert.include(again.stdout, "\"madeAlready\": true")
      const more = yield* file(note("three"), note("two"), note("one"))
      assert.include(more.stderr, "decision 2 and decision 1 were made already")
      const [third] = (yield* listed).slice(2)
      assert.include(more.stderr, `1 decision made; the ledger ends at 3@${third?.id ?? "none"}`)
      const path = yield* put("acts.ndjson", [note("one"), note("four")].join("\n"))
      const tried = yield* run(["decide", "--file", path, "--by", "clerk", "--seen", "0", "--dry-run"])
      assert.include(tried.stderr, "decision 1 was made already")
      assert.include(tried.stderr, "1 decision would be made; nothing was decided")
      assert.lengthOf(yield* listed, 3)
    }))

  it.effect("says at once that a link between two assets is not followed, and the report is not clean because of it", () =>
    Effect.gen(function*() {
      const { outcomes, report, run } = yield* kept
      const one = outcomes.flatMap(({ deposits }) => deposits)[0]
      const other = outcomes.flatMap(({ transfers }) => transfers).find(({ asset }) => asset !== one?.asset)
      const made = yield* run([
        "decide",
        "link",
        one?.id ?? "",
        other?.id ?? "",
        "--reason",
        "other",
        "--words",
        "swapped"
      ])
      assert.include(made.stderr, "which the policy does not call one asset")
      const { decisions } = yield* report
      assert.deepStrictEqual(decisions?.faults.map(({ decision }) => decision), [1])
    }))

  it.effect("archive check holds the ledger against a head that was kept", () =>
    Effect.gen(function*() {
      const { idOf, run } = yield* kept
      const made = yield* run(["decide", "note", idOf("missing-transfer"), "--words", "asked"])
      const [, head = ""] = /ends at (\S+)/.exec(made.stderr) ?? []
      assert.strictEqual((yield* run(["archive", "check", "--head", head])).exitCode, 0)
      const other = yield* run(["archive", "check", "--head", `1@${"0".repeat(64)}`])
      assert.strictEqual(other.exitCode, 1)
      assert.include(other.stdout, "row 1 of the ledger is not the one that was kept elsewhere")
      const wrong = yield* run(["archive", "check", "--head", "1"])
      assert.strictEqual(wrong.exitCode, 2)
    }))
})
