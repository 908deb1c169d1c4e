/** What monitoring reads of a console, and who may read it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { readFileSync } from "node:fs"
import * as BookDay from "../../archive/test/support/books.ts"
import * as Kept from "../../archive/test/support/decisions.ts"
import * as Exposition from "../../archive/test/support/exposition.ts"
import * as Asked from "./support/Asked.ts"
import * as Console from "./support/Console.ts"
import * as People from "./support/People.ts"

const basic = (name: string, token: string) => ({
  authorization: `Basic ${Buffer.from(`${name}:${token}`).toString("base64")}`
})

const scrape = (origin: string, headers: Asked.Asking["headers"] = {}) =>
  Asked.asked(origin, { path: "/metrics", headers })

const priced = Effect.andThen(
  Kept.kept,
  BookDay.book(BookDay.options(), { prices: { of: new Map([["USDT", "0.9"]]), currency: "USD" } })
)

describe("/metrics", () => {
  it.effect("tells the facts of the archive that the dashboard shows, those of syncs aside", () =>
    Effect.gen(function*() {
      yield* priced
      const { auditor, local } = yield* Console.ofUsers()
      const { headers, status, text } = yield* scrape(local, basic("auditor", auditor.token))
      assert.strictEqual(status, 200)
      assert.strictEqual(headers["content-type"], "text/plain; version=0.0.4; charset=utf-8")
      const told = Exposition.read(text)
      const dashboard = readFileSync(new URL("../../../docs/grafana.json", import.meta.url), "utf8")
      const shown = new Set(dashboard.match(/tallystick_(?:archive|books|exchange|notices)_\w+/g))
      assert.isAbove(shown.size, 4)
      assert.deepStrictEqual([...shown].filter((name) => !told.has(name)), [])
      assert.strictEqual(Exposition.samples(text)["tallystick_archive_read_success"], 1)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("is for nobody who shows no session and no token, and says nothing to them", () =>
    Effect.gen(function*() {
      yield* priced
      const { auditor, clerk, local } = yield* Console.ofUsers()
      const headers = [
        {},
        basic("auditor", clerk.token),
        basic("nobody", auditor.token),
        { authorization: "Basic !" },
        { authorization: `Bearer ${auditor.token}` },
        { authorization: `Basic ${auditor.token}` }
      ]
      for (const sent of headers) {
        const { status, text } = yield* scrape(local, sent)
        assert.strictEqual(status, 401)
        assert.notInclude(text, "tallystick_")
        assert.notInclude(text, auditor.token)
      }
      const elsewhere = { ...basic("auditor", auditor.token), host: "books.example.org" }
      assert.strictEqual((yield* scrape(local, elsewhere)).status, 403)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("is told in a session too; tokens that are tried make their address wait", () =>
    Effect.gen(function*() {
      const { auditor, clerk, local } = yield* Console.ofUsers()
      const session = yield* People.signedIn(local, "clerk", clerk.token)
      for (let tries = 0; tries < 5; tries++) {
        assert.strictEqual((yield* scrape(local, basic("auditor", `${clerk.token}${tries}`))).status, 401)
      }
      const waits = yield* scrape(local, basic("auditor", auditor.token))
      assert.strictEqual(waits.status, 429)
      assert.isDefined(waits.headers["retry-after"])
      assert.strictEqual((yield* scrape(local, session)).status, 200)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("makes nobody wait where monitoring shows a token that is out of use, again and again, until the file has it", () =>
    Effect.gen(function*() {
      const { auditor, clerk, file, local } = yield* Console.ofUsers()
      const next = yield* People.user("auditor", "read")
      const stale = basic("auditor", next.token)
      for (let tries = 0; tries < 10; tries++) assert.strictEqual((yield* scrape(local, stale)).status, 401)
      assert.strictEqual((yield* scrape(local, basic("auditor", auditor.token))).status, 200)
      yield* People.write(file, [clerk.user, next.user])
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* scrape(local, stale)).status, 200)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("stays open to a program whose token was checked once, until the person is taken out of the file", () =>
    Effect.gen(function*() {
      const { auditor, clerk, file, local } = yield* Console.ofUsers()
      const headers = basic("auditor", auditor.token)
      assert.strictEqual((yield* scrape(local, headers)).status, 200)
      for (let tries = 0; tries < 5; tries++) yield* scrape(local, basic("auditor", `${clerk.token}${tries}`))
      // Its address waits, and would not be checked again.
      assert.strictEqual((yield* scrape(local, headers)).status, 200)
      yield* People.write(file, [clerk.user])
      yield* TestClock.adjust("2 seconds")
      assert.notStrictEqual((yield* scrape(local, headers)).status, 200)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("counts what waits as the last execution has it, a few seconds later at most", () =>
    Effect.gen(function*() {
      yield* Kept.kept
      const { auditor, local } = yield* Console.ofUsers()
      const open = Effect.map(
        scrape(local, basic("auditor", auditor.token)),
        ({ text }) => Exposition.samples(text)["tallystick_books_items{state=\"open\",code=\"missing-deposit\"}"]
      )
      assert.isUndefined(yield* open)
      yield* BookDay.book()
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* open, 2)
    }).pipe(Effect.provide(Console.layer())))
})
