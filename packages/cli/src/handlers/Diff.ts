/** The work of `tallystick diff`. */
import * as Books from "@tallystick/archive/Books"
import * as Execution from "@tallystick/archive/Execution"
import type * as Run from "@tallystick/archive/Run"
import * as RunDiff from "@tallystick/archive/RunDiff"
import * as Runs from "@tallystick/archive/Runs"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as DiffText from "../archive/DiffText.ts"
import type * as ItemText from "../archive/ItemText.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import * as Ending from "../flags/Ending.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends ArchiveFlag.Flags, Pick<RangeFlags.Flags, "day" | "zone"> {
  readonly before: Option.Option<string>
  readonly after: Option.Option<string>
  readonly format: Option.Option<ItemText.Format>
  readonly out: Option.Option<string>
}

const found = Effect.fnUntraced(function*(id: string) {
  const run = yield* Runs.Runs.use(({ get }) => get(id.toLowerCase()))
  return Option.isSome(run)
    ? run.value
    : yield* Failure.usage(`no run has an id that begins with ${id}; tallystick runs lists them`)
})

/** Both runs, and the time within which they are compared. */
interface Compared {
  readonly before: Run.Recorded
  readonly after: Run.Recorded
  readonly within?: Coverage.Interval
}

/** What the last execution judged of a day, beside what had judged the same time before. */
const ofDay = Effect.fnUntraced(function*(flags: Flags) {
  const none = Option.none<string>()
  const asked = { ...flags, from: none, to: none, since: none }
  const { from, to } = yield* AskedRange.asked(asked)
  const [day, second] = yield* AskedRange.days(asked)
  if (second !== undefined) return yield* Failure.usage("--day: executions over one day are compared; give one day")
  if (from === undefined || to === undefined) return yield* Effect.die("a day has a beginning and an end")
  const executions = yield* Books.Books.use(({ executions }) => executions)
  const last = Execution.rejudged(executions.map(({ body }) => body), { from, to })
  if (last === undefined) {
    return yield* Failure.usage(
      `no execution of the books judged ${day}; tallystick reconcile --archive --book makes one, and tallystick runs lists what ` +
        "else can be compared"
    )
  }
  if (last.pieces.length === 0) {
    yield* Stderr.say(
      `only execution ${last.by.number} of the books judged ${day}, so that there is nothing to compare it with`
    )
  }
  return yield* Effect.forEach(last.pieces, ({ after, before, from, to }) =>
    Effect.gen(function*() {
      const pair: Compared = { before: yield* found(before.run), after: yield* found(after.run), within: { from, to } }
      return pair
    }))
})

const compared = Effect.fnUntraced(function*(flags: Flags) {
  const { after, before, day } = flags
  if (Option.isSome(day)) {
    return Option.isNone(before)
      ? yield* ofDay(flags)
      : yield* Failure.usage("--day names the runs to compare: leave the ids out")
  }
  if (Option.isNone(before) || Option.isNone(after)) {
    return yield* Failure.usage("two runs are compared: give the ids of both, or --day DAY")
  }
  const pair: Compared = { before: yield* found(before.value), after: yield* found(after.value) }
  return [pair]
})

const about = (side: RunDiff.Side, { bound, stretch, suffix }: ZonedTimes.ZonedTimes): string =>
  `run ${side.run}, recorded at ${bound(side.recordedAt)}${suffix}, is about ${
    side.range === null ? "everything that was read" : `the time ${stretch(side.range)}`
  }${side.asOf === null ? "" : `, as read up to ${bound(side.asOf)}${suffix}`}`

const followed = ({ ledger }: RunDiff.Side): string =>
  ledger === 0 ? "an empty ledger" : `the ledger up to row ${ledger}`

/** Says of which records nobody knows whether they lie in what is compared. */
const untimed = ({ run, untimedRecords }: RunDiff.Side): ReadonlyArray<string> => {
  const [tell, lie] = untimedRecords === 1 ? ["tells", "it lies"] : ["tell", "they lie"]
  return untimedRecords === 0 ? [] : [
    `${
      Text.counted(untimedRecords, "record")
    } that could not be read ${tell} no time to go by, and only run ${run} has ${
      untimedRecords === 1 ? "it" : "them"
    }: nobody knows whether ${lie} in what is compared.`
  ]
}

/** Says how the later run was asked otherwise, and of what only one run tells. */
const beside = (diff: RunDiff.RunDiff, times: ZonedTimes.ZonedTimes): ReadonlyArray<string> => {
  const { after, asked, before, only } = diff
  const lists = (["accounts", "addresses"] as const).filter((name) => asked[name])
  const stretches = (side: "after" | "before") =>
    diff.common === null || only[side].length === 0
      ? []
      : [
        diff[side].range === null
          ? `Only run ${diff[side].run} is about other time besides; nothing of it is compared.`
          : `Only run ${diff[side].run} is about the time ${
            Text.listed(only[side].map(times.stretch))
          }; nothing of it is compared.`
      ]
  return [
    ...(asked.policy.length === 0
      ? []
      : [`The policy differs in ${Text.listed(asked.policy)}; decisions count as part of it.`]),
    ...(lists.length === 0 ? [] : [`The lists of ${Text.listed(lists)} differ.`]),
    ...(before.ledger === after.ledger
      ? []
      : [`Run ${before.run} followed ${followed(before)}, and run ${after.run} ${followed(after)}.`]),
    ...stretches("before"),
    ...stretches("after"),
    ...untimed(before),
    ...untimed(after)
  ]
}

/** Says how much of what is no entry differs: records and time that could not be read. */
const unknown = ({ after, before }: RunDiff.RunDiff, { stretch }: ZonedTimes.ZonedTimes): ReadonlyArray<string> => {
  const read = Timeline.subtract(before.unread, after.unread)
  const unread = Timeline.subtract(after.unread, before.unread)
  return [
    ...(after.badRecords === 0 ? [] : [`${Text.counted(after.badRecords, "more record")} could not be read`]),
    ...(before.badRecords === 0
      ? []
      : [
        `${Text.counted(before.badRecords, "record")} that could not be read ${
          before.badRecords === 1 ? "was" : "were"
        } read since, or ${before.badRecords === 1 ? "is" : "are"} not told any more`
      ]),
    ...read.map((interval) => `the time ${stretch(interval)} was read since`),
    ...unread.map((interval) => `not all of the time ${stretch(interval)} was read any more`)
  ]
}

const diff = Effect.fnUntraced(function*(flags: Flags) {
  const format = yield* Ending.listFormat(flags)
  const times = ZonedTimes.make(yield* AskedRange.zone(flags.zone))
  const { diff } = yield* Runs.Runs
  const diffs = yield* Effect.forEach(
    yield* compared(flags),
    ({ after, before, within }) => diff(before, after, within)
  )
  if (format !== "table") yield* Output.write(flags.out, DiffText.texts(diffs, format))
  else if (diffs.some(({ differences }) => differences.length > 0) || Option.isSome(flags.out)) {
    const width = yield* ReportOutput.tableWidth(flags.out)
    yield* Output.write(flags.out, Stream.make(DiffText.table(diffs, { width, times })))
  }
  if (diffs.length === 0) return yield* Effect.void
  const told = diffs.flatMap((one) => [about(one.before, times), about(one.after, times), ...beside(one, times)])
  for (const line of new Set([...told, DiffText.arrived(diffs)])) if (line !== "") yield* Stderr.say(line)
  if (!diffs.some(RunDiff.differs)) {
    const areOne = diffs.every(({ after, before }) => before.run === after.run)
    return yield* Stderr.say(areOne ? "both are one run: nothing differs" : "nothing differs")
  }
  const [first = "", ...more] = [DiffText.counted(diffs), ...diffs.flatMap((one) => unknown(one, times))]
    .filter((line) => line !== "")
  return yield* Failure.notClean(first, ...more)
})

export const run = (flags: Flags) =>
  Effect.andThen(
    Output.ready(flags.out),
    diff(flags).pipe(
      Effect.catchTags({
        ArchiveError: (error) => Effect.fail(Failure.fromArchive(error)),
        Ambiguous: ({ message }) => Effect.fail(Failure.usage(message)),
        Apart: ({ message }) => Effect.fail(Failure.usage(message))
      }),
      ArchivePlace.withReadArchive(flags)
    )
  )
