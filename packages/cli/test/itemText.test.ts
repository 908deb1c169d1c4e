/** Open items as texts, however many there are. */
import { assert, describe, it } from "@effect/vitest"
import type * as OpenItem from "@tallystick/archive/OpenItem"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as ItemText from "../src/archive/ItemText.ts"
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

const look = { width: 200, times: ZonedTimes.make(), now: 86_400_000, madeAt: () => 0 }

const written = (format: "csv" | "json" | "ndjson", listed: ReadonlyArray<ItemText.Listed>) =>
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
        "item,state,code,since,side,id,asset,amount,at,account,execution,decision,exact",
        "i1,open,missing-transfer,1,deposit,d1,BTC,1.50,1000,\"'=sum\",2,7,\"{\"\"account\"\":\"\"=sum\"\"}\"",
        "i2,open,missing-transfer,1,deposit,d2,BTC,1.50,2000,\"sub, \"\"one\"\"\",2,,",
        ""
      ])
    }))
})
