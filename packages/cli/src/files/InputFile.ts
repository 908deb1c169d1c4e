/** Reads a file that a flag names, or stdin for `-`, as text. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"

export interface InputFile {
  /** As it stands in messages and reports. */
  readonly name: string
  readonly text: string
}

export const STDIN = "-"

/** What a path is called in messages and reports. */
export const nameOf = (path: string): string => (path === STDIN ? "stdin" : path)

/** Fails for a file that cannot be read, before anything is done about it. */
export const readable = Effect.fnUntraced(function*(path: string) {
  if (path === STDIN) return
  const fileSystem = yield* FileSystem.FileSystem
  yield* fileSystem.access(path, { readable: true }).pipe(
    Effect.mapError(Failure.fromPlatform(`${path} cannot be read`))
  )
})

const bytesOf = Effect.fnUntraced(function*(path: string) {
  if (path !== STDIN) {
    const fileSystem = yield* FileSystem.FileSystem
    return yield* fileSystem.readFile(path).pipe(Effect.mapError(Failure.fromPlatform(`${path} cannot be read`)))
  }
  const { stdin } = yield* Stdio.Stdio
  const chunks = yield* Stream.runCollect(stdin).pipe(Effect.mapError(Failure.fromPlatform("stdin cannot be read")))
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
})

export const read = Effect.fnUntraced(function*(path: string) {
  const name = nameOf(path)
  const bytes = yield* bytesOf(path)
  const text = yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => Failure.usage(`${name} cannot be read: it is not UTF-8 text, or longer than this program can hold`)
  })
  return { name, text } satisfies InputFile
})

/** What files are read from. */
export type Sources = FileSystem.FileSystem | Stdio.Stdio
