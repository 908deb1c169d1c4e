/** A file or stdin as lines, as they are read. */
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as FileBytes from "./FileBytes.ts"
import * as FileLimit from "./FileLimit.ts"

export interface Line {
  /** From 1. */
  readonly number: number
  readonly text: string
}

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

/** Bytes as text. What is no UTF-8 is refused, where `Stream.decodeText` would put a question mark for it. */
export const text =
  (name: string) => <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<string, E | Failure.Failure, R> =>
    Stream.suspend(() => {
      let rest = new Uint8Array()
      let isBegin = true
      const decode = (bytes: Uint8Array): string => {
        const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: !isBegin }).decode(bytes)
        isBegin &&= bytes.length === 0
        return text
      }
      const next = (part: Uint8Array | undefined) =>
        Effect.try({
          try: () => {
            if (part === undefined) return decode(rest)
            const all = rest.length === 0 ? part : Buffer.concat([rest, part])
            const end = wholeLetters(all)
            rest = Uint8Array.from(all.subarray(end))
            return decode(all.subarray(0, end))
          },
          catch: () => Failure.usage(`${name} cannot be read: it is not UTF-8 text`)
        })
      return bytes.pipe(
        Stream.map((part): Uint8Array | undefined => part),
        Stream.concat(Stream.succeed(undefined)),
        Stream.mapEffect(next)
      )
    })

/** Opens a file as text, with its beginning, which tells the form of the file. */
export const opened = Effect.fnUntraced(function*(path: string) {
  const pull = yield* Stream.toPull(FileBytes.read(path).pipe(FileLimit.lines(path), text(FileBytes.nameOf(path))))
  const begin = yield* Pull.catchDone(Effect.map(pull, (parts) => parts.join("")), () => Effect.succeed(""))
  return { begin, text: Stream.concat(Stream.succeed(begin), Stream.fromPull(Effect.succeed(pull))) }
})

/** The lines of a text that comes in parts; empty ones are counted and left out. */
export const lines = <E, R>(text: Stream.Stream<string, E, R>): Stream.Stream<Line, E, R> =>
  Stream.mapAccumArray(
    Stream.concat(text, Stream.succeed("\n")),
    () => ({ number: 0, rest: "", held: "" }),
    (before, parts) => {
      const all = before.held + parts.join("")
      // The line feed that comes next may belong to a carriage return at the end.
      const held = all.endsWith("\r") ? "\r" : ""
      const [first = "", ...more] = all.slice(0, all.length - held.length).split(all.includes("\r") ? /\r\n?|\n/ : "\n")
      const texts = [before.rest + first, ...more]
      const rest = texts.pop() ?? ""
      const lines: Array<Line> = []
      for (const [index, line] of texts.entries()) {
        const text = line.trim()
        if (text !== "") lines.push({ number: before.number + index + 1, text })
      }
      return [{ number: before.number + texts.length, rest, held }, lines]
    }
  )
