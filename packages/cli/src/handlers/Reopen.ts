/** The work of `tallystick reopen`. */
import type * as Decision from "@tallystick/archive/Decision"
import * as Periods from "@tallystick/archive/Periods"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as PeriodText from "../archive/PeriodText.ts"
import * as PeriodZone from "../archive/PeriodZone.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import type { Format } from "../flags/OutFlag.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Output from "../output/Output.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends ArchiveFlag.Flags, AuthorFlags.Flags, Pick<RangeFlags.Flags, "zone"> {
  readonly close: Option.Option<number>
  readonly reason: Decision.Reason
  readonly words: string
  readonly format: Format
  readonly out: Option.Option<string>
}

const reopen = Effect.fnUntraced(function*(flags: Flags) {
  const times = ZonedTimes.make(yield* AskedRange.zone(yield* PeriodZone.of(flags)))
  const service = yield* Periods.Periods
  const closes = yield* service.closes
  const found = closes.findLast(({ close: { number }, reopened }) =>
    Option.match(flags.close, { onNone: () => reopened === undefined, onSome: (asked) => number === asked })
  )
  if (found === undefined) {
    return yield* Failure.usage(
      Option.match(flags.close, {
        onNone: () => "no period is closed",
        onSome: (asked) => `the ledger has no close ${asked}; tallystick periods lists them`
      })
    )
  }
  const { number } = found.close
  const { reason, words } = flags
  const closing = yield* service.reopen({ author: yield* AuthorFlags.author(flags), close: number, reason, words })
    .pipe(
      Effect.catchTag("PeriodError", (error) =>
        Effect.fail(
          error.reason._tag === "LedgerMoved" ? Failure.unfinished(error.message) : Failure.usage(error.message)
        ))
    )
  if (flags.format === "json") yield* Output.write(flags.out, Stream.make(PeriodText.closingJson(closing)))
  yield* Stderr.say(
    `the period ${times.stretch(found.close)} of close ${number} is open again; the ledger ends at ` +
      `${closing.body.number}@${closing.id}`
  )
  const { uncompared } = closing.body
  return yield* uncompared === undefined ? Effect.void : Stderr.say(PeriodText.uncompared(uncompared))
})

export const run = (flags: Flags) =>
  Effect.andThen(
    Output.ready(flags.out),
    reopen(flags).pipe(ArchivePlace.withKeptArchive(flags))
  )
