/** The folder of a site: one run writes to it at a time, each file whole or not at all, and no file of somebody else's is replaced. */
import * as BookSite from "@tallystick/report/BookSite"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Schema from "effect/Schema"
import { DatabaseSync } from "node:sqlite"
import * as Failure from "../Failure.ts"
import * as Output from "../output/Output.ts"
import * as SiteState from "./SiteState.ts"

/** The folders of pages within it. */
const FOLDERS = ["days", "items"]

/** A database without anything in it: the system lets one process at a time lock it, and frees it when that ends. */
const LOCK = ".tallystick-site.lock"

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

  /** Fails where a file is not one of a site: it is not replaced. */
  const refuse = Effect.fnUntraced(function*(name: string) {
    const text = yield* fails(fileSystem.readFileString(within(name)))
    if (!BookSite.isOurs(text)) {
      return yield* Failure.unfinished(
        `${
          within(name)
        } was not written by tallystick site, and is not replaced: take another folder for --out, or move the file away`
      )
    }
  })

  /** Writes a file beside its place, which it takes when it is whole and on disk. */
  const write = (name: string, text: string) => {
    const temporary = within(`${name}.tmp`)
    return fails(Effect.scoped(
      Effect.flatMap(
        fileSystem.open(temporary, { flag: "w" }),
        (file) =>
          file.writeAll(new TextEncoder().encode(text)).pipe(
            Effect.andThen(file.sync),
            Effect.andThen(fileSystem.rename(temporary, within(name)))
          )
      )
    ))
  }

  const state = Effect.map(
    Effect.option(fileSystem.readFileString(within(SiteState.NAME))),
    Option.flatMap(SiteState.read)
  )

  return { names, refuse, write, state }
})
