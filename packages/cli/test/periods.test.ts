/** Periods at the command line: what is closed, what is lacking, and what does not stand any more. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { DatabaseSync } from "node:sqlite"
import { books, sandbox } from "./support/Books.ts"
import { decodeReport } from "./support/Listing.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR

const Closes = Schema.Array(Schema.Struct({
  number: Schema.Int,
  from: Schema.Int,
  to: Schema.Int,
  zone: Schema.String,
  carried: Schema.Struct({ count: Schema.Int }),
  carriedEntries: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Schema.String, state: Schema.String }))),
  broken: Schema.Array(Schema.Struct({ causes: Schema.Array(Schema.Struct({ of: Schema.String })) }))
}))
const decodeCloses = Schema.decodeEffect(Schema.fromJsonString(Closes))

const iso = (ms: number): string => new Date(ms).toISOString()

/** An archive of which a day can be reconciled: the last one that was wholly read with a day behind it. */
const kept = Effect.gen(function*() {
  const all = yield* books
  const synced = yield* all.run([...all.sync, "--since", "71h"])
  assert.strictEqual(synced.exitCode, 0, synced.stderr)
  const addresses = yield* all.put("addresses.json", JSON.stringify(all.history.addressBook))
  const { to: now } = all.history.options
  const end = now - now % DAY - DAY
  const day = iso(end - 1).slice(0, 10)
  const next = iso(end).slice(0, 10)
  // Shortly before midnight the exchange no longer shows all of that day.
  const from = Math.max(end - DAY, now - 70 * HOUR)
  const settings = ["--accounts", all.accounts, "--addresses", addresses, "--from", iso(from), "--to", iso(end)]
  const book = (...more: ReadonlyArray<string>) =>
    all.run(["reconcile", "--archive", "--book", "--by", "clerk", ...settings, ...more])
  const listed = Effect.flatMap(all.run(["periods", "--format", "json"]), ({ stdout }) => decodeCloses(stdout))
  return { ...all, book, day, end, from, listed, next }
})

it.layer(sandbox, { excludeTestServices: true })("tallystick close", (it) => {
  it.effect("closes a day that was reconciled, names what it lacks, and periods lists it", () =>
    Effect.gen(function*() {
      const { book, day, end, from, listed, next, run } = yield* kept
      const early = yield* run(["close", "--to", day])
      assert.strictEqual(early.exitCode, 2)
      assert.include(early.stderr, "the books are not begun")
      assert.include((yield* run(["periods"])).stderr, "no period is closed")
      yield* book()

      const refused = yield* run(["close", "--to", day])
      assert.strictEqual(refused.exitCode, 1)
      assert.include(refused.stderr, `nothing is closed from ${day} `)
      assert.match(
        refused.stderr,
        /\d+ (entry waits|entries wait) before its end and must be carried expressly \(--carry-open\)/
      )
      const later = yield* run(["close", "--to", next, "--carry-open"])
      assert.strictEqual(later.exitCode, 1)
      assert.include(later.stderr, `no execution of the books is about the time from ${next} 00:00:00 UTC`)

      const closed = yield* run(["close", "--to", day, "--carry-open", "--by", "clerk"])
      assert.strictEqual(closed.exitCode, 0, closed.stderr)
      assert.include(closed.stdout, "close 2  from ")
      assert.include(closed.stdout, "closed by clerk (claimed) at ")
      assert.match(closed.stderr, /the ledger ends at 2@[0-9a-f]{64}: keep that elsewhere/)
      // A report of the day says that it is closed, a report of more does not.
      const report = yield* run(["reconcile", "--archive", "--no-record", "--day", day])
      assert.match(report.stdout, /^Closed +at .* by clerk \(claimed\), row 2 of the ledger$/m)
      const before = new Date(from - 60_000).toISOString()
      const wider = yield* run(["reconcile", "--archive", "--no-record", "--from", before, "--to", next])
      assert.notInclude(wider.stdout, "row 2 of the ledger")
      const [close] = yield* listed
      assert.include(close, { number: 2, from, to: end, zone: "UTC" })
      assert.isAbove(close?.carried.count ?? 0, 0)
      const table = yield* run(["periods"])
      assert.strictEqual(table.exitCode, 0)
      assert.match(table.stdout, / 2 .*clerk \(claimed\) .*stands/)
      const detail = yield* run(["periods", "2", "--format", "json"])
      const [told] = yield* decodeCloses(detail.stdout)
      assert.lengthOf(told?.carriedEntries ?? [], close?.carried.count ?? 0)
      assert.match((yield* run(["periods", "2"])).stdout, /(deposit|transfer) \S+ \(.*\) at .* UTC: open \(/)

      for (
        const wrong of [
          ["close", "--to", day],
          ["close", "--to", "2026-02-30"],
          ["close", "--to", `${day}..${day}`, "--zone", "Mars/Base"],
          ["close", "--to", "-3..-2"],
          ["close", "--to", "today", "--zone", "Europe/Berlin"],
          ["periods", "7"],
          ["reopen", "--close", "7", "--reason", "other", "--words", "why"],
          ["reopen", "--reason", "other"]
        ]
      ) assert.strictEqual((yield* run(wrong)).exitCode, 2, wrong.join(" "))
    }))

  it.effect("is in the zone that was asked for, else in that of the setting, of the last close that stands, and UTC", () =>
    Effect.gen(function*() {
      const { book, day, listed, run } = yield* kept
      yield* book()
      // In winter its days are those of UTC, and its times have an offset.
      const env = { TALLYSTICK_ZONE: "Europe/London" }
      const args = ["close", "--to", day, "--carry-open"]
      const closed = yield* run(args, { env })
      assert.strictEqual(closed.exitCode, 0, closed.stderr)
      assert.include((yield* listed)[0], { zone: "Europe/London" })
      const told = (more: ReadonlyArray<string>, settings: Readonly<Record<string, string>>) =>
        Effect.map(run(["periods", "2", ...more], { env: settings }), ({ stdout }) => stdout)
      assert.include(yield* told([], {}), "00:00:00+00:00")
      assert.include(yield* told([], { TALLYSTICK_ZONE: "Asia/Kathmandu" }), "05:45:00+05:45")
      assert.include(yield* told(["--zone", "Asia/Kolkata"], { TALLYSTICK_ZONE: "Asia/Kathmandu" }), "05:30:00+05:30")
      const reopened = yield* run(["reopen", "--reason", "other", "--words", "another zone"])
      assert.strictEqual(reopened.exitCode, 0, reopened.stderr)
      assert.include(yield* told([], {}), "00:00:00 UTC")
      assert.strictEqual((yield* run(args)).exitCode, 0)
      assert.include((yield* listed).at(-1), { zone: "UTC" })
    }))

  it.effect("a later decision breaks it: periods and the next report say so, and reopen takes it back", () =>
    Effect.gen(function*() {
      const { book, day, end, from, listed, run } = yield* kept
      const { outcomes } = yield* decodeReport((yield* book("--format", "json")).stdout)
      const isOfTheDay = ({ at }: { readonly at: number }) => at >= from && at < end
      const pair = outcomes.find(({ code, deposits, transfers }) =>
        code === "exact" && deposits.length === 1 && transfers.length === 1 &&
        [...deposits, ...transfers].every(isOfTheDay)
      )
      const matched = pair?.transfers[0]?.id ?? assert.fail("no exact pair is wholly of the day")
      yield* run(["close", "--to", day, "--carry-open"])
      yield* run(["decide", "exclude", matched, "--reason", "test", "--words", "a test of ours"])
      assert.strictEqual((yield* run(["periods"])).exitCode, 0)
      const report = yield* book()
      assert.match(
        report.stdout.replaceAll(/\s+/g, " "),
        /closed does not stand as it did \(broken: 2 entries\): tallystick periods 2/
      )
      const lines = yield* book("--format", "ndjson")
      assert.match(lines.stdout, /closed does not stand as it did \(broken: 2 entries\)/)

      const broken = yield* run(["periods"])
      assert.strictEqual(broken.exitCode, 1)
      assert.include(broken.stdout, "close 2 is broken:")
      assert.match(
        broken.stdout.replaceAll(/\s+/g, " "),
        /was matched \(exact\) and is open \(missing-transfer\) now: decision 3 is about it or an entry that it stood with/
      )
      assert.include(broken.stderr, "1 close, of which 1 is broken")
      const causes = (yield* listed)[0]?.broken ?? []
      assert.isAbove(causes.length, 0)
      for (const cause of causes) assert.deepStrictEqual(cause, { causes: [{ of: "decision" }] })

      const words = ["--reason", "test", "--words", "the test was booked"]
      const reopened = yield* run(["reopen", ...words])
      assert.strictEqual(reopened.exitCode, 0, reopened.stderr)
      assert.include(reopened.stderr, "of close 2 is open again; the ledger ends at 6@")
      const again = yield* run(["reopen", ...words])
      assert.strictEqual(again.exitCode, 2)
      assert.include(again.stderr, "no period is closed")
      assert.strictEqual((yield* run(["close", "--to", day, "--carry-open"])).exitCode, 0)
      const both = yield* run(["periods"])
      assert.strictEqual(both.exitCode, 0)
      assert.include(both.stdout, "reopened by 6: the test was booked")
      const former = (yield* run(["periods", "2"])).stdout.replaceAll(/\s+/g, " ")
      assert.match(former, /when it was reopened (?:1 entry|2 entries) broke it, 0 of what was carried were settled/)
      assert.match(
        former,
        /was matched \(exact\) and is open \(missing-transfer\) then: decision 3 is about it or an entry that it stood with/
      )
    }))

  it.effect("a ledger that is damaged stops no report, which says that nothing is known of its periods", () =>
    Effect.gen(function*() {
      const { accounts, at, book, day, run } = yield* kept
      yield* book()
      yield* run(["close", "--to", day, "--carry-open"])
      const database = new DatabaseSync(at("books.db"))
      database.exec("UPDATE ledger SET body = replace(body, 'clerk', 'other') WHERE number = 1")
      database.close()
      const report = yield* run(["reconcile", "--archive", "--accounts", accounts, "--day", day])
      assert.strictEqual(report.exitCode, 1)
      assert.include(report.stdout.replaceAll(/\s+/g, " "), "Whether the periods stand that were closed cannot be told")
      assert.strictEqual((yield* run(["periods"])).exitCode, 3)
      assert.strictEqual((yield* run(["archive", "check"])).exitCode, 1)
    }))
})
