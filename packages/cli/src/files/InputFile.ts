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

const bytesOf = Effect.fnUntraced(function*(path: string, read: Read) {
  const chunks = yield* Stream.runCollect(FileLimit.whole(path)(read(path)))
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
})

const readBy = (read: Read) =>
  Effect.fnUntraced(function*(path: string) {
    const name = FileBytes.nameOf(path)
    const bytes = yield* bytesOf(path, read)
    const text = yield* Effect.try({
      try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
      catch: () => Failure.usage(`${name} cannot be read: it is not UTF-8 text`)
    })
    return { name, text, size: bytes.length } satisfies InputFile
  })

export const read = readBy(FileBytes.ahead)

/** The same of records, whose lines have a longest length. */
export const records = readBy((path) => FileLimit.lines(path)(FileBytes.ahead(path)))
