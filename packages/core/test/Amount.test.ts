import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const digits = (count: number) => "9".repeat(count)

describe("Amount", () => {
  it("takes up to 64 digits on either side of the point and nothing else", () => {
    for (const good of ["0", "00", "1", "1.5", "0.003567050000000000000000000000", `${digits(64)}.${digits(64)}`]) {
      assert.isTrue(Amount.isAmount(good), good)
    }
    const bad = ["", " ", "1.", ".5", "1e3", "-1", "+1", "1,000", " 1", "1 ", "1\n", "0x1", "NaN", "Infinity", "١"]
    for (const text of [...bad, digits(65), `1.${digits(65)}`]) assert.isFalse(Amount.isAmount(text), text)
  })

  it("counts neither trailing zeros nor a bare point in the scale", () => {
    assert.deepStrictEqual(["1", "1.0", "1.50", "0.00", "10", "0.100"].map(Amount.scale), [0, 0, 1, 0, 0, 1])
  })

  it("writes one spelling for equal amounts", () => {
    const spellings = ["01.50", "1.5", "1.500", "0.0", "000", "100", "0.10", "10.01"]
    assert.deepStrictEqual(spellings.map(Amount.canonical), ["1.5", "1.5", "1.5", "0", "0", "100", "0.1", "10.01"])
  })

  it("sees zero whatever its spelling", () => {
    assert.deepStrictEqual(["0", "0.000", "00.0", "0.001", "10"].map(Amount.isZero), [true, true, true, false, false])
  })

  it("formats negative units and small fractions without an exponent", () => {
    assert.strictEqual(Amount.format(-15n, 19), "-0.0000000000000000015")
    assert.strictEqual(Amount.format(0n, 5), "0")
    assert.strictEqual(Amount.format(-1200n, 2), "-12")
    assert.strictEqual(Amount.format(1200n, 0), "1200")
  })

  it("multiplies exactly, also what is below zero", () => {
    assert.strictEqual(Amount.times("0.5", "65000.12"), "32500.06")
    assert.strictEqual(Amount.times("-0.50", "3"), "-1.5")
    assert.strictEqual(Amount.times("-2", "-0.25"), "0.5")
    assert.strictEqual(Amount.times("-3", "0.0"), "0")
    assert.strictEqual(Amount.times("0.000000000000000001", "0.1"), "0.0000000000000000001")
  })

  it("adds exactly, finer and coarser amounts in any order, also what is below zero", () => {
    assert.strictEqual(Amount.sum([]), "0")
    assert.strictEqual(Amount.sum(["1", "0.5", "02.250", "-0.75"]), "3")
    assert.strictEqual(Amount.sum(["-0.000000000000000000001", "1"]), "0.999999999999999999999")
    assert.strictEqual(Amount.sum([`${digits(64)}.${digits(64)}`, `0.${"0".repeat(63)}1`]), `1${"0".repeat(64)}`)
  })

  const Parts = Schema.Struct({
    whole: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 10n ** 63n })),
    fraction: Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 10n ** 40n })),
    leading: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })),
    zeros: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 }))
  })

  it.effect.prop("is exact in units, canonical form and BigDecimal alike", [Parts], ([parts]) =>
    Effect.sync(() => {
      const { fraction, leading, whole, zeros } = parts
      const text = `${whole}.${"0".repeat(leading)}${fraction}${"0".repeat(zeros)}`
      assert.isTrue(Amount.isAmount(text))
      const canonical = Amount.canonical(text)
      assert.strictEqual(Amount.canonical(canonical), canonical)
      const scale = Amount.scale(text)
      assert.strictEqual(Amount.units(text, scale + 3), Amount.units(text, scale) * 1000n)
      assert.strictEqual(Amount.format(Amount.units(text, 64), 64), canonical)
      const decimal = Amount.toBigDecimal(text)
      assert.isTrue(BigDecimal.equals(decimal, BigDecimal.fromStringUnsafe(text)))
      assert.notMatch(canonical, /^0\d|\.\d*0$|\.$/)
    }), { arbitrary: { runs: 500 } })
})
