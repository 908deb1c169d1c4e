/** Writes query text by RFC 3986. The signed text and the sent text are the same string, so nothing may encode it twice. */

/** One parameter; `undefined` leaves it out. */
export type Parameter = readonly [name: string, value: string | number | undefined]

const escapeMore = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Percent-encodes UTF-8 bytes in uppercase hex; only letters, digits and `~ - . _` stay as they are. */
export const encode = (text: string): string => encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, escapeMore)

/** Writes `a=1&b=2` in the order given. */
export const render = (parameters: Iterable<Parameter>): string => {
  const parts: Array<string> = []
  for (const [name, value] of parameters) {
    if (value !== undefined) parts.push(`${encode(name)}=${encode(String(value))}`)
  }
  return parts.join("&")
}
