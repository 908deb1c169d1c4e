/** The work of `tallystick import`. */
import * as Archive from "@tallystick/archive/Archive"
import * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Text from "@tallystick/report/text/Text"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as Importing from "../archive/Importing.ts"
import * as RecordFile from "../archive/RecordFile.ts"
import * as RecordKind from "../archive/RecordKind.ts"
import * as RejectFile from "../archive/RejectFile.ts"
import * as Failure from "../Failure.ts"
import * as FileUse from "../files/FileUse.ts"
import * as InputFile from "../files/InputFile.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import * as Inputs from "../flags/Inputs.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends ArchiveFlag.Flags, Pick<RangeFlags.Flags, "zone"> {
  readonly deposits: Option.Option<string>
  readonly transfers: Option.Option<string>
  readonly coversFrom: Option.Option<string>
  readonly coversTo: Option.Option<string>
  readonly seen: Option.Option<string>
  readonly rejects: Option.Option<string>
}

/** The interval that a person vouches for; it cannot reach into the future. */
const vouched = Effect.fnUntraced(function*({ coversFrom, coversTo, zone }: Flags, seenAt: number | undefined) {
  if (Option.isSome(coversFrom) !== Option.isSome(coversTo)) {
    return yield* Failure.usage("--covers-from and --covers-to go together: coverage has two ends")
  }
  const from = yield* AskedRange.moment("covers-from", coversFrom, zone)
  const to = yield* AskedRange.moment("covers-to", coversTo, zone)
  if (from === undefined || to === undefined) return undefined
  if (from >= to) return yield* Failure.usage("--covers-to must lie behind --covers-from")
  if (to > (seenAt ?? (yield* Clock.currentTimeMillis))) {
    return yield* Failure.usage(
      seenAt === undefined
        ? "--covers-to lies in the future: nobody can vouch for what has not happened"
        : "--covers-to lies behind --seen: what came after the export cannot be in it"
    )
  }
  return { from, to }
})

interface Options {
  readonly interval: Coverage.Interval | undefined
  readonly seenAt: number | undefined
  readonly times: ZonedTimes.ZonedTimes
  /** The file for the lines of an input that are no records. */
  readonly rejectsOf: (path: string) => string
}

const rejectsOf = Effect.fnUntraced(function*({ deposits, rejects, transfers }: Flags) {
  const readsStdin = [deposits, transfers].some(Option.contains(InputFile.STDIN))
  const ofStdin = readsStdin && Option.isNone(rejects) ? yield* RejectFile.ofStdin : ""
  return (path: string): string =>
    Option.getOrElse(rejects, () => path === InputFile.STDIN ? ofStdin : `${InputFile.nameOf(path)}.rejects.ndjson`)
})

/** The reason why a person cannot vouch for a file after reading it, if there is one. */
const doubt = (
  operation: Coverage.Coverage["operation"],
  { disorder, rejected }: Importing.Tally
): string | undefined => {
  if (rejected > 0) return "correct the rejected lines, import them, and vouch then"
  return operation === "deposits" && disorder > 0
    ? "sort the file by time, import it again, and vouch then: deposits that are alike in every part may stand in it twice"
    : undefined
}

/** How many stretches of time are named that do not count as complete. */
const NAMED = 20

/** Where a report would not take the records of the interval for complete, and why. */
const incomplete = Effect.fnUntraced(function*<Record>(
  history: Archive.History<Record>,
  interval: Coverage.Interval
) {
  const known = yield* Stream.runFold(
    history.slices(interval),
    (): ReadonlyArray<Coverage.Coverage> => [],
    (parts, { coverage }) => Coverage.merge([...parts, ...coverage.filter(({ query }) => query === undefined)])
  )
  return Coverage.uncovered(known, interval).flatMap((hole) => {
    const told = Coverage.clip(known, hole)
    const rest = Timeline.gaps(told, hole)
    return told.map(({ from, gap, to }) => ({ from, to, why: gap?.detail ?? "it is too young" }))
      .concat(rest.map(({ from, to }) => ({ from, to, why: "it had not come yet when you vouched for it" })))
  })
})

const refused = (lines: number): string => Text.counted(lines, "line was no record", "lines were no records")

/** Imports a file, and says what came of it: how many lines were refused, and whether what a person vouched for was. */
const importFile = Effect.fnUntraced(
  function*<Record>(kind: RecordKind.RecordKind<Record>, path: string, options: Options) {
    const archive = yield* Archive.Archive
    const { interval, seenAt, times: { stretch } } = options
    const name = InputFile.nameOf(path)
    const tally = yield* Importing.run(kind, path, { seenAt, rejects: options.rejectsOf(path) })
    yield* Stderr.say(
      `${name}: ${Text.counted(tally.records, `${kind.one} record`)} read, ${Text.count(tally.added)} added, ` +
        `${Text.count(tally.changed)} changed` +
        (tally.rejected === 0
          ? ""
          : `; ${refused(tally.rejected)} and ${tally.rejected === 1 ? "is" : "are"} in ${options.rejectsOf(path)}`)
    )
    if (tally.disorder > 0) {
      yield* Stderr.say(
        `${name} goes back in time ${
          Text.counted(tally.disorder, "time")
        }: a ${kind.one} that stood there again counts as ` +
          "read again. Deposits that are alike in every part are told apart only side by side; sorting the file by time settles it."
      )
    }
    const { rejected } = tally
    if (interval === undefined) return { rejected, isDoubted: false }
    const why = doubt(kind.operation, tally)
    if (why !== undefined) {
      yield* Stderr.complain(`No coverage was recorded for ${kind.operation}: ${why}.`)
      return { rejected, isDoubted: true }
    }
    const now = yield* Clock.currentTimeMillis
    yield* archive.vouch(kind.operation, interval, Math.min(seenAt ?? now, now))
    const open = yield* incomplete(kind.history(archive), interval)
    if (open.length > 0) {
      yield* Stderr.complain(
        `${kind.operation} ${stretch(interval)} do not all count as complete, ` +
          "although you vouched for them:",
        ...open.slice(0, NAMED).map((hole) => `${kind.operation} ${stretch(hole)}: ${hole.why}`),
        ...open.length > NAMED ? [`and ${Text.counted(open.length - NAMED, "stretch", "stretches")} more`] : []
      )
      return { rejected, isDoubted: true }
    }
    yield* Stderr.say(`${kind.operation} ${stretch(interval)} count as complete: you vouched for them.`)
    return { rejected, isDoubted: false }
  }
)

export const run = Effect.fnUntraced(function*(flags: Flags) {
  const { deposits, rejects, transfers } = flags
  yield* Inputs.oneStdin({ deposits, transfers })
  if (Option.isNone(deposits) && Option.isNone(transfers)) {
    return yield* Failure.usage("Nothing to import: name a file with --deposits FILE or --transfers FILE")
  }
  if (Option.isSome(deposits) && Option.isSome(transfers) && Option.isSome(rejects)) {
    return yield* Failure.usage("--rejects is one file, and two are imported: import one at a time, or leave it out")
  }
  const seenAt = yield* AskedRange.moment("seen", flags.seen, flags.zone)
  if (seenAt !== undefined && seenAt > (yield* Clock.currentTimeMillis)) {
    return yield* Failure.usage("--seen lies in the future: it says when the file was exported")
  }
  const options = {
    interval: yield* vouched(flags, seenAt),
    seenAt,
    times: ZonedTimes.make(yield* AskedRange.zone(flags.zone)),
    rejectsOf: yield* rejectsOf(flags)
  }
  for (const path of [...Option.toArray(deposits), ...Option.toArray(transfers)]) {
    yield* InputFile.readable(path)
    yield* FileUse.writing(options.rejectsOf(path), `${options.rejectsOf(path)}, for lines that are no records,`)
    yield* RejectFile.ready(options.rejectsOf(path))
  }
  if (Option.isSome(deposits)) yield* RecordFile.check(RecordKind.deposits, deposits.value)
  if (Option.isSome(transfers)) yield* RecordFile.check(RecordKind.transfers, transfers.value)
  const imported = yield* Effect.gen(function*() {
    const archive = yield* Archive.Archive
    yield* archive.exclusive("import")
    return [
      ...Option.isNone(deposits) ? [] : [yield* importFile(RecordKind.deposits, deposits.value, options)],
      ...Option.isNone(transfers) ? [] : [yield* importFile(RecordKind.transfers, transfers.value, options)]
    ]
  }).pipe(
    Effect.scoped,
    Effect.catchTag("ArchiveError", (error) => Effect.fail(Failure.fromArchive(error))),
    ArchivePlace.withArchive(flags)
  )
  const rejected = imported.reduce((sum, one) => sum + one.rejected, 0)
  const isDoubted = imported.some((one) => one.isDoubted)
  if (rejected === 0 && !isDoubted) return yield* Effect.void
  return yield* Failure.notClean(
    rejected > 0
      ? `${refused(rejected)}; everything else is kept`
      : "everything is kept, but not all of it counts as complete"
  )
})
