import { assert, describe, it } from "@effect/vitest"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Hostile from "../../reconcile/test/support/Hostile.ts"

const DRIVING = /[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

describe("JSON that drives no terminal", () => {
  it("reads back as the same text for every character there is, in values and in keys", () => {
    for (let from = 0; from <= 0x10_ff_ff; from += 0x400) {
      const text = Array.from({ length: 0x400 }, (_, index) => String.fromCodePoint(from + index)).join("·")
      const written = SafeJson.stringify({ text, [text]: 1 })
      assert.isFalse(DRIVING.test(written), from.toString(16))
      assert.deepStrictEqual(JSON.parse(written), { text, [text]: 1 })
    }
  })

  it("writes a record of a source as text where JSON cannot hold it", () => {
    for (const record of Hostile.values) {
      const written = SafeJson.stringify({ deposits: [{ id: "d1", record }] })
      assert.strictEqual(JSON.parse(written).deposits[0].id, "d1")
    }
  })

  it("leaves letters of every language as they are, and indents when asked to", () => {
    assert.strictEqual(SafeJson.stringify({ a: "Zürich 漢字 ₿" }), "{\"a\":\"Zürich 漢字 ₿\"}")
    assert.strictEqual(SafeJson.stringify(["\u202e"], 1), "[\n \"\\u202e\"\n]")
  })
})
