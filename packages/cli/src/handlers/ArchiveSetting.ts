/** The work of `tallystick archive setting`. */
import type * as Decision from "@tallystick/archive/Decision"
import * as Decisions from "@tallystick/archive/Decisions"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as DecisionText from "../archive/DecisionText.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import * as Stderr from "../terminal/Stderr.ts"

interface Flags extends ArchiveFlag.Flags, AuthorFlags.Flags {
  readonly approvals: Option.Option<"off" | "on">
  readonly words: Option.Option<string>
}

const told = (settings: Decision.Settings): string => `decisions of this archive: ${DecisionText.settings(settings)}`

const set = Effect.fnUntraced(function*(flags: Flags, approvals: boolean, words: string) {
  const author = yield* AuthorFlags.author(flags)
  const { decide, settings } = yield* Decisions.Decisions
  const before = yield* settings
  if (before.approvals === approvals) return yield* Stderr.say(`nothing was set; ${told(before)}`)
  const [made] = yield* decide([{ kind: "setting", ...before, approvals, words }], { author }).pipe(
    Effect.catchTag("DecisionError", ({ message }) => Effect.fail(Failure.usage(message)))
  )
  return yield* Stderr.say(
    made?.proposed === true
      ? `decision ${made.body.number} is proposed; another person approves it with: tallystick decide approve ${made.body.number}`
      : told(yield* settings)
  )
})

export const run = (flags: Flags) => {
  const { approvals, words } = flags
  if (Option.isNone(approvals)) {
    const show = Effect.flatMap(Decisions.Decisions.use(({ settings }) => settings), (now) => Stderr.say(told(now)))
    return ArchivePlace.withReadArchive(flags)(show)
  }
  return Option.isNone(words)
    ? Effect.fail(Failure.usage("say why the setting is changed: --words TEXT"))
    : ArchivePlace.withKeptArchive(flags)(set(flags, approvals.value === "on", words.value))
}
