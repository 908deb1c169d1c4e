import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as StoredText from "../src/internal/sql/StoredText.ts"

describe("StoredText", () => {
  it.effect.prop(
    "gives every text back",
    [Schema.String],
    ([text]) => Effect.sync(() => assert.strictEqual(StoredText.decode(StoredText.encode(text)), text))
  )

  it("gives back what no database would hold, and leaves ordinary text as it is", () => {
    for (const text of ["\0", "a\0b", "\ud800", "x\udc00y", "\u0001", "\u0001\"a\"", "", "é😀", "\"", "\\u0000"]) {
      const stored = StoredText.encode(text)
      assert.strictEqual(StoredText.decode(stored), text)
      assert.isFalse(stored.includes("\0"))
      assert.isTrue(stored.isWellFormed())
    }
    assert.strictEqual(StoredText.encode("master"), "master")
  })
})
