/** A console over an archive with a few entries on which people decide, and somebody in front of it. */
import * as Archive from "@tallystick/archive/Archive"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as BookDay from "../../../archive/test/support/books.ts"
import * as Kept from "../../../archive/test/support/decisions.ts"
import * as ConsoleServer from "../../src/ConsoleServer.ts"
import * as People from "./People.ts"

/** An archive in a file. */
export const withArchive = <A, E, R>(effect: (file: string) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(People.folder, (folder) => {
    const file = join(folder, "archive.db")
    return Effect.provide(effect(file), Archive.Archive.layerSqlite({ file }))
  })

/** An archive that has nothing. */
export const layer = Archive.Archive.layerMemory

/** A deposit that was moved but for a fee, one of another day and one that was not moved, and an execution over the first day. */
export const booked = Effect.andThen(Kept.kept, BookDay.book())

/** A console whose people are a clerk who decides, a controller who approves and an auditor who reads. */
export const ofUsers = Effect.fnUntraced(function*(options: Partial<ConsoleServer.Options> = {}) {
  const people = yield* People.made
  const served = yield* ConsoleServer.serve({ people: { _tag: "Users", file: people.file }, ...options })
  return { ...people, ...served }
})

/** A console with one person at the desk. */
export const atDesk = (options: Partial<ConsoleServer.Options> = {}) =>
  ConsoleServer.serve({ people: { _tag: "Desk", author: { name: "clerk", identity: "os" } }, ...options })
