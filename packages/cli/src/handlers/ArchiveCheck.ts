/** The work of `tallystick archive check`. */
import * as Archive from "@tallystick/archive/Archive"
import type * as ArchiveError from "@tallystick/archive/ArchiveError"
import * as Books from "@tallystick/archive/Books"
import * as Decisions from "@tallystick/archive/Decisions"
import * as Integrity from "@tallystick/archive/Integrity"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as DecisionText from "../archive/DecisionText.ts"
import * as IntegrityText from "../archive/IntegrityText.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Output from "../output/Output.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends ArchiveFlag.Flags, Pick<RangeFlags.Flags, "zone"> {
  readonly file: Option.Option<string>
  readonly head: Option.Option<string>
  readonly books: boolean
}

const HEAD = /^(\d{1,15})@([0-9a-f]{64})$/

/** A head of the ledger as it is told: its number and its whole hash. */
const headOf = Effect.fnUntraced(function*(head: Option.Option<string>) {
  if (Option.isNone(head)) return undefined
  const [, number, id] = HEAD.exec(head.value.toLowerCase()) ?? []
  return number === undefined || id === undefined
    ? yield* Failure.usage(
      "--head: write the number of the last row of the ledger, @, and the 64 digits of its hash, as reports tell them"
    )
    : { number: Number(number), id }
})

/** An archive that cannot be read because it is damaged was checked, and that is the finding. */
const unreadable = (error: ArchiveError.ArchiveError): Failure.Failure =>
  error.reason._tag === "Damaged" ? Failure.notClean(error.message) : Failure.fromArchive(error)

const REBUILD = "tallystick archive rebuild writes the books anew, as the ledger and its runs have them."

/** The most sentences about the books: one edit of a run may change every entry after it. */
const MOST = 20

/** What stands otherwise in the books than the ledger and its runs have it; a damage of these is a finding of its own. */
const ofBooks = Effect.gen(function*() {
  const { verify } = yield* Books.Books
  return yield* Effect.map(verify, (found) => ({ found, advice: found.length === 0 ? [] : [REBUILD] }))
}).pipe(
  Effect.catchTag("ArchiveError", (error) =>
    error.reason._tag === "Damaged"
      ? Effect.succeed({ found: [error.message], advice: [] })
      : Effect.fail(error))
)

const shortened = (sentences: ReadonlyArray<string>): ReadonlyArray<string> =>
  sentences.length <= MOST
    ? sentences
    : [...sentences.slice(0, MOST), `and ${Text.count(sentences.length - MOST)} more in the books`]

/** Approvals by whoever proposed the same; a ledger that is damaged is a finding of its own. */
const ofOneself = Decisions.Decisions.use(({ all }) => all).pipe(
  Effect.map(DecisionText.ofOneself),
  Effect.catchTag("ArchiveError", (error) => error.reason._tag === "Damaged" ? Effect.succeed([]) : Effect.fail(error))
)

export const run = Effect.fnUntraced(function*({ archiveFile, books, file, head, zone }: Flags) {
  const times = ZonedTimes.make(yield* AskedRange.zone(zone))
  const kept = yield* headOf(head)
  if (Option.isSome(file) && Option.isSome(archiveFile)) {
    return yield* Failure.usage("name the file or --archive-file, not both")
  }
  const looked = Effect.all({
    place: Effect.map(Archive.Archive, ({ place }) => place),
    integrity: Integrity.check(undefined, kept),
    approvals: ofOneself,
    inBooks: books ? ofBooks : Effect.succeed({ found: [], advice: [] })
  })
  const { approvals, inBooks, integrity, place } = yield* Option.isSome(file)
    ? ArchivePlace.withBackup(file.value, unreadable)(looked)
    : ArchivePlace.withReadArchive({ archiveFile }, unreadable)(looked)
  const findings = [...IntegrityText.findings(integrity, times), ...shortened(inBooks.found)].map(Text.plain)
  const lost = IntegrityText.lost(integrity.lost, times)
  yield* Output.toStdout(Stream.make([...findings, ...lost].map((line) => `${line}\n`).join("")))
  yield* Effect.forEach(approvals, (sentence) => Stderr.complain(sentence), { discard: true })
  if (findings.length === 0) {
    return yield* Stderr.say(
      lost.length === 0
        ? `${place} holds what was written to it`
        : `${place} holds what was written to it, but for the rows that it lost earlier`
    )
  }
  const advice = [IntegrityText.advice(integrity), ...inBooks.advice].filter((text) => text !== "")
  return yield* Failure.notClean(`${place} does not hold what was written to it`, advice.join(" "))
})
