/** Reads a file that a flag names, or stdin for `-`, as text. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as FileBytes from "./FileBytes.ts"
import * as FileLimit from "./FileLimit.ts"

export interface InputFile {
  /** As it stands in messages and reports. */
  readonly name: string
  readonly text: string
  /** Its length in bytes. */
  readonly size: number
}

export { nameOf, type Sources, STDIN } from "./FileBytes.ts"

/** Fails for a file that cannot be read, before anything is done about it. */
export const readable = Effect.fnUntraced(function*(path: string) {
  if (path === FileBytes.STDIN) return
  const fileSystem = yield* FileSystem.FileSystem
  yield* fileSystem.access(path, { readable: true }).pipe(Effect.catch(FileBytes.refused(path)))
})

type Read = (path: string) => Stream.Stream<Uint8Array, Failure.Failure, FileBytes.Sources>

const readBy = (read: Read) =>
  Effect.fnUntraced(function*(path: string) {
    const name = FileBytes.nameOf(path)
    const chunks = yield* Stream.runCollect(FileLimit.whole(path)(read(path)))
    const decoder = new TextDecoder("utf-8", { fatal: true })
    const decode = (chunk?: Uint8Array) =>
      Effect.try({
        try: () => (chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })),
        catch: () => Failure.usage(`${name} cannot be read: it is not UTF-8 text`)
      })
    // Chunk by chunk: the whole of a large file would keep Ctrl-C waiting.
    const parts = yield* Effect.forEach(chunks, (chunk) => Effect.andThen(Effect.yieldNow, decode(chunk)))
    return {
      name,
      text: parts.join("") + (yield* decode()),
      size: chunks.reduce((sum, { length }) => sum + length, 0)
    } satisfies InputFile
  })

export const read = readBy(FileBytes.ahead)

/** The same of records, whose lines have a longest length. */
export const records = readBy((path) => FileLimit.lines(path)(FileBytes.ahead(path)))
