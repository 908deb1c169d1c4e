import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as JsonSyntax from "../src/rows/JsonSyntax.ts"

const SECRET = "recognisable-secret"

const problem = (text: string): string =>
  Result.match(JsonSyntax.parse(text), {
    onFailure: ({ place, reason }) => `${place}: ${reason}`,
    onSuccess: () => "none"
  })

describe("what is wrong with a JSON text", () => {
  it.each([
    ["", "line 1, column 1: not valid JSON: wanted: a value"],
    [`{"rate": ${SECRET}}`, "line 1, column 10: not valid JSON: wanted: a value"],
    ["{\n  \"seed\": 1,\n}", "line 3, column 1: not valid JSON: wanted: a key in double quotes"],
    ["{'a': 1}", "line 1, column 2: not valid JSON: wanted: a key in double quotes"],
    [`{"${SECRET}" 1}`, "line 1, column 24: not valid JSON: wanted: \":\""],
    ["{\"a\": 1 \"b\": 2}", "line 1, column 9: not valid JSON: wanted: \",\" or \"}\""],
    ["[1, [2, 3]", "line 1, column 11: not valid JSON: wanted: \",\" or \"]\""],
    ["{\"a\": 1}\n// what it is", "line 2, column 1: not valid JSON: wanted: nothing more"],
    ["[01]", "line 1, column 3: not valid JSON: wanted: \",\" or \"]\""],
    ["\uFEFF{", "line 1, column 2: not valid JSON: wanted: a key in double quotes"]
  ])("is told with its place, and without the text: %j", (text, told) => {
    assert.strictEqual(problem(text), told)
  })

  it("is a key that stands twice in one object, however it is written", () => {
    assert.strictEqual(problem("{\"a\": 1, \"b\": {\"a\": 2}, \"c\": [{\"a\": 1}, {\"a\": 2}]}"), "none")
    assert.strictEqual(
      problem("{\"b\": [{\"a\": 1,\n \"\\u0061\": 2}]}"),
      "line 2, column 2: a stands here for the second time"
    )
  })

  it.prop(
    "is nothing where the engine finds nothing, and has a place where it finds something",
    [Schema.Json, Schema.Int, Schema.String],
    ([value, where, put]) => {
      const json = JSON.stringify(value, undefined, put.length % 2)
      const cut = Math.abs(where) % (json.length + 1)
      for (const text of [json, json.slice(0, cut), json.slice(0, cut) + put.slice(0, 2) + json.slice(cut)]) {
        const isJson = Result.isSuccess(Result.try((): unknown => JSON.parse(text)))
        const nothing = `wanted: nothing more at character ${text.length + 1}`
        assert.strictEqual(JsonSyntax.problem(text) === nothing, isJson, text)
      }
    }
  )
})
