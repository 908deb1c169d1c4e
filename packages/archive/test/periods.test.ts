/** A period is closed when all of it is known, and then says what the books came to. */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { createHash } from "node:crypto"
import * as Archive from "../src/Archive.ts"
import * as Books from "../src/Books.ts"
import * as Decisions from "../src/Decisions.ts"
import * as Drivers from "../src/internal/Drivers.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as OpenItems from "../src/OpenItems.ts"
import * as Periods from "../src/Periods.ts"
import { at } from "./support/at.ts"
import { book, options } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { archiveOn, auditor, clerk, DAY, decide, HOUR, kept, link, testOn } from "./support/decisions.ts"
import { became, bookDay, close, closed, day, mate, NEXT, refusal, THROUGH, transfers } from "./support/periods.ts"
import { NOW, transfer } from "./support/records.ts"

const reopen = (close: number) =>
  Periods.Periods.use((periods) =>
    periods.reopen({ author: auditor, close, reason: "other", words: "the fee was booked twice" })
  )

const refusedReopening = (close: number) => Effect.map(Effect.flip(reopen(close)), ({ message }) => message)

/** Another one acts after a close has looked at the books, and before it is written. */
const overtakenBy = (other: Effect.Effect<unknown>) => <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  let isFirst = true
  return Effect.updateService(effect, Clock.Clock, (clock) => ({
    ...clock,
    currentTimeMillis: Effect.suspend(() => {
      const act = isFirst ? other : Effect.void
      isFirst = false
      return Effect.andThen(act, clock.currentTimeMillis)
    })
  }))
}

describe.each(databases)("periods, on $name", (kind) => {
  const test = testOn(kind)

  it.live("a close says who closed what, up to which head, where its entries stand and what is carried", () =>
    test(Effect.gen(function*() {
      const { body } = yield* closed
      assert.include(body, { number: 2, by: "clerk", zone: "UTC", through: THROUGH, ...day, provisional: 0 })
      const { executions } = yield* Books.Books
      assert.strictEqual(body.previous, (yield* executions)[0]?.id)
      assert.strictEqual(body.states.count, 4)
      assert.deepStrictEqual(body.carried, body.states)
      assert.deepStrictEqual(
        body.totals.map(({ asset, count, side, state, sum }) => [side, asset, state, count, sum]),
        [
          ["deposit", "BTC", "open", 1, "3"],
          ["deposit", "USDT", "open", 1, "1.5"],
          ["transfer", "USDT", "open", 2, "10.4"]
        ]
      )
      const { carried, closes, list } = yield* Periods.Periods
      assert.deepStrictEqual((yield* carried(body)).map(({ id }) => id).slice(2), ["t1", "t2"])
      assert.deepStrictEqual((yield* closes).map(({ close }) => close), [body])
      assert.deepStrictEqual((yield* list(NEXT)).length, 0)
      assert.deepStrictEqual(yield* became, [])
      const { ledger } = yield* Archive.Archive
      assert.isUndefined((yield* ledger()).fault)
    })))

  it.live("its digest is that of the books' own rows, which one statement and SHA-256 tell", () =>
    test(Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"])])
      const { body } = yield* closed
      yield* decide([{ kind: "revoke", decision: 1, words: "it was another one" }])
      yield* bookDay()
      const { sql } = yield* Database
      const json = sql.onDialectOrElse({
        sqlite: () => sql`json_array(side, id, asset, amount, at, account, state)`,
        orElse: () =>
          sql`replace(json_build_array(side, id, asset, amount, at, account, state)::text, ', ', ',') COLLATE "C"`
      })
      const rows = yield* sql<{ line: string }>`SELECT ${json} AS line FROM entry_history h
        WHERE at >= ${body.from} AND at < ${body.to} AND execution = (SELECT MAX(execution) FROM entry_history
          WHERE side = h.side AND id = h.id AND execution < ${body.number})
        ORDER BY 1`
      assert.lengthOf(rows, body.states.count)
      const digest = createHash("sha256").update(rows.map(({ line }) => `${line}\n`).join("")).digest("hex")
      assert.strictEqual(digest, body.states.digest)
    })))

  it.live("periods follow one another, in days of one zone, and begin where the books do", () =>
    test(Effect.gen(function*() {
      assert.include(yield* refusal(), "NotBegun")
      yield* book(options({ from: day.from, to: NEXT.to }))
      const { close: closeNext } = yield* Periods.Periods
      assert.include(yield* refusal({ through: "2023-02-30" }), "NoDay")
      assert.include(yield* refusal({ zone: "Mars/Base" }), "NoDay")
      assert.include(yield* refusal({ from: day.from + 0.5 }), "NoDay")
      assert.include(yield* refusal({ through: "2023-11-13" }), "there is nothing to close up to 2023-11-14T00:00")
      const first = yield* closeNext({ author: clerk, through: THROUGH, carryOpen: true })
      assert.include(first.body, day)
      assert.include(
        yield* refusal(),
        "the next period begins at 2023-11-15T00:00:00.000Z, where the one of close 2 ends"
      )
      assert.include(yield* refusal({ from: NEXT.from + HOUR, through: "2023-11-15" }), "NotNext")
      assert.include(
        yield* refusal({ from: NEXT.from, through: "2023-11-15", zone: "Europe/Berlin" }),
        "made of days of UTC since close 2, and not of Europe/Berlin"
      )
      const second = yield* closeNext({ author: clerk, through: "2023-11-15", carryOpen: true })
      assert.include(second.body, NEXT)
      assert.strictEqual(second.body.states.count, 0)
      assert.strictEqual(second.body.carried.count, first.body.carried.count)
    })))

  it.live("a period of another zone ends at that zone's midnight", () =>
    test(Effect.gen(function*() {
      yield* book(options({ from: day.from, to: NEXT.to }))
      const { body } = yield* close({ zone: "europe/berlin" })
      assert.strictEqual(body.to, day.to - HOUR)
      const { close: closeNext } = yield* Periods.Periods
      const next = yield* closeNext({ author: clerk, through: "2023-11-15", carryOpen: true })
      assert.include(next.body, { zone: "Europe/Berlin", from: day.to - HOUR, to: NEXT.to - HOUR })
    })))

  it.live("what waits must be carried expressly, and each other lack keeps a period open, however it is asked", () =>
    test(Effect.gen(function*() {
      yield* bookDay()
      assert.include(
        yield* refusal({ carryOpen: false }),
        "4 entries wait before its end and must be carried expressly"
      )
      assert.include(
        yield* refusal({ through: "2023-11-15" }),
        "no execution of the books is about the time from 2023-11-15T00:00:00.000Z to 2023-11-16T00:00:00.000Z"
      )
      const last = { from: day.from + 4 * DAY, to: day.to + 4 * DAY }
      yield* book(options(last))
      const early = yield* refusal({ from: last.from, through: "2023-11-18" })
      assert.include(
        early,
        "execution 2 looks up to 2023-11-20T00:00:00.000Z, and not all deposits from 2023-11-19T22:13"
      )
      assert.include(early, "not all transfers from 2023-11-19T22:13")
      const beyond = { from: last.from + DAY, to: last.to + DAY }
      yield* book(options(beyond))
      assert.include(
        yield* refusal({ from: beyond.from, through: "2023-11-19" }),
        "not all of the time from 2023-11-19T22:13:20.000Z to 2023-11-20T00:00:00.000Z was read"
      )
    })))

  it.live("a record that could not be read keeps its period open until it is carried expressly, and the close names its item", () =>
    test(Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      const slice = { from: NOW + HOUR, to: NOW + HOUR + 1 }
      yield* deposits.saveSlice({
        ...slice,
        records: [],
        bad: [{ side: "deposit", source: "page 1, record 1", path: "amount", reason: "wanted a number", raw: "{}" }],
        coverage: [{ operation: "deposits", ...slice, readAt: NOW + 6 * DAY + HOUR, state: "complete" }]
      })
      yield* bookDay()
      const items = (yield* OpenItems.OpenItems.use(({ withoutEntries }) => withoutEntries())).map(({ id }) => id)
      assert.lengthOf(items, 1)
      const lacking = yield* refusal({ carryOpen: false })
      assert.include(
        lacking,
        `1 record could not be read when it was last reconciled and must be carried expressly: ${items[0]}`
      )
      assert.include(lacking, "4 entries wait before its end")
      assert.deepStrictEqual((yield* close()).body.badRecords, { count: 1, items })
      assert.deepStrictEqual(yield* became, [])
    })))

  it.live("an execution from before all was read must be made again, and then its period can be closed", () =>
    test(Effect.gen(function*() {
      const { deposits, transfers } = yield* Archive.Archive
      const last = { from: day.from + 4 * DAY, to: day.to + 4 * DAY }
      yield* book(options(last))
      const slice = { from: NOW + 5 * DAY, to: NOW + 6 * DAY, records: [], bad: [] }
      const covered = { from: slice.from, to: slice.to, readAt: NOW + 6 * DAY + HOUR, state: "complete" as const }
      yield* deposits.saveSlice({ ...slice, coverage: [{ operation: "deposits", ...covered }] })
      yield* transfers.saveSlice({ ...slice, coverage: [{ operation: "transfers", ...covered }] })
      const asked = { from: last.from, through: "2023-11-18", carryOpen: false }
      assert.include(yield* refusal(asked), "execution 1 looks up to 2023-11-20")
      yield* book(options(last))
      assert.strictEqual((yield* close(asked)).body.number, 3)
    })))

  it.live("a record that was read since keeps its period open until it is reconciled again", () =>
    test(Effect.gen(function*() {
      yield* bookDay()
      yield* transfers(NOW + HOUR, [transfer({ tranId: "t9", asset: "XRP", amount: "4", timestamp: NOW + HOUR })])
      assert.include(
        yield* refusal(),
        "NotClosable: the period from 2023-11-14T00:00:00.000Z to 2023-11-15T00:00:00.000Z cannot be closed: what the last " +
          "execution said of the time from 2023-11-14T00:00:00.000Z to 2023-11-15T00:00:00.000Z may be otherwise by now, " +
          "because of a later record, decision, policy or list of accounts or addresses: reconcile all of the period with --book again"
      )
      yield* bookDay()
      assert.strictEqual((yield* close()).body.carried.count, 5)
    })))

  it.live("a decision that was made or revoked since keeps its period open until it is reconciled again", () =>
    test(Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"]), yield* link("other", ["t2"])])
      yield* bookDay()
      yield* decide([{ kind: "revoke", decision: 1, words: "it was another one" }])
      const other = yield* refusal({ carryOpen: false })
      assert.include(other, "may be otherwise by now")
      assert.include(other, "wait")
      yield* bookDay()
      const { body } = yield* close()
      yield* reopen(body.number)
      yield* decide([yield* link("near", ["t1"])])
      assert.include(yield* refusal(), "may be otherwise by now")
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "asked" }])
      yield* bookDay()
      yield* decide([{ kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "asked again" }])
      assert.strictEqual((yield* close()).body.kind, "close")
    })))

  it.live("what is read of far days, and decided on them, keeps no period open", () =>
    test(Effect.gen(function*() {
      yield* bookDay()
      const there = NOW - 3 * DAY - HOUR
      yield* transfers(there, [transfer({ tranId: "t9", asset: "XRP", amount: "4", timestamp: there })])
      yield* decide([{ kind: "exclude", side: "transfer", id: "t9", reason: "test", words: "a test of ours" }])
      assert.strictEqual((yield* close()).body.number, 3)
    })))

  it.live("a record that is read while a period is closed keeps it open", () =>
    test(Effect.gen(function*() {
      yield* bookDay()
      const archive = yield* Archive.Archive
      const arrives = transfers(NOW + HOUR, [
        transfer({ tranId: "t9", asset: "XRP", amount: "4", timestamp: NOW + HOUR })
      ]).pipe(Effect.provideService(Archive.Archive, archive), Effect.orDie)
      assert.include(yield* refusal().pipe(overtakenBy(arrives)), "may be otherwise by now")
    })))

  it.live("time for which a person vouched is listed", () =>
    test(Effect.gen(function*() {
      const { vouch } = yield* Archive.Archive
      const imported = { from: day.from - 20 * DAY, to: day.to - 18 * DAY }
      yield* vouch("deposits", imported, NOW + 6 * DAY)
      yield* vouch("transfers", imported, NOW + 6 * DAY)
      const first = { from: imported.from, to: imported.from + DAY }
      yield* book(options(first))
      const { body } = yield* close({ from: first.from, through: "2023-10-25" })
      assert.deepStrictEqual(body.vouched, [
        { operation: "deposits", from: first.from, to: first.to + DAY },
        { operation: "transfers", from: first.from, to: first.to + DAY }
      ])
    })))

  it.live("only the last close that stands is reopened, once, and its period can be closed again", () =>
    test(Effect.gen(function*() {
      yield* book(options({ from: day.from, to: NEXT.to }))
      yield* close()
      yield* close({ from: NEXT.from, through: "2023-11-15" })
      assert.include(yield* refusedReopening(2), "close 3 stands behind it; reopen that one first")
      assert.include(yield* refusedReopening(1), "the ledger has no close of this number")
      const { body } = yield* reopen(3)
      assert.include(body, { number: 4, close: 3, by: "auditor", identity: "claimed", reason: "other" })
      assert.include(yield* refusedReopening(3), "row 4 of the ledger did so already")
      const again = yield* close({ from: NEXT.from, through: "2023-11-15" })
      assert.include(again.body, { number: 5, ...NEXT })
      const { closes } = yield* Periods.Periods
      assert.deepStrictEqual(
        (yield* closes).map(({ close, reopened }) => [close.number, reopened?.number, reopened?.words]),
        [[2, undefined, undefined], [3, 4, "the fee was booked twice"], [5, undefined, undefined]]
      )
      yield* reopen(5)
      yield* reopen(2)
      assert.strictEqual((yield* close({ zone: "+01:00" })).body.zone, "+01:00")
      assert.include(yield* refusal({ from: NEXT.from - HOUR, through: "2023-11-15", zone: "UTC" }), "OtherZone")
    })))

  it.live("where authors have to show a token, nobody closes and reopens without one", () =>
    test(Effect.gen(function*() {
      yield* bookDay()
      const holder = { by: "clerk", identity: "token" } as const
      const demand = { kind: "setting", approvals: false, authors: "token", words: "people are known" } as const
      yield* decide([demand], { author: holder })
      for (const identity of ["os", "claimed"] as const) {
        assert.strictEqual(
          yield* refusal({ author: { by: "clerk", identity } }),
          "TokenDemanded: only authors who show a token close and reopen periods, and clerk showed none"
        )
      }
      assert.include((yield* close({ author: holder })).body, holder)
      assert.include(yield* refusedReopening(3), "only authors who show a token close and reopen periods")
      const { reopen } = yield* Periods.Periods
      assert.include((yield* reopen({ author: holder, close: 3, reason: "other", words: "why" })).body, holder)
    })))

  it.live("no decision takes a close back", () =>
    test(Effect.gen(function*() {
      yield* closed
      const error = yield* Effect.flip(decide([{ kind: "revoke", decision: 2, words: "no" }]))
      assert.include(error.message, "this row of the ledger is no decision")
    })))

  it.live("of two who close at once from two connections one does, and the ledger stays a chain", () =>
    Effect.gen(function*() {
      const location = yield* kind.fresh
      const open = Layer.build(Layer.fresh(archiveOn({ layer: Layer.fresh(Drivers.layerLocation(location)) })))
      const [one, other] = [yield* open, yield* open]
      yield* Effect.provide(Effect.andThen(kept, bookDay()), one)
      const exits = yield* Effect.forEach(
        [one, other, one, other],
        (place) => Effect.exit(Effect.provide(close(), place)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(exits.filter(Exit.isSuccess), 1)
      const closes = yield* Effect.provide(Periods.Periods.use((periods) => periods.closes), other)
      assert.deepStrictEqual(closes.map(({ close }) => close.number), [2])
      const { fault } = yield* Effect.provide(Archive.Archive.use(({ ledger }) => ledger()), other)
      assert.isUndefined(fault)
    }).pipe(Effect.scoped, at(NOW + 7 * DAY)))

  it.live("a close that somebody overtakes looks again, and is refused where its period was closed meanwhile", () =>
    test(Effect.gen(function*() {
      yield* bookDay()
      const decisions = yield* Decisions.Decisions
      const note = { kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "asked" } as const
      const noted = Effect.orDie(decisions.decide([note], { author: clerk }))
      assert.strictEqual((yield* close().pipe(overtakenBy(noted))).body.number, 3)
      yield* reopen(3)
      const periods = yield* Periods.Periods
      const other = Effect.orDie(
        periods.close({ author: auditor, through: THROUGH, from: day.from, carryOpen: true })
      )
      assert.include(yield* refusal().pipe(overtakenBy(other)), "NotNext")
      assert.deepStrictEqual((yield* periods.closes).map(({ close }) => [close.number, close.by]), [
        [3, "clerk"],
        [5, "auditor"]
      ])
    })))

  it.live("an edit of the books by SQL shows in its period, and is told by the books' own check", () =>
    test(Effect.gen(function*() {
      yield* closed
      const { sql } = yield* Database
      const { rebuild, verify } = yield* Books.Books
      const edits = [
        [sql`UPDATE entry_history SET amount = '2' WHERE id = 't1'`, ["altered"]],
        [sql`DELETE FROM entry_history WHERE id = 't1'`, ["altered"]],
        [
          sql`UPDATE entry_states SET amount = '2' WHERE id = 't1'`,
          ["broken transfer USDT: open missing-deposit 1.4 -> open missing-deposit 2 (records)"]
        ],
        [sql`DELETE FROM entry_states WHERE id = 't1'`, [
          "broken transfer USDT: open missing-deposit 1.4 -> nothing (records)"
        ]]
      ] as const
      for (const [edit, told] of edits) {
        yield* edit
        assert.includeMembers([...yield* became], [...told])
        assert.isNotEmpty(yield* verify)
        yield* rebuild
        assert.deepStrictEqual(yield* verify, [])
        assert.deepStrictEqual(yield* became, [])
      }
    })))

  it.live("an edit that hides what broke a period shows as an edit", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* transfers(mate.timestamp, [], 2)
      yield* bookDay()
      assert.lengthOf(yield* became, 2)
      const { sql } = yield* Database
      const { rebuild } = yield* Books.Books
      const edits = [
        sql`UPDATE entry_states SET state = 'matched', code = 'exact' WHERE asset = 'ETH'`,
        sql`UPDATE entry_states SET account = 'b@x' WHERE id = 't5'`,
        sql`UPDATE entry_states SET at = 1 WHERE id = 't5'`,
        sql`DELETE FROM entry_states WHERE asset = 'ETH'`,
        sql`DELETE FROM entry_history WHERE asset = 'ETH'`
      ]
      for (const edit of edits) {
        yield* edit
        assert.include(yield* became, "altered")
        yield* rebuild
        assert.notInclude(yield* became, "altered")
      }
    })))

  it.live("an edit of what a period carried from an earlier one shows in it", () =>
    test(Effect.gen(function*() {
      yield* book(options({ from: day.from, to: NEXT.to }))
      yield* close()
      yield* close({ from: NEXT.from, through: "2023-11-15" })
      assert.deepStrictEqual(yield* became, [])
      const { sql } = yield* Database
      yield* sql`UPDATE entry_history SET amount = '2' WHERE id = 't1'`
      assert.deepStrictEqual(yield* became, ["altered"])
    })))

  it.live("a close that says something else than the ledger's own runs is found by the books' check", () =>
    test(Effect.gen(function*() {
      yield* bookDay()
      const { sql } = yield* Database
      yield* sql`UPDATE entry_history SET state = 'matched' WHERE id = 't1'`
      yield* close()
      const { rebuild, verify } = yield* Books.Books
      yield* rebuild
      assert.deepStrictEqual(yield* verify, [
        "the entries of the period of close 2 did not stand as the close says",
        "what waited before the end of the period of close 2 was not what the close says"
      ])
      assert.deepStrictEqual(yield* became, ["altered"])
    })))

  it.live("records of other days break no period", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* transfers(NEXT.from + HOUR, [
        transfer({ tranId: "t9", asset: "XRP", amount: "4", timestamp: NEXT.from + HOUR })
      ])
      yield* book(options({ from: day.from, to: NEXT.to }))
      assert.deepStrictEqual(yield* became, [])
    })))
})
