/** Notices are written with what makes them true, and each destination is told once. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Archive from "../src/Archive.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as Notices from "../src/Notices.ts"
import { at } from "./support/at.ts"
import { arrives, far, near, options, swept, waiting } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { DAY, decide, HOUR, link, MINUTE, testOn } from "./support/decisions.ts"
import { bookFor, deliver, receiver, tell, words } from "./support/notices.ts"
import { deposits, mate, paired, transfers } from "./support/periods.ts"
import { deposit, NOW } from "./support/records.ts"

const LATER = NOW + 7 * DAY

describe.each(databases)("notices, on $name", (kind) => {
  const test = testOn(kind)

  it.live("the first execution for a destination tells it in one notice what is open, with sums and worths", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      const { execution } = yield* bookFor([desk], options(), new Map([["USDT", "0.5"]]))
      assert.deepStrictEqual(desk.taken, [])
      const [delivered] = yield* deliver(desk)
      assert.deepInclude(delivered, { sent: 1, waiting: 0, givenUp: 0 })
      const [notice, ...others] = desk.taken
      assert.deepStrictEqual(others, [])
      assert.strictEqual(
        notice === undefined ? "" : words(notice),
        "open-items 4 after 1: 2 missing-deposit, 2 missing-transfer"
      )
      assert.deepInclude(notice, {
        version: 1,
        head: { number: 1, id: execution.id },
        at: LATER,
        totals: [
          { side: "deposit", asset: "BTC", entries: 1, sum: "3" },
          { side: "deposit", asset: "USDT", entries: 1, sum: "1.5", worth: "0.75" },
          { side: "transfer", asset: "USDT", entries: 2, sum: "10.4", worth: "5.2" }
        ]
      })
    })))

  it.live("a new item is told once to each destination, and an item that was settled and opens again once more", () =>
    test(Effect.gen(function*() {
      const [desk, audit] = [receiver("desk"), receiver("audit")]
      yield* bookFor([desk, audit], options(far))
      yield* bookFor([desk, audit])
      yield* bookFor([desk, audit])
      yield* decide([yield* link("near", ["t1"])])
      yield* bookFor([desk, audit])
      yield* decide([{ kind: "revoke", decision: 4, words: "it was another one" }])
      yield* bookFor([desk, audit])
      yield* bookFor([desk, audit])
      yield* deliver(desk, audit)
      assert.deepStrictEqual(desk.taken.map(words), [
        "open-items 1 after 1: 1 missing-transfer",
        "item-opened missing-transfer after 2: deposit 1.5 USDT",
        "item-opened missing-transfer after 2: deposit 3 BTC",
        "item-opened missing-deposit after 2: transfer 1.4 USDT",
        "item-opened missing-deposit after 2: transfer 9 USDT",
        "item-settled linked after 5: deposit 1.5 USDT",
        "item-settled linked after 5: transfer 1.4 USDT",
        "item-reopened missing-transfer after 7: deposit 1.5 USDT",
        "item-reopened missing-deposit after 7: transfer 1.4 USDT"
      ])
      assert.deepStrictEqual(audit.taken.map(words), desk.taken.map(words))
      const keys = [...desk.taken, ...audit.taken].map(({ key }) => key)
      assert.strictEqual(new Set(keys).size, keys.length)
      yield* deliver(desk, audit)
      assert.lengthOf(desk.taken, 9)
    })))

  it.live("an item is told to be settled when none of the entries waits that were told of it, and under the id that was told", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* deposits(paired.insertTime, [paired])
      yield* transfers(mate.timestamp, [mate])
      yield* bookFor([desk])
      yield* transfers(mate.timestamp, [], 2)
      yield* bookFor([desk])
      yield* deliver(desk)
      const opened = desk.taken.at(-1)
      assert.strictEqual(
        opened === undefined ? "" : words(opened),
        "item-opened vanished after 2: deposit 5 ETH + transfer 5 ETH"
      )
      const item = opened !== undefined && "item" in opened ? opened.item : assert.fail()
      const exclude = (index: number) => {
        const { id, side } = item.entries[index] ?? assert.fail()
        return { kind: "exclude", side, id, reason: "test", words: "a test of ours" } as const
      }
      desk.taken.length = 0
      yield* decide([exclude(0)])
      yield* bookFor([desk])
      yield* deliver(desk)
      assert.deepStrictEqual(desk.taken.map(words), [])
      yield* transfers(mate.timestamp, [mate], 3)
      yield* decide([exclude(1)])
      yield* bookFor([])
      yield* bookFor([desk])
      yield* bookFor([desk])
      yield* deliver(desk)
      assert.deepStrictEqual(desk.taken.map(words), [
        "item-settled excluded after 7: deposit 5 ETH + transfer 5 ETH"
      ])
      const [notice] = desk.taken
      const settled = notice !== undefined && "item" in notice ? notice.item : assert.fail()
      assert.deepInclude(notice, { item: { ...item, code: "excluded", outcome: settled.outcome } })
    })))

  it.live("an item of which no record tells any more is told to be gone, and not to be settled", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* bookFor([desk], options(far))
      yield* bookFor([desk])
      yield* deliver(desk)
      desk.taken.length = 0
      const { sql } = yield* Database
      yield* sql`DELETE FROM transfers WHERE id = 't1'`
      yield* decide([{ kind: "exclude", side: "transfer", id: "t2", reason: "test", words: "a test of ours" }])
      yield* bookFor([desk])
      yield* bookFor([desk])
      yield* deliver(desk)
      assert.deepStrictEqual(desk.taken.map(words), [
        "item-gone gone after 4: transfer 1.4 USDT",
        "item-settled excluded after 4: transfer 9 USDT"
      ])
      assert.include(
        desk.taken[0]?.text,
        "Records of an item are gone, and nothing settled it: gone, transfer 1.4 USDT. tallystick item i"
      )
    })))

  it.live("what an execution without notices opened is told with the next one that has them, if it is still open", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* bookFor([desk], options(far))
      yield* bookFor([])
      yield* arrives(swept)
      yield* bookFor([desk])
      yield* deliver(desk)
      assert.deepStrictEqual(desk.taken.slice(1).map(words), [
        "item-opened missing-transfer after 3: deposit 1.5 USDT",
        "item-opened missing-deposit after 3: transfer 1.4 USDT",
        "item-opened missing-deposit after 3: transfer 9 USDT"
      ])
    })))

  it.live("what is pending is not told, until it is open", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      /** The deposit has that status, and transfers are read to the same day. */
      const arrives = Effect.fnUntraced(function*(status: number, days: number) {
        const { deposits, transfers } = yield* Archive.Archive
        const [moment, later] = [NOW + MINUTE, { from: NOW + 5 * DAY, to: NOW + days * DAY, bad: [] }]
        const read = { readAt: NOW + days * DAY + HOUR, state: "complete" } as const
        const slice = { from: moment, to: moment + 1, bad: [] }
        yield* deposits.saveSlice({
          ...slice,
          records: [deposit({ txId: "slow", amount: "77", insertTime: moment, status })],
          coverage: [{ operation: "deposits", from: slice.from, to: slice.to, ...read }]
        })
        yield* transfers.saveSlice({
          ...later,
          records: [],
          coverage: [{ operation: "transfers", from: later.from, to: later.to, ...read }]
        })
      })
      yield* bookFor([desk])
      yield* arrives(1, 6)
      yield* bookFor([desk])
      assert.isTrue((yield* waiting()).some((item) => item.startsWith("pending") && item.includes(" 77 ")))
      yield* deliver(desk)
      assert.lengthOf(desk.taken, 1)
      yield* arrives(5, 7)
      yield* arrives(5, 9)
      yield* Effect.andThen(bookFor([desk]), deliver(desk)).pipe(at(NOW + 10 * DAY))
      assert.deepStrictEqual(desk.taken.slice(1).map(words), [
        "item-opened missing-transfer after 3: deposit 77 USDT"
      ])
    })))

  it.live("sub-accounts are named only where details are asked for, and addresses and memos nowhere", () =>
    test(Effect.gen(function*() {
      const [desk, inside] = [receiver("desk"), receiver("inside", { hasDetails: true })]
      yield* bookFor([desk, inside], options(far))
      yield* bookFor([desk, inside])
      yield* deliver(desk, inside)
      assert.notInclude(JSON.stringify(desk.taken), "a@x")
      assert.include(JSON.stringify(inside.taken), "\"account\":\"a@x\"")
      for (const { taken } of [desk, inside]) assert.notInclude(JSON.stringify(taken), "TAbc")
    })))

  it.live("a notice that is not taken is tried again after a minute, then ever later, and given up after seven days", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      desk.state.isDown = true
      yield* bookFor([desk])
      const triesUntil = (ms: number) =>
        Effect.as(deliver(desk), desk.state).pipe(at(LATER + ms), Effect.map(({ tries }) => tries))
      assert.strictEqual(yield* triesUntil(0), 1)
      assert.strictEqual(yield* triesUntil(MINUTE - 1), 1)
      assert.strictEqual(yield* triesUntil(MINUTE), 2)
      assert.strictEqual(yield* triesUntil(5 * MINUTE - 1), 2)
      assert.strictEqual(yield* triesUntil(5 * MINUTE), 3)
      assert.strictEqual(yield* triesUntil(5 * MINUTE + 16 * MINUTE), 4)
      assert.strictEqual(yield* triesUntil(7 * DAY), 5)
      const [delivered] = yield* deliver(desk).pipe(at(LATER + 7 * DAY + 1))
      assert.deepInclude(delivered, { sent: 0, waiting: 0, givenUp: 1 })
      assert.strictEqual(desk.state.tries, 5)
    })))

  it.live("a receiver that is down costs two attempts, and what it did not take is sent when it is back", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* bookFor([desk], options(far))
      yield* bookFor([desk])
      desk.state.isDown = true
      const [down] = yield* deliver(desk)
      assert.deepInclude(down, { sent: 0, waiting: 5 })
      assert.strictEqual(down?.failure?.message, "desk did not take a notice: it is down")
      assert.strictEqual(desk.state.tries, 2)
      desk.state.isDown = false
      yield* deliver(desk)
      assert.lengthOf(desk.taken, 3)
      yield* deliver(desk).pipe(at(LATER + MINUTE))
      assert.strictEqual(new Set(desk.taken.map(({ key }) => key)).size, 5)
    })))

  it.live("notices that a receiver refuses keep no other waiting", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* bookFor([desk], options(far))
      yield* deliver(desk)
      yield* bookFor([desk])
      const refused = new Set<string>()
      desk.state.refuses = (notice) => {
        if (refused.size < 2) refused.add(notice.key)
        return refused.has(notice.key)
      }
      const [first] = yield* deliver(desk)
      assert.deepInclude(first, { sent: 2, waiting: 2 })
      assert.strictEqual(first?.failure?.message, "desk did not take a notice: it refuses this one")
      desk.state.refuses = () => false
      yield* deliver(desk).pipe(at(LATER + MINUTE))
      assert.strictEqual(new Set(desk.taken.map(({ key }) => key)).size, 5)
    })))

  it.live("a notice that was tried less is sent before one that was tried more, however it fails", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      desk.state.isDown = true
      yield* tell([desk], { kind: "nothing-read", isOn: true, lastReading: null }, { kind: "key-refused", isOn: true })
      yield* deliver(desk)
      desk.state.isDown = false
      const late = { kind: "deadline", isOn: true, deadline: LATER + HOUR } as const
      yield* tell([desk], late).pipe(at(LATER + HOUR))
      yield* deliver(desk).pipe(at(LATER + HOUR))
      assert.deepStrictEqual(desk.taken.map(words), ["deadline began", "nothing-read began", "key-refused began"])
    })))

  it.live("a receiver that breaks instead of failing did not take the notice, and another one is told all the same", () =>
    test(Effect.gen(function*() {
      const [desk, other] = [receiver("desk"), receiver("other")]
      yield* bookFor([desk, other])
      const defect = Object.assign(new Error("a secret"), { code: "ETXTBSY" })
      const [dead] = yield* deliver({ ...desk, send: () => Effect.die(defect) }, other)
      assert.deepInclude(dead, { sent: 0, waiting: 1 })
      assert.strictEqual(dead?.failure?.message, "desk did not take a notice: it broke (ETXTBSY)")
      const thrown = () => {
        throw new Error("a secret")
      }
      const [broken] = yield* deliver({ ...desk, send: thrown }).pipe(at(LATER + MINUTE))
      assert.strictEqual(broken?.failure?.message, "desk did not take a notice: it broke")
      assert.lengthOf(other.taken, 1)
      yield* deliver(desk).pipe(at(LATER + HOUR))
      assert.lengthOf(desk.taken, 1)
    })))

  it.live("what a destination did not take that is not named any more is given up after seven days, and itself forgotten later", () =>
    test(Effect.gen(function*() {
      const [desk, former] = [receiver("desk"), receiver("former")]
      yield* bookFor([desk, former])
      yield* tell([former], { kind: "key-refused", isOn: true })
      const { expireOthers } = yield* Notices.Notices
      const { sql } = yield* Database
      const rows = Effect.gen(function*() {
        const notices = yield* sql<{ destination: string }>`SELECT destination FROM notices ORDER BY number`
        const marks = yield* sql<
          { destination: string }
        >`SELECT destination FROM notice_marks ORDER BY destination, subject`
        return [notices, marks].map((rows) => rows.map(({ destination }) => destination).join(" "))
      })
      const expires = (receivers: ReadonlyArray<typeof desk>, ms: number) =>
        expireOthers(receivers).pipe(at(LATER + ms))
      assert.strictEqual(yield* expires([], 7 * DAY), 0)
      assert.deepStrictEqual(yield* rows, ["desk former former", "desk former former"])
      assert.strictEqual(yield* expires([desk], 7 * DAY + 1), 2)
      assert.deepStrictEqual(yield* rows, ["desk", "desk former former"])
      assert.strictEqual(yield* expires([desk], 100 * DAY + 1), 0)
      assert.deepStrictEqual(yield* rows, ["desk", "desk"])
      assert.strictEqual(yield* expires([], 100 * DAY + 1), 1)
      assert.deepStrictEqual(yield* rows, ["", ""])
    })))

  it.live("two that deliver at once send each notice once", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* bookFor([desk], options(far))
      yield* bookFor([desk])
      const slow = { ...desk, send: (text: string) => Effect.andThen(Effect.yieldNow, desk.send(text)) }
      yield* Effect.all([deliver(slow), deliver(slow), deliver(slow)], { concurrency: "unbounded" })
      assert.lengthOf(desk.taken, 5)
      assert.strictEqual(new Set(desk.taken.map(({ key }) => key)).size, 5)
    })))

  it.live("a condition is told when it begins and once when it is over, and again when it comes back", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      const refused = (isOn: boolean) => ({ kind: "key-refused" as const, isOn })
      const late = (isOn: boolean) => ({ kind: "deadline" as const, isOn, deadline: LATER + HOUR })
      yield* tell([desk], refused(false), late(false))
      yield* tell([desk], refused(true), late(true))
      yield* tell([desk], refused(true)).pipe(at(LATER + 1))
      yield* tell([desk], refused(false)).pipe(at(LATER + 2))
      yield* tell([desk], refused(false)).pipe(at(LATER + 3))
      yield* tell([desk], refused(true)).pipe(at(LATER + 4))
      yield* tell([desk], { kind: "nothing-read", isOn: true, lastReading: null }).pipe(at(LATER + 5))
      yield* deliver(desk).pipe(at(LATER + 6))
      assert.deepStrictEqual(desk.taken.map(words), [
        "key-refused began",
        "deadline began",
        "key-refused over",
        "key-refused began",
        "nothing-read began"
      ])
      assert.strictEqual(new Set(desk.taken.map(({ key }) => key)).size, 5)
      assert.deepInclude(desk.taken[1], { deadline: LATER + HOUR, since: LATER })
      assert.deepInclude(desk.taken[2], { since: LATER })
    })))

  it.live("that a condition is over is not told before that it began", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      desk.state.isDown = true
      yield* tell([desk], { kind: "key-refused", isOn: true })
      yield* deliver(desk)
      desk.state.isDown = false
      yield* tell([desk], { kind: "key-refused", isOn: false }).pipe(at(LATER + 1))
      yield* deliver(desk).pipe(at(LATER + 2))
      assert.deepStrictEqual(desk.taken, [])
      yield* deliver(desk).pipe(at(LATER + MINUTE))
      assert.deepStrictEqual(desk.taken.map(words), ["key-refused began", "key-refused over"])
    })))

  it.live("the words of a notice hold a stranger's text as letters, digits and hyphens alone", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* bookFor([desk])
      const { deposits } = yield* Archive.Archive
      const coin = "_A*B*<x|y>.evil.example-1é"
      yield* deposits.saveSlice({
        from: NOW,
        to: NOW + 1,
        bad: [],
        records: [deposit({ txId: "strange", coin, amount: "5", insertTime: NOW })],
        coverage: []
      })
      yield* bookFor([desk])
      yield* deliver(desk)
      const [notice] = desk.taken.slice(1)
      assert.include(notice?.text, "deposit 5 ?A?B??x?y??evil?example-1?.")
      assert.include(JSON.stringify(notice), JSON.stringify(coin))
    })))

  it.live("an execution that is refused leaves no notice", () =>
    test(Effect.gen(function*() {
      const desk = receiver("desk")
      yield* bookFor([desk], options(far))
      yield* Effect.flip(bookFor([desk], options(near, undefined, ["b@x"])))
      const { sql } = yield* Database
      const rows = yield* sql<{ key: string }>`SELECT key FROM notices`
      assert.lengthOf(rows, 1)
    })))
})
