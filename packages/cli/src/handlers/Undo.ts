/** The work of `tallystick undo`. */
import * as Decision from "@tallystick/archive/Decision"
import * as Decisions from "@tallystick/archive/Decisions"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as DecisionText from "../archive/DecisionText.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import type { Format } from "../flags/OutFlag.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as Decide from "./Decide.ts"

interface Flags extends ArchiveFlag.Flags, AuthorFlags.Flags, Pick<RangeFlags.Flags, "zone"> {
  readonly words: string
  readonly format: Format
  readonly out: Option.Option<string>
}

/** The last decision of this author that nobody revoked. A revocation, an approval and a setting cannot be taken back. */
const last = Effect.fnUntraced(function*(flags: Flags) {
  const { by, identity } = yield* AuthorFlags.author(flags)
  const all = yield* Decisions.Decisions.use(({ all }) => all)
  const found = all.findLast(({ body, revokedBy }) =>
    body.by === by && body.identity === identity &&
    (Decision.isFollowed(body) || body.kind === "note") && revokedBy === undefined
  )
  if (found === undefined) {
    return yield* Failure.usage(
      `${by} has made no decision that could be undone; tallystick decisions lists all of them`
    )
  }
  yield* Stderr.say(`this is taken back: ${DecisionText.sentence(found)}`)
  return found.body.number
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
