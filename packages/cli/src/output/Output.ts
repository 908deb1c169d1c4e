/** Where results go, texts or bytes: to stdout, or to a file that is there whole or not at all. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as PlatformError from "effect/PlatformError"
import * as Random from "effect/Random"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as FileIdentity from "../files/FileIdentity.ts"
import * as FileUse from "../files/FileUse.ts"
import * as Interruption from "../terminal/Interruption.ts"

type Part = string | Uint8Array

type Parts<E, R> = Stream.Stream<Part, E, R>

/** Turns a refusal of the file system into a failure that begins with `what`. */
export const failsAs = (what: string) => {
  const toFailure = Failure.fromCreation(what, Failure.exitCodes.unfinished)
  return <A, E, R>(effect: Effect.Effect<A, E | PlatformError.PlatformError, R>) =>
    Effect.catchIf(effect, PlatformError.isPlatformError, (error) => Effect.fail(toFailure(error)))
}

/** Characters that stdout is given at once. The text of twice as many would get pages of its own from the system, which is slow. */
const PIECE = 65_536

/** Bytes that a file is given at once. */
const BYTES = 1_048_576

/** Puts texts together that come together: to write each by itself takes longer than to make it. */
const joined = <E, R>(parts: Parts<E, R>): Parts<E, R> =>
  Stream.mapAccumArray(parts, () => undefined, (state, parts) => {
    const pieces: Array<Part> = []
    let piece = ""
    for (const part of parts) {
      if (typeof part !== "string") {
        pieces.push(piece, part)
        piece = ""
        continue
      }
      if (piece.length + part.length > PIECE) {
        pieces.push(piece)
        piece = ""
      }
      piece += part
    }
    return [state, [...pieces, piece].filter(({ length }) => length > 0)]
  })

/** Writes to stdout as fast as the reader takes it. A reader that goes away ends the command without a word. */
export const toStdout = <E, R>(parts: Parts<E, R>): Effect.Effect<void, E | Failure.Failure, R | Stdio.Stdio> =>
  Stdio.Stdio.use((stdio) =>
    Stream.run(Stream.tap(joined(parts), () => Interruption.note({ written: "part" })), stdio.stdout())
  ).pipe(
    Effect.andThen(Interruption.note({ written: "all" })),
    Effect.catchIf(
      (error) => PlatformError.isPlatformError(error) && Failure.isOfReader(error),
      () => Effect.fail(Failure.readerGone)
    ),
    failsAs("stdout cannot be written")
  )

interface Place {
  readonly path: string
  readonly mode: number | undefined
  readonly direct: boolean
}

/** Links that are followed before they are taken for a circle. */
const LINKS = 40

/** Where the bytes go: the file behind a link, its permissions kept, none where none is there; or directly into what is no regular file. */
export const placeOf: (
  path: string,
  links?: number
) => Effect.Effect<Place, Failure.Failure | PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> = Effect
  .fnUntraced(function*(path, links = 0) {
    const fileSystem = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const known = yield* Effect.option(fileSystem.stat(path))
    if (Option.isNone(known)) {
      const target = yield* Effect.option(fileSystem.readLink(path))
      if (Option.isNone(target)) return { path, mode: undefined, direct: false }
      if (links === LINKS) return yield* Failure.usage(`${path} cannot be written: its links lead in a circle`)
      return yield* placeOf(paths.resolve(paths.dirname(path), target.value), links + 1)
    }
    const { mode, type } = known.value
    if (type === "Directory") return yield* Failure.usage(`${path} cannot be written: it is a directory`)
    return type === "File"
      ? { path: yield* fileSystem.realPath(path), mode: mode & 0o777, direct: false }
      : { path, mode: undefined, direct: true }
  })

/** Names beside a path that nobody else uses: one for what is not finished, one for what must not take the path itself. */
export const beside = Effect.fnUntraced(function*(path: string) {
  const paths = yield* Path.Path
  const stamp = `${yield* Clock.currentTimeMillis}-${yield* Random.nextIntBetween(0, 1_000_000_000)}`
  const temporary = paths.join(paths.dirname(path), `.${paths.basename(path)}.${stamp}.tmp`)
  return { temporary, other: `${path}.${stamp}` }
})

interface Finished {
  readonly temporary: string
  readonly path: string
  /** Where it goes when somebody else's file took the path meanwhile. */
  readonly other: string
  /** The file that the command found at the path: it alone is replaced. */
  readonly before: string | undefined
}

/** Gives what is finished its name, and tells which: the path, or the other where something else has come there meanwhile. */
export const publish = Effect.fnUntraced(function*({ before, other, path, temporary }: Finished) {
  const fileSystem = yield* FileSystem.FileSystem
  const rename = (name: string) => Effect.as(fileSystem.rename(temporary, name), name)
  if (before !== undefined && FileIdentity.there(path) === before) return yield* rename(path)
  // Unlike a rename, a link takes no place that is taken. Some file systems have none.
  return yield* fileSystem.link(temporary, path).pipe(
    Effect.andThen(Effect.ignore(fileSystem.remove(temporary, { force: true }))),
    Effect.as(path),
    Effect.catch(() =>
      Effect.flatMap(Effect.isSuccess(fileSystem.lstat(path)), (isTaken) => rename(isTaken ? other : path))
    )
  )
})

/** Whether the result goes into a directory that is there, in which it gets a name of its own. */
export const isDirectory = (path: string): Effect.Effect<boolean, never, FileSystem.FileSystem> =>
  Effect.map(
    Effect.option(FileSystem.FileSystem.use((fileSystem) => fileSystem.stat(path))),
    Option.exists(({ type }) => type === "Directory")
  )

/** The same as `ready` for a result that may go into a directory. */
export const readyIn = Effect.fnUntraced(function*(out: Option.Option<string>) {
  if (Option.isNone(out) || !(yield* isDirectory(out.value))) return yield* ready(out)
  return yield* FileSystem.FileSystem.use((fileSystem) => fileSystem.access(out.value, { writable: true })).pipe(
    failsAs(`${out.value} cannot be written`)
  )
})

/** Fails as `write` would where a file cannot be made: for what is long in the making. */
export const ready = (
  out: Option.Option<string>
): Effect.Effect<void, Failure.Failure, FileSystem.FileSystem | Path.Path> =>
  Option.match(out, {
    onNone: () => Effect.void,
    onSome: (path) =>
      Effect.gen(function*() {
        yield* FileUse.writing(path)
        const fileSystem = yield* FileSystem.FileSystem
        const paths = yield* Path.Path
        const place = yield* placeOf(path)
        yield* fileSystem.access(place.direct ? path : paths.dirname(place.path), { writable: true })
      }).pipe(failsAs(`${path} cannot be written`))
  })

/**
 * Writes a file beside its place, which it takes when it is complete and on disk. Whatever goes wrong, or interrupts, leaves
 * the old file or none. What came there since the command began is not replaced.
 */
export const toFile = <E, R>(
  path: string,
  parts: Parts<E, R>
): Effect.Effect<void, E | Failure.Failure, R | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const { before } = yield* FileUse.writing(path)
    const fileSystem = yield* FileSystem.FileSystem
    const encoder = new TextEncoder()
    const place = yield* placeOf(path)

    const writeAll = Effect.fnUntraced(function*(file: FileSystem.File) {
      const bytes = new Uint8Array(BYTES)
      yield* Stream.runForEachArray(
        parts,
        Effect.fnUntraced(function*(parts) {
          let length = 0
          for (const part of parts) {
            if (typeof part !== "string") {
              yield* file.writeAll(bytes.subarray(0, length))
              yield* file.writeAll(part)
              length = 0
              continue
            }
            const most = 3 * part.length
            if (length + most > BYTES) {
              yield* file.writeAll(bytes.subarray(0, length))
              length = 0
            }
            if (most > BYTES) yield* file.writeAll(encoder.encode(part))
            else length += encoder.encodeInto(part, bytes.subarray(length)).written
          }
          yield* file.writeAll(bytes.subarray(0, length))
        })
      )
    })
    // Appended, since a pipe has no places to write to.
    if (place.direct) {
      yield* Effect.flatMap(fileSystem.open(path, { flag: "a" }), (file) =>
        Effect.andThen(Interruption.note({ written: "part" }), writeAll(file)))
      return yield* Interruption.note({ written: "all" })
    }

    const { other, temporary } = yield* beside(place.path)
    const published = Effect.gen(function*() {
      const name = yield* publish({ temporary, path: place.path, other, before })
      yield* Interruption.note({ written: "all" })
      if (name === place.path) {
        return yield* Effect.void
      }
      return yield* Failure.unfinished(
        `another program has put a file at ${path} since the command began; it is kept, and the result is in ${name}`
      )
    })
    // Once it is made, it is removed whatever happens: an interruption must not come between.
    return yield* Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(fileSystem.open(temporary, { flag: "wx" }), (file) =>
        restore(writeAll(file)).pipe(
          Effect.andThen(place.mode === undefined ? Effect.void : fileSystem.chmod(temporary, place.mode)),
          Effect.andThen(file.sync),
          Effect.andThen(published),
          Effect.onError(() =>
            Effect.ignore(fileSystem.remove(temporary, { force: true }))
          )
        ))
    )
  }).pipe(Effect.scoped, failsAs(`${path} cannot be written`))

/** To the file when there is one, else to stdout. */
export const write = <E, R>(
  out: Option.Option<string>,
  parts: Parts<E, R>
): Effect.Effect<void, E | Failure.Failure, R | FileSystem.FileSystem | Path.Path | Stdio.Stdio> =>
  Option.isNone(out) ? toStdout(parts) : toFile(out.value, parts)
