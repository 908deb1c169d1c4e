/** What a query was about is bound to what is known of it: no other state of the archive gives its number to another account. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Integrity from "@tallystick/archive/Integrity"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Database } from "../src/internal/sql/Database.ts"
import { copy } from "./support/copy.ts"
import { databases } from "./support/databases.ts"
import { NOW, transfer } from "./support/records.ts"

const DAY = 86_400_000

const range = { from: NOW - DAY, to: NOW + DAY }

const query = (fromAccount: string): Coverage.TransferQuery => ({
  fromAccount,
  fromAccountType: "SPOT",
  toAccountType: "SPOT"
})

/** A complete reading of one account. */
const read = (fromAccount: string) =>
  Archive.Archive.use(({ transfers }) => {
    const records = [transfer({ tranId: fromAccount, fromAccount })]
    const part = { operation: "transfers", ...range, readAt: range.to + DAY, state: "complete" } as const
    return transfers.saveSlice(
      { ...range, records, bad: [], coverage: [{ ...part, query: query(fromAccount) }] },
      query(fromAccount)
    )
  })

/** The accounts of which anything is called complete. */
const complete = Archive.Archive.use((archive) =>
  Effect.map(
    archive.coverage(range),
    (parts) => parts.filter(({ state }) => state === "complete").flatMap(({ query }) => query?.fromAccount ?? [])
  )
)

const claimed = Archive.Archive.use(({ claim }) =>
  claim({ baseUrl: "https://api.example.com", fingerprint: "1f0c7a52d9e3b846" })
)

const isSound = Effect.map(Integrity.check(), Integrity.isSound)

const all = ["transfers", "coverage", "controls", "queries", "scopes"] as const

describe.each(databases)("an archive in $name", ({ layer }) => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, layer))
  const test = <E>(name: string, body: Effect.Effect<void, E, Archive.Archive | Database>) =>
    it.effect(name, () => Effect.provide(Effect.andThen(claimed, body), archive))

  test(
    "calls no account complete that was not asked for, where the queries are of a state that asked others first",
    Effect.gen(function*() {
      const empty = yield* copy(...all)
      yield* read("b@x")
      const other = yield* copy("queries", "scopes")
      yield* empty
      yield* read("a@x")
      assert.deepStrictEqual(yield* complete, ["a@x"])
      yield* other
      assert.deepStrictEqual(yield* complete, [])
      assert.isFalse(yield* isSound)
      yield* read("b@x")
      assert.deepStrictEqual(yield* complete, [])
      yield* read("a@x")
      assert.deepStrictEqual(yield* complete, ["a@x", "b@x"])
      assert.isTrue(yield* isSound)
    })
  )

  test(
    "is sound again once a query was asked again of which less is told than was asked",
    Effect.gen(function*() {
      const { sql } = yield* Database
      const losses = [
        "DELETE FROM scopes WHERE operation = 'transfers'",
        "UPDATE scopes SET asked = asked + 1 WHERE operation = 'transfers'",
        "UPDATE scopes SET query = query + 1 WHERE operation = 'transfers'",
        "DELETE FROM queries",
        "UPDATE queries SET id = id + 1",
        "UPDATE queries SET from_account = 'b@x'"
      ]
      for (const loss of losses) {
        yield* read("a@x")
        yield* sql.unsafe(loss)
        yield* read("a@x")
        assert.isTrue(yield* isSound, loss)
        yield* sql`DELETE FROM queries`
        assert.deepStrictEqual(yield* complete, [], loss)
        assert.isFalse(yield* isSound, loss)
        yield* read("a@x")
        assert.deepStrictEqual(yield* complete, ["a@x"], loss)
        assert.isTrue(yield* isSound, loss)
      }
    })
  )
})
