/**
 * Exact decimal amounts, kept as the text that the source wrote.
 *
 * The grammar is one to 64 digits, optionally a point and one to 64 more: no sign, exponent, grouping or white space.
 * Arithmetic happens on `units`, the integer number of `10^-scale`; nothing here ever becomes a float.
 */
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"

/** The most digits accepted on either side of the point. */
export const MAX_DIGITS = 64

const expected = "decimal text such as \"0.05\", at most 64 digits on either side of the point"

const pattern = /^\d{1,64}(?:\.\d{1,64})?$/

/**
 * A decimal text of at most 64 digits on either side of the point. Zero is well-formed; the reader decides whether it is
 * acceptable.
 */
export const Amount: Schema.String = /*#__PURE__*/ Schema.String.annotate({ expected }).check(
  /*#__PURE__*/ Schema.isPattern(pattern, { expected, toJsonSchema: () => ({ pattern: pattern.source }) })
)

/** Whether `text` is a well-formed decimal amount. */
export const isAmount = (text: string): boolean => pattern.test(text)

/** Returns the number of digits after the point, 0 to 64, without trailing zeros. */
export const scale = (text: string): number => {
  const point = text.indexOf(".")
  if (point < 0) return 0
  let end = text.length
  while (text.charCodeAt(end - 1) === 48) end--
  return Math.max(end - point - 1, 0)
}

/** Returns the integer number of `10^-scale` in `text`. `scale` must be at least `Amount.scale(text)`. */
export const units = (text: string, scale: number): bigint => {
  const point = text.indexOf(".")
  if (point < 0) return BigInt(text + "0".repeat(scale))
  return BigInt(text.slice(0, point) + text.slice(point + 1, point + 1 + scale).padEnd(scale, "0"))
}

/** Whether the amount is zero. */
export const isZero = (text: string): boolean => !/[1-9]/.test(text)

/** Writes `units` of `10^-scale` as plain digits, without trailing zeros; negative values carry a minus sign. */
export const format = (units: bigint, scale: number): string => {
  const sign = units < 0n ? "-" : ""
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0")
  if (scale === 0) return sign + digits
  const fraction = digits.slice(-scale).replace(/0+$/, "")
  return sign + digits.slice(0, -scale) + (fraction === "" ? "" : `.${fraction}`)
}

/**
 * Returns the exact product of two decimals, as of an amount and the price of one unit. Either may carry a minus sign, as `format` writes
 * it.
 */
export const times = (a: string, b: string): string => {
  const [digits, more] = [scale(a), scale(b)]
  return format(units(a, digits) * units(b, more), digits + more)
}

/** Returns the exact sum of decimals. Each may carry a minus sign, as `format` writes it; the sum of none is `0`. */
export const sum = (amounts: Iterable<string>): string => {
  let [total, digits] = [0n, 0]
  for (const amount of amounts) {
    const finer = Math.max(scale(amount) - digits, 0)
    if (finer > 0) total *= 10n ** BigInt(finer)
    digits += finer
    total += units(amount, digits)
  }
  return format(total, digits)
}

/** Nearly every amount is written in this way. */
const isCanonical = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/

/**
 * Returns the one spelling of an amount: no leading zeros before the point, no trailing zeros after it.
 * `01.50` becomes `1.5`.
 */
export const canonical = (text: string): string => {
  if (isCanonical.test(text)) return text
  const digits = scale(text)
  return format(units(text, digits), digits)
}

const wholeDigits = (text: string): number => {
  const point = text.indexOf(".")
  return point < 0 ? text.length : point
}

/** Compares two amounts exactly: negative where `a` is less, 0 where they are equal however they are spelled. */
export const compare = (a: string, b: string): number => {
  const [left, right] = [canonical(a), canonical(b)]
  // Where two amounts have as many digits before the point, the order of the texts is that of the numbers.
  return wholeDigits(left) - wholeDigits(right) || (left < right ? -1 : left > right ? 1 : 0)
}

/** Returns the amount as an exact `BigDecimal`. */
export const toBigDecimal = (text: string): BigDecimal.BigDecimal => {
  const digits = scale(text)
  return BigDecimal.make(units(text, digits), digits)
}
