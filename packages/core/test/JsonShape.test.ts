import { assert, describe, it } from "@effect/vitest"
import * as JsonShape from "@tallystick/core/JsonShape"
import * as Schema from "effect/Schema"

/** Puts a value some levels deep into others. */
const inside = (text: string, depth: number): string =>
  depth === 0 ? text : inside(depth % 2 === 0 ? `[0, ${text}]` : `{"a":1,"b" :\n${text},"c":"x"}`, depth - 1)

const Few = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))

describe("a key that stands twice in one object", () => {
  it.prop(
    "is found wherever the object stands, and however the key is written",
    [Schema.Json, Schema.Json, Schema.String, Few],
    ([one, other, key, depth]) => {
      const name = JSON.stringify(key)
      const escaped = `"${
        Array.from({ length: key.length }, (_, at) => `\\u${key.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")
      }"`
      for (const again of [name, escaped]) {
        const text = inside(`{${name}:${JSON.stringify(one)}, ${again} : ${JSON.stringify(other)}}`, depth)
        const found = JsonShape.repeated(text)
        assert.isTrue(JsonShape.mayRepeat(text, JSON.parse(text)), text)
        assert.strictEqual(found?.key, key)
        assert.isTrue(text.startsWith(again, found?.at))
      }
    }
  )

  it.prop("is in no text that a value was written as", [Schema.Json, Few], ([value, depth]) => {
    const written = JSON.stringify(value, undefined, depth % 3)
    const text = inside(written, depth)
    assert.isUndefined(JsonShape.repeated(text))
    let hasComma = false
    JSON.stringify(value, (key, part: unknown) => {
      hasComma ||= key.includes(",") || (typeof part === "string" && part.includes(","))
      return part
    })
    assert.strictEqual(
      JsonShape.mayRepeat(text, JSON.parse(text)),
      hasComma && typeof JSON.parse(text) === "object",
      text
    )
  })

  it("is no key of another object, no value, and nothing that stands in a string", () => {
    for (
      const text of [
        "{\"a\":{\"a\":[{\"a\":1},{\"a\":2}]},\"b\":\"a\"}",
        "{\"a\":\"\\\"a\\\":1\",\"b\":\"{\\\"b\\\":\\\\\"}",
        "[\"a\",\"a\"]",
        "{\"__proto__\":1,\"constructor\":2}",
        "\"a\"",
        "1"
      ]
    ) {
      assert.isUndefined(JsonShape.repeated(text), text)
      assert.isFalse(JsonShape.mayRepeat(text, JSON.parse(text)), text)
    }
    assert.strictEqual(JsonShape.repeated("{\"__proto__\":1,\"__proto__\":2}")?.key, "__proto__")
  })
})
