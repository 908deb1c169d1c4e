/** The work of `tallystick item`. */
import * as Books from "@tallystick/archive/Books"
import * as Decisions from "@tallystick/archive/Decisions"
import type * as OpenItem from "@tallystick/archive/OpenItem"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as Runs from "@tallystick/archive/Runs"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as StoryText from "../archive/StoryText.ts"
import * as WithoutEntriesName from "../archive/WithoutEntriesName.ts"
import * as WithoutEntriesText from "../archive/WithoutEntriesText.ts"
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
  readonly name: string
  readonly format: Format
  readonly out: Option.Option<string>
}

const ambiguous = (name: string) =>
  Failure.usage(`the ids of several items or outcomes begin with ${name}; give more of the one that you mean`)

/** So many entries are told of at most: each with all of its story. */
const MOST = 50

/** The entries of an item. */
const ofItem = Effect.fnUntraced(function*(name: string) {
  const entries = yield* OpenItems.OpenItems.use(({ find }) => find(name.toLowerCase()))
  const items = new Set(entries.map(({ item, outcome }) => outcome === "" ? item : outcome))
  return items.size > 1 ? yield* ambiguous(name) : entries
})

/** The entries that ever stood in an outcome. */
const ofOutcome = Effect.fnUntraced(function*(name: string) {
  const entries = yield* OpenItems.OpenItems.use(({ find }) => find(name.toLowerCase()))
  return entries.length > MOST ? yield* ambiguous(name) : entries
})

/** The entries that a name means: those of an item, entries of the archive, or those of an outcome in the books. */
const found = Effect.fnUntraced(function*(name: string) {
  const inItem = /^i[0-9a-f]/i.test(name) ? yield* ofItem(name) : []
  if (inItem.length > 0) return inItem
  const entries = yield* Decisions.Decisions.use(({ find }) => find(name))
  return entries.length > 0 ? entries : yield* ofOutcome(name)
})

/** The outcome as the last run that came to it told it; nothing where it is gone. */
const outcomeOf = Effect.fnUntraced(function*({ entry: { outcome } }: OpenItem.Story) {
  if (outcome === "") return Option.none()
  const sighting = yield* Runs.Runs.use((runs) => runs.outcome(outcome)).pipe(
    Effect.catchTag("Ambiguous", () => Effect.succeed(Option.none()))
  )
  return Option.flatMap(sighting, ({ versions }) => Option.fromUndefinedOr(versions.at(-1)?.outcome))
})

/** Tells of an item that has no entries. */
const withoutEntries = Effect.fnUntraced(function*(told: WithoutEntriesText.Told, flags: Flags) {
  if (flags.format === "json") return yield* Output.write(flags.out, Stream.make(WithoutEntriesText.storyJson(told)))
  const madeAt = new Map(
    (yield* Books.Books.use(({ executions }) => executions)).map(({ body }) => [body.number, body.at])
  )
  const times = ZonedTimes.make(yield* AskedRange.zone(flags.zone))
  const look = {
    width: yield* ReportOutput.tableWidth(flags.out),
    times,
    madeAt: (number: number) => madeAt.get(number)
  }
  return yield* Output.write(flags.out, Stream.make(`${WithoutEntriesText.lines(told, look).join("\n")}\n`))
})

const told = Effect.fnUntraced(function*(flags: Flags) {
  const times = ZonedTimes.make(yield* AskedRange.zone(flags.zone))
  const entries = yield* found(flags.name)
  const without = entries.length === 0 && WithoutEntriesText.ID.test(flags.name)
    ? yield* WithoutEntriesName.find(flags.name)
    : undefined
  if (without !== undefined) return yield* withoutEntries(without, flags)
  if (entries.length === 0) {
    if (Decisions.isTooShort(flags.name)) {
      return yield* Failure.usage(`write at least ${Decisions.SHORTEST} letters of an id`)
    }
    return yield* Failure.usage(
      `the books have no item, and the archive keeps no entry, with the id ${flags.name} or one that begins so; ` +
        "tallystick show tells of any outcome and any run"
    )
  }
  const { story } = yield* OpenItems.OpenItems
  const stories = (yield* Effect.forEach(entries, story)).flatMap(Option.toArray)
  if (stories.length === 0) {
    if (flags.format === "json") yield* Output.write(flags.out, Stream.make(StoryText.json([])))
    return yield* Stderr.say(
      `${Text.listed(entries.map(({ id, side }) => `${side} ${id}`))} never waited in the books`
    )
  }
  const all = yield* Effect.forEach(
    stories,
    (story) => Effect.map(outcomeOf(story), (outcome): StoryText.Told => ({ story, outcome }))
  )
  if (flags.format === "json") return yield* Output.write(flags.out, Stream.make(StoryText.json(all)))
  const executions = new Map(
    (yield* Books.Books.use(({ executions }) => executions)).map(({ body }) => [body.number, body])
  )
  const look = { width: yield* ReportOutput.tableWidth(flags.out), times, executions }
  const texts = all.map((one) => `${StoryText.lines(one, look).join("\n")}\n`)
  return yield* Output.write(flags.out, Stream.make(texts.join("\n")))
})

export const run = (flags: Flags) =>
  Effect.andThen(
    Output.ready(flags.out),
    told(flags).pipe(
      Effect.catchTags({
        ArchiveError: (error) => Effect.fail(Failure.fromArchive(error)),
        BookError: ({ message }) => Effect.fail(Failure.usage(message))
      }),
      ArchivePlace.withReadArchive(flags)
    )
  )
