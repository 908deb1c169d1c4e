/** The work of `tallystick show`. */
import * as Books from "@tallystick/archive/Books"
import type * as Execution from "@tallystick/archive/Execution"
import * as Run from "@tallystick/archive/Run"
import * as Archive from "@tallystick/archive/Runs"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import type { Event } from "@tallystick/reconcile/Reconciliation"
import * as Report from "@tallystick/reconcile/Report"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as ForgottenFiles from "../archive/ForgottenFiles.ts"
import * as RunIdentity from "../archive/RunIdentity.ts"
import * as SightingText from "../archive/SightingText.ts"
import * as Failure from "../Failure.ts"
import * as PriceFile from "../files/PriceFile.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import * as Inputs from "../flags/Inputs.ts"
import * as Only from "../flags/Only.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as ReportFlags from "../flags/ReportFlags.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends ArchiveFlag.Flags, ReportFlags.Flags, Pick<RangeFlags.Flags, "zone"> {
  readonly id: string
  readonly accounts: Option.Option<string>
  readonly addresses: Option.Option<string>
  readonly out: Option.Option<string>
}

const encodeRuns = Schema.encodeSync(Schema.Array(Run.Listed))

const sightingJson = ({ id, versions }: Run.Sighting): string =>
  `${
    SafeJson.stringify({
      id,
      versions: versions.map(({ outcome, runs }) => ({ outcome: Report.written(outcome), runs: encodeRuns(runs) }))
    }, 2)
  }\n`

/** The names that a masked run hides: those that are given, to be numbered as `reconcile` numbers them, and all that it holds. */
const maskedBy = Effect.fnUntraced(function*(flags: Flags, { accounts: { master } }: Report.Summary) {
  if (!flags.maskAccounts) return undefined
  const { list } = (yield* Inputs.settings(flags)).accounts
  const [first = "master", ...more] = master
  return { master: [first, ...more], list, complete: false } satisfies Accounts.Accounts
})

/** The execution by which a run last brought the books forward. A ledger that is not as it was written has none. */
const executionOf = Effect.fnUntraced(function*({ id }: Run.Run) {
  const { executions } = yield* Books.Books
  const sound = yield* Effect.catchReason(executions, "ArchiveError", "Damaged", () => Effect.succeed([]))
  return sound.findLast(({ body }) => body.run === id)
})

/** The prices of an execution, as the books keep them: those of what waited before or after. */
const keptPrices = (execution: Execution.Execution | undefined) => {
  const kept = execution?.body.prices
  return kept === undefined ? {} : {
    prices: new Map(kept.list.map(({ asset, price }) => [asset, price])),
    currency: kept.currency
  }
}

/**
 * A command that asks what the run answered cannot name the files that the run was given, where it needs them; a report has none then.
 * Which version made the run is not kept either: this one only shows it.
 */
const withoutForgotten = Effect.fnUntraced(
  function*({ given = [], ...identity }: Report.Identity, run: Report.Summary) {
    const forgotten = yield* ForgottenFiles.of(run)
    return {
      ...Struct.omit(identity, ["program"]),
      given: [
        ...given.filter(({ flag }) => flag === "config" || flag === "archive-file"),
        ...forgotten.map((flag) => ({ flag, file: "-" }))
      ]
    } satisfies Report.Identity
  }
)

const showRun = Effect.fnUntraced(
  function*({ run, summary: recorded }: Run.Recorded, flags: Flags, zone: DateTime.TimeZone | undefined) {
    const execution = yield* executionOf(run)
    const identified = (yield* RunIdentity.identifying(flags, recorded.range))(recorded, run, execution)
    const summary = { ...identified, identity: yield* withoutForgotten(identified.identity, recorded) }
    const runs = yield* Archive.Runs
    const currency = yield* ReportFlags.currency(flags)
    const given = yield* PriceFile.read(flags.prices, summary.policy)
    const valued = given === undefined ? keptPrices(execution) : { prices: given, currency }
    const { out } = flags
    const hidden = yield* maskedBy(flags, summary)
    const format = yield* ReportFlags.formatOf(flags)
    const only = yield* Only.parse(flags)
    if (format === "ndjson") {
      const outcomes = Stream.map(runs.outcomes(run), (outcome): Event => ({ _tag: "Outcome", outcome }))
      yield* ReportOutput.writeEvents(Stream.concat(outcomes, Stream.make<[Event]>({ _tag: "Summary", summary })), {
        out,
        only,
        maskedBy: hidden,
        range: summary.version === 1 ? undefined : summary.range,
        known: runs.outcomes(run)
      })
    } else {
      const outcomes = yield* Stream.runCollect(runs.outcomes(run))
      yield* ReportOutput.write({ ...summary, outcomes }, { format, out, only, zone, ...valued, maskedBy: hidden })
    }
    const { bound, suffix } = ZonedTimes.make(zone)
    yield* Stderr.say(`run ${run.id}, recorded at ${bound(run.recordedAt)}${suffix}`)
  }
)

const showSighting = Effect.fnUntraced(function*(
  sighting: Run.Sighting,
  flags: Flags,
  zone: DateTime.TimeZone | undefined
) {
  const { out } = flags
  if (flags.maskAccounts) return yield* Failure.usage("--mask-accounts masks a run (r…); an outcome is shown as it is")
  if ((yield* Only.parse(flags)) !== undefined) {
    return yield* Failure.usage("--only and --without-matches choose outcomes of a run (r…); this is one outcome")
  }
  const format = (yield* ReportFlags.asked(flags)) ?? "table"
  if (format !== "table" && format !== "json") {
    return yield* Failure.usage(`an outcome is shown as table or json, not as ${format}; a run (r…) in every format`)
  }
  const text = format === "json"
    ? sightingJson(sighting)
    : SightingText.render(sighting, { ...(yield* ReportOutput.look(out)), zone })
  return yield* Output.write(out, Stream.make(text))
})

const show = Effect.fnUntraced(function*(flags: Flags) {
  const zone = yield* AskedRange.zone(flags.zone)
  const runs = yield* Archive.Runs
  const id = flags.id.toLowerCase()
  const run = yield* runs.get(id)
  if (Option.isSome(run)) return yield* showRun(run.value, flags, zone)
  const sighting = yield* runs.outcome(id)
  return Option.isSome(sighting)
    ? yield* showSighting(sighting.value, flags, zone)
    : yield* Failure.usage(
      `no run and no outcome has an id that begins with ${flags.id}; tallystick runs lists the runs`
    )
})

export const run = Effect.fnUntraced(function*(flags: Flags) {
  yield* Output.readyIn(flags.out)
  return yield* show(flags).pipe(
    Effect.catchTags({
      ArchiveError: (error) => Effect.fail(Failure.fromArchive(error)),
      Ambiguous: ({ message }) => Effect.fail(Failure.usage(message))
    }),
    ArchivePlace.withReadArchive(flags)
  )
})
