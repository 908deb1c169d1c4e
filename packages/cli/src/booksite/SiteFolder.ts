/** The folder of a site: one run writes to it at a time, each file whole or not at all, and no file of somebody else's is replaced. */
import * as BookSite from "@tallystick/report/BookSite"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import { randomUUID } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import * as Failure from "../Failure.ts"
import * as Output from "../output/Output.ts"
import * as SiteState from "./SiteState.ts"

/** The folders of pages within it. */
const FOLDERS = ["days", "items"]

/** A database without anything in it: the system lets one process at a time lock it, and frees it when that ends. */
const LOCK = ".tallystick-site.lock"

/** A file that is not whole yet, beside the place that it takes. */
const temporary = (): string => `.tallystick-site.${randomUUID()}.tmp`

const TEMPORARY = /(?:^|\/)\.tallystick-site\.[0-9a-f-]{36}\.tmp$/

const locked = (folder: string, path: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const database = new DatabaseSync(path)
        database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE")
        return database
      },
      catch: (cause) =>
        Schema.is(Schema.Struct({ errcode: Schema.Literals([5, 6]) }))(cause)
          ? Failure.unfinished(`another run of tallystick site writes to ${folder}`)
          : Failure.unfinished(`${folder} cannot be locked: ${String(cause)}`)
    }),
    (database) => Effect.sync(() => database.close())
  )

export const make = Effect.fnUntraced(function*(folder: string) {
  const fileSystem = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const within = (name: string): string => paths.join(folder, ...name.split("/"))
  const fails = Output.failsAs(`${folder} cannot be written`)

  yield* fails(Effect.forEach(["", ...FOLDERS], (name) => fileSystem.makeDirectory(within(name), { recursive: true })))
  yield* locked(folder, within(LOCK))

  /** The names of its files, those of pages with their folder. */
  const names = fails(Effect.map(
    Effect.forEach(
      ["", ...FOLDERS],
      (under) =>
        Effect.map(
          fileSystem.readDirectory(within(under)),
          (names) => names.map((name) => under === "" ? name : `${under}/${name}`)
        )
    ),
    (found) => new Set(found.flat())
  ))

  // A run that was ended in the middle leaves such files behind.
  yield* fails(Effect.forEach(
    Array.from(yield* names).filter((name) => TEMPORARY.test(name)),
    (name) => fileSystem.remove(within(name))
  ))

  const foreign = (name: string) =>
    Failure.unfinished(
      `${
        within(name)
      } was not written by tallystick site, and is not replaced: take another folder for --out, or move the file away`
    )

  /** Fails where a file is not one of a site: it is not replaced. An empty one is nothing that anybody could lose. */
  const refuse = Effect.fnUntraced(function*(name: string) {
    const text = yield* fails(fileSystem.readFileString(within(name)))
    yield* text === "" || BookSite.isOurs(text) ? Effect.void : foreign(name)
  })

  /** Tells whether a file is there, and its text is the one of a digest. */
  const holds = (name: string, digest: string) =>
    Effect.match(fileSystem.readFileString(within(name)), {
      onFailure: () => false,
      onSuccess: (text) => SiteState.digest(text) === digest
    })

  /** Writes a file beside its place, which it takes when it is whole and on disk. */
  const write = Effect.fnUntraced(function*(name: string, text: string) {
    const path = within(name)
    const beside = paths.join(paths.dirname(path), temporary())
    const filled = (file: FileSystem.File) => Effect.andThen(file.writeAll(new TextEncoder().encode(text)), file.sync)
    // Once it is made, it is removed whatever happens: an interruption must not come between.
    const moved = Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(fileSystem.open(beside, { flag: "wx" }), (file) =>
        restore(filled(file)).pipe(
          Effect.andThen(fileSystem.rename(beside, path)),
          Effect.onError(() => Effect.ignore(fileSystem.remove(beside)))
        ))
    )
    yield* fails(Effect.scoped(moved))
  })

  /** What the folder remembers; nothing where nothing is there, and it fails where that is a file of somebody else's. */
  const state = Effect.gen(function*() {
    if (!(yield* names).has(SiteState.NAME)) return Option.none()
    const text = yield* fails(fileSystem.readFileString(within(SiteState.NAME)))
    return SiteState.isOurs(text) ? SiteState.read(text) : yield* foreign(SiteState.NAME)
  })

  return { names, refuse, holds, write, state }
})

export type SiteFolder = Effect.Success<ReturnType<typeof make>>
