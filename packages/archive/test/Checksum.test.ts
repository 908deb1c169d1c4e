import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Checksum from "../src/internal/sql/Checksum.ts"

const Values = Schema.Array(Schema.Union([Schema.String, Schema.Int, Schema.Null]))

describe("Checksum", () => {
  it.effect.prop(
    "notices every single character that is another one",
    [Schema.NonEmptyString, Values, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 0xffff }))],
    ([text, others, by]) =>
      Effect.sync(() => {
        for (let place = 0; place < text.length; place++) {
          const changed = text.slice(0, place) + String.fromCharCode(text.charCodeAt(place) ^ by) +
            text.slice(place + 1)
          assert.notStrictEqual(Checksum.of([...others, changed, ...others]), Checksum.of([...others, text, ...others]))
        }
      })
  )

  it.effect.prop(
    "notices every number that is another one",
    [Schema.Int, Schema.Int, Values],
    ([one, other, rest]) =>
      Effect.sync(() => {
        if (one !== other) assert.notStrictEqual(Checksum.of([one, ...rest]), Checksum.of([other, ...rest]))
      })
  )

  it("notices what moved from one value into the next, and what changed its kind", () => {
    const rows = [
      ["ab", "c"],
      ["a", "bc"],
      ["abc", ""],
      ["abc"],
      ["", "abc"],
      ["c", "ab"],
      [1],
      ["1"],
      [1.5],
      ["1.5"],
      [
        null
      ],
      ["null"],
      [0],
      [""],
      [],
      [2 ** 32],
      [2 ** 33],
      [-1],
      [0xffff_ffff],
      [new Uint8Array([1])]
    ]
    assert.strictEqual(new Set(rows.map(Checksum.of)).size, rows.length)
  })

  it.effect.prop(
    "does not let the same change of two rows, there and back, cancel in their sum",
    [Schema.String, Schema.String],
    ([one, other]) =>
      Effect.sync(() => {
        if (one === other) return
        const sum = (first: number, second: number): number => Checksum.of([one, first]) + Checksum.of([other, second])
        assert.notStrictEqual(sum(0, 1), sum(1, 0))
      })
  )

  it("judges a row by its last column", () => {
    const row = { id: "1", at: 1_767_225_600_000, note: null }
    assert.isTrue(Checksum.holds({ ...row, checksum: Checksum.of(Object.values(row)) }))
    assert.isFalse(Checksum.holds({ ...row, checksum: 0 }))
    assert.isFalse(Checksum.holds({ ...row, id: "2", checksum: Checksum.of(Object.values(row)) }))
  })
})
