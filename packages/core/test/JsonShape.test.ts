import { assert, describe, it } from "@effect/vitest"
import * as JsonShape from "@tallystick/core/JsonShape"
import * as Schema from "effect/Schema"

/** Puts a value some levels deep into others. */
const inside = (text: string, depth: number): string =>
  depth === 0 ? text : inside(depth % 2 === 0 ? `[0, ${text}]` : `{"a":1,"b" :\n${text},"c":"x"}`, depth - 1)

const Few = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))

/** The levels of a value, told in another way. */
const levels = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levels)) : 0

describe("a text that is nested too deeply", () => {
  const Depth = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 45 }))

  it.prop(
    "is told by its levels, and where the first too many begins",
    [Schema.Json, Depth, Few],
    ([value, depth, gap]) => {
      const text = inside(JSON.stringify(value, undefined, gap % 3), depth)
      const found = JsonShape.tooDeep(text)
      assert.strictEqual(found !== undefined, levels(JSON.parse(text)) > JsonShape.DEEPEST, text)
      if (found === undefined) return
      assert.match(text.slice(found), /^[[{]/)
      assert.strictEqual(
        text.slice(0, found).replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/[[{]/g)?.length,
        JsonShape.DEEPEST
      )
    }
  )

  it("may be of objects alone, of arrays alone, or of both in turn, closed or not", () => {
    const open = ["[", "{\"a\":", "[ {\"a\" : [ [ ", "[1,\n{\"a\":"]
    for (const level of open) {
      const each = level.match(/[[{]/g)?.length ?? 0
      const most = level.repeat(JsonShape.DEEPEST / each)
      assert.isUndefined(JsonShape.tooDeep(most), level)
      assert.strictEqual(JsonShape.tooDeep(`${most}[`), most.length)
      assert.isDefined(JsonShape.tooDeep(level.repeat(1_000_000)))
    }
    const beside = "[1,[2],{\"b\":3},"
    assert.isUndefined(JsonShape.tooDeep(beside.repeat(JsonShape.DEEPEST - 1)))
    assert.isDefined(JsonShape.tooDeep(beside.repeat(JsonShape.DEEPEST)))
  })

  it("is no text with many brackets beside one another, or in strings", () => {
    const brackets = "[{".repeat(1000)
    assert.isUndefined(JsonShape.tooDeep(JSON.stringify([brackets, { [brackets]: `"${brackets}\\"` }])))
    assert.isUndefined(JsonShape.tooDeep(JSON.stringify(Array.from({ length: 1000 }, () => [[], {}, { a: [{}] }]))))
  })
})

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
