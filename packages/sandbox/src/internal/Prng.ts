/**
 * Generates reproducible chance. It uses integer arithmetic and plain IEEE products only, so that a seed means the same on every
 * machine and engine (`Math.log` and the like may differ in the last digit).
 */
import type { NonEmptyReadonlyArray } from "effect/Array"

/** Text is written here first: strings that grow character by character are ropes, many times the size of their text. */
const scratch = Buffer.alloc(256)

const TWO_32 = 4_294_967_296

const scramble = (value: number): number => {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85eb_ca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2_ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Returns 32 bits that depend on every part and on their order. */
export const hash = (...parts: ReadonlyArray<number>): number => {
  let h = 0x9e37_79b9
  for (const part of parts) h = scramble(Math.imul(h, 31) ^ scramble(part + 0x9e37_79b9))
  return h
}

/** Returns a fraction in [0, 1) that depends on these numbers alone. */
export const fraction = (...parts: ReadonlyArray<number>): number => hash(...parts) / TWO_32

/** A running sequence of chance (sfc32). */
export interface Prng {
  /** An integer in [0, 2^32). */
  readonly word: () => number
  /** A fraction in [0, 1). */
  readonly fraction: () => number
  /** An integer in [low, high], both ends included. */
  readonly between: (low: number, high: number) => number
  /** Whether an event of this probability happens. */
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(items: NonEmptyReadonlyArray<A>) => A
  /** `length` characters of the alphabet, at most 256. */
  readonly text: (alphabet: string, length: number) => string
  /** `words` times 8 lowercase hex digits, at most 64 words. */
  readonly hex: (words: number) => string
}

export const make = (...seed: ReadonlyArray<number>): Prng => {
  let a = hash(...seed, 1)
  let b = hash(...seed, 2)
  let c = hash(...seed, 3)
  let counter = 1
  const word = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum | 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round++) word()
  const fraction = () => word() / TWO_32
  const between = (low: number, high: number) => low + Math.floor(fraction() * (high - low + 1))
  return {
    word,
    fraction,
    between,
    chance: (probability) => fraction() < probability,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    text: (alphabet, length) => {
      for (let i = 0; i < length; i++) scratch[i] = alphabet.charCodeAt(between(0, alphabet.length - 1))
      return scratch.toString("latin1", 0, length)
    },
    hex: (words) => {
      for (let i = 0; i < words; i++) scratch.writeUInt32BE(word(), 4 * i)
      return scratch.toString("hex", 0, 4 * words)
    }
  }
}

/** Reorders `items` in place. */
export const shuffle = <A extends {}>(prng: Prng, items: Array<A>): Array<A> => {
  for (let i = items.length - 1; i > 0; i--) {
    const j = prng.between(0, i)
    const [here, there] = [items[i], items[j]]
    if (here === undefined || there === undefined) continue
    items[i] = there
    items[j] = here
  }
  return items
}
