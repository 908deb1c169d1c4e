/** Says which run of which archive a report is of, so that it can be cited, and so that its commands name its outcomes. */
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import type * as Run from "@tallystick/archive/Run"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import type { Flags } from "../flags/ArchiveFlag.ts"
import { VERSION } from "../text/Version.ts"
import * as ArchivePlace from "./ArchivePlace.ts"

/** The last part of a place, which tells an archive apart and says nothing of where it is. */
const nameOf = (place: string): string => place.split(/[/\\]/).at(-1) ?? ""

/** Adds the identity of a recorded run to its report or summary. `ledger` is the last row of the ledger that it knew. */
export const add = Effect.fnUntraced(function*<Summary extends Report.Summary>(
  summary: Summary,
  { id, recordedAt }: Pick<Run.Run, "id" | "recordedAt">,
  flags: Flags,
  ledger: Report.Identity["ledger"] = summary.books?.execution ?? summary.decisions?.head
) {
  const identity: Report.Identity = {
    archive: nameOf(ArchiveConfig.place(yield* ArchivePlace.location(flags))),
    run: id,
    ...(ledger === undefined ? {} : { ledger }),
    policy: Report.policyDigest(summary.policy),
    program: `tallystick ${VERSION}`,
    madeAt: recordedAt
  }
  return { ...summary, identity }
})
