/** The lines of an import that were no records: one file that is there whole or not at all, and only when there are any. */
import * as SafeJson from "@tallystick/reconcile/render/SafeJson"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type * as PlatformError from "effect/PlatformError"
import * as Scope from "effect/Scope"
import * as Failure from "../Failure.ts"
import * as FileUse from "../files/FileUse.ts"
import * as Output from "../Output.ts"
import type * as RecordFile from "./RecordFile.ts"

const line = ({ line, path, raw, reason, record }: RecordFile.Reject): string =>
  `${SafeJson.stringify({ line, ...(record === undefined ? {} : { record }), reason, path, raw })}\n`

/**
 * Collects beside `path`, and is gone with the scope unless `keep` gave it its name. `keep` without any line removes what an
 * earlier import left there: it would speak of lines that are none any more.
 */
export const make = Effect.fnUntraced(function*(path: string) {
  yield* FileUse.writing(path)
  const fileSystem = yield* FileSystem.FileSystem
  const scope = yield* Effect.scope
  const { temporary } = yield* Output.beside(path)
  const encoder = new TextEncoder()
  const orFailure = Effect.mapError((error: PlatformError.PlatformError) =>
    Failure.fromCreation(`${path} cannot be written`, Failure.exitCodes.unfinished)(error)
  )
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
  }, orFailure)

  const keep = Effect.suspend(() =>
    file === undefined
      ? fileSystem.remove(path, { force: true })
      : Effect.andThen(file.sync, fileSystem.rename(temporary, path))
  ).pipe(orFailure)

  return { path, add, keep, count: Effect.sync(() => count) }
})
