/** Damages of an archive, in words. */
import type * as Archive from "@tallystick/archive/Archive"
import * as Integrity from "@tallystick/archive/Integrity"
import type * as Run from "@tallystick/archive/Run"
import * as Coverage from "@tallystick/core/Coverage"
import * as Text from "@tallystick/report/text/Text"
import type { ZonedTimes } from "../text/ZonedTimes.ts"

const RECORDS =
  "Restore a backup. Without one, run the command that is named above, if any, and then tallystick sync, which reads again " +
  "what the service still shows; where pages cannot be read, only a backup helps."

export const RUNS =
  "tallystick reconcile --archive records a damaged run again, where it comes to the same; otherwise restore a backup."

const LEDGER =
  "What somebody decided was changed or is gone: hold the ledger against a head that is kept elsewhere (archive check --head), and " +
  "restore a backup that goes through it."

const ADDITIONS =
  "An archive has no triggers, rules, policies and views: find out who added them and why, remove them, and check what was decided and " +
  "reconciled since."

/** Advice about findings. */
export const advice = (integrity: Integrity.Integrity): string =>
  [
    ...(Integrity.areRecordsSound(integrity) ? [] : [RECORDS]),
    ...(Integrity.areRunsSound(integrity) ? [] : [RUNS]),
    ...(Integrity.isLedgerSound(integrity) ? [] : [LEDGER]),
    ...(Integrity.areTablesSound(integrity) ? [] : [ADDITIONS])
  ].join(" ")

/** A line for each finding about runs. */
export const ofRuns = ({ ids, lost }: Run.Damages): ReadonlyArray<string> => [
  ...ids.map((id) => `run ${Text.plain(id)} is not as it was recorded`),
  ...(lost > 0
    ? [
      `${
        Text.counted(lost, "run")
      } lost once: at most the outcomes are left, unless it was recorded again; this stays until a backup is restored`
    ]
    : [])
]

/** Of a stretch that is in doubt for one query, nothing is complete for any. */
const ofAll = ({ from, operation, state, to }: Coverage.Coverage): Coverage.Coverage => ({
  operation,
  from,
  to,
  readAt: 0,
  state
})

/** How the rows that are there differ from those that were written. */
const difference = ({ altered, expected, found }: Pick<Archive.Damage, "altered" | "expected" | "found">): string => {
  if (altered > 0) return `${Text.count(altered)} of them not as written`
  const missing = expected - found
  if (missing === 0) return "which are not the rows that were written"
  const [count, is] = [Text.count(Math.abs(missing)), Math.abs(missing) === 1 ? "is" : "are"]
  return missing > 0 ? `${count} ${is} missing` : `${count} ${is} too many`
}

/** A line for each finding; none where the archive is whole. */
export const findings = (
  { additions = [], damages, ledger, outdated, runs, structure }: Integrity.Integrity,
  { stretch }: ZonedTimes
): ReadonlyArray<string> => [
  ...structure,
  ...damages.map(({ altered, expected, found, from, operation, to }) =>
    `${operation} ${stretch({ from, to })}: ${Text.counted(expected, "row")} written, ` +
    `${Text.count(found)} found, ${difference({ altered, expected, found })}`
  ),
  ...Coverage.merge(outdated.map(ofAll)).map((part) =>
    `${part.operation} ${stretch(part)}: what is recorded of their completeness does not fit the rows: ` +
    "the one or the other is of an earlier time, or was lost"
  ),
  ...ofRuns(runs),
  ...(ledger === undefined ? [] : [ledger]),
  ...additions
]

/** A line for each stretch of which rows were lost earlier; `findings` say nothing of them. */
export const lost = (lost: Integrity.Integrity["lost"], { stretch }: ZonedTimes): ReadonlyArray<string> =>
  lost.map((part) => `${part.operation} ${stretch(part)}: ${part.gap?.detail ?? "lost"}`)
