/** The check of the chain that the page for auditors has for PostgreSQL. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { Database } from "../src/internal/sql/Database.ts"
import { databases } from "./support/databases.ts"
import { decide, idOf, testOn } from "./support/decisions.ts"

const page = readFileSync(new URL("../../../docs/audit.md", import.meta.url), "utf8")

describe.each(databases.filter(({ name }) => name === "PostgreSQL"))("the page for auditors, on $name", (kind) => {
  it.live("has a query that gives no row of a sound ledger, and each row that is not as it was written", () =>
    testOn(kind)(Effect.gen(function*() {
      const { sql } = yield* Database
      const query = /```sql\n([^]*?)```/.exec(page)?.[1] ?? assert.fail("the page has no such query")
      const wrong = sql.unsafe(query)
      const id = yield* idOf("near")
      const note = { kind: "note", entries: [{ side: "deposit", id }], words: "asked the exchange" } as const
      yield* decide([note, note, note])
      assert.deepStrictEqual(yield* wrong, [])
      yield* sql`UPDATE ledger SET body = replace(body, 'asked', 'ASKED') WHERE number = 2`
      assert.deepStrictEqual(yield* wrong, [{ number: 2 }])
      yield* sql`DELETE FROM ledger WHERE number = 2`
      assert.deepStrictEqual(yield* wrong, [{ number: 3 }])
    })))
})
