/** The bytes of a file that a flag names, or of stdin for `-`; how far it was read is shown. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as Progress from "../Progress.ts"

export const STDIN = "-"

/** What a path is called in messages and reports. */
export const nameOf = (path: string): string => (path === STDIN ? "stdin" : path)

/** What files are read from. */
export type Sources = FileSystem.FileSystem | Stdio.Stdio

/** Bytes that are read at once. */
const CHUNK = 262_144

const raw = (path: string): Stream.Stream<Uint8Array, Failure.Failure, Sources> =>
  path === STDIN
    ? Stream.unwrap(Stdio.Stdio.useSync(({ stdin }) => stdin)).pipe(
      Stream.mapError(Failure.fromPlatform("stdin cannot be read"))
    )
    : Stream.unwrap(FileSystem.FileSystem.useSync((fileSystem) => fileSystem.stream(path, { chunkSize: CHUNK }))).pipe(
      Stream.mapError(Failure.fromPlatform(`${path} cannot be read`))
    )

/** How long a regular file is; of stdin and pipes nobody knows. */
const lengthOf = Effect.fnUntraced(function*(path: string) {
  if (path === STDIN) return undefined
  const fileSystem = yield* FileSystem.FileSystem
  return yield* Effect.match(fileSystem.stat(path), {
    onFailure: () => undefined,
    onSuccess: ({ size, type }) => (type === "File" ? Number(size) : undefined)
  })
})

/** As there is room for it in a line of progress. */
const shortly = (path: string): string => nameOf(path).replace(/^.*[/\\]/, "")

/** A file that is shorter is read before anybody could look, bytes. */
const SHORT = 1_000_000

export const read = (path: string): Stream.Stream<Uint8Array, Failure.Failure, Sources> =>
  Stream.unwrap(Effect.gen(function*() {
    const length = yield* lengthOf(path)
    if (length !== undefined && length < SHORT) return raw(path)
    const track = yield* Progress.track({ what: shortly(path), unit: "byte" })
    yield* track.add({ of: length ?? 0 })
    return Stream.tap(raw(path), ({ length }) => track.add({ done: length }))
  }))
