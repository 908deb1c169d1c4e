/** The work of `tallystick runs`. */
import * as Run from "@tallystick/archive/Run"
import * as Archive from "@tallystick/archive/Runs"
import * as Grid from "@tallystick/report/text/Grid"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type { Format } from "../flags/OutFlag.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends ArchiveFlag.Flags, Pick<RangeFlags.Flags, "day" | "since" | "zone"> {
  readonly limit: Option.Option<number>
  readonly format: Format
  readonly out: Option.Option<string>
}

const encode = Schema.encodeSync(Schema.Array(Run.Listed))

const columns: ReadonlyArray<Grid.Column> = [
  { title: "RUN", align: "left" },
  { title: "RECORDED", align: "left" },
  { title: "FROM", align: "left" },
  { title: "TO", align: "left" },
  { title: "CLEAN", align: "left" },
  { title: "MATCHED", align: "right" },
  { title: "BREAKS", align: "right" },
  { title: "PENDING", align: "right" },
  { title: "UNKNOWN", align: "right" },
  { title: "ASIDE", align: "right" }
]

/** This column is there where the outcomes of a run were taken away. */
const OUTCOMES: Grid.Column = { title: "OUTCOMES", align: "left" }

const isPruned = (run: Run.Listed): boolean => !Run.isDamaged(run) && run.prunedAt !== undefined

/** `width`: cells of a line. */
const table = (runs: ReadonlyArray<Run.Listed>, width: number, { minute }: ZonedTimes.ZonedTimes): string => {
  const whole = ({ clean, counts, id, range, recordedAt }: Run.Run) => [
    id,
    minute(recordedAt),
    range === null ? "everything" : minute(range.from),
    range === null ? "" : minute(range.to),
    clean ? "yes" : "no",
    ...[counts.matched, counts.discrepancy, counts.pending, counts.undetermined, counts["set-aside"]].map(Text.count)
  ]
  const hasPruned = runs.some(isPruned)
  const { header, rows } = Grid.fitted(
    hasPruned ? [...columns, OUTCOMES] : columns,
    runs.map((run) => [
      ...(Run.isDamaged(run) ? [Text.plain(run.id), "damaged", ...columns.slice(2).map(() => "")] : whole(run)),
      ...(hasPruned ? [isPruned(run) ? "taken away" : ""] : [])
    ]),
    width
  )
  return `${[...(header === undefined ? [] : [header]), ...rows].join("\n")}\n`
}

const ofDamaged = (count: number): string =>
  count === 0
    ? ""
    : `; of ${Text.counted(count, "damaged one")} nothing is told, and tallystick archive check says what to do`

/** What the flags ask for; `--since` and `--day` are about different times, and go together. */
const wanted = Effect.fnUntraced(function*({ day, limit, since, zone }: Flags) {
  const none = Option.none<string>()
  const from = (yield* AskedRange.asked({ day: none, from: none, to: none, since, zone })).from
  const about = yield* AskedRange.asked({ day, from: none, to: none, since: none, zone })
  return {
    ...(Option.isNone(limit) ? {} : { limit: limit.value }),
    ...(from === undefined ? {} : { since: from }),
    ...(about.from === undefined || about.to === undefined ? {} : { about: { from: about.from, to: about.to } })
  } satisfies Archive.Asked
})

const isAsked = ({ day, limit, since }: Flags): boolean =>
  Option.isSome(day) || Option.isSome(limit) || Option.isSome(since)

export const run = Effect.fnUntraced(function*(flags: Flags) {
  yield* Output.ready(flags.out)
  const times = ZonedTimes.make(yield* AskedRange.zone(flags.zone))
  const asked = yield* wanted(flags)
  const runs = yield* Archive.Runs.use(({ list }) => list(asked)).pipe(
    Effect.mapError(Failure.fromArchive),
    ArchivePlace.withReadArchive(flags)
  )
  if (flags.format === "json") {
    return yield* Output.write(flags.out, Stream.make(`${SafeJson.stringify(encode(runs), 2)}\n`))
  }
  if (runs.length > 0 || Option.isSome(flags.out)) {
    const width = yield* ReportOutput.tableWidth(flags.out)
    yield* Output.write(flags.out, Stream.make(table(runs, width, times)))
  }
  return yield* Stderr.say(
    runs.length === 0
      ? isAsked(flags)
        ? "no run is recorded that was asked for; tallystick runs lists all of them"
        : "no run is recorded; tallystick reconcile --archive makes one"
      : `${Text.counted(runs.length, "run")}; tallystick show RUN prints its report again${
        ofDamaged(runs.filter(Run.isDamaged).length)
      }`
  )
})
