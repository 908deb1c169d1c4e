/** Requests that are not as the description says are refused, and none is answered as if it had asked for something else. */
import { assert, describe, it } from "@effect/vitest"
import * as Runs from "@tallystick/archive/Runs"
import * as Entry from "@tallystick/reconcile/Entry"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Asked from "./support/Asked.ts"
import * as Console from "./support/Console.ts"
import * as People from "./support/People.ts"

const Found = Schema.Struct({ entries: Schema.Array(Schema.Struct({ side: Entry.Side, id: Schema.String })) })

const signedIn = Effect.gen(function*() {
  yield* Console.booked
  const { clerk, local } = yield* Console.ofUsers()
  const headers = yield* People.signedIn(local, "clerk", clerk.token)
  return (path: string, more: Asked.Asking = {}) =>
    Asked.asked(local, { path, ...more, headers: { ...headers, ...more.headers } })
})

describe("a request", () => {
  it.effect("for decisions on an entry names its id and its side", () =>
    Effect.gen(function*() {
      const ask = yield* signedIn
      for (const [query, path] of [["entry=t1", "query.side"], ["side=transfer", "query.entry"]] as const) {
        const answer = yield* ask(`/api/decisions?${query}`)
        assert.strictEqual(answer.status, 400)
        assert.include(answer.text, path)
      }
      assert.strictEqual((yield* ask("/api/decisions?entry=t1&side=transfer")).status, 200)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("with a name that nobody knows is refused, and names it", () =>
    Effect.gen(function*() {
      const ask = yield* signedIn
      const query = yield* ask("/api/items?asset=USDT&olderthan=1&sate=open")
      assert.strictEqual(query.status, 400)
      for (const path of ["query.olderthan", "query.sate"]) assert.include(query.text, path)
      const payload = yield* ask("/api/decisions/undo", {
        method: "POST",
        body: { decisions: [1], words: "w", force: true }
      })
      assert.strictEqual(payload.status, 400)
      assert.include(payload.text, "payload.force")
    }).pipe(Effect.provide(Console.layer())))

  it.effect("is told of everything that is wrong with it", () =>
    Effect.gen(function*() {
      const ask = yield* signedIn
      const answer = yield* ask("/api/items?limit=0&reversed=perhaps&by=nothing")
      for (const path of ["query.limit", "query.reversed", "query.by"]) assert.include(answer.text, path)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("for outcomes behind one that is not there is refused", () =>
    Effect.gen(function*() {
      const ask = yield* signedIn
      const [run] = yield* Runs.Runs.use(({ list }) => list())
      assert.isDefined(run)
      const answer = yield* ask(`/api/runs/${run.id}/outcomes?after=nonsense`)
      assert.strictEqual(answer.status, 409)
      assert.include(answer.text, "first page")
    }).pipe(Effect.provide(Console.layer())))

  it.effect("for entries by three letters is told to write more of them, unless they are a whole id", () =>
    Effect.gen(function*() {
      const ask = yield* signedIn
      for (const name of ["t", "abc", "abc…wxyz"]) {
        const answer = yield* ask(`/api/entries?name=${encodeURIComponent(name)}`)
        assert.strictEqual(answer.status, 400, name)
        assert.include(answer.text, "query.name: Write at least 4 letters of an id.", name)
      }
      for (const [name, found] of [["t1", [{ side: "transfer", id: "t1" }]], ["abcd", []]] as const) {
        const answer = yield* ask(`/api/entries?name=${name}`)
        assert.strictEqual(answer.status, 200, name)
        assert.deepStrictEqual(
          Schema.decodeUnknownSync(Found)(Asked.body(answer)).entries,
          found.map(({ id, side }) => ({ side, id }))
        )
      }
    }).pipe(Effect.provide(Console.layer())))

  it.effect("for an item by three letters is told to write more of them", () =>
    Effect.gen(function*() {
      const ask = yield* signedIn
      const answer = yield* ask("/api/items/i81")
      assert.strictEqual(answer.status, 404)
      assert.include(answer.text, "Write at least 4 letters of an id.")
    }).pipe(Effect.provide(Console.layer())))
})
