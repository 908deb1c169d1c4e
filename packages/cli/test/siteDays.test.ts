/** `tallystick site` calls no day settled of which the archive itself says that it may be otherwise. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as Periods from "@tallystick/archive/Periods"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { readFileSync } from "node:fs"
import * as SitePages from "../src/booksite/SitePages.ts"
import { archive, AT, DAY, deposit, ndjson, transfer } from "./support/Imports.ts"
import { layerFiles, layerNoNetwork } from "./support/Run.ts"

const MINUTE = 60_000

/** Books of 20 to 22 November, in which each day has a deposit that was moved. Up to 27 November everything was read. */
const begun = Effect.gen(function*() {
  const all = yield* archive
  const { at, put, run } = all
  yield* TestClock.setTime(AT + 12 * DAY)
  const noon = (day: number) => day * DAY + 4 * 60 * MINUTE
  const days = [1, 2, 3]
  const accounts = yield* put("accounts.json", JSON.stringify({ list: ["sub00001"], complete: true }))
  const addresses = yield* put("addresses.json", JSON.stringify([{ account: "sub00001", address: "bc1q" }]))
  const deposits = yield* put("d.ndjson", ndjson(days.map((day) => deposit(noon(day)))))
  const transfers = yield* put("t.ndjson", ndjson(days.map((day) => transfer(noon(day) + MINUTE))))
  const covers = ["--covers-from", "2026-11-17", "--covers-to", "2026-11-27"]
  const read = yield* run("import", "--deposits", deposits, "--transfers", transfers, ...covers)
  assert.strictEqual(read.exitCode, 0, read.stderr)
  const settings = ["--accounts", accounts, "--addresses", addresses]
  const book = (...range: ReadonlyArray<string>) =>
    run("reconcile", "--archive", "--book", "--by", "clerk", ...settings, ...range)
  const pages = Effect.gen(function*() {
    const made = yield* run("site", "--out", at("public"))
    assert.strictEqual(made.exitCode, 0, made.stderr)
    const page = (name: string): string => readFileSync(at(`public/${name}`), "utf8")
    const told = (text: string): string =>
      (/class="verdict[^>]*>(.*?)<\/p>/s.exec(text)?.[1] ?? "").replace(/<.*> /, "")
    return { index: told(page("index.html")), day: (day: number) => told(page(`days/2026-11-${day}.html`)) }
  })
  const exclude = (id: string) =>
    Effect.map(
      run("decide", "exclude", id, "--reason", "test", "--words", "a test", "--by", "clerk"),
      ({ exitCode, stderr }) => assert.strictEqual(exitCode, 0, stderr)
    )
  /** Writes the pages while somebody else does something once, and tells how often the books were read for that. */
  const meanwhile = Effect.fnUntraced(function*<E, R>(somebody: Effect.Effect<unknown, E, R>) {
    const done = Effect.provide(somebody, yield* Effect.context<R>())
    let times = 0
    const written = Effect.gen(function*() {
      const periods = yield* Periods.Periods
      const lacking: typeof periods.lacking = (days) =>
        Effect.suspend(() => {
          times += 1
          return times === 1 ? Effect.andThen(Effect.orDie(done), periods.lacking(days)) : periods.lacking(days)
        })
      yield* SitePages.write(at("public"), {}).pipe(
        Effect.provideService(Periods.Periods, Periods.Periods.of({ ...periods, lacking }))
      )
    })
    yield* Effect.scoped(written).pipe(
      Effect.provide([Archive.Archive.layerSqlite({ file: at("books.db") }), NodeServices.layer])
    )
    return times
  })
  return { ...all, book, covers, exclude, meanwhile, pages }
})

const range = ["--from", "2026-11-20", "--to", "2026-11-23"]

const AGREES = "This day agrees: all of it was read and judged, and nothing of it waits."

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("the days of tallystick site", (it) => {
  it.effect("agree no more after a later record, a decision or its revocation, until they are reconciled again", () =>
    Effect.gen(function*() {
      const { book, covers, exclude, pages, put, run } = yield* begun
      const settled = yield* book(...range)
      assert.strictEqual(settled.exitCode, 0, settled.stderr + settled.stdout)
      const before = yield* pages
      assert.strictEqual(before.index, "Nothing waits in the books.")
      for (const day of [20, 21, 22]) assert.strictEqual(before.day(day), AGREES)

      const late = yield* put("late.ndjson", ndjson([deposit(DAY, { amount: "500", txId: "late:0" })]))
      yield* run("import", "--deposits", late, ...covers)
      const after = yield* pages
      assert.match(after.index, /^\d days? not decided\.$/)
      assert.strictEqual(after.day(20), "This day is not decided: it has time that must be reconciled again.")
      const refused = yield* run("close", "--to", "2026-11-20", "--by", "clerk")
      assert.include(refused.stderr + refused.stdout, "may be otherwise by now")
      yield* book(...range)
      const again = yield* pages
      assert.strictEqual(again.day(20), "1 break of this day is open.")
      assert.strictEqual(again.day(22), AGREES)

      yield* exclude("late:0")
      yield* book(...range)
      assert.strictEqual((yield* pages).day(20), AGREES)
      const undone = yield* run("undo", "--words", "it was none", "--by", "clerk")
      assert.strictEqual(undone.exitCode, 0, undone.stderr)
      assert.strictEqual((yield* pages).day(20), "This day is not decided: it has time that must be reconciled again.")
    }))

  it.effect("are not decided where time behind them was not read in which counterparts may lie", () =>
    Effect.gen(function*() {
      const { book, pages, run } = yield* begun
      yield* book("--from", "2026-11-20", "--to", "2026-11-27")
      const { day } = yield* pages
      assert.strictEqual(day(20), AGREES)
      assert.strictEqual(
        day(26),
        "This day is not decided: it has entries whose counterparts may lie in time that was not read."
      )
      const refused = yield* run("close", "--to", "2026-11-26", "--by", "clerk")
      assert.include(refused.stderr + refused.stdout, "were read when it was made")
    }))

  it.effect("are not decided where their run met a record that could not be read, though its text tells no time", () =>
    Effect.gen(function*() {
      const { at, book, pages, run } = yield* begun
      const slice = { from: Date.UTC(2026, 10, 20, 3), to: Date.UTC(2026, 10, 20, 4) }
      const raw = JSON.stringify(deposit(9, { amount: "500", insertTime: "soon" }))
      const bad = [{ side: "deposit", source: "page 1, record 1", path: "insertTime", reason: "no time", raw }] as const
      const part = { operation: "deposits", ...slice, readAt: AT + DAY, state: "complete" } as const
      yield* Archive.Archive.use(({ deposits }) => deposits.saveSlice({ ...slice, records: [], bad, coverage: [part] }))
        .pipe(Effect.provide(Archive.Archive.layerSqlite({ file: at("books.db") })))
      const doubtful = yield* book(...range)
      assert.strictEqual(doubtful.exitCode, 1, doubtful.stderr)
      const { day, index } = yield* pages
      assert.match(index, /1 record that could not be read and 3 days not decided\.$/)
      for (const number of [20, 21, 22]) assert.include(day(number), "1 record near it that could not be read")
      const refused = yield* run("close", "--to", "2026-11-20", "--by", "clerk")
      assert.include(refused.stderr + refused.stdout, "could not be read")
    }))

  it.effect("are of the same moment as the items, though somebody reconciles while they are made", () =>
    Effect.gen(function*() {
      const { at, book, covers, meanwhile, pages, put, run } = yield* begun
      yield* book(...range)
      const late = yield* put("late.ndjson", ndjson([deposit(DAY, { amount: "500", txId: "late:0" })]))
      yield* run("import", "--deposits", late, ...covers)
      assert.strictEqual(yield* meanwhile(book(...range)), 2)
      const page = readFileSync(at("public/days/2026-11-20.html"), "utf8")
      assert.include(page, "1 break of this day is open.")
      assert.strictEqual((yield* pages).day(20), "1 break of this day is open.")
    }))

  it.effect("are of the same moment as the items, though somebody writes the books anew while they are made", () =>
    Effect.gen(function*() {
      const { book, meanwhile, run } = yield* begun
      yield* book(...range)
      assert.strictEqual(yield* meanwhile(run("archive", "rebuild")), 2)
    }))

  it.effect("have of an item whose first entry is settled a page that leads to where its other entries wait", () =>
    Effect.gen(function*() {
      const { at, book, covers, exclude, pages, put, run } = yield* begun
      const noon = DAY + 6 * 60 * MINUTE
      const moved = (amount: string, n: number) => transfer(noon + n * 5 * MINUTE, { amount, tranId: `900${n}` })
      const unequal = yield* put("d7.ndjson", ndjson([deposit(noon, { amount: "7", txId: "c:0" })]))
      const less = yield* put("t7.ndjson", ndjson([moved("6.9", 1)]))
      yield* run("import", "--deposits", unequal, "--transfers", less, ...covers)
      yield* book(...range)
      yield* pages
      const items = OpenItems.OpenItems.use(({ list }) => list()).pipe(
        Effect.provide(Archive.Archive.layerSqlite({ file: at("books.db") }))
      )
      const [both] = yield* items
      assert.deepStrictEqual(both?.entries.map(({ id }) => id.replace(/~.*/, "")), ["c:0", "9001"])
      const page = (id: string | undefined) => readFileSync(at(`public/items/${id}.html`), "utf8")
      assert.match(page(both?.id), /amount difference/i)

      const equal = yield* put("t8.ndjson", ndjson([moved("7", 2)]))
      yield* run("import", "--transfers", equal, ...covers)
      yield* book(...range)
      yield* pages
      const [other, ...rest] = yield* items
      assert.deepStrictEqual(rest, [])
      assert.deepStrictEqual(other?.entries.map(({ id }) => id), ["9001"])
      const former = page(both?.id)
      assert.match(former, /Its first entry is <span class="tag [a-z]+">settled: matched<\/span> since/)
      assert.include(former, `wait on, in 1 other item: <a href="${other?.id}.html">`)
      yield* exclude("9001")
      yield* book(...range)
      yield* pages
      assert.match(page(both?.id), /<span class="tag [a-z]+">settled: matched<\/span> at /)
    }))
})
