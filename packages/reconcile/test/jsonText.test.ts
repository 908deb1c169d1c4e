import { assert, describe, it } from "@effect/vitest"
import * as JsonText from "../src/rows/JsonText.ts"

/** The elements as they are told apart, and what is wrong with the whole. */
const read = (text: string) => {
  const { elements, problem } = JsonText.elements(text, text.indexOf("["))
  return { elements: elements.map(({ text }) => text), reason: problem?.reason }
}

describe("an array of JSON as text", () => {
  it.each([
    ["[]", []],
    [" [ \n ]\n", []],
    ["[1]", ["1"]],
    ["[ {\"a\": [1, 2]} , \"],\" ]", ["{\"a\": [1, 2]}", "\"],\""]],
    ["{\"result\": [1], \"totalCount\": 1}", ["1"]],
    ["{\"totalCount\": 1, \"result\": []}\n", []]
  ])("is taken apart where it is whole: %j", (text, elements) => {
    assert.deepStrictEqual(read(text), { elements, reason: undefined })
  })

  it.each([
    ["[1,,2]", ["1", "", "2"]],
    ["[,1]", ["", "1"]],
    ["[1,]", ["1", ""]],
    ["[1,\n]", ["1", ""]],
    ["[,]", ["", ""]]
  ])("has a place where nothing stands, which is no value: %j", (text, elements) => {
    assert.deepStrictEqual(read(text).elements, elements)
    assert.include(JSON.stringify(JsonText.parse("")), "nothing stands here")
  })

  it.each([
    ["[1] x", "is not valid JSON"],
    ["[1]]", "is not valid JSON"],
    ["[1]}", "is not valid JSON"],
    ["[1}", "is not valid JSON"],
    ["[1],", "is not valid JSON"],
    ["[1] 2", "is not valid JSON"],
    ["[1]\u0000", "is not valid JSON"],
    ["[1] \"", "is not valid JSON"],
    ["{\"result\":[1]", "is not valid JSON"],
    ["{\"result\":[1],\"totalCount\":}", "is not valid JSON"],
    ["{\"totalCount\":one,\"result\":[1]}", "is not valid JSON"],
    ["{\"result\":[1],\"result\":null}", "more stands behind it"],
    ["[1][2]", "more stands behind it"],
    ["[1]\n{}", "more stands behind it"],
    ["{\"result\":[1],\"more\":[2]}", "more stands behind it"],
    ["[1", "does not end"],
    ["[1,", "does not end"]
  ])("may lack records where something else stands around it: %j", (text, reason) => {
    const found = read(text)
    assert.deepStrictEqual(found.elements, text.endsWith("[1") ? [] : ["1"])
    assert.include(found.reason, reason)
    assert.include(found.reason, "records may be missing")
  })
})
