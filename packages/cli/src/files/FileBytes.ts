/** The bytes of a file that a flag names, or of stdin for `-`; how far it was read is shown. */
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type * as PlatformError from "effect/PlatformError"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import { constants, openSync } from "node:fs"
import { Socket } from "node:net"
import * as Configured from "../config/Configured.ts"
import * as Failure from "../Failure.ts"
import * as Progress from "../terminal/Progress.ts"
import { STDIN } from "./FileIdentity.ts"
import * as FileUse from "./FileUse.ts"

export { STDIN } from "./FileIdentity.ts"

/** The name of a path in messages and reports. */
export const nameOf = (path: string): string => (path === STDIN ? "stdin" : path)

/** The services that files are read by. */
export type Sources = FileSystem.FileSystem | Stdio.Stdio

/** Bytes that are read at once. The text of twice as many would get pages of its own from the system, which costs more than to read it. */
const CHUNK = 65_536

/** The longest name that a message repeats: no path is longer that people would read. */
const LONGEST_NAME = 300

const shortened = (name: string): string => name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name

/** A file that cannot be read, and the setting that named it where no flag did. */
export const refused = (path: string) => (error: PlatformError.PlatformError): Effect.Effect<never, Failure.Failure> =>
  Effect.flatMap(
    Configured.namingOf(path),
    (name) => Effect.fail(Failure.fromPlatform(`${shortened(name)} cannot be read`)(error))
  )

const stdin = Stream.unwrap(Stdio.Stdio.useSync(({ stdin }) => stdin)).pipe(
  Stream.mapError(Failure.fromPlatform("stdin cannot be read"))
)

const unreadable = (path: string) => (cause: unknown): Failure.Failure =>
  Failure.usage(`${path} cannot be read: ${cause instanceof Error ? cause.message : "unknown"}`)

/**
 * A named pipe, whose opening and reading wait for a writer. As a file both would keep a thread waiting, and no signal ends a
 * process before its threads.
 */
const pipe = (path: string): Stream.Stream<Uint8Array, Failure.Failure> =>
  Stream.unwrap(
    Effect.map(
      Effect.try({ try: () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), catch: unreadable(path) }),
      (fd) =>
        NodeStream.fromReadable<Uint8Array, Failure.Failure>({
          evaluate: () => new Socket({ fd, readable: true, writable: false }),
          onError: unreadable(path)
        })
    )
  )

const file = (path: string) =>
  Stream.unwrap(FileSystem.FileSystem.useSync((fileSystem) => fileSystem.stream(path, { chunkSize: CHUNK }))).pipe(
    Stream.catch((error) => Stream.fromEffect(refused(path)(error)))
  )

const opened = (path: string): Stream.Stream<Uint8Array, Failure.Failure, Sources> =>
  path === STDIN ? stdin : Stream.unwrap(Effect.gen(function*() {
    const fileSystem = yield* FileSystem.FileSystem
    const isPipe = yield* Effect.match(fileSystem.stat(path), {
      onFailure: () => false,
      onSuccess: ({ type }) => type === "FIFO"
    })
    return isPipe ? pipe(path) : file(path)
  }))

const raw = (path: string): Stream.Stream<Uint8Array, Failure.Failure, Sources> =>
  Stream.unwrap(Effect.as(FileUse.reading(path), opened(path)))

/** The length of a regular file; undefined for stdin and pipes. */
export const lengthOf = Effect.fnUntraced(function*(path: string) {
  if (path === STDIN) return undefined
  const fileSystem = yield* FileSystem.FileSystem
  return yield* Effect.match(fileSystem.stat(path), {
    onFailure: () => undefined,
    onSuccess: ({ size, type }) => (type === "File" ? Number(size) : undefined)
  })
})

/** As there is room for it in a line of progress. */
export const shortly = (path: string): string => nameOf(path).replace(/^.*[/\\]/, "")

/** A file that is shorter is read before anybody could look, bytes. */
const SHORT = 1_000_000

/** Opens the progress of a file that is read by and by; of a short one nothing is shown. */
export const track = (path: string, length: number | undefined) =>
  length !== undefined && length < SHORT
    ? Effect.succeed(Progress.nowhere)
    : Effect.tap(Progress.track({ what: shortly(path), unit: "byte" }), (track) => track.add({ of: length ?? 0 }))

/** As it is used up by and by: how much of it was read is how far the work has come. */
export const read = (path: string): Stream.Stream<Uint8Array, Failure.Failure, Sources> =>
  Stream.unwrap(Effect.gen(function*() {
    const { add } = yield* track(path, yield* lengthOf(path))
    return Stream.tap(raw(path), ({ length }) => add({ done: length }))
  }))

/** As it is read before anything is done with it: of a file that takes no time; of stdin it may, and is shown. */
export const ahead = (path: string): Stream.Stream<Uint8Array, Failure.Failure, Sources> =>
  Stream.unwrap(Effect.map(lengthOf(path), (length) => (length === undefined ? read(path) : raw(path))))
