/** The policy reference against the policy. */
import { assert, describe, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import { page } from "../src/PolicyPage.ts"

const rows = page.text.split("\n").filter((line) => line.startsWith("| `"))

describe("the policy reference", () => {
  it("has a section for every key", () => {
    const sections = Array.from(page.text.matchAll(/^## `(\w+)`$/gm), ([, key = ""]) => key)
    assert.deepStrictEqual(new Set(sections), new Set(Object.keys(Policy.defaults)))
  })

  it("names every setting and its default", () => {
    const { ambiguity, grouping, statuses, tolerance } = Policy.defaults
    const groups = {
      ambiguity,
      grouping,
      tolerance,
      "statuses.deposit": statuses.deposit,
      "statuses.transfer": statuses.transfer
    }
    for (const [name, values] of Object.entries(groups)) {
      for (const [key, value] of Object.entries(values)) {
        const row = rows.find((line) => line.startsWith(`| \`${name}.${key}\` |`))
        assert.include(row, `| \`${JSON.stringify(value).replaceAll(",", ", ")}\` |`, `${name}.${key}`)
      }
    }
  })

  it("says what each key means, and what it may be", () => {
    for (const row of rows) assert.match(row, /^\| `[^`]+` \| [^|]*\| [^|]+ \| [A-Z`][^|]+\. \|$/)
  })
})
