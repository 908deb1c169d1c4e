/** The work of `tallystick export`. */
import * as Archive from "@tallystick/archive/Archive"
import * as Status from "@tallystick/archive/Status"
import * as Coverage from "@tallystick/core/Coverage"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as CoverageText from "../archive/CoverageText.ts"
import * as RecordKind from "../archive/RecordKind.ts"
import * as RecordText from "../archive/RecordText.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Output from "../output/Output.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends ArchiveFlag.Flags, RangeFlags.Flags {
  readonly side: "deposits" | "transfers"
  readonly format: RecordText.Format
  readonly out: Option.Option<string>
}

const isDamaged = ({ gap }: Status.Hole): boolean => gap?.code === "damaged"

const words =
  (operation: Coverage.Coverage["operation"], { stretch }: ZonedTimes.ZonedTimes) => (hole: Status.Hole): string =>
    `${CoverageText.about(operation, hole.queries)} ${stretch(hole)}: ${
      hole.gap?.detail ?? (hole.state === "open" ? "too young to be settled" : "not read")
    }`

const write = Effect.fnUntraced(function*<Record>(kind: RecordKind.RecordKind<Record>, flags: Flags) {
  const history = kind.history(yield* Archive.Archive)
  const asked = yield* AskedRange.asked(flags)
  const { first, last } = yield* history.extent
  const whole = { from: asked.from ?? 0, to: asked.to ?? Number.MAX_SAFE_INTEGER }
  const tally = { records: 0, bad: 0, versions: 0, conflicts: 0, vanished: 0 }
  let coverage: ReadonlyArray<Coverage.Coverage> = []
  const records = history.slices(whole).pipe(
    Stream.map((slice) => {
      coverage = Coverage.merge([...coverage, ...slice.coverage])
      tally.bad += slice.bad.length
      tally.records += slice.records.length
      return slice.records.map(({ before, conflicts, record, vanishedAt }) => {
        tally.versions += before.length
        tally.conflicts += conflicts.length
        tally.vanished += vanishedAt === undefined ? 0 : 1
        return record
      })
    }),
    Stream.flattenIterable
  )
  yield* Output.write(flags.out, RecordText.texts(kind, flags.format)(records))

  const unproven = (range: Coverage.Interval): ReadonlyArray<Status.Hole> =>
    range.from < range.to
      ? Status.unproven(
        Status.scopes(kind.operation, coverage.map((part) => Object.assign({ vouched: false }, part)), range)
      )
      : []
  const from = asked.from ?? first ?? 0
  const range = { from, to: asked.to ?? (last === null ? from : last + 1) }
  const asksForTime = asked.from !== undefined || asked.to !== undefined
  const gaps = [
    ...(asksForTime ? unproven(range).filter((hole) => !isDamaged(hole)) : []),
    // Behind the last record that is left another one may have been lost.
    ...unproven(whole).filter(isDamaged)
  ].toSorted((a, b) => a.from - b.from || a.to - b.to)
  return { tally, gaps: gaps.map(words(kind.operation, ZonedTimes.make(asked.zone))) }
})

export const run = Effect.fnUntraced(function*(flags: Flags) {
  yield* Output.ready(flags.out)
  const exported = flags.side === "deposits" ? write(RecordKind.deposits, flags) : write(RecordKind.transfers, flags)
  const { gaps, tally } = yield* exported.pipe(
    Effect.catchTag("ArchiveError", (error) => Effect.fail(Failure.fromArchive(error))),
    ArchivePlace.withReadArchive(flags)
  )
  const beside = [
    [tally.versions, "earlier version"],
    [tally.conflicts, "conflicting content"],
    [tally.vanished, "record that the service stopped showing", "records that the service stopped showing"],
    [tally.bad, "record that could not be read", "records that could not be read"]
  ] as const
  const notes = beside.filter(([count]) => count > 0).map(([count, one, several]) => Text.counted(count, one, several))
  const say = gaps.length === 0 ? Stderr.say : Stderr.complain
  yield* say(
    `${Text.counted(tally.records, "record")}${notes.length === 0 ? "" : `; kept beside them: ${Text.listed(notes)}`}`,
    ...(gaps.length === 0 ? [] : ["Not proven complete:", ...gaps])
  )
})
