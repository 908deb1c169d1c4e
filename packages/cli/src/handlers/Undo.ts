/** The work of `tallystick undo`. */
import * as Decisions from "@tallystick/archive/Decisions"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import type { Format } from "../flags/OutFlag.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Decide from "./Decide.ts"

interface Flags extends ArchiveFlag.Flags, AuthorFlags.Flags, Pick<RangeFlags.Flags, "zone"> {
  readonly words: string
  readonly format: Format
  readonly out: Option.Option<string>
}

/** The last decision of this author that holds. A revocation cannot be taken back. */
const last = Effect.fnUntraced(function*(flags: Flags) {
  const { by } = yield* AuthorFlags.author(flags)
  const all = yield* Decisions.Decisions.use(({ all }) => all)
  const found = all.findLast(({ body, revokedBy }) =>
    body.by === by && body.kind !== "revoke" && revokedBy === undefined
  )
  return found === undefined
    ? yield* Failure.usage(`${by} has made no decision that could be undone; tallystick decisions lists all of them`)
    : found.body.number
})

export const run = Effect.fnUntraced(function*(flags: Flags) {
  const decision = yield* ArchivePlace.withKeptArchive(flags)(last(flags))
  const none = Option.none()
  return yield* Decide.revoke({
    ...flags,
    decision,
    seen: none,
    dryRun: false,
    policy: none,
    accounts: none,
    addresses: none
  })
})
