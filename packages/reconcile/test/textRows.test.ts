/** Bytes of NDJSON and CSV as slices: nothing is lost, and the parts in which the bytes come make no difference. */
import { assert, describe, it } from "@effect/vitest"
import type * as Slice from "@tallystick/core/Slice"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as EntryStream from "@tallystick/reconcile/EntryStream"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Csv from "effect/encoding/Csv"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"

const NOON = 1_790_000_000_000
const DAY = 86_400_000
const encoder = new TextEncoder()

const whole = [{ operation: "transfers", from: 0, to: NOON + DAY, readAt: NOON, state: "complete" }] as const

const options = {
  side: "transfer",
  policy: Policy.defaults,
  accounts: { list: ["sub1"], complete: true },
  coverage: whole
} as const

type Chunking = "one" | "bytes" | number

/** The bytes as one part, each by itself, or cut at every so many. */
const parts = (bytes: Uint8Array, chunking: Chunking): Stream.Stream<Uint8Array> => {
  const size = chunking === "one" ? Math.max(bytes.length, 1) : chunking === "bytes" ? 1 : chunking
  const found = Array.from(
    { length: Math.ceil(bytes.length / size) },
    (_, index) => bytes.slice(index * size, (index + 1) * size)
  )
  return Stream.rechunk(Stream.fromIterable(found), 1)
}

const bytesOf = (text: string | Uint8Array): Uint8Array => (typeof text === "string" ? encoder.encode(text) : text)

/** Invalid UTF-8 between two texts. */
const around = (before: string, bytes: ReadonlyArray<number>, behind: string): Uint8Array =>
  Uint8Array.from([...encoder.encode(before), ...bytes, ...encoder.encode(behind)])

const at = <A, E>(effect: Effect.Effect<A, E>) => Effect.andThen(TestClock.setTime(NOON), effect)

const read = Effect.fnUntraced(function*(
  format: "ndjson" | "csv",
  text: string | Uint8Array,
  more: Partial<EntryStream.CsvOptions> = {},
  chunking: Chunking = "one"
) {
  const bytes = parts(bytesOf(text), chunking)
  const asked = { ...options, ...more }
  const slices: ReadonlyArray<Slice.Slice<Entry.Entry>> = yield* Stream.runCollect(
    format === "csv" ? EntryStream.fromCsv(bytes, asked) : EntryStream.fromNdjson(bytes, asked)
  )
  return {
    slices,
    entries: slices.flatMap(({ records }) => records),
    bad: slices.flatMap(({ bad }) => bad),
    coverage: slices.flatMap(({ coverage }) => coverage.map(({ from, to }) => [from, to]))
  }
})

const line = (id: string, more: object = {}) =>
  JSON.stringify({ id, asset: "USDT", amount: "1.5", at: NOON, account: "sub1", ...more })

const ids = (entries: ReadonlyArray<Entry.Entry>) => entries.map(({ id }) => id)

describe("lines of JSON", () => {
  it.effect("are entries, whatever ends a line, with a byte order mark and with no end of the last line", () =>
    at(Effect.gen(function*() {
      for (const [ending, last] of [["\n", "\n"], ["\r\n", "\r\n"], ["\r", ""], ["\n\n  \n", ""]] as const) {
        const text = `\uFEFF${["a", "b", "c"].map((id) => line(id)).join(ending)}${last}`
        for (const chunking of ["one", "bytes", 7] as const) {
          const { bad, entries } = yield* read("ndjson", text, {}, chunking)
          assert.deepStrictEqual([ids(entries), bad], [["a", "b", "c"], []])
        }
      }
    })))

  it.effect("that cannot be read are bad records with their number and text, and cost no other line", () =>
    at(Effect.gen(function*() {
      const text = [line("a"), "{\"id\":", "", line("b", { amount: "x" }), "[]", line("c")].join("\n")
      const { bad, entries } = yield* read("ndjson", text, { name: "ledger.ndjson" })
      assert.deepStrictEqual(ids(entries), ["a", "c"])
      assert.deepStrictEqual(
        bad.map(({ path, raw, side, source }) => [side, source, path, raw]),
        [
          ["transfer", "ledger.ndjson, line 2", "", "{\"id\":"],
          ["transfer", "ledger.ndjson, line 4", "amount", line("b", { amount: "x" })],
          ["transfer", "ledger.ndjson, line 5", "", "[]"]
        ]
      )
      assert.include(bad[0]?.reason, "not valid JSON")
    })))

  it.effect("that are no UTF-8 are bad records, and a replacement character that was written is none", () =>
    at(Effect.gen(function*() {
      const invalid = around(`${line("\uFFFD")}\n{"id":"`, [0xe2, 0x82], `"}\n${line("b\uFFFD")}\n`)
      for (const chunking of ["one", "bytes", 3, 50] as const) {
        const { bad, entries } = yield* read("ndjson", invalid, {}, chunking)
        assert.deepStrictEqual(ids(entries), ["\uFFFD", "b\uFFFD"])
        assert.deepStrictEqual(bad, [{
          side: "transfer",
          source: "line 2",
          path: "",
          reason: "not UTF-8 text",
          raw: "{\"id\":\"\uFFFD\"}"
        }])
      }
      // A letter that is cut off at the end of all.
      const cut = yield* read("ndjson", around(`${line("a")}\n`, [0xf0, 0x9f], ""), {}, "bytes")
      assert.deepStrictEqual([ids(cut.entries), cut.bad.map(({ source }) => source)], [["a"], ["line 2"]])
    })))

  it.effect("that are longer than the longest line are bad records of their beginning, and are not held", () =>
    at(Effect.gen(function*() {
      const long = line("long", { memo: "m".repeat(5000) })
      const limit = line("x").length
      const text = [line("a"), long, line("b"), `${line("c")} `, long].join("\r\n")
      for (const chunking of ["one", "bytes", 1000] as const) {
        const { bad, entries } = yield* read("ndjson", text, { maxLine: limit }, chunking)
        assert.deepStrictEqual(ids(entries), ["a", "b"])
        assert.deepStrictEqual(bad.map(({ raw, source }) => [source, raw]), [
          ["line 2", `${long.slice(0, limit)}…`],
          ["line 4", `${line("c")}…`],
          ["line 5", `${long.slice(0, limit)}…`]
        ])
        assert.include(bad[0]?.reason, `longer than ${limit} characters`)
      }
      // A source without any end of line.
      const endless = Stream.fromIterable(Array.from({ length: 8 }, () => new Uint8Array(1_000_000).fill(97)))
      const slices = yield* Stream.runCollect(EntryStream.fromNdjson(endless, options))
      const [found] = slices.flatMap(({ bad }) => bad)
      assert.strictEqual(found?.raw, `${"a".repeat(1000)}…`)
    })))

  it.effect("may have names of their own, which take the place of a field", () =>
    at(Effect.gen(function*() {
      const text = JSON.stringify({ id: 7, booking: "b1", currency: "USDT", amount: "2", at: "soon", booked: NOON })
      const { bad, entries } = yield* read("ndjson", text, {
        names: { id: "booking", asset: "currency", at: "booked" }
      })
      assert.deepStrictEqual(bad, [])
      assert.deepStrictEqual(entries, [
        { side: "transfer", id: "b1", asset: "USDT", amount: "2", at: NOON, status: "settled" }
      ])
    })))
})

describe("CSV", () => {
  const header = "id,asset,amount,at,account"
  const row = (id: string, more = "") => `${id},USDT,1.5,${NOON},sub1${more}`

  it.effect("is entries, whatever ends a line and separates cells, quoted or not", () =>
    at(Effect.gen(function*() {
      for (const [ending, last] of [["\n", "\n"], ["\r\n", "\r\n"], ["\r", ""], ["\n\n", ""]] as const) {
        for (const delimiter of [",", ";", "\t"]) {
          const text = `\uFEFF${[header, row("\"a\"\"1\""), row("b")].join(ending).replaceAll(",", delimiter)}${last}`
          for (const chunking of ["one", "bytes", 5] as const) {
            const { bad, entries } = yield* read("csv", text, {}, chunking)
            assert.deepStrictEqual([ids(entries), bad], [["a\"1", "b"], []])
          }
        }
      }
      const piped = yield* read("csv", `${header}\n${row("a")}`.replaceAll(",", "|"), { delimiter: "|" })
      assert.deepStrictEqual(ids(piped.entries), ["a"])
    })))

  it.effect("has rows of several lines, with the number of the first", () =>
    at(Effect.gen(function*() {
      const text = `\n${header},memo\r\n${row("a", ",\"one\r\ntwo\"")}\n${row("b")}\n${row("c", ",x")}\n`
      for (const chunking of ["one", "bytes"] as const) {
        const { bad, entries } = yield* read("csv", text, {}, chunking)
        assert.deepStrictEqual(entries.map(({ id, memo }) => [id, memo]), [["a", "one\r\ntwo"], ["c", "x"]])
        assert.deepStrictEqual(bad.map(({ raw, reason, source }) => [source, reason, raw]), [
          ["line 5", "5 cells where the header has 6", row("b")]
        ])
      }
    })))

  it.effect("with a broken quote, bytes that are no UTF-8 or a line that is too long costs these rows and no other", () =>
    at(Effect.gen(function*() {
      const long = row("x".repeat(3000))
      const before = [header, row("a"), row("\"open"), row("b"), long, ""].join("\n")
      const bytes = around(before, [...encoder.encode("bad"), 0xff], `${row("")}\n${row("c")}`)
      for (const chunking of ["one", "bytes", 1000] as const) {
        const { bad, entries } = yield* read("csv", bytes, { name: "l.csv", maxLine: 200 }, chunking)
        assert.deepStrictEqual(ids(entries), ["a", "b", "c"])
        assert.deepStrictEqual(bad.map(({ reason, source }) => [source, reason]), [
          ["l.csv, line 3", "Unterminated quoted field"],
          ["l.csv, line 5", "longer than 200 characters, which no record is"],
          ["l.csv, line 6", "not UTF-8 text"]
        ])
        assert.deepStrictEqual(bad.map(({ raw }) => raw), [
          row("\"open"),
          `${"x".repeat(200)}…`,
          row("bad\uFFFD")
        ])
      }
    })))

  it.effect("may have names of its own, which take the place of a field; other columns are not read", () =>
    at(Effect.gen(function*() {
      const text = `id,booking,currency,amount,booked_at,clerk\n7,b1,USDT,2,2026-09-21T14:13:20Z,me\n`
      const { entries } = yield* read("csv", text, { names: { id: "booking", asset: "currency", at: "booked_at" } })
      assert.deepStrictEqual(entries, [
        { side: "transfer", id: "b1", asset: "USDT", amount: "2", at: 1_790_000_000_000, status: "settled" }
      ])
    })))

  it.effect("whose header does not say what it holds fails, and names what is wrong", () =>
    at(Effect.gen(function*() {
      const refused = [
        ["", "it has no header"],
        ["\n \n", "it has no header"],
        ["id,asset,amount\n", "the header lacks at;"],
        ["id,asset,amount,at,id\n", "two columns are named \"id\""],
        ["id,asset,amount,at,Account\n", "the column \"Account\" would not be read; name it \"account\""],
        ["id,asset,amount,at,stauts\n", "the column \"stauts\" would not be read; name it \"status\""],
        [around("id,asset,amount,at,", [0xff], "\n"), "not UTF-8 text"],
        ["id,asset,amount,at,\"x\n", "Unterminated quoted field"]
      ] as const
      for (const [text, problem] of refused) {
        const error = yield* Effect.flip(read("csv", text, { name: "l.csv" }))
        assert.strictEqual(error._tag, "InvalidHeader")
        assert.include(error.message, `l.csv, a source of transfers: ${problem}`)
      }
      const misnamed = yield* Effect.flip(read("csv", `${header}\n`, { names: { id: "booking" } }))
      assert.include(misnamed.message, "the header lacks booking, which is named as the id")
      // A header alone is a table without rows: its owner vouches for that.
      assert.deepStrictEqual((yield* read("csv", `${header}\n`)).coverage, [[0, NOON + DAY]])
    })))
})

describe("a source of both sides", () => {
  it.effect("gives the entries of the side that is read, and the others as bad records", () =>
    at(Effect.gen(function*() {
      const texts = {
        ndjson: [line("d", { side: "deposit" }), line("t", { side: "transfer" })].join("\n"),
        csv: `side,id,asset,amount,at\ndeposit,d,USDT,1,${NOON}\ntransfer,t,USDT,1,${NOON}\n,none,USDT,1,${NOON}\n`
      }
      for (const format of ["ndjson", "csv"] as const) {
        const { bad, entries } = yield* read(format, texts[format])
        assert.deepStrictEqual(ids(entries), format === "csv" ? ["t", "none"] : ["t"])
        assert.deepStrictEqual(bad.map(({ path, side, source }) => [side, source, path]), [
          ["transfer", format === "csv" ? "line 2" : "line 1", "side"]
        ])
      }
    })))
})

describe("a source that dies half way", () => {
  it.effect("vouches for nothing that came with or behind its last rows, and loses none of them", () =>
    at(Effect.gen(function*() {
      const rows = Array.from({ length: 40 }, (_, index) => ({ id: `t${index}`, at: NOON - DAY + index }))
      const ndjson = rows.map(({ at, id }) => line(id, { at })).join("\n")
      const csv = ["id,asset,amount,at", ...rows.map(({ at, id }) => `${id},USDT,1,${at}`)].join("\n")
      for (const [format, text] of [["ndjson", ndjson], ["csv", csv]] as const) {
        const bytes = encoder.encode(text)
        // Behind the whole of it the source may have had more.
        for (const length of [bytes.length, bytes.length - 3, 700, 200, 30]) {
          const broken = Stream.concat(parts(bytes.slice(0, length), 50), Stream.fail("gone"))
          const found: Array<Slice.Slice<Entry.Entry>> = []
          const asked = { ...options, limit: 5 }
          const slices = format === "csv"
            ? EntryStream.fromCsv(broken, asked)
            : EntryStream.fromNdjson(broken, asked)
          const error = yield* Effect.flip(Stream.runForEach(slices, (slice) => Effect.sync(() => found.push(slice))))
          assert.strictEqual(error, "gone")
          const entries = found.flatMap(({ records }) => records)
          assert.deepStrictEqual(ids(entries), rows.slice(0, entries.length).map(({ id }) => id))
          const reached = entries.at(-1)?.at ?? 0
          for (const { coverage } of found) for (const { to } of coverage) assert.isAtMost(to, reached)
          assert.deepStrictEqual(found.at(-1)?.coverage ?? [], [])
        }
      }
    })))
})

/** Letters, those that CSV and JSON write otherwise among them. */
const Letters = Schema.Array(
  Schema.Literals(["a", "7", "é", "€", "😀", "\"", ",", ";", "\t", "\n", "\r", "\r\n", " ", "\\", "\uFFFD", "="])
)

/** What stands at either end of a line is kept, as it is in a cell. */
const textOf = (letters: ReadonlyArray<string>): string => `<${letters.join("")}>`

const Written = Schema.Array(Schema.Struct({
  id: Letters,
  asset: Schema.Literals(["USDT", "BTC"]),
  amount: Schema.Literals(["1", "0.00000001", "12345678901234567890.5"]),
  at: Schema.Int.check(Schema.isBetween({ minimum: NOON - DAY, maximum: NOON })),
  memo: Letters
})).check(Schema.isMaxLength(12))

const Cut = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 }))

describe("entries that were written", () => {
  it.effect.prop(
    "are read back as they were, and any parts of the bytes give the same slices",
    [Written, Cut, Schema.Literals(["ndjson", "csv"])],
    ([made, cut, format]) =>
      at(Effect.gen(function*() {
        const written = made.map(({ id, memo, ...entry }) => ({ ...entry, id: textOf(id), memo: textOf(memo) }))
        const columns = ["id", "asset", "amount", "at", "memo"] as const
        const text = format === "ndjson"
          ? written.map((one) => `${JSON.stringify(one)}\n`).join("")
          : (yield* Stream.runCollect(Stream.pipeThroughChannel(
            Stream.map(Stream.fromIterable(written), (one) => ({ ...one, at: `${one.at}` })),
            Csv.encodeString({ columns, headers: true })
          ))).join("")
        const one = yield* read(format, text === "" ? "\n" : text)
        assert.deepStrictEqual(one.bad, [])
        const wanted = written.map((entry): Entry.Entry =>
          Object.assign({ side: "transfer", status: "settled" } as const, entry)
        )
        assert.sameDeepMembers([...one.entries], wanted)
        for (const chunking of [cut, "bytes"] as const) {
          assert.deepStrictEqual((yield* read(format, text === "" ? "\n" : text, {}, chunking)).slices, one.slices)
        }
      })),
    { arbitrary: { runs: 150 } }
  )

  it.effect.prop(
    "beside any other bytes: nothing is lost, and any parts of the bytes give the same slices",
    [
      Schema.Array(
        Schema.Union([Schema.Literals([10, 13, 34, 44, 92, 123, 125, 0xef, 0xbb, 0xbf, 0xff, 0xc3, 0xf0, 0xe2]), Cut])
      ),
      Cut,
      Schema.Literals(["ndjson", "csv"])
    ],
    ([noise, cut, format]) =>
      at(Effect.gen(function*() {
        const before = format === "ndjson" ? `${line("a")}\n` : `id,asset,amount,at\na,USDT,1,${NOON}\n`
        const bytes = around(before, noise, "")
        const more = { maxLine: 100 }
        const one = yield* read(format, bytes, more)
        assert.strictEqual(one.entries[0]?.id, "a")
        const lines = new TextDecoder().decode(Uint8Array.from(noise)).split(/[\n\r]/).filter((line) =>
          line.trim() !== ""
        )
        if (format === "ndjson") assert.strictEqual(one.bad.length, lines.length)
        else if (lines.length > 0) assert.isAbove(one.bad.length, 0)
        for (const chunking of [cut, "bytes"] as const) {
          assert.deepStrictEqual((yield* read(format, bytes, more, chunking)).slices, one.slices)
        }
      })),
    { arbitrary: { runs: 200 } }
  )
})
