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

/** Bytes as text. What is no UTF-8 is refused, where `Stream.decodeText` would put a question mark for it. */
export const text =
  (name: string) => <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<string, E | Failure.Failure, R> =>
    Stream.suspend(() => {
      const decoder = new TextDecoder("utf-8", { fatal: true })
      const decode = (part: Uint8Array | undefined) =>
        Effect.try({
          try: () => decoder.decode(part, { stream: part !== undefined }),
          catch: () => Failure.usage(`${name} cannot be read: it is not UTF-8 text`)
        })
      return bytes.pipe(
        Stream.map((part): Uint8Array | undefined => part),
        Stream.concat(Stream.succeed(undefined)),
        Stream.mapEffect(decode)
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
  Stream.mapAccumArray(Stream.splitLines(text), () => 0, (before, lines) => [
    before + lines.length,
    lines.flatMap((line, index): ReadonlyArray<Line> => {
      const text = line.trim()
      return text === "" ? [] : [{ number: before + index + 1, text }]
    })
  ])
