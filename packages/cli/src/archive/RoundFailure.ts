/** What the failure of a round of sync means: how the command ends of it, and whether a watch ends. */
import type { ArchiveError, Reason } from "@tallystick/archive/ArchiveError"
import type * as BrokerError from "@tallystick/core/BrokerError"
import * as Failure from "../Failure.ts"

export type RoundFailure = BrokerError.BrokerError | ArchiveError | Failure.Failure

export const toFailure = (error: RoundFailure): Failure.Failure => {
  if (error._tag === "Failure") return error
  return error._tag === "BrokerError" ? Failure.fromBroker(error) : Failure.fromArchive(error)
}

/** What failed, whichever operation met it first: they run side by side, and a key that is refused is one fault. */
export const cause = (error: RoundFailure): string =>
  error._tag === "BrokerError" ? error.reason.message : toFailure(error).message

/**
 * They end a watch at its start, so that a mistake is seen at once. Later they cost rounds: another program lets go of an archive,
 * and a PostgreSQL that becomes a standby, or whose disk is full, may be written to again.
 */
const atStart: ReadonlySet<Reason["_tag"]> = new Set(["Held", "ReadOnly"])

/** Whether a failure ends a watch. A file that was moved away does not come back to a process that had it open. */
export const endsWatching = (error: RoundFailure, isFirst: boolean): boolean => {
  if (error._tag === "ArchiveError") {
    const { _tag } = error.reason
    if (atStart.has(_tag)) return isFirst
    if (_tag === "Moved") return true
  }
  return toFailure(error).exitCode === Failure.exitCodes.usage
}
