/** What broke a period is not forgotten when it is reopened. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Closing from "../src/Closing.ts"
import * as Chain from "../src/internal/ledger/Chain.ts"
import * as Ledger from "../src/internal/ledger/Ledger.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as Periods from "../src/Periods.ts"
import { swept } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { auditor, decide, MINUTE, testOn, why } from "./support/decisions.ts"
import { became, bookDay, close, closed, transfers } from "./support/periods.ts"
import { NOW, transfer } from "./support/records.ts"

const late = NOW + 30 * MINUTE

const reopen = Periods.Periods.use((periods) =>
  periods.reopen({ author: auditor, close: 2, reason: "other", words: "the fee was booked twice" })
)

const kept = Effect.map(Periods.Periods.use(({ list }) => list()), ([first]) => first?.reopened?.otherwise)

describe.each(databases)("a reopened period, on $name", (kind) => {
  const test = testOn(kind)

  it.live("keeps what broke it with the causes, how much was settled, and counts as broken no more", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* decide([{ kind: "exclude", side: "transfer", id: "t5", ...why }])
      yield* transfers(swept.timestamp, [swept])
      yield* bookDay()
      const [before] = yield* Periods.Periods.use(({ list }) => list())
      const { body } = yield* reopen
      assert.deepInclude(body.otherwise, { broken: 2, settled: 1, waitsOtherwise: 0, isAltered: false })
      const breaks = body.otherwise?.breaks ?? []
      assert.deepStrictEqual(
        breaks.map(({ after, before, causes }) => [before?.state, after?.state, after?.execution, causes]),
        [
          ["matched", "open", 4, [{ of: "decision", number: 3 }]],
          ["matched", "out", 4, [{ of: "decision", number: 3 }]]
        ]
      )
      assert.deepStrictEqual(breaks.map(({ after }) => after?.id), before?.broken.map(({ after }) => after?.id))
      yield* decide([{ kind: "revoke", decision: 3, words: "it was ours" }])
      yield* bookDay()
      yield* close()
      assert.deepStrictEqual(yield* kept, body.otherwise)
      assert.deepStrictEqual(yield* became, [])
    })))

  it.live("keeps no more than the first hundred entries, and says how many there were", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* transfers(
        late,
        Array.from(
          { length: Closing.KEPT + 3 },
          (_, index) => transfer({ tranId: `x${index}`, asset: "XRP", amount: String(index + 1), timestamp: late })
        )
      )
      yield* bookDay()
      yield* reopen
      const otherwise = yield* kept
      assert.strictEqual(otherwise?.broken, 103)
      assert.lengthOf(otherwise?.breaks ?? [], 100)
    })))

  it.live("is reopened also where a run is damaged that says how it stood, and tells why nothing is compared", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* decide([{ kind: "exclude", side: "transfer", id: "t5", ...why }])
      const { execution } = yield* bookDay()
      const { sql } = yield* Database
      const first = (yield* Ledger.make(yield* Database).sound).executions[0]?.body.run
      yield* sql`DELETE FROM run_outcomes WHERE run = (SELECT number FROM runs WHERE id = ${first ?? ""})`
      assert.include((yield* Effect.flip(became)).message, `run ${first}`)
      const { body } = yield* reopen
      assert.deepInclude(body, {
        number: execution.body.number + 1,
        close: 2,
        uncompared: `run ${first} is not as it was recorded`
      })
      assert.isUndefined(body.otherwise)
      assert.deepStrictEqual(
        yield* Effect.map(Periods.Periods.use(({ closes }) => closes), (all) => all[0]?.reopened),
        body
      )
      yield* close()
      assert.deepStrictEqual(yield* became, [])
    })))

  it.live("stood as it was closed where nothing broke it, and tells nothing where an earlier version reopened it", () =>
    test(Effect.gen(function*() {
      yield* closed
      const { append, sound } = Ledger.make(yield* Database)
      const reopening = { kind: "reopen", at: NOW, ...auditor, close: 2, reason: "other", words: "why" }
      yield* append([Chain.next((yield* sound).head, reopening)])
      assert.isUndefined(yield* kept)
      yield* close()
      const { reopen } = yield* Periods.Periods
      const { body } = yield* reopen({ author: auditor, close: 4, reason: "other", words: "why" })
      assert.deepStrictEqual(body.otherwise, {
        broken: 0,
        breaks: [],
        settled: 0,
        waitsOtherwise: 0,
        isAltered: false
      })
    })))
})
