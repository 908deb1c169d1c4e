/** The lines of an import that were no records: one file that is there whole or not at all, and only when there are any. */
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as FileUse from "../files/FileUse.ts"
import * as Output from "../output/Output.ts"
import type * as RecordFile from "./RecordFile.ts"

const line = ({ line, path, raw, reason, record }: RecordFile.Reject): string =>
  `${SafeJson.stringify({ line, ...(record === undefined ? {} : { record }), reason, path, raw })}\n`

/** How every file of rejects begins. */
const BEGINNING = /^\{"line":\d+,(?:"record":\d+,)?"reason":/

/** Longer than any such beginning, bytes. */
const LENGTH = 128

const orFailure = (path: string) => Output.failsAs(`${path} cannot be written`)

/** The place that a path leads to, and what is there: nothing that anybody misses, rejects of an import, or another file. */
const look = Effect.fnUntraced(function*(path: string) {
  const fileSystem = yield* FileSystem.FileSystem
  const { direct, mode, path: place } = yield* Output.placeOf(path)
  if (direct) return yield* Failure.usage(`${path} cannot hold lines that are no records: it is no regular file`)
  const begins = mode === undefined
    ? ""
    : yield* Stream.mkString(Stream.decodeText(fileSystem.stream(place, { bytesToRead: LENGTH })))
  return { place, there: begins === "" ? "nothing" : BEGINNING.test(begins) ? "rejects" : "other" } as const
})

const taken = (path: string): string =>
  `${path} holds something else than rejects, which lines that are no records would replace: move it away, or name another ` +
  "file with --rejects"

/**
 * The name for rejects of a text that has no name of its own: an earlier import of stdin may have been of another text, whose
 * rejects are neither replaced nor removed.
 */
export const ofStdin = Effect.gen(function*() {
  for (let number = 1;; number++) {
    const path = `stdin${number === 1 ? "" : `-${number}`}.rejects.ndjson`
    if ((yield* look(path).pipe(orFailure(path))).there !== "rejects") return path
  }
})

/** Fails where a file of rejects cannot be made, or would replace anything but such a file. */
export const ready = Effect.fnUntraced(function*(path: string) {
  yield* Output.ready(Option.some(path))
  const { there } = yield* look(path).pipe(orFailure(path))
  yield* there === "other" ? Effect.fail(Failure.usage(taken(path))) : Effect.void
})

/**
 * Collects beside `path`, and is gone with the scope unless `keep` gave it its name. `keep` without any line removes what an
 * earlier import left there: it would speak of lines that are none any more.
 */
export const make = Effect.fnUntraced(function*(path: string) {
  yield* FileUse.writing(path)
  const fileSystem = yield* FileSystem.FileSystem
  const scope = yield* Effect.scope
  const { temporary } = yield* Effect.flatMap(look(path).pipe(orFailure(path)), ({ place }) => Output.beside(place))
  const encoder = new TextEncoder()
  let file: FileSystem.File | undefined
  let count = 0

  const open = Effect.acquireRelease(
    fileSystem.open(temporary, { flag: "wx", mode: 0o600 }),
    () => Effect.ignore(fileSystem.remove(temporary, { force: true }))
  ).pipe(Effect.tap((opened) => Effect.sync(() => void (file = opened))), Effect.provideService(Scope.Scope, scope))

  const add = Effect.fnUntraced(function*(rejects: ReadonlyArray<RecordFile.Reject>) {
    if (rejects.length === 0) return
    const opened = file ?? (yield* open)
    yield* opened.writeAll(encoder.encode(rejects.map(line).join("")))
    count += rejects.length
  }, orFailure(path))

  const keep = Effect.gen(function*() {
    const { place, there } = yield* look(path)
    if (file === undefined) return yield* there === "rejects" ? fileSystem.remove(place, { force: true }) : Effect.void
    // It came while the input was read.
    if (there === "other") return yield* Failure.unfinished(taken(path))
    yield* file.sync
    return yield* fileSystem.rename(temporary, place)
  }).pipe(orFailure(path))

  return { path, add, keep, count: Effect.sync(() => count) }
})
