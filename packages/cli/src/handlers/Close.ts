/** The work of `tallystick close`. */
import * as Lack from "@tallystick/archive/Lack"
import type * as PeriodError from "@tallystick/archive/PeriodError"
import * as Periods from "@tallystick/archive/Periods"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Result from "effect/Result"
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
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as Moment from "../text/Moment.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends ArchiveFlag.Flags, AuthorFlags.Flags, Pick<RangeFlags.Flags, "from" | "zone"> {
  readonly to: string
  readonly carryOpen: boolean
  readonly format: Format
  readonly out: Option.Option<string>
}

/** These lacks are none where they are carried openly. */
const CARRIED: ReadonlySet<Lack.Lack["_tag"]> = new Set(["Unreadable", "Waiting", "Provisional"])

/** What is lacking is told line by line; the rest is wrong with what was asked, or passes by itself. */
const refused = ({ bound, suffix }: ZonedTimes.ZonedTimes) => ({ message, reason }: PeriodError.PeriodError) => {
  if (reason._tag === "LedgerMoved") return Failure.unfinished(message)
  if (reason._tag !== "NotClosable") return Failure.usage(message)
  const time = (ms: number): string => `${bound(ms)}${suffix}`
  return Failure.notClean(
    `nothing is closed from ${bound(reason.from)} to ${time(reason.to)}:`,
    ...reason.lacks.map((lack) => `${Lack.text(lack, time)}${CARRIED.has(lack._tag) ? " (--carry-open)" : ""}`)
  )
}

const close = Effect.fnUntraced(function*(flags: Flags) {
  const inZone = yield* PeriodZone.of(flags)
  const zone = yield* AskedRange.zone(inZone)
  const days = Moment.days(flags.to, zone, yield* Clock.currentTimeMillis)
  if (Result.isFailure(days)) return yield* Failure.usage(`--to: ${days.failure}`)
  const [through = "", ...more] = days.success
  if (more.length > 0) return yield* Failure.usage(`--to: "${flags.to}" names several days; give the last one`)
  const from = yield* AskedRange.moment("from", flags.from, inZone)
  const times = ZonedTimes.make(zone)
  const closing = yield* Periods.Periods.use((periods) =>
    Effect.flatMap(AuthorFlags.author(flags), (author) =>
      periods.close({
        author,
        through,
        zone: times.zone,
        carryOpen: flags.carryOpen,
        ...(from === undefined ? {} : { from })
      }))
  ).pipe(Effect.catchTag("PeriodError", (error) => Effect.fail(refused(times)(error))))
  const { body, id } = closing
  const period = { id, close: body, broken: [], settled: [], waitsOtherwise: [], isAltered: false }
  const text = flags.format === "json"
    ? PeriodText.closingJson(closing)
    : PeriodText.detail({ period }, { width: yield* ReportOutput.tableWidth(flags.out), times })
  yield* Output.write(flags.out, Stream.make(text))
  return yield* Stderr.say(`the ledger ends at ${body.number}@${id}: keep that elsewhere`)
})

export const run = (flags: Flags) =>
  Effect.andThen(
    Output.ready(flags.out),
    close(flags).pipe(
      Effect.catchTag("ArchiveError", (error) => Effect.fail(Failure.fromArchive(error))),
      ArchivePlace.withKeptArchive(flags)
    )
  )
