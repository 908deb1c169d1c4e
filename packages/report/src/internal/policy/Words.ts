/** Writes shares and names in the words of a policy. Unlike values give unlike words. */
import * as Amount from "@tallystick/core/Amount"

/** Writes a share as percent, exact: "0.001" is `0.1 %`. */
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
