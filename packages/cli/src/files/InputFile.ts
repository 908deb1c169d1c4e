/** Reads a file that a flag names, or stdin for `-`, as text. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as Bytes from "./Bytes.ts"

export interface InputFile {
  /** As it stands in messages and reports. */
  readonly name: string
  readonly text: string
  /** Its length in bytes. */
  readonly size: number
}

export { nameOf, type Sources, STDIN } from "./Bytes.ts"

/** Fails for a file that cannot be read, before anything is done about it. */
export const readable = Effect.fnUntraced(function*(path: string) {
  if (path === Bytes.STDIN) return
  const fileSystem = yield* FileSystem.FileSystem
  yield* fileSystem.access(path, { readable: true }).pipe(Effect.catch(Bytes.refused(path)))
})

const bytesOf = Effect.fnUntraced(function*(path: string) {
  const chunks = yield* Stream.runCollect(Bytes.ahead(path))
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
})

export const read = Effect.fnUntraced(function*(path: string) {
  const name = Bytes.nameOf(path)
  const bytes = yield* bytesOf(path)
  const text = yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => Failure.usage(`${name} cannot be read: it is not UTF-8 text, or longer than this program can hold`)
  })
  return { name, text, size: bytes.length } satisfies InputFile
})
