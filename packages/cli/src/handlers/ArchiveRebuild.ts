/** The work of `tallystick archive rebuild`. */
import * as Books from "@tallystick/archive/Books"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as Stderr from "../terminal/Stderr.ts"

export const run = (flags: ArchiveFlag.Flags) =>
  Effect.gen(function*() {
    const { executions, rebuild } = yield* Books.Books
    yield* rebuild
    return yield* Stderr.say(
      `the books are written anew from ${Text.counted((yield* executions).length, "execution")} of the ledger`
    )
  }).pipe(Effect.mapError(Failure.fromArchive), ArchivePlace.withKeptArchive(flags))
