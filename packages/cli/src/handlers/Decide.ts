/** The work of `tallystick decide` and its subcommands. */
import * as Decision from "@tallystick/archive/Decision"
import type * as DecisionError from "@tallystick/archive/DecisionError"
import * as Decisions from "@tallystick/archive/Decisions"
import * as Text from "@tallystick/report/text/Text"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as DecisionText from "../archive/DecisionText.ts"
import * as EntryName from "../archive/EntryName.ts"
import * as OutcomeName from "../archive/OutcomeName.ts"
import * as Preview from "../archive/Preview.ts"
import * as Failure from "../Failure.ts"
import * as ActFile from "../files/ActFile.ts"
import * as SettingFile from "../files/SettingFile.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import type * as InputFlags from "../flags/InputFlags.ts"
import type { Format } from "../flags/OutFlag.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Common
  extends ArchiveFlag.Flags, AuthorFlags.Flags, Pick<InputFlags.Flags, "accounts" | "addresses" | "policy" | "zone">
{
  readonly seen: Option.Option<number>
  readonly dryRun: boolean
  readonly format: Format
  readonly out: Option.Option<string>
}

interface Why {
  readonly reason: Decision.Reason
  readonly words: string
}

interface Acts {
  readonly acts: ReadonlyArray<Decision.Act>
  /** Where an act comes from, for what is said of it. */
  readonly placeOf?: (index: number) => string
}

/** What the ledger refuses is said with its place; somebody else's decision in between may be looked at, and then it can go on. */
const refused = ({ placeOf }: Acts) => ({ index, message, reason }: DecisionError.DecisionError): Failure.Failure => {
  const told = placeOf === undefined ? message : `${placeOf(index)}: ${message}`
  return reason._tag === "Outdated" ? Failure.notClean(told) : Failure.usage(told)
}

/** Says which decisions the same author had made already, where there are such. */
const already = (answers: ReadonlyArray<Decisions.Answer>) => {
  const numbers = Arr.dedupe(answers.flatMap(({ body, madeAlready }) => madeAlready === true ? [body.number] : []))
  return numbers.length === 0
    ? Effect.void
    : Stderr.say(
      `${Text.listed(numbers.map((number) => `decision ${number}`))} ${
        numbers.length === 1 ? "was" : "were"
      } made already`
    )
}

const decide = Effect.fnUntraced(function*(flags: Common, given: Acts) {
  const { dryRun, format, out, seen, zone } = flags
  const times = ZonedTimes.make(yield* AskedRange.zone(zone))
  const options = {
    author: yield* AuthorFlags.author(flags),
    ...(Option.isNone(seen) ? {} : { seen: seen.value })
  }
  // A policy that cannot be read is told before anything is decided.
  const policy = yield* SettingFile.policy(flags.policy)
  const decided = yield* Decisions.Decisions.use(({ attempt, decide }) =>
    (dryRun ? attempt : decide)(given.acts, options)
  ).pipe(Effect.catchTag("DecisionError", (error) => Effect.fail(refused(given)(error))))
  yield* already(decided)
  const made = decided.filter(({ madeAlready }) => madeAlready !== true)
  if (dryRun) return yield* Preview.write(flags, made)
  const text = format === "json"
    ? DecisionText.json(decided)
    : DecisionText.table(decided, yield* ReportOutput.tableWidth(out), times)
  yield* Output.write(out, Stream.make(text))
  const faults = yield* Preview.faults(policy, decided)
  yield* Effect.forEach(faults, (fault) => Stderr.complain(fault), { discard: true })
  const waiting = decided.filter(Decision.isProposed).map(({ body }) => body.number)
  if (waiting.length > 0) {
    yield* Stderr.say(
      `proposed: another person has to approve ${Text.listed(waiting.map((number) => `decision ${number}`))} ` +
        "(tallystick decide approve NUMBER); until then no report follows"
    )
  }
  const last = made.at(-1)
  const head = last === undefined
    ? yield* Decisions.Decisions.use(({ head }) => head)
    : { number: last.body.number, id: last.id }
  return yield* Stderr.say(
    `${Text.counted(made.length, "decision")} made; the ledger ends at ${head.number}@${head.id}`
  )
})

/** Asks for what is to be decided in the archive, and decides it. */
const deciding = <E, R>(flags: Common, acts: Effect.Effect<Acts, E, R>) =>
  Output.ready(flags.out).pipe(
    Effect.andThen(acts),
    Effect.flatMap((given) => decide(flags, given)),
    ArchivePlace.withKeptArchive(flags)
  )

const one = (act: Decision.Act): Acts => ({ acts: [act] })

const named = (names: ReadonlyArray<string>) => Effect.forEach(names, EntryName.find)

const idsOf = (found: ReadonlyArray<Decision.Subject>, side: Decision.Subject["side"]): ReadonlyArray<string> =>
  found.filter((entry) => entry.side === side).map(({ id }) => id)

const lacking = (side: Decision.Subject["side"]) =>
  Failure.usage(`none of these entries is a ${side}: a link has both sides, and so has a pair that is forbidden`)

/** The ids of both sides; each has one at least. */
const sides = Effect.fnUntraced(function*(names: ReadonlyArray<string>) {
  const found = yield* named(names)
  const [deposits, transfers] = [idsOf(found, "deposit"), idsOf(found, "transfer")]
  if (!Arr.isReadonlyArrayNonEmpty(deposits)) return yield* lacking("deposit")
  return Arr.isReadonlyArrayNonEmpty(transfers) ? { deposits, transfers } : yield* lacking("transfer")
})

interface Entries extends Common {
  readonly entries: ReadonlyArray<string>
}

export const link = (flags: Entries & Why) =>
  deciding(
    flags,
    Effect.map(sides(flags.entries), ({ deposits, transfers }) =>
      one({ kind: "link", deposits, transfers, reason: flags.reason, words: flags.words }))
  )

export const forbid = (flags: Entries & Why) =>
  deciding(
    flags,
    Effect.map(sides(flags.entries), ({ deposits: [deposit], transfers: [transfer] }) =>
      one({ kind: "forbid", deposit, transfer, reason: flags.reason, words: flags.words }))
  )

export const exclude = (flags: Common & Why & { readonly entry: string }) =>
  deciding(
    flags,
    Effect.map(EntryName.find(flags.entry), ({ id, side }) =>
      one({ kind: "exclude", side, id, reason: flags.reason, words: flags.words }))
  )

export const accept = (flags: Common & Why & { readonly name: string; readonly provisional: boolean }) =>
  deciding(
    flags,
    Effect.map(OutcomeName.find(flags.name), (outcome) =>
      one({
        kind: "accept",
        outcome,
        ...(flags.provisional ? { provisional: true } : {}),
        reason: flags.reason,
        words: flags.words
      }))
  )

export const note = (flags: Entries & Pick<Why, "words">) =>
  deciding(
    flags,
    Effect.flatMap(named(flags.entries), (found) => {
      const entries = found.map(({ id, side }) => ({ side, id }))
      return Arr.isReadonlyArrayNonEmpty(entries)
        ? Effect.succeed(one({ kind: "note", entries, words: flags.words }))
        : Effect.fail(Failure.usage("name the entries that the note is about"))
    })
  )

const numbered = (number: number) =>
  number < 1
    ? Effect.fail(Failure.usage("decisions are numbered from 1 on; tallystick decisions lists them"))
    : Effect.succeed(number)

export const revoke = (flags: Common & Pick<Why, "words"> & { readonly decision: number }) =>
  Effect.flatMap(
    numbered(flags.decision),
    (decision) => deciding(flags, Effect.succeed(one({ kind: "revoke", decision, words: flags.words })))
  )

export const approve = (flags: Common & { readonly decision: number; readonly words: Option.Option<string> }) =>
  Effect.flatMap(numbered(flags.decision), (decision) =>
    deciding(
      flags,
      Effect.succeed(one({
        kind: "approve",
        decision,
        ...(Option.isNone(flags.words) ? {} : { words: flags.words.value })
      }))
    ))

export const file = Effect.fnUntraced(function*(flags: Common & { readonly file: Option.Option<string> }) {
  if (Option.isNone(flags.file)) {
    return yield* Failure.usage(
      "say what is decided: link, forbid, exclude, accept, note, revoke or approve; or give --file FILE"
    )
  }
  const given = yield* ActFile.read(flags.file.value)
  return yield* deciding(flags, Effect.succeed(given))
})
