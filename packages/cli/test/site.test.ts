/** `tallystick site`: the books as pages, written anew where the archive tells something new. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { kept, sandbox } from "./support/Books.ts"

const STATE = "tallystick-site.json"

/** The pages of a folder and its style, by their names. */
const filesOf = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && /\.(?:html|css)$/.test(file.name))
      .map((file) => join(file.parentPath, file.name))
      .toSorted()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")])
  )

const written = (stderr: string): readonly [number, number] => {
  const [, one = "", all = ""] = /site: ([\d,]+) of ([\d,]+) pages? written/.exec(stderr) ?? []
  return [Number(one), Number(all)]
}

/** Books that were brought forward, and a folder for their pages. */
const begun = Effect.gen(function*() {
  const all = yield* kept
  const folder = all.at("public")
  const site = (...more: ReadonlyArray<string>) => all.run(["site", "--out", folder, ...more])
  yield* all.book()
  return { ...all, folder, site, page: (name: string) => readFileSync(join(folder, name), "utf8") }
})

/** An archive before its first execution, a way back to that, and a folder for the pages of its books. */
const beforeBooks = Effect.gen(function*() {
  const all = yield* kept
  const archive = all.at("books.db")
  const copy = readFileSync(archive)
  const restored = Effect.sync(() => {
    for (const rest of ["-wal", "-shm"]) rmSync(archive + rest, { force: true })
    writeFileSync(archive, copy)
  })
  const folder = all.at("public")
  const site = () => all.run(["site", "--out", folder])
  return { ...all, restored, folder, site, page: (name: string) => readFileSync(join(folder, name), "utf8") }
})

it.layer(sandbox, { excludeTestServices: true })("tallystick site", (it) => {
  it.effect("writes an index, a page a day and a page an item, and the second time nothing", () =>
    Effect.gen(function*() {
      const { folder, listed, page, site } = yield* begun
      const first = yield* site("--title", "Example Ltd")
      assert.strictEqual(first.exitCode, 0, first.stderr)
      const [one, all] = written(first.stderr)
      assert.strictEqual(one, all)
      const files = filesOf(folder)
      assert.strictEqual(all, Array.from(files.keys()).filter((name) => name.endsWith(".html")).length)
      const items = yield* listed
      assert.isAbove(items.length, 3)
      for (const { entries, id } of items) {
        const text = page(`items/${id}.html`)
        for (const entry of entries) assert.include(text, entry.id.replaceAll("&", "&amp;"))
      }
      const index = page("index.html")
      assert.include(index, "The books of Example Ltd")
      assert.match(index, /<td class="breaks"><a href="days\/2026-11-\d\d\.html">/)
      for (const [name, text] of files) {
        for (const [, link = ""] of text.matchAll(/ href="([^"]+)"/g)) {
          assert.isTrue(existsSync(join(folder, name, "..", link)), `${name} leads to ${link}`)
        }
      }

      const times = () => Array.from(files.keys(), (name) => statSync(join(folder, name)).mtimeMs)
      const before = times()
      const second = yield* site("--title", "Example Ltd")
      assert.deepStrictEqual(written(second.stderr), [0, all])
      assert.include(second.stderr, "nothing is new")
      assert.deepStrictEqual(times(), before)
      assert.deepStrictEqual(written((yield* site("--title", "Other Ltd")).stderr), [all, all])
    }))

  it.effect("comes to the same pages however often it ran in between, and keeps the page of what is settled since", () =>
    Effect.gen(function*() {
      const { at, book, folder, listed, page, put, run, site } = yield* begun
      yield* site()
      const before = yield* listed
      const [first, second] = before.filter(({ entries, state }) => state === "open" && entries.length === 1)
      const [settled, noted] = [first?.entries[0]?.id ?? "", second?.entries[0]?.id ?? ""]
      const prices = yield* put("prices.json", JSON.stringify({ BTC: "65000.12", USDT: "1" }))
      const steps = [
        run(["decide", "note", noted, "--words", "we <b>asked</b> them"]),
        run(["decide", "exclude", settled, "--reason", "test", "--words", "a test of ours"]),
        book("--prices", prices, "--prices-in", "USD"),
        run(["undo", "--words", "it was none"]),
        book()
      ]
      const counts: Array<number> = []
      for (const step of steps) {
        yield* step
        const [count] = written((yield* site()).stderr)
        counts.push(count)
        const fresh = at(`fresh-${counts.length}`)
        yield* run(["site", "--out", fresh])
        const [mine, anew] = [filesOf(folder), filesOf(fresh)]
        for (const [name, text] of anew) assert.strictEqual(mine.get(name), text, name)
        // What was written before stays, and is told anew.
        const kept = Array.from(mine.keys()).filter((name) => !anew.has(name))
        assert.isTrue(kept.every((name) => name.startsWith("items/")), kept.join(" "))
        if (counts.length === 3) {
          assert.deepStrictEqual(kept, [`items/${first?.id ?? ""}.html`])
          assert.match(page(`items/${first?.id ?? ""}.html`), /settled: out of the books<\/span> at .*execution 4\./)
        }
        // Without its memory it writes everything anew, and comes to the same.
        rmSync(join(folder, STATE))
        const [all, of] = written((yield* site()).stderr)
        assert.strictEqual(all, of)
        assert.deepStrictEqual(filesOf(folder), mine)
      }
      // A note changes the page of its item, the day of it and the index.
      assert.strictEqual(counts[0], 3)
      assert.include(page(`items/${second?.id ?? ""}.html`), "we &lt;b&gt;asked&lt;/b&gt; them")
    }))

  it.effect("tells no place of this machine, and has a command to copy that looks an item up and asks nothing anew", () =>
    Effect.gen(function*() {
      const { at, folder, listed, page, run, site } = yield* begun
      const done = yield* site("--archive-file", at("books.db"))
      assert.strictEqual(done.exitCode, 0, done.stderr)
      for (const [name, text] of filesOf(folder)) {
        for (const told of [at("").replace(/\/$/, ""), "--dry-run"]) assert.notInclude(text, told, name)
      }
      const item = (yield* listed).find(({ state }) => state === "open")
      assert.isDefined(item)
      const commands = Array.from(
        page(`items/${item.id}.html`).matchAll(/<code>tallystick ([^<]+)<\/code>/g),
        ([, text = ""]) => text
      )
      assert.deepStrictEqual(commands, [`item ${item.id}`])
      const told = yield* run(["item", item.id])
      assert.strictEqual(told.exitCode, 0, told.stderr)
      assert.include(told.stdout, item.entries[0]?.id ?? "")
    }))

  it.effect("replaces no file of somebody else's, writes a lost page again, and gives way to another run", () =>
    Effect.gen(function*() {
      const { folder, put, site } = yield* begun
      mkdirSync(folder)
      yield* put("public/index.html", "<p>mine</p>")
      const refused = yield* site()
      assert.strictEqual(refused.exitCode, 3)
      assert.include(refused.stderr, "index.html was not written by tallystick site, and is not replaced")
      assert.deepStrictEqual(Array.from(filesOf(folder)), [["index.html", "<p>mine</p>"]])
      rmSync(join(folder, "index.html"))
      const [all] = written((yield* site()).stderr)
      writeFileSync(join(folder, "notes.txt"), "mine")
      const [lost = ""] = readdirSync(join(folder, "days"))
      rmSync(join(folder, "days", lost))
      assert.deepStrictEqual(written((yield* site()).stderr), [1, all])
      assert.isTrue(existsSync(join(folder, "days", lost)))
      assert.strictEqual(readFileSync(join(folder, "notes.txt"), "utf8"), "mine")
      // A file beside a page is somebody else's, also one behind a link.
      writeFileSync(join(folder, "index.html.tmp"), "mine")
      symlinkSync(join(folder, "notes.txt"), join(folder, "tallystick.css.tmp"))
      writeFileSync(join(folder, STATE), JSON.stringify({ format: "tallystick-site" }))
      const left = join(folder, "days", ".tallystick-site.4f1c7c2e-9c3b-4a53-9f0a-0f6f3f6b9a11.tmp")
      writeFileSync(left, "half")
      assert.deepStrictEqual(written((yield* site()).stderr), [all, all])
      for (const name of ["index.html.tmp", "notes.txt"]) {
        assert.strictEqual(readFileSync(join(folder, name), "utf8"), "mine")
      }
      assert.isFalse(existsSync(left))
      const state = readFileSync(join(folder, STATE))
      writeFileSync(join(folder, STATE), "my own list")
      const foreign = yield* site()
      assert.strictEqual(foreign.exitCode, 3)
      assert.include(foreign.stderr, `${STATE} was not written by tallystick site, and is not replaced`)
      assert.strictEqual(readFileSync(join(folder, STATE), "utf8"), "my own list")
      writeFileSync(join(folder, STATE), state)

      const other = new DatabaseSync(join(folder, ".tallystick-site.lock"))
      other.exec("BEGIN EXCLUSIVE")
      const waits = yield* site()
      other.close()
      assert.strictEqual(waits.exitCode, 3)
      assert.include(waits.stderr, "another run of tallystick site writes to ")
      assert.strictEqual((yield* site()).exitCode, 0)
    }))

  it.effect("mends a page that somebody damaged, and what a run left behind that failed", () =>
    Effect.gen(function*() {
      const { folder, site } = yield* begun
      yield* site("--title", "First Ltd")
      const before = filesOf(folder)
      const pages = Array.from(before.keys())
      const day = pages.find((name) => name.startsWith("days/")) ?? ""
      const item = pages.find((name) => name.startsWith("items/")) ?? ""
      writeFileSync(join(folder, day), "")
      writeFileSync(join(folder, item), (before.get(item) ?? "").replaceAll("open", "agrees"))
      rmSync(join(folder, "tallystick.css"))
      const mended = yield* site("--title", "First Ltd")
      assert.strictEqual(written(mended.stderr)[0], 2, mended.stderr)
      assert.deepStrictEqual(filesOf(folder), before)

      // A run that fails in the middle leaves new pages beside what the folder remembers of old ones.
      const state = readFileSync(join(folder, STATE))
      yield* site("--title", "Second Ltd")
      writeFileSync(join(folder, STATE), state)
      yield* site("--title", "First Ltd")
      assert.deepStrictEqual(filesOf(folder), before)
    }))

  it.effect("says of an item that its books do not know that they know none, and tells of it again once they do", () =>
    Effect.gen(function*() {
      const { at, book, listed, page, restored, run, site, folder } = yield* beforeBooks
      yield* book()
      yield* site()
      const items = yield* listed
      const before = filesOf(folder)
      yield* restored
      for (const again of [false, true]) {
        if (again) rmSync(join(folder, STATE))
        yield* site()
        yield* run(["site", "--out", at(`fresh-${String(again)}`)])
        const [mine, fresh] = [filesOf(folder), filesOf(at(`fresh-${String(again)}`))]
        for (const [name, text] of fresh) assert.strictEqual(mine.get(name), text, name)
        assert.deepStrictEqual(Array.from(mine.keys()), Array.from(before.keys()))
        for (const { entries, id } of items) {
          const text = page(`items/${id}.html`)
          assert.include(text, `These books know no item <code>${id}</code>.`)
          for (const told of ["What to do", ...entries.map((entry) => entry.id)]) assert.notInclude(text, told)
        }
      }
      yield* book()
      yield* site()
      for (const { entries, id } of items) assert.include(page(`items/${id}.html`), entries[0]?.id ?? "")
    }))

  it.effect("writes all pages anew where other executions of the same numbers say otherwise what the outcomes are", () =>
    Effect.gen(function*() {
      const { at, book, folder, put, restored, run, site } = yield* beforeBooks
      yield* book()
      yield* site()
      yield* restored
      yield* book("--policy", yield* put("policy.json", JSON.stringify({ late: "20 hours" })))
      yield* site()
      yield* run(["site", "--out", at("fresh")])
      const mine = filesOf(folder)
      for (const [name, text] of filesOf(at("fresh"))) assert.strictEqual(mine.get(name), text, name)
    }))

  it.effect("tells anew what stood in the books otherwise than it should, once they are written anew", () =>
    Effect.gen(function*() {
      const { at, folder, page, run, site } = yield* begun
      const database = new DatabaseSync(at("books.db"))
      // The history alone is damaged: where the entries stand is as it was.
      database.exec("UPDATE entry_history SET amount = '4711'")
      yield* site()
      const item = Array.from(filesOf(folder).keys()).find((name) => name.startsWith("items/")) ?? ""
      assert.include(page(item), "4711")
      assert.strictEqual((yield* run(["archive", "rebuild"])).exitCode, 0)
      const [told, all] = written((yield* site()).stderr)
      // Every page is made anew, and those alone are written that come to another text.
      assert.isAbove(told, 0)
      assert.isBelow(told, all)
      yield* run(["site", "--out", at("fresh")])
      const mine = filesOf(folder)
      for (const [name, text] of filesOf(at("fresh"))) {
        assert.notInclude(text, "4711", name)
        assert.strictEqual(mine.get(name), text, name)
      }
      assert.include((yield* site()).stderr, "nothing is new")
      database.close()
    }))

  it.effect("tells of a backup that was restored, also where its ledger comes to the same number another way", () =>
    Effect.gen(function*() {
      const { at, book, folder, listed, run, site } = yield* begun
      const archive = at("books.db")
      const [first, second] = (yield* listed).filter(({ entries, state }) => state === "open" && entries.length === 1)
      const exclude = (item: typeof first, words: string) =>
        run(["decide", "exclude", item?.entries[0]?.id ?? "", "--reason", "test", "--words", words])
      const isAsNew = Effect.fnUntraced(function*(name: string) {
        yield* site()
        yield* run(["site", "--out", at(name)])
        const mine = filesOf(folder)
        for (const [page, text] of filesOf(at(name))) assert.strictEqual(mine.get(page), text, page)
      })
      const copy = readFileSync(archive)
      const restored = Effect.sync(() => {
        for (const rest of ["-wal", "-shm"]) rmSync(archive + rest, { force: true })
        writeFileSync(archive, copy)
      })
      yield* exclude(first, "one way")
      yield* isAsNew("one")
      yield* restored
      yield* exclude(first, "another way")
      yield* isAsNew("another")
      yield* book()
      yield* isAsNew("booked")
      yield* restored
      yield* exclude(second, "a third way")
      yield* book()
      yield* isAsNew("third")
    }))
})
