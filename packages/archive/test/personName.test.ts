/** Names that look alike are those of one person. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as PersonName from "../src/PersonName.ts"

/** Each is nothing, wherever it stands. */
const nothing = [
  "\u0000",
  "\u0007",
  "\u007f",
  "\u00ad",
  "\u034f",
  "\u200b",
  "\u200d",
  "\u202e",
  "\u2060",
  "\ufe0f",
  "\ufeff",
  "\u{e0041}"
]

/** Each looks like a space. */
const spaces = [
  " ",
  "  ",
  "\t",
  "\n",
  "\r\n",
  "\v",
  "\u0085",
  "\u00a0",
  "\u2003",
  "\u2028",
  "\u2029",
  "\u202f",
  "\u3000",
  "\u200b \u200b "
]

/** Each looks like a space, or like nothing. */
const fillers = [
  "\u115f",
  "\u1160",
  "\u180e",
  "\u2800",
  "\u3164",
  "\uffa0",
  "\ufffc",
  "\u{13441}",
  "\u{13442}",
  "\u{16fe4}",
  "\u{1d159}"
]

const Letters = Schema.Literals(["a", "A", "b", "é", "ß", "İ", "ﬁ", "가", "ｋ", " "])

describe("the name of a person", () => {
  it("is the same with what shows nothing in it", () => {
    for (const one of [...nothing, ...fillers]) {
      for (
        const name of [`${one}Ann Lee`, `An${one}n Lee`, `Ann ${one}Lee`, `Ann Lee${one}`, `${one} Ann Lee ${one}`]
      ) {
        assert.isTrue(PersonName.isSame(name, "ann lee"), JSON.stringify(name))
      }
    }
  })

  it("is the same with whatever looks like its space", () => {
    for (const one of [...spaces, ...fillers]) {
      for (const other of spaces) {
        assert.isTrue(PersonName.isSame(`Ann${one}Lee`, `Ann${other}Lee`), JSON.stringify([one, other]))
      }
      assert.isTrue(PersonName.isSame(`Ann Lee${one}`, "Ann Lee"), JSON.stringify(one))
    }
  })

  it("is another one where something shows that the other has not, a space too", () => {
    for (const other of ["Annlee", "Ann-Lee", "Ann Leé", "Ann Lee 2", "Ann", ""]) {
      assert.isFalse(PersonName.isSame("Ann Lee", other), other)
    }
    assert.isFalse(PersonName.isSame("Ann\u2800Lee", "Ann Leo"))
  })

  it.prop(
    "is its own, whatever is hidden in it, and both ways round",
    [Schema.Array(Letters), Schema.Array(Letters), Schema.Literals([...nothing, ...fillers]), Schema.Int],
    ([one, two, hidden, at]) => {
      const [name, other] = [one.join(""), two.join("")]
      const place = Math.abs(at) % (one.length + 1)
      const changed = [...one.slice(0, place), hidden, ...one.slice(place)].join("")
      assert.isTrue(PersonName.isSame(name, changed))
      assert.strictEqual(PersonName.isSame(name, other), PersonName.isSame(other, name))
    }
  )

  it("hides something with any of these in it, and nothing with letters, marks and spaces", () => {
    for (const one of [...nothing, ...fillers, "\t", "\u2028"]) {
      assert.isTrue(PersonName.hidesSomething(`Ann${one}`), JSON.stringify(one))
    }
    for (const name of ["Ann Lee", "Zoë O’Neill-Ångström", "e\u0301", "이 순신", "Анна", "李 明", "👩"]) {
      assert.isFalse(PersonName.hidesSomething(name), name)
    }
  })
})
