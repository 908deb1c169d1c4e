import { assert, it } from "@effect/vitest"
import * as RecordFile from "@tallystick/cli/archive/RecordFile"
import * as RecordKind from "@tallystick/cli/archive/RecordKind"
import * as RecordText from "@tallystick/cli/archive/RecordText"
import type * as Slice from "@tallystick/core/Slice"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as EntryStream from "@tallystick/reconcile/EntryStream"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { directory, layerFiles } from "./support/Run.ts"
import { DRIVING, text } from "./support/Stranger.ts"

const AT = Date.UTC(2026, 10, 19, 8)
const formats = ["ndjson", "csv", "json"] as const

const Time = Schema.Int.check(Schema.isBetween({ minimum: AT - 1e9, maximum: AT }))
/** Without -0, which JSON does not know. */
const Status = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 99 }))
const Deposit = SubAccountDeposit.SubAccountDeposit.mapFields((fields) => ({
  ...fields,
  status: Status,
  insertTime: Time
}))
const Transfer = UniversalTransfer.UniversalTransfer.mapFields((fields) => ({ ...fields, timestamp: Time }))

const nasty = [
  "=1+1",
  "+1",
  "-2",
  "@sum",
  "'=x",
  "'",
  "\"",
  "a,b",
  "a\r\nb",
  "a\nb",
  "a\rb",
  "\t",
  " x ",
  "",
  "\uFEFF",
  "＝1",
  ";"
]

const strange = Effect.gen(function*() {
  const pick = yield* Random.nextIntBetween(0, nasty.length * 2)
  return nasty[pick] ?? (yield* text)
})

/** A record of which every text that may be anything is a stranger's. */
const estranged = Effect.fnUntraced(function*<Record extends object>(record: Record) {
  const open = ["network", "address", "txId", "memo", "fromAccount", "toAccount", "clientTranId", "fromSymbol"]
  const texts = yield* Effect.forEach(
    open.filter((key) => key in record),
    (key) => Effect.map(strange, (value) => [key, value] as const)
  )
  return Object.assign({}, record, Object.fromEntries(texts))
})

const roundTrip = Effect.fnUntraced(function*<Record extends object>(
  kind: RecordKind.RecordKind<Record>,
  records: ReadonlyArray<Record>
) {
  yield* TestClock.setTime(AT)
  const { put } = yield* directory
  const strangers = [...records, ...(yield* Effect.forEach(records, estranged))]
  for (const format of formats) {
    const chunks = yield* Stream.fromIterable(strangers).pipe(
      Stream.rechunk(2),
      RecordText.texts(kind, format),
      Stream.runCollect
    )
    const written = chunks.join("")
    assert.isNull(DRIVING.exec(written), format)
    const file = yield* put(`records.${format}`, written)
    const read = yield* Stream.runCollect(RecordFile.read(kind, file))
    assert.deepStrictEqual(read.map((one) => Result.getOrElse(one, (reject) => reject)), strangers, format)
  }
})

const parse = Effect.fnUntraced(function*(content: string) {
  const { put } = yield* directory
  return yield* Stream.runCollect(RecordFile.read(RecordKind.deposits, yield* put("file", content)))
})

const deposit = (changes: object = {}) => ({
  amount: "1.50",
  coin: "BTC",
  network: "BTC",
  status: 5,
  address: "bc1q",
  txId: "t1:0",
  unlockConfirm: "2",
  confirmTimes: "2",
  insertTime: AT,
  memo: "",
  ...changes
})

const rejects = <A>(read: ReadonlyArray<RecordFile.Read<A>>) =>
  read.flatMap((one) => (Result.isFailure(one) ? [one.failure] : []))

/** What the library reads of bytes that the command wrote. */
const entriesOf = Effect.fnUntraced(function*<Record extends object>(
  side: Entry.Side,
  kind: RecordKind.RecordKind<Record>,
  records: ReadonlyArray<Record>
) {
  yield* TestClock.setTime(AT)
  const options = { side, policy: Policy.defaults, accounts: { list: [], complete: false }, coverage: [] }
  const written = (records: ReadonlyArray<Record>, format: RecordText.Format) =>
    Stream.encodeText(RecordText.texts(kind, format)(Stream.fromIterable(records)))
  const read = <E>(slices: Stream.Stream<Slice.Slice<Entry.Entry>, E>) =>
    Effect.map(Stream.runCollect(slices), (slices) => ({
      entries: slices.flatMap(({ records }) => records),
      bad: slices.flatMap(({ bad }) => bad.map(({ path, reason }) => [path, reason]))
    }))
  const own = (records: ReadonlyArray<Record>) =>
    read(EntryStream.fromRows(
      Stream.map(Stream.fromIterable(records), (value) => Result.succeed({ value, source: "", raw: "" })),
      options
    ))
  const strangers = [...records, ...(yield* Effect.forEach(records, estranged))]
  assert.deepStrictEqual(
    yield* read(EntryStream.fromNdjson(written(strangers, "ndjson"), options)),
    yield* own(strangers)
  )
  // A cell shows a stranger's text so that a spreadsheet can open it, and an empty cell is absent.
  const isPlain = ([key, value]: readonly [string, unknown]): boolean =>
    /^[a-zA-Z0-9.]+$/.test(String(value)) || (key === "memo" && value === "")
  const plain = records.filter((record) => Object.entries(record).every(isPlain))
  assert.deepStrictEqual(yield* read(EntryStream.fromCsv(written(plain, "csv"), options)), yield* own(plain))
  return plain.length
})

it.layer(Layer.merge(layerFiles, Stdio.layerTest({})))("a file of records", (it) => {
  it.effect.prop(
    "gives deposits back exactly in every format, whatever strangers wrote into them",
    [Schema.Array(Deposit), Schema.Int],
    ([records, seed]) => Effect.scoped(roundTrip(RecordKind.deposits, records)).pipe(Random.withSeed(seed)),
    { arbitrary: { runs: 60 } }
  )

  it.effect.prop(
    "gives transfers back exactly in every format, whatever strangers wrote into them",
    [Schema.Array(Transfer), Schema.Int],
    ([records, seed]) => Effect.scoped(roundTrip(RecordKind.transfers, records)).pipe(Random.withSeed(seed)),
    { arbitrary: { runs: 60 } }
  )

  it.effect.prop(
    "is read by the library as the records themselves are",
    [Schema.Array(Deposit), Schema.Array(Transfer), Schema.Int],
    ([deposits, transfers, seed]) =>
      Effect.gen(function*() {
        yield* entriesOf("deposit", RecordKind.deposits, deposits)
        yield* entriesOf("transfer", RecordKind.transfers, transfers)
        const many = Array.from(
          { length: 20 },
          (_, index) => deposit({ txId: `t${index % 15}`, insertTime: AT - index })
        )
        assert.strictEqual(yield* entriesOf("deposit", RecordKind.deposits, many), 20)
      }).pipe(Random.withSeed(seed)),
    { arbitrary: { runs: 40 } }
  )

  it.effect("shows a spreadsheet no formula", () =>
    Effect.gen(function*() {
      const lines = yield* Stream.make(deposit({ memo: "=HYPERLINK(\"http://x\")", txId: "@x" })).pipe(
        Stream.map((one) => Result.getOrThrow(RecordKind.deposits.decode(one))),
        RecordText.texts(RecordKind.deposits, "csv"),
        Stream.runCollect
      )
      for (const cell of lines.join("").split(/[,\n]/)) assert.notMatch(cell, /^"?[=+\-@]/)
    }))

  it.effect("takes an exact text only where its cell shows it", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(AT)
      const { columns } = RecordKind.deposits
      const [amount, address] = ["999999", "bc1-of-somebody-else"]
      const honest = deposit({ memo: "=1+1\n", network: "\u200B" })
      const cells = columns.map((column) =>
        column === "memo" ? "'=1+1 " : String(Reflect.get(deposit({ network: "" }), column))
      )
      const line = (exact: unknown) =>
        [...cells, JSON.stringify(exact)].map((cell) => `"${cell.replaceAll("\"", "\"\"")}"`).join(",")
      const lines = [
        { memo: honest.memo, network: honest.network },
        { amount },
        { memo: honest.memo, address },
        { memo: "=1+2" },
        { insertTime: `${AT}0` },
        { amount: "1.50 " },
        { colour: "red" },
        { exact: "{}" },
        { amount: 1.5 }
      ].map(line)
      const read = yield* parse([[...columns, "exact"].join(","), ...lines, ""].join("\n"))
      assert.deepStrictEqual(read.slice(0, 1).map((one) => Result.getOrElse(one, (reject) => reject)), [honest])
      const refused = rejects(read)
      assert.deepStrictEqual(
        refused.map(({ line, path }) => [line, path]),
        [3, 4, 5, 6, 7, 8, 9, 10].map((line) => [line, "exact"])
      )
      assert.deepStrictEqual(refused.map(({ raw }) => raw), lines.slice(1))
      assert.strictEqual(
        refused[0]?.reason,
        "it gives amount a text that its cell does not show: correct one of the two, or empty exact"
      )
      for (const { reason } of refused) assert.notInclude(reason, amount)
    }))

  it.effect("keeps a cell of nothing but line breaks, in time that grows with its length", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(AT)
      const memo = "\n".repeat(400_000)
      const cells = RecordKind.deposits.columns.map((column) => `"${String(Reflect.get(deposit({ memo }), column))}"`)
        .join(",")
      const read = yield* parse(`${RecordKind.deposits.columns.join(",")}\n${cells}\n${cells},\n`)
      assert.deepStrictEqual(read.slice(0, 1), [Result.succeed(deposit({ memo }))])
      assert.deepStrictEqual(rejects(read).map(({ raw }) => raw), [`${cells},`])
    }))

  it.effect("keeps every line: what is no record has its line, its field and why", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(AT)
      const lines = [
        JSON.stringify(deposit()),
        "{\"coin\": \"BTC\", ",
        "",
        JSON.stringify(deposit({ amount: 1.5 })),
        JSON.stringify(deposit({ insertTime: AT / 1000 })),
        JSON.stringify({ tranId: "1" }),
        "17",
        JSON.stringify({ id: "a", asset: "BTC", amount: "1", at: AT })
      ]
      const read = yield* parse(lines.join("\n"))
      assert.strictEqual(read.length, 7)
      const refused = rejects(read)
      assert.deepStrictEqual(refused.map(({ line }) => line), [2, 4, 5, 6, 7, 8])
      assert.deepStrictEqual(
        refused.map(({ raw }) => raw),
        lines.filter((line) => line !== "").slice(1).map((line) => line.trim())
      )
      assert.deepStrictEqual(refused.map(({ path }) => path), ["", "amount", "insertTime", "", "", ""])
      assert.match(refused[2]?.reason ?? "", /these are seconds/)
      assert.match(refused[3]?.reason ?? "", /a transfer record among the deposits/)
      assert.match(refused[5]?.reason ?? "", /an entry of a ledger among the deposits/)
    }))

  it.effect("tells the records of a JSON array by their number, because they may share a line", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(AT)
      const text = `[${JSON.stringify(deposit())}, ${JSON.stringify(deposit({ amount: 1.5 }))}, nonsense, {"coin": "B`
      assert.deepStrictEqual(rejects(yield* parse(text)).map(({ line, record }) => [line, record]), [[1, 2], [1, 3], [
        1,
        4
      ]])
      const lines = `${JSON.stringify(deposit())}\nnonsense\n`
      assert.deepStrictEqual(rejects(yield* parse(lines)).map(({ line, record }) => [line, record]), [[2, undefined]])
    }))

  it.effect("refuses a file of something else as a whole, and says where it belongs", () =>
    Effect.gen(function*() {
      const told = (content: string) => Effect.map(Effect.flip(parse(content)), (error) => error.message)
      const entry = { id: "a", asset: "BTC", amount: "1", at: AT }
      assert.match(yield* told(JSON.stringify(entry)), /plain entries of a ledger .*reconcile reads them/)
      assert.match(yield* told(`[${JSON.stringify(entry)}]`), /plain entries of a ledger/)
      assert.match(yield* told("id,asset,amount,at\na,BTC,1,2026-11-19\n"), /plain entries of a ledger/)
      assert.match(yield* told("tranId,asset\n1,BTC\n"), /this file holds transfer records/)
      assert.match(yield* told("name,colour\nx,red\n"), /this file holds something else: name,colour/)
      assert.match(yield* told("coin,insertTime,coin\n"), /two columns are named "coin"/)
    }))

  it.effect("refuses a CSV file with a column that is nearly one of its kind", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(AT)
      const known = [...RecordKind.deposits.columns, "exact"]
      const cells = known.map((column) => String(Reflect.get(deposit(), column) ?? "")).join(",")
      const cases = [
        ["memo", "Memo"],
        ["memo", "'memo'"],
        ["memo", "mémo"],
        ["memo", "\u200Bmemo"],
        ["memo", "ｍｅｍｏ"],
        ["txId", "tx_id"],
        ["network", "netWork"],
        ["confirmTimes", "Confirm Times"],
        ["exact", "Exact"]
      ] as const
      for (const [column, written] of cases) {
        const header = known.map((name) => name === column ? written : name).join(",")
        const failure = yield* Effect.flip(parse(`${header}\n${cells}\n`))
        assert(failure._tag === "Failure", written)
        assert.strictEqual(failure.exitCode, 2)
        assert.include(failure.message, `line 1: the column "${written}" would not be read; name it "${column}"`)
      }
      const others = `${known.join(",")},note,memory,Coins\n${cells},a,b,c\n`
      assert.deepStrictEqual(yield* parse(others), [Result.succeed(deposit())])
    }))

  it.effect("reads a CSV longer than a piece row by row, whatever stands in its cells", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(AT)
      const rows = Array.from({ length: 9000 }, (_, n) =>
        n % 1000 === 7 ? `"a"b,BTC,${AT},broken` : `1.5,BTC,${AT},"line ${n}\r\n""two"", and\nthree"`)
      const read = yield* parse(`amount,coin,insertTime,memo,status,txId\r\n${
        rows.map((row) => `${row},5,t\r\n`).join("")
      }`)
      const refused = rejects(read)
      assert.deepStrictEqual(refused.length, 9)
      assert.strictEqual(read.length, 9000)
      const numbered = read.flatMap((one) => (Result.isSuccess(one) ? [one.success.memo] : []))
      assert.strictEqual(numbered.at(-1), "line 8999\r\n\"two\", and\nthree")
      // Three lines a row, one where it is broken, and the header.
      assert.strictEqual(refused.at(-1)?.line, 2 + 8007 * 3 - 8 * 2)
    }))

  it.effect("loses nothing of a CSV in which a quote is never closed", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(AT)
      const row = `1.5,BTC,${AT},m,5,t\n`
      const body = `${row.repeat(100)}1.5,BTC,${AT},"m,5,t\n${row.repeat(120_000)}`
      const read = yield* parse(`amount,coin,insertTime,memo,status,txId\n${body}`)
      const refused = rejects(read)
      assert.strictEqual(read.length - refused.length, 120_100)
      assert.deepStrictEqual(refused.map(({ line }) => line), [102])
    }))

  it.effect("reads an export whose lines end in any way, with another delimiter, and blank lines before it", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(AT)
      for (const end of ["\n", "\r\n", "\r"]) {
        const read = yield* parse(
          ["\uFEFF", "amount;coin;insertTime;memo;status;txId;extra", `1;BTC;${AT};"a;b";5;t;x`, `2;BTC;${AT};;5;t;`]
            .join(end)
        )
        assert.deepStrictEqual(rejects(read), [])
        assert.strictEqual(read.length, 2)
      }
      assert.deepStrictEqual(yield* parse(""), [])
      assert.deepStrictEqual(yield* parse("\n \n"), [])
    }))
})
