/** Says which run of which archive a report is of, so that it can be cited, and so that its commands name its outcomes. */
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Decision from "@tallystick/archive/Decision"
import * as Decisions from "@tallystick/archive/Decisions"
import type * as Execution from "@tallystick/archive/Execution"
import * as Periods from "@tallystick/archive/Periods"
import type * as Run from "@tallystick/archive/Run"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as ReportIdentity from "../output/ReportIdentity.ts"
import * as ArchivePlace from "./ArchivePlace.ts"
import * as GivenFiles from "./GivenFiles.ts"
import * as PeriodText from "./PeriodText.ts"

/** The last part of a place, which tells an archive apart and says nothing of where it is. */
export const nameOf = (place: string): string => place.split(/[/\\]/).at(-1) ?? ""

interface Flags extends GivenFiles.Flags, ReportIdentity.Flags {}

/** The last close that stands and holds all of a range. Of a ledger that is damaged nothing is told; a warning of the report says that. */
const closed = (range: Report.Summary["range"]) =>
  Periods.Periods.use(({ closes }) => closes).pipe(
    Effect.map((closes): Pick<Report.Identity, "closed"> => {
      const found = closes.findLast(({ close, reopened }) =>
        reopened === undefined && range !== null && close.from <= range.from && range.to <= close.to
      )
      if (found === undefined) return {}
      const { at, number } = found.close
      return { closed: { number, at, by: PeriodText.author(found.close) } }
    }),
    Effect.catchReason("ArchiveError", "Damaged", () => Effect.succeed({}))
  )

/** All decisions; of a ledger that is damaged none, as above. */
const decided = Decisions.Decisions.use(({ all }) => all).pipe(
  Effect.catchReason("ArchiveError", "Damaged", () => Effect.succeed([]))
)

/** Finds the decisions that a run followed and that had been approved: those that held at the end of the ledger that it knew. */
const approved = (
  decisions: ReadonlyArray<Decision.Decision>,
  head: number
): Pick<Report.Identity, "approved"> => {
  const approvals = decisions.flatMap(({ approvedBy, body, revokedBy }) =>
    approvedBy !== undefined && approvedBy <= head && (revokedBy === undefined || revokedBy > head) &&
      Decision.isFollowed(body)
      ? [approvedBy]
      : []
  )
  if (approvals.length === 0) return {}
  const authors = new Map(decisions.map(({ body }) => [body.number, PeriodText.author(body)]))
  const by = new Set(approvals.flatMap((number) => authors.get(number) ?? []))
  return { approved: { decisions: approvals.length, by: [...by] } }
}

/**
 * Gives what adds its identity to the report of a run of the archive about a range, or to its summary. The run is absent where nothing was
 * recorded, and the execution where it is none of the books.
 */
export const identifying = Effect.fnUntraced(function*(flags: Flags, range: Report.Summary["range"]) {
  const given = yield* GivenFiles.of(flags)
  const known = {
    archive: nameOf(ArchiveConfig.place(yield* ArchivePlace.location(flags))),
    ...(yield* closed(range)),
    ...(given.length === 0 ? {} : { given })
  }
  const decisions = yield* decided
  return <Summary extends Report.Summary>(
    summary: Summary,
    run?: Pick<Run.Run, "id" | "recordedAt">,
    execution?: Execution.Execution
  ) => {
    // The last row of the ledger that the run knew.
    const ledger = execution === undefined
      ? summary.decisions?.head
      : { number: execution.body.number, id: execution.id }
    const identity: Report.Identity = {
      ...ReportIdentity.of(summary, flags),
      ...(execution === undefined ? {} : {
        execution: execution.body.number,
        madeBy: PeriodText.author(execution.body)
      }),
      ...known,
      ...(summary.decisions === undefined ? {} : approved(decisions, summary.decisions.head.number)),
      ...(run === undefined ? {} : { run: run.id, madeAt: run.recordedAt }),
      ...(ledger === undefined ? {} : { ledger })
    }
    return { ...summary, identity }
  }
})
