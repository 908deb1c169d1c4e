/** A new file for a secret that is still to come: under its name only when the secret is in it, and its owner's alone. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Exposure from "../config/Exposure.ts"
import * as OpenFiles from "../config/OpenFiles.ts"
import * as Failure from "../Failure.ts"
import * as FileUse from "../files/FileUse.ts"
import * as Output from "./Output.ts"

/** Room that is taken beforehand: a disk that is full must be found out before there is a secret. Bytes. */
const ROOM = 8192

/**
 * Makes sure that a secret can be kept before it is asked for: in a file of mode 600 beside its place, which has room. `keep`
 * writes it and gives the path where it is: the one asked for, or another where something has come there meanwhile, because
 * nothing is overwritten. What was not kept is removed with the scope. Fails as a mistake of the command line.
 */
export const reserve = Effect.fnUntraced(function*(path: string) {
  yield* FileUse.writing(path)
  const fileSystem = yield* FileSystem.FileSystem
  const isTaken = Effect.isSuccess(fileSystem.lstat(path))
  const { other, temporary } = yield* Output.beside(path)

  if (yield* isTaken) return yield* Failure.usage(`${path} cannot be made; no key was asked for: it exists already`)
  const file = yield* Effect.acquireRelease(
    fileSystem.open(temporary, { flag: "wx", mode: 0o600 }),
    () => Effect.ignore(fileSystem.remove(temporary, { force: true }))
  ).pipe(
    Effect.tap((file) => file.writeAll(new Uint8Array(ROOM))),
    Effect.tap(({ sync }) => sync),
    Effect.mapError(Failure.fromCreation(`${path} cannot be made; no key was asked for`))
  )

  const info = yield* Effect.mapError(file.stat, Failure.fromPlatform(`${path} cannot be made; no key was asked for`))
  const mode = Exposure.mode(info, Exposure.ofSecret)
  yield* OpenFiles.judged(
    mode === undefined ? [] : [{
      finding:
        `others than its owner may open ${path}: the file system gives it the mode ${mode} whatever is asked for`,
      advice: "name a place on another one"
    }]
  )

  const keep = Effect.fnUntraced(function*(secret: string) {
    const bytes = new TextEncoder().encode(secret)
    yield* file.seek(0n, "start")
    yield* file.writeAll(bytes)
    yield* file.truncate(bytes.length)
    yield* file.sync
    return yield* Output.publish({ temporary, path, other, before: undefined })
  })
  return { keep }
})
