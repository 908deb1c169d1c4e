/** The work of `tallystick periods`. */
import * as Period from "@tallystick/archive/Period"
import * as Periods from "@tallystick/archive/Periods"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as PeriodText from "../archive/PeriodText.ts"
import * as PeriodZone from "../archive/PeriodZone.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type { Format } from "../flags/OutFlag.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends ArchiveFlag.Flags, Pick<RangeFlags.Flags, "zone"> {
  readonly close: Option.Option<number>
  readonly format: Format
  readonly out: Option.Option<string>
}

/** All periods, or the one that was asked for with what it carried. */
const found = Effect.fnUntraced(function*(asked: Option.Option<number>) {
  const { carried, list } = yield* Periods.Periods
  const all = yield* list()
  if (Option.isNone(asked)) return all.map((period): PeriodText.Told => ({ period }))
  const period = all.find(({ close }) => close.number === asked.value)
  return period === undefined
    ? yield* Failure.usage(`the ledger has no close ${asked.value}; tallystick periods lists them`)
    : [{ period, carried: yield* carried(period.close) }]
})

const list = Effect.fnUntraced(function*(flags: Flags) {
  const times = ZonedTimes.make(yield* AskedRange.zone(yield* PeriodZone.of(flags)))
  const told = yield* found(flags.close)
  const periods = told.map(({ period }) => period)
  if (flags.format === "json") yield* Output.write(flags.out, Stream.make(PeriodText.json(told)))
  else if (told.length > 0 || Option.isSome(flags.out)) {
    const look = { width: yield* ReportOutput.tableWidth(flags.out), times }
    const text = Option.isSome(flags.close)
      ? told.map((one) => PeriodText.detail(one, look)).join("")
      : PeriodText.table(periods, look) + PeriodText.breaks(periods, look)
    yield* Output.write(flags.out, Stream.make(text))
  }
  const broken = periods.filter(Period.isBroken).length
  const counted = `${Text.counted(periods.length, "close")}${
    broken === 0 ? "" : `, of which ${broken} ${broken === 1 ? "is" : "are"} broken`
  }`
  return broken > 0
    ? yield* Failure.notClean(counted)
    : yield* Stderr.say(periods.length === 0 ? "no period is closed: tallystick close does so" : counted)
})

export const run = (flags: Flags) =>
  Effect.andThen(
    Output.ready(flags.out),
    list(flags).pipe(
      Effect.catchTag("ArchiveError", (error) => Effect.fail(Failure.fromArchive(error))),
      ArchivePlace.withReadArchive(flags)
    )
  )
