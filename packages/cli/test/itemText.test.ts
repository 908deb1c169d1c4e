/** Open items as texts, however many there are. */
import { assert, describe, it } from "@effect/vitest"
import type * as OpenItem from "@tallystick/archive/OpenItem"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as ItemText from "../src/archive/ItemText.ts"
import * as WithoutEntriesText from "../src/archive/WithoutEntriesText.ts"
import * as ZonedTimes from "../src/text/ZonedTimes.ts"

const item = (index: number): ItemText.Listed => {
  const [id, at] = [`i${index}`, index * 1000]
  const entry: OpenItem.EntryState = {
    side: "deposit",
    id: `d${index}`,
    item: id,
    asset: "BTC",
    amount: "1.50",
    at,
    account: index % 2 === 0 ? "sub, \"one\"" : "=sum",
    state: "open",
    code: "missing-transfer",
    outcome: `o${index}`,
    since: 1,
    execution: 2
  }
  return {
    item: { id, state: "open", code: entry.code, outcome: entry.outcome, at, since: 1, execution: 2, entries: [entry] },
    ...(index === 1 ? { decision: 7 } : {})
  }
}

const query = (fromAccount: string) => ({ fromAccount, fromAccountType: "SPOT", toAccountType: "SPOT" })

const gap: OpenItem.GapItem = {
  _tag: "Gap",
  id: "u01a9",
  operation: "transfers",
  from: 0,
  to: 3_600_000,
  parts: ["sub1", "sub2"].map((account) => ({
    operation: "transfers",
    query: query(account),
    from: 0,
    to: 3_600_000,
    readAt: 0,
    state: "incomplete",
    gap: { code: "not-read", detail: "nobody asked for all of it" }
  })),
  since: 1,
  execution: 2
}

const badRecord: OpenItem.BadRecordItem = {
  _tag: "BadRecord",
  id: "u3f2a",
  record: {
    side: "deposit",
    source: "page 1, record 2",
    path: "amount",
    reason: "wanted \u001b[1m",
    raw: "{\u001b[31m}"
  },
  metAt: 0,
  outcome: "9c41",
  run: "r1",
  since: 1,
  execution: 2
}

const look = { width: 200, times: ZonedTimes.make(), now: 86_400_000, madeAt: () => 0 }

const written = (format: "csv" | "json" | "ndjson", listed: ReadonlyArray<ItemText.Line>) =>
  Effect.map(
    Stream.runCollect(ItemText.texts(format)(Stream.rechunk(Stream.fromIterable(listed), 2))),
    (texts) => texts.join("")
  )

describe("the texts of open items", () => {
  it("the table says how many items it leaves out, and where they are", () => {
    const listed = [item(1), item(2)]
    assert.notInclude(ItemText.table(listed, 2, look), "more")
    const [last] = ItemText.table(listed, 1202, look).trimEnd().split("\n").toReversed()
    assert.strictEqual(last, "1,200 more items after these: --format csv, json or ndjson lists all")
  })

  it.effect("what has no entries is a line of its own in every format, and of one kind", () =>
    Effect.gen(function*() {
      const [, first = "", second = ""] = ItemText.table([gap, badRecord], 2, look).split("\n")
      assert.match(first, /^u01a9 .*unread .*not all transfers of 2 lists from /)
      assert.match(second, /^u3f2a .*bad-record .*deposit that could not be read: amount/)
      const [, csv, bad] = (yield* written("csv", [gap, badRecord])).split("\n")
      assert.strictEqual(csv, "u01a9,,unread,1,transfer,,,,0,,2,,3600000,,")
      assert.strictEqual(bad, "u3f2a,,bad-record,1,deposit,,,,,,2,,,amount,")
      const kinds = (yield* written("ndjson", [gap, item(1), badRecord])).trimEnd().split("\n").map((line) =>
        JSON.parse(line).kind
      )
      assert.deepStrictEqual(kinds, ["gap", "entries", "bad-record"])
    }))

  it("an item without entries is told with its causes, and no text of a stranger drives the terminal", () => {
    const lines = WithoutEntriesText.lines({ item: gap }, look)
    assert.include(lines.join("\n"), "transfers from sub2 to master (SPOT to SPOT) from")
    const told = WithoutEntriesText.lines({ item: badRecord, goneBy: 3 }, look).join("\n")
    assert.include(told, "amount: wanted")
    assert.include(told, "gone: execution 3")
    assert.notInclude(told, "\u001b")
  })

  it("a gap of which time is unread still, under another id, is not told to be gone", () => {
    const told = { item: gap, goneBy: 3, unreadIn: ["u77aa"] }
    const text = WithoutEntriesText.lines(told, look).join("\n")
    assert.match(text, /execution 3 .*found time of it unread that begins elsewhere: see u77aa/s)
    assert.notInclude(text, "gone:")
    assert.deepInclude(JSON.parse(WithoutEntriesText.storyJson(told))[0], { goneBy: 3, unreadIn: ["u77aa"] })
    assert.include(
      WithoutEntriesText.lines({ item: gap, goneBy: 3, unreadIn: [] }, look).join("\n"),
      "gone: execution 3"
    )
  })

  it.effect("JSON is one array, whatever comes at once", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* written("json", []), "[]\n")
      for (const count of [1, 2, 3, 5]) {
        const text = yield* written("json", Array.from({ length: count }, (_, index) => item(index)))
        assert.strictEqual(text, `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`)
        assert.lengthOf(JSON.parse(text), count)
      }
    }))

  it.effect("a cell of CSV that a spreadsheet would not take as it is goes beside its exact text", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* written("csv", [item(1), item(2)])).split("\n"), [
        "item,state,code,since,side,id,asset,amount,at,account,execution,decision,until,path,exact",
        "i1,open,missing-transfer,1,deposit,d1,BTC,1.50,1000,\"'=sum\",2,7,,,\"{\"\"account\"\":\"\"=sum\"\"}\"",
        "i2,open,missing-transfer,1,deposit,d2,BTC,1.50,2000,\"sub, \"\"one\"\"\",2,,,,",
        ""
      ])
    }))
})
