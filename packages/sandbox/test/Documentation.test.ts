import { assert, describe, it } from "@effect/vitest"
import * as Faults from "@tallystick/sandbox/Faults"
import * as WireFault from "@tallystick/sandbox/WireFault"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"

const text = readFileSync(new URL("../../../docs/sandbox.md", import.meta.url), "utf8")
const examples = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, example = ""]) => example)
const kinds = WireFault.WireFault.members.map(({ fields }) => fields)

describe("docs/sandbox.md", () => {
  it("has examples of JSON that all can be read", () => {
    assert.isAtLeast(examples.length, 10)
    for (const example of examples) {
      assert.isTrue(Result.isSuccess(Faults.decode(JSON.parse(example))), example)
    }
  })

  it("names every key of the faults and every spelling, and shows each key in an example", () => {
    for (const key of [...Object.keys(Faults.Faults.fields), ...Faults.Spelling.literals]) {
      assert.include(text, `\`${key}\``)
    }
    const shown = new Set(examples.flatMap((example) => Object.keys(JSON.parse(example))))
    assert.sameMembers([...shown], Object.keys(Faults.Faults.fields))
  })

  it("names every kind of a fault between request and answer, with every key that it has", () => {
    for (const { kind, ...fields } of kinds) {
      const { literal } = kind
      assert.include(text, `**\`${literal}\`**`)
      const example = examples.find((example) => example.includes(`"kind": "${literal}"`)) ?? ""
      const own = text.slice(text.indexOf(`**\`${literal}\`**`), text.indexOf(example) + example.length)
      for (const key of Object.keys(fields)) {
        const isSelector = ["share", "requests", "operations"].includes(key)
        assert.match(isSelector ? text : own, new RegExp(`[\`"]${key}[\`"]`), `${literal}: ${key}`)
      }
    }
  })
})
