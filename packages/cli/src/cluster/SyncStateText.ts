/** Which runner syncs, and how it goes, in words. */
import type * as SyncState from "@tallystick/cluster/SyncState"
import * as Text from "@tallystick/report/text/Text"
import type * as ZonedTimes from "../text/ZonedTimes.ts"

export interface Seen {
  readonly state: SyncState.SyncState | undefined
  /** The runners that may sync. */
  readonly candidates: ReadonlyArray<string>
}

const ofFailure = ({ failedAt, failure, failures }: SyncState.SyncState, { minute }: ZonedTimes.ZonedTimes): string => {
  if (failure === undefined || failedAt === undefined) return ""
  const often = failures === 1
    ? "the last round came to nothing"
    : `the last ${Text.count(failures)} rounds came to nothing`
  return `; ${often} (${minute(failedAt)}): ${Text.plain(failure)}`
}

const ofReading = ({ completeTo, readAt }: SyncState.SyncState, { minute }: ZonedTimes.ZonedTimes): string => {
  if (readAt === undefined) return "; no round has ended yet"
  return `; the last round ended ${minute(readAt)}, ${
    completeTo === undefined ? "and a query has nothing complete" : `complete to ${minute(completeTo)}`
  }`
}

/** Whether somebody had better look: nobody syncs although somebody did, or rounds come to nothing. */
export const isAmiss = ({ candidates, state }: Seen): boolean =>
  state === undefined ? false : candidates.length === 0 || !state.isThere || state.failures > 0

/** One line; nothing where no runner of this database was ever to sync. */
export const line = ({ candidates, state }: Seen, times: ZonedTimes.ZonedTimes): string | undefined => {
  if (state === undefined) {
    return candidates.length === 0 ? undefined : "sync: no runner has taken it over yet; one does within seconds"
  }
  const runner = Text.plain(state.runner)
  const who = state.isThere
    ? `${runner} since ${times.minute(state.since)}`
    : candidates.length > 0
    ? `${runner} is gone, and another runner takes over within seconds`
    : `${runner} is gone, and no runner is there that was started with --sync`
  return `sync: ${who}${ofReading(state, times)}${ofFailure(state, times)}`
}
