/** Makes stable names of outcomes: a hash of the code and the identities. It is not meant for security. */

const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, "0")

/** Returns 64 bits of hash. It keeps two lanes, which see every character with different multipliers. */
export const make = (parts: Iterable<string>): string => {
  let first = 0x811c9dc5
  let second = 0x9e3779b9
  const add = (code: number): void => {
    first = Math.imul(first ^ code, 0x01000193)
    first ^= first >>> 15
    second = Math.imul(second ^ code, 0x85ebca6b)
    second ^= second >>> 13
  }
  for (const part of parts) {
    for (let index = 0; index < part.length; index++) add(part.charCodeAt(index))
    add(0x1_0000)
  }
  first = Math.imul(first ^ (second >>> 16), 0xc2b2ae35)
  second = Math.imul(second ^ (first >>> 13), 0x27d4eb2f)
  return hex(first ^ (first >>> 16)) + hex(second ^ (second >>> 15))
}
