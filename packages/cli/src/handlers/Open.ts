/** The work of `tallystick open`. */
import * as BookError from "@tallystick/archive/BookError"
import * as Books from "@tallystick/archive/Books"
import type * as BookState from "@tallystick/archive/BookState"
import * as Decision from "@tallystick/archive/Decision"
import * as Decisions from "@tallystick/archive/Decisions"
import type * as OpenItem from "@tallystick/archive/OpenItem"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Text from "@tallystick/report/text/Text"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as ItemText from "../archive/ItemText.ts"
import * as WithoutEntriesText from "../archive/WithoutEntriesText.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import * as Ending from "../flags/Ending.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as Moment from "../text/Moment.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends ArchiveFlag.Flags, Pick<RangeFlags.Flags, "zone"> {
  readonly older: Option.Option<string>
  readonly asset: Option.Option<string>
  readonly account: Option.Option<string>
  readonly code: Option.Option<string>
  readonly state: Option.Option<BookState.Waiting>
  readonly asOf: Option.Option<number>
  readonly format: Option.Option<ItemText.Format>
  readonly out: Option.Option<string>
}

/** Whether an item is one of those that the flags ask for. */
const wanted = Effect.fnUntraced(function*({ account, asset, code, older, state }: Flags, now: number) {
  const length = Option.map(older, Moment.ago)
  if (Option.isSome(length) && Result.isFailure(length.value)) {
    return yield* Failure.usage(`--older: ${length.value.failure}`)
  }
  if (Option.isSome(code) && code.value !== WithoutEntriesText.GAP && !Schema.is(Outcome.Code)(code.value)) {
    return yield* Failure.usage(
      `--code: "${code.value}" is no code of an outcome; reports write them as missing-transfer (and unread is time that was not read)`
    )
  }
  const before = Option.match(length, {
    onNone: () => Number.POSITIVE_INFINITY,
    onSome: (found) => now - Result.getOrElse(found, () => 0)
  })
  const is = <A>(asked: Option.Option<A>, told: A): boolean => Option.isNone(asked) || asked.value === told
  return {
    item: (item: OpenItem.OpenItem): boolean =>
      item.at < before && is(code, item.code) && is(state, item.state) &&
      (Option.isNone(asset) || item.entries.some((entry) => entry.asset === asset.value)) &&
      (Option.isNone(account) || item.entries.some((entry) => entry.account === account.value)),
    // What has no entries may be of any asset and of any account.
    without: (item: OpenItem.WithoutEntries): boolean =>
      WithoutEntriesText.ageFrom(item) < before && is(code, WithoutEntriesText.codeOf(item)) && Option.isNone(state)
  }
})

const keyOf = ({ id, side }: Pick<Decision.Subject, "id" | "side">): string => `${side} ${id}`

/** The last decision on each entry up to a row of the ledger, but for those that were revoked up to there. */
const lastDecisions = (upTo: number) =>
  Effect.map(Decisions.Decisions.use(({ all }) => all), (all) =>
    new Map(
      all.filter(({ body, revokedBy }) => body.number <= upTo && (revokedBy === undefined || revokedBy > upTo)).flatMap(
        ({ body }) => Decision.subjects(body).map((subject) => [keyOf(subject), body.number] as const)
      )
    ))

const withDecision = (last: ReadonlyMap<string, number>) => (item: OpenItem.OpenItem): ItemText.Listed => {
  const numbers = item.entries.flatMap((entry) => last.get(keyOf(entry)) ?? [])
  return numbers.length === 0 ? { item } : { item, decision: Math.max(...numbers) }
}

type Counts = Record<BookState.Waiting, number>

const total = ({ open, pending, undetermined }: Counts): number => open + pending + undetermined

const STATES: ReadonlyArray<BookState.Waiting> = ["open", "undetermined", "pending"]

/** `4 items: 2 open, 1 pending and 1 record that could not be read`. */
const counted = (counts: Counts, without: ReadonlyArray<OpenItem.WithoutEntries>): string => {
  const parts = [
    ...STATES.flatMap((state) => counts[state] === 0 ? [] : [`${Text.count(counts[state])} ${state}`]),
    ...WithoutEntriesText.counted(without)
  ]
  return parts.length === 0
    ? "nothing waits"
    : `${Text.counted(total(counts) + without.length, "item")}: ${Text.listed(parts)}`
}

const list = Effect.fnUntraced(function*(flags: Flags) {
  const format = yield* Ending.listFormat(flags)
  const times = ZonedTimes.make(yield* AskedRange.zone(flags.zone))
  const executions = yield* Books.Books.use(({ executions }) => executions)
  const asked = Option.getOrUndefined(flags.asOf)
  const last = executions.findLast(({ body }) => asked === undefined || body.number === asked)?.body
  if (last === undefined) {
    return yield* asked === undefined
      ? Failure.usage("the books are not begun: tallystick reconcile --archive --book brings them forward")
      : new BookError.BookError({ reason: new BookError.NoExecution({ number: asked }) })
  }
  const now = asked === undefined ? yield* Clock.currentTimeMillis : last.at
  const isWanted = yield* wanted(flags, now)
  const withLast = withDecision(yield* lastDecisions(asked ?? Infinity))
  const counts: Counts = { open: 0, pending: 0, undetermined: 0 }
  const { stream, withoutEntries } = yield* OpenItems.OpenItems
  const all = yield* withoutEntries(asked)
  const without = all.filter(isWanted.without)
  const items = Stream.mapAccumArray(stream(asked), () => undefined, (state, items) => {
    const found = items.filter(isWanted.item)
    for (const item of found) counts[item.state]++
    return [state, found.map(withLast)]
  })
  const listed = Stream.concat(Stream.fromIterable<ItemText.Line>(without), items)
  if (format === "table") {
    const shown: Array<ItemText.Line> = []
    yield* Stream.runForEachArray(
      listed,
      (found) => Effect.sync(() => void shown.push(...found.slice(0, ItemText.SHOWN - shown.length)))
    )
    if (shown.length > 0 || Option.isSome(flags.out)) {
      const width = yield* ReportOutput.tableWidth(flags.out)
      const madeAt = new Map(executions.map(({ body }) => [body.number, body.at]))
      const look = { width, times, now, madeAt: (execution: number) => madeAt.get(execution) }
      yield* Output.write(flags.out, Stream.make(ItemText.table(shown, total(counts) + without.length, look)))
    }
  } else yield* Output.write(flags.out, ItemText.texts(format)(listed))
  const told = `${counted(counts, without)}; execution ${last.number} brought the books forward at ${
    times.bound(last.at)
  }${times.suffix}`
  const left = WithoutEntriesText.counted(all.filter((item) => !without.includes(item)))
  return total(counts) === counts.pending && all.length === 0
    ? yield* Stderr.say(told)
    : yield* Failure.notClean(told, ...(left.length === 0 ? [] : [`the filters leave out ${Text.listed(left)}`]))
})

export const run = (flags: Flags) =>
  Effect.andThen(
    Output.ready(flags.out),
    list(flags).pipe(
      Effect.catchTags({
        ArchiveError: (error) => Effect.fail(Failure.fromArchive(error)),
        BookError: ({ message }) => Effect.fail(Failure.usage(message))
      }),
      ArchivePlace.withReadArchive(flags)
    )
  )
