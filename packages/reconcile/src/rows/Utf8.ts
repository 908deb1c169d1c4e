/**
 * Turns bytes into text. What cannot be read stays in the text as a mark, so that it costs its own line and no other: a mark is
 * a lone surrogate, which no valid UTF-8 becomes.
 */
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"

/** Stands where bytes are no UTF-8. */
const INVALID = "\uDCFF"

/** Stands at the end of a line whose rest was left out. */
const CUT = "\uD800"

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** Returns where the last letter ends that is whole. A decoder that is told of letters in two parts is many times slower. */
const wholeLetters = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(bytes.length, 3); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    const letter = byte < 0xc0 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    if (letter > 0) return letter > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

const joined = (left: Uint8Array, right: Uint8Array): Uint8Array => {
  if (left.length === 0) return right
  const all = new Uint8Array(left.length + right.length)
  all.set(left)
  all.set(right, left.length)
  return all
}

/** Returns a text that is marked where the bytes are no UTF-8. A byte order mark is a letter of it. */
const marked = (bytes: Uint8Array): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).replaceAll("\uFFFD", INVALID)

/** Decodes each line by itself: a line that is UTF-8 may hold the replacement character, which is then no mark. */
const lineByLine = (bytes: Uint8Array): string => {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  let text = ""
  let start = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN && at < bytes.length - 1) continue
    const line = bytes.subarray(start, at + 1)
    start = at + 1
    text += decoded(decoder, line) ?? marked(line)
  }
  return text
}

const decoded = (decoder: TextDecoder, bytes: Uint8Array): string | undefined =>
  Result.getOrUndefined(Result.try(() => decoder.decode(bytes)))

/** Decodes bytes. A byte order mark at the beginning is left out. */
export const text = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<string, E, R> =>
  Stream.suspend(() => {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
    let rest = new Uint8Array()
    let isBegin = true
    const decode = (bytes: Uint8Array): string => {
      const text = decoded(decoder, bytes) ?? lineByLine(bytes)
      const isMarked = isBegin && text.startsWith("\uFEFF")
      isBegin &&= text === ""
      return isMarked ? text.slice(1) : text
    }
    return bytes.pipe(
      Stream.map((part): Uint8Array | undefined => part),
      Stream.concat(Stream.succeed(undefined)),
      Stream.map((part) => {
        if (part === undefined) return decode(rest)
        const all = joined(rest, part)
        const end = wholeLetters(all)
        // The source may fill the same buffer again.
        rest = Uint8Array.from(all.subarray(end))
        return decode(all.subarray(0, end))
      })
    )
  })

/** Leaves out of each line what is longer than so many UTF-16 units, and marks the line. */
export const capped = (longest: number) => <E, R>(text: Stream.Stream<string, E, R>): Stream.Stream<string, E, R> =>
  Stream.mapAccum(text, () => 0, (before, part): readonly [number, ReadonlyArray<string>] => {
    const last = Math.max(part.lastIndexOf("\n"), part.lastIndexOf("\r"))
    if (before + part.length <= longest) return [last < 0 ? before + part.length : part.length - last - 1, [part]]
    let length = before
    // A line keeps its break, so that lines are counted as they stand.
    const lines = part.split(/(?<=[\n\r])/).map((line) => {
      const isEnded = line.endsWith("\n") || line.endsWith("\r")
      const words = isEnded ? line.slice(0, -1) : line
      const room = Math.max(longest - length, 0)
      const kept = words.length <= room ? words : words.slice(0, room) + (length <= longest ? CUT : "")
      length = isEnded ? 0 : length + words.length
      return isEnded ? kept + line.slice(-1) : kept
    })
    return [length, [lines.join("")]]
  })

/** Returns why a text cannot be believed; undefined where it is as it came. `longest` is that of `capped`. */
export const problem = (text: string, longest = Number.POSITIVE_INFINITY): string | undefined => {
  if (text.isWellFormed()) return undefined
  return text.includes(CUT) ? `longer than ${longest} characters, which no record is` : "not UTF-8 text"
}

/** Returns the text without marks: the replacement character stands for bytes that are no UTF-8. */
export const plain = (text: string): string => text.replaceAll(CUT, "").toWellFormed()
