/** Numbers, lengths of time and names in the words of a policy. Unlike values give unlike words. */
import * as Amount from "@tallystick/core/Amount"

const units = [[86_400_000, "day"], [3_600_000, "hour"], [60_000, "minute"], [1000, "second"], [1, "ms"]] as const

/** A length of time to the millisecond, without its sign: `1 day 2 hours`, `1 second 500 ms`, `0 seconds`. */
export const duration = (ms: number): string => {
  let rest = Math.abs(ms)
  const parts: Array<string> = []
  for (const [size, name] of units) {
    const count = Math.floor(rest / size)
    if (count > 0) parts.push(`${count} ${count === 1 || name === "ms" ? name : `${name}s`}`)
    rest -= count * size
  }
  return parts.join(" ") || "0 seconds"
}

/** A share as percent, exact: "0.001" is `0.1 %`. */
export const percent = (share: string): string => {
  const scale = Amount.scale(share)
  return `${Amount.format(Amount.units(share, scale) * 100n, scale)} %`
}

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Writes a stranger's text between quotes, with escapes for characters that no terminal should get. */
export const quoted = (text: string): string =>
  JSON.stringify(text).replace(invisible, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`)

/** Writes a name: bare when it is plain letters and digits, else between quotes. */
export const named = (
  name: string
): string => (/^[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?$/u.test(name) ? name : quoted(name))

/** `a, b and c`. */
export const listed = (parts: ReadonlyArray<string>, last = "and"): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${last} ${parts.at(-1)}`
