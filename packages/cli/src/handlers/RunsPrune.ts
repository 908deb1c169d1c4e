/** The work of `tallystick runs prune`. */
import * as Runs from "@tallystick/archive/Runs"
import * as Text from "@tallystick/report/text/Text"
import * as Times from "@tallystick/report/text/Times"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as Moment from "../text/Moment.ts"

const { bound } = Times.make()

/** So many runs are named. */
const NAMED = 10

const named = (ids: ReadonlyArray<string>): string =>
  `${ids.slice(0, NAMED).join(", ")}${ids.length > NAMED ? ` and ${Text.count(ids.length - NAMED)} more` : ""}`

interface Flags extends ArchiveFlag.Flags {
  readonly keep: string
}

export const run = Effect.fnUntraced(function*(flags: Flags) {
  const keep = Moment.ago(flags.keep)
  if (Result.isFailure(keep)) return yield* Failure.usage(`--keep: ${keep.failure}`)
  const before = (yield* Clock.currentTimeMillis) - keep.success
  const { bytes, ids, rows } = yield* Runs.Runs.use(({ prune }) => prune(before)).pipe(
    Effect.mapError(Failure.fromArchive),
    ArchivePlace.withKeptArchive(flags)
  )
  const removed = `${Text.counted(rows, "row")} of ${Text.counted(bytes, "byte")} ${rows === 1 ? "is" : "are"} gone`
  if (ids.length === 0) {
    return yield* Stderr.say(
      `no run from before ${bound(before)} UTC has a later one in its place that is whole${
        rows === 0 ? "" : `; ${removed} that no run had`
      }`
    )
  }
  return yield* Stderr.say(
    `${Text.counted(ids.length, "run")} lost ${
      ids.length === 1 ? "its" : "their"
    } outcomes, because a later one stands in ` +
      `${ids.length === 1 ? "its" : "their"} place: ${named(ids)}`,
    `${removed}; the database uses their room again, and tallystick archive backup makes a file without it`
  )
})
