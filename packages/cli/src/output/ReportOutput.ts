/** This module writes a report to its destination, in any of the formats. */
import type * as Accounts from "@tallystick/reconcile/Accounts"
import type * as Extract from "@tallystick/reconcile/Extract"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import * as Csv from "@tallystick/report/Csv"
import * as Identity from "@tallystick/report/Identity"
import * as Json from "@tallystick/report/Json"
import * as Markdown from "@tallystick/report/Markdown"
import * as Masking from "@tallystick/report/Masking"
import * as Ndjson from "@tallystick/report/Ndjson"
import type * as Prices from "@tallystick/report/Prices"
import * as Table from "@tallystick/report/Table"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Stream from "effect/Stream"
import * as ReportFormat from "../config/ReportFormat.ts"
import * as FileBytes from "../files/FileBytes.ts"
import * as Progress from "../terminal/Progress.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as TerminalStyle from "../terminal/TerminalStyle.ts"
import * as Output from "./Output.ts"

export interface Options {
  /** `ndjson` alone is written as the outcomes are decided. */
  readonly format: Exclude<ReportFormat.ReportFormat, "ndjson">
  readonly out: Option.Option<string>
  readonly zone?: DateTime.TimeZone | undefined
  readonly prices?: Prices.Prices | undefined
  /** The name of their currency. */
  readonly currency?: string | undefined
  /** The accounts of the run, by which the report is masked. Absent: it is shown as it is. */
  readonly maskedBy?: Accounts.Accounts | undefined
  /** The outcomes that are shown; absent: all. */
  readonly only?: ReadonlyArray<Extract.Word> | undefined
}

/** How wide a report is that goes to no terminal. */
const WIDTH = 100

/** The terminal's width and colour, when it is one and nothing else is asked for. */
export const look = (out: Option.Option<string>) =>
  Option.isSome(out) ? Effect.succeed({ width: WIDTH, color: false }) : TerminalStyle.ofStdout(WIDTH)

/** How wide a table may be whose rows are looked for: as wide as it is, where it goes to no terminal. */
export const tableWidth = (out: Option.Option<string>) =>
  Option.isSome(out)
    ? Effect.succeed(Number.POSITIVE_INFINITY)
    : Effect.map(TerminalStyle.ofStdout(Number.POSITIVE_INFINITY), ({ width }) => width)

/** The page is long, and loaded only where it is wanted. */
const html = Effect.promise(() => import("@tallystick/report/Html"))

/** The workbook, and what packs it. */
const xlsx = Effect.promise(() => import("@tallystick/report/Xlsx"))

/** A report with fewer outcomes is written so fast that no progress is shown. */
const MANY = 20_000

type Shape = Pick<Options, "currency" | "only" | "out" | "prices" | "zone">

type Parts = Effect.Effect<Iterable<string | Uint8Array>, never, Effect.Services<ReturnType<typeof look>>>

interface Writer {
  /** Parts that are made before other fibers have their turn: one part of a page holds many outcomes. */
  readonly atOnce: number
  readonly parts: (report: Report.Report, shape: Shape) => Parts
}

const writers: Readonly<Record<Options["format"], Writer>> = {
  table: {
    atOnce: 1,
    parts: (report, { currency, only, out, prices, zone }) =>
      Effect.map(look(out), (look) => [Table.render(report, { ...look, only, zone, prices, currency })])
  },
  json: { atOnce: 512, parts: (report, shape) => Effect.succeed(Json.parts(report, shape)) },
  csv: {
    atOnce: 512,
    // A spreadsheet reads the mark of a file; a program that reads a pipe may take it for a part of the first name.
    parts: (report, { currency, only, out, prices, zone }) =>
      Effect.succeed(Csv.parts(report, { only, prices, currency, zone, byteOrderMark: Option.isSome(out) }))
  },
  markdown: { atOnce: 1, parts: (report, shape) => Effect.succeed([Markdown.render(report, shape)]) },
  xlsx: { atOnce: 1, parts: (report, shape) => Effect.map(xlsx, ({ parts }) => parts(report, shape)) },
  html: { atOnce: 1, parts: (report, shape) => Effect.map(html, ({ parts }) => parts(report, shape)) }
}

/** Loads what the form needs before the report is made: while it is read for hours, the command may be upgraded. */
export const ready = (
  format: ReportFormat.ReportFormat
): Effect.Effect<void> => Effect.asVoid(format === "html" ? html : format === "xlsx" ? xlsx : Effect.void)

/** The file that a report goes to: in a directory it is named after the report. */
const placeOf = Effect.fnUntraced(function*(report: Report.Report, { format, out, zone }: Options) {
  if (Option.isNone(out) || !(yield* Output.isDirectory(out.value))) return out
  const paths = yield* Path.Path
  const name = `${Identity.fileName(report, zone)}.${ReportFormat.endingOf(format)}`
  return Option.some(paths.join(out.value, name))
})

/** Writes a whole report, and gives it as it was written: masked where that is asked for. */
export const write = Effect.fnUntraced(function*(report: Report.Report, options: Options) {
  const { format, maskedBy } = options
  const shown = maskedBy === undefined ? report : Masking.report(report, maskedBy)
  const { atOnce, parts } = writers[format]
  const out = yield* placeOf(shown, options)
  const writing = Effect.flatMap(parts(shown, options), (parts) =>
    Output.write(
      out,
      Stream.mapArrayEffect(
        Stream.fromIterable(parts, { chunkSize: atOnce }),
        (parts) => Effect.as(Effect.yieldNow, parts)
      )
    ))
  // Where the report itself goes to the terminal, nothing may stand in its way.
  yield* Option.isSome(out) && report.outcomes.length >= MANY
    ? Progress.during(`writing ${FileBytes.shortly(out.value)} …`)(writing)
    : writing
  if (Option.isSome(out) && Option.getOrUndefined(options.out) !== out.value) {
    yield* Stderr.say(`written to ${out.value}`)
  }
  return shown
})

/** Writes a line an outcome as they are decided, for a run about this range, and gives the summary as it was written. */
export const writeEvents = Effect.fnUntraced(function*<E, R>(
  events: Stream.Stream<Reconciliation.Event, E, R>,
  { known, maskedBy, only, out, range }: Pick<Options, "maskedBy" | "only" | "out"> & Ndjson.Options & {
    /** Outcomes whose names a masked stream knows from the beginning. */
    readonly known?: Stream.Stream<Outcome.Outcome, E, R> | undefined
  }
) {
  let summary: Report.Summary | undefined
  const shown = maskedBy === undefined ? events : Masking.events(events, maskedBy, known)
  const kept = Stream.mapArray(shown, (chunk) => {
    const last = chunk.at(-1)
    if (last?._tag === "Summary") summary = last.summary
    return chunk
  })
  yield* Output.write(out, Ndjson.lines(kept, { only, range }))
  return summary === undefined ? yield* Effect.die("a stream of outcomes ends with its summary") : summary
})
