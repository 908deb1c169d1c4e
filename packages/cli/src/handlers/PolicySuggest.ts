/** The work of `tallystick policy suggest`. */
import * as Archive from "@tallystick/archive/Archive"
import * as PolicySuggestions from "@tallystick/archive/PolicySuggestions"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as KnownAccounts from "../archive/KnownAccounts.ts"
import * as SuggestionText from "../archive/SuggestionText.ts"
import * as Failure from "../Failure.ts"
import * as SettingFile from "../files/SettingFile.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type * as InputFlags from "../flags/InputFlags.ts"
import * as Inputs from "../flags/Inputs.ts"
import type { Format } from "../flags/OutFlag.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Output from "../output/Output.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags
  extends ArchiveFlag.Flags, RangeFlags.Flags, Pick<InputFlags.Flags, "accounts" | "addresses" | "policy">
{
  readonly format: Format
  readonly out: Option.Option<string>
}

/** The policy as its file writes it; an empty one without a file. */
const written = (path: Option.Option<string>) =>
  Option.match(path, {
    onNone: () => Effect.fromResult(Result.mapError(Policy.decode({}), Failure.fromPolicy("policy"))),
    onSome: (path) => Effect.map(SettingFile.written(path), ({ policy }) => policy)
  })

/** The range that was asked for; an end that was left open is that of what the archive was told of, up to now. */
const bounded = Effect.fnUntraced(function*({ from, to }: AskedRange.Asked) {
  const now = yield* Clock.currentTimeMillis
  const coverage = yield* Archive.Archive.use(({ coverage }) => coverage())
  if (coverage.length === 0) {
    return yield* Failure.usage("nothing was read into the archive: tallystick sync or tallystick import does that")
  }
  const first = coverage.reduce((earliest, part) => Math.min(earliest, part.from), now)
  const range: Coverage.Interval = { from: from ?? Math.max(first, 0), to: to ?? now }
  return range.from < range.to ? range : yield* Failure.usage("the range lies in the future: it begins now or later")
})

const suggested = Effect.fnUntraced(function*(flags: Flags) {
  const { format, out } = flags
  const asked = yield* AskedRange.asked(flags)
  const policy = yield* written(flags.policy)
  const { accounts, ...settings } = yield* Inputs.settings(flags)
  const isTold = Option.isSome(flags.accounts) || Option.isSome(flags.addresses)
  const range = yield* bounded(asked)
  yield* Stderr.say(`trying what the archive keeps ${ZonedTimes.make(asked.zone).stretch(range)}`)
  const found = yield* PolicySuggestions.suggest({
    ...settings,
    policy,
    accounts: isTold ? accounts : yield* KnownAccounts.read,
    range
  }).pipe(
    Inputs.refusedPolicy(flags.policy),
    Effect.catchTag("InvalidRange", (error) => Effect.fail(Failure.fromRange(error)))
  )
  if (format === "json") yield* Output.write(out, Stream.make(SuggestionText.json(found)))
  else if (found.suggestions.length > 0 || Option.isSome(out)) {
    yield* Output.write(out, Stream.make(SuggestionText.text(found, policy)))
  }
  return yield* Stderr.say(...SuggestionText.sentences(found))
})

export const run = (flags: Flags) =>
  Effect.andThen(Output.ready(flags.out), ArchivePlace.withReadArchive(flags)(suggested(flags)))
