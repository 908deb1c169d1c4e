/** A destination is told of a close that is broken, and once when that is over. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Ledger from "../src/internal/ledger/Ledger.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as Notices from "../src/Notices.ts"
import * as Periods from "../src/Periods.ts"
import { at } from "./support/at.ts"
import { near, options, swept } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { auditor, DAY, decide, idOf, testOn, why } from "./support/decisions.ts"
import { bookFor, deliver, receiver, tell, words } from "./support/notices.ts"
import { close, closed, day, NEXT, transfers } from "./support/periods.ts"
import { NOW } from "./support/records.ts"

const exclude = { kind: "exclude", side: "transfer", id: "t5", ...why } as const
const revoke = (decision: number) => ({ kind: "revoke", decision, words: "it was ours" }) as const

const reopen = (close: number) =>
  Periods.Periods.use((periods) => periods.reopen({ author: auditor, close, reason: "other", words: "why" }))

/** What receivers were told of closes since they were asked the last time. */
const told = Effect.fnUntraced(function*(desk: ReturnType<typeof receiver>) {
  yield* deliver(desk)
  return desk.taken.splice(0).filter(({ kind }) => kind === "close-broken")
})

const said = (desk: ReturnType<typeof receiver>) => Effect.map(told(desk), (notices) => notices.map(words))

const again = (receivers: ReadonlyArray<ReturnType<typeof receiver>>) => bookFor(receivers, options(day))

const broken = (execution: number, decision: number) =>
  `close-broken began of 2 after ${execution}: 2, 2 decision ${decision}, deposit 5 ETH matched -> open, transfer 5 ETH matched -> out`

describe.each(databases)("notices of closes, on $name", (kind) => {
  const test = testOn(kind)

  it.live("a close that a decision breaks is told once, and once that it stands again, and so each time, under a key of its own", () =>
    test(Effect.gen(function*() {
      const [desk, audit] = [receiver("desk"), receiver("audit", { hasDetails: true })]
      yield* closed
      yield* again([desk, audit])
      yield* decide([exclude])
      yield* again([desk, audit])
      yield* transfers(swept.timestamp, [swept])
      yield* again([desk, audit])
      yield* decide([revoke(4)])
      yield* again([desk, audit])
      yield* again([desk, audit])
      yield* decide([exclude])
      yield* again([desk, audit])
      const [plain, detailed] = [yield* told(desk), yield* told(audit)]
      assert.deepStrictEqual(plain.map(words), [
        broken(5, 4),
        "close-broken over of 2 after 8: 0",
        "close-broken began of 2 after 11: 2, 2 decision 4, 2 decision 7, 2 decision 10, " +
        "deposit 5 ETH matched -> open, transfer 5 ETH matched -> out"
      ])
      assert.deepStrictEqual(detailed.map(words), plain.map(words))
      assert.strictEqual(new Set([...plain, ...detailed].map(({ key }) => key)).size, 6)
      assert.notInclude(JSON.stringify(plain), "a@x")
      assert.include(JSON.stringify(detailed), "\"account\":\"a@x\"")
      assert.deepInclude(plain[0], {
        text:
          "Close 2 of the period up to 2023-11-14 is broken: 2 entries do not stand as they did (2 by decision 4). " +
          "tallystick periods 2 tells more.",
        close: { number: 2, through: "2023-11-14", zone: "UTC", ...day },
        more: 0
      })
    })))

  it.live("a destination is told that a close stands again after months in which another command named others, and told it something else", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* closed
      yield* decide([exclude])
      yield* again([desk])
      assert.deepStrictEqual(yield* said(desk), [broken(4, 3)])
      const months = Effect.gen(function*() {
        yield* tell([desk], { kind: "key-refused", isOn: true })
        const { expireOthers } = yield* Notices.Notices
        yield* expireOthers([receiver("audit")])
      })
      yield* months.pipe(at(NOW + 200 * DAY))
      yield* decide([revoke(3)])
      yield* again([desk])
      assert.deepStrictEqual(yield* said(desk), ["close-broken over of 2 after 6: 0"])
    })))

  it.live("a destination that is told for the first time, or was not told of executions, is told of what is broken by then", () =>
    test(Effect.gen(function*() {
      const [desk, audit] = [receiver("desk"), receiver("audit")]
      yield* closed
      yield* again([desk])
      yield* decide([exclude])
      yield* again([])
      yield* bookFor([desk, audit], options(near))
      assert.deepStrictEqual(yield* said(desk), [broken(6, 4)])
      assert.deepStrictEqual(yield* said(audit), [broken(6, 4)])
    })))

  it.live("a decision on entries that never waited breaks a close too, and is told with the execution that follows it", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* closed
      yield* decide([exclude, { ...exclude, side: "deposit", id: yield* idOf("pair") }])
      yield* bookFor([desk], options(NEXT))
      assert.deepStrictEqual(yield* said(desk), [
        "close-broken began of 2 after 5: 2, 2 decision 3, 2 decision 4, deposit 5 ETH matched -> out, transfer 5 ETH matched -> out"
      ])
    })))

  it.live("a close that is taken back is told to be over, and the one that takes its place is another one", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* closed
      yield* decide([exclude])
      yield* again([desk])
      yield* reopen(2)
      yield* close()
      yield* bookFor([desk], options(NEXT))
      assert.deepStrictEqual(yield* said(desk), [broken(4, 3), "close-broken over of 2 after 7: 0, by 5"])
      yield* decide([revoke(3)])
      yield* again([desk])
      assert.deepStrictEqual((yield* told(desk)).map((notice) => "close" in notice ? notice.close.number : 0), [6])
    })))

  it.live("a close is compared only where something of its period changed", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* closed
      yield* again([desk])
      const { sql } = yield* Database
      yield* sql`UPDATE entry_history SET amount = '8' WHERE id = 't2'`
      yield* again([desk])
      yield* bookFor([desk], options(NEXT))
      assert.deepStrictEqual(yield* said(desk), [])
      yield* transfers(swept.timestamp, [swept])
      yield* again([desk])
      assert.deepStrictEqual(yield* said(desk), [
        "close-broken began of 2 after 6: 1, 1 records, transfer 8 USDT open -> open, altered"
      ])
    })))

  it.live("what cannot be compared because a run is damaged keeps no execution back, and is told when it can be", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* closed
      yield* decide([exclude])
      yield* again([])
      const { sql } = yield* Database
      const first = (yield* Ledger.make(yield* Database).sound).executions[0]?.body.run ?? ""
      const number = sql`(SELECT number FROM runs WHERE id = ${first})`
      yield* sql`UPDATE run_outcomes SET run = -run WHERE run = ${number}`
      yield* bookFor([desk], options(NEXT))
      assert.deepStrictEqual(yield* said(desk), [])
      yield* sql`UPDATE run_outcomes SET run = -run WHERE run = -${number}`
      yield* bookFor([desk], options(NEXT))
      assert.deepStrictEqual(yield* said(desk), [broken(6, 3)])
    })))

  it.live("a table that says no amount any more keeps no execution back, and no reopening", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* closed
      yield* again([desk])
      const { sql } = yield* Database
      yield* sql`UPDATE entry_history SET amount = 'eight' WHERE id = 't2'`
      yield* transfers(swept.timestamp, [swept])
      // The figures of the report add the amounts of the table: it fails, when the execution stands and the close is told.
      yield* Effect.exit(again([desk]))
      assert.strictEqual((yield* Ledger.make(yield* Database).sound).head.number, 4)
      assert.deepStrictEqual(yield* said(desk), ["close-broken began of 2 after 4: 1, 1 records, altered"])
      const { body } = yield* reopen(2)
      assert.match(body.uncompared ?? "", /^the tables of the books say/)
    })))
})
