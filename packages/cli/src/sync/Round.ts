/** A round of sync: it reads what the archive lacks, shows how far it is, and says what is not proven. */
import * as Archive from "@tallystick/archive/Archive"
import * as Sync from "@tallystick/archive/Sync"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Stdio from "effect/Stdio"
import type * as Terminal from "effect/Terminal"
import * as FullDisk from "../archive/FullDisk.ts"
import * as GapCause from "../archive/GapCause.ts"
import * as KnownAccounts from "../archive/KnownAccounts.ts"
import * as RoundFailure from "../archive/RoundFailure.ts"
import * as SyncText from "../archive/SyncText.ts"
import * as Failure from "../Failure.ts"
import * as SettingFile from "../files/SettingFile.ts"
import * as ServiceAccounts from "../network/ServiceAccounts.ts"
import * as Progress from "../terminal/Progress.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as QueryName from "../text/QueryName.ts"
import type * as ZonedTimes from "../text/ZonedTimes.ts"
import type { Asked } from "./Asked.ts"

/** A failure with what else helps. */
export const toAdvised = (times: ZonedTimes.ZonedTimes) =>
  Effect.fnUntraced(function*(error: RoundFailure.RoundFailure) {
    const failure = RoundFailure.toFailure(error)
    if (error._tag !== "ArchiveError") return failure
    const advice = yield* FullDisk.advice(error, times)
    return advice.length === 0 ? failure : Failure.unfinished(failure.message, ...failure.more, ...advice)
  })

/** Whether the list may end the command: an exchange that does not offer it is told of at the start, before one was ever kept. */
const mayEnd = (isFirst: boolean) =>
  isFirst
    ? Archive.Archive.use(({ subAccounts }) => Effect.map(subAccounts, ({ accounts }) => accounts.length === 0))
    : Effect.succeed(false)

/**
 * The accounts of a round: those that the exchange lists, and all others that the archive knows, because what is not read is lost.
 * `doubt` says why the list could not be read, or is not proven.
 */
const accountsOf = Effect.fnUntraced(function*({ accounts, addresses }: Asked, isFirst: boolean) {
  if (!SettingFile.isOfService(accounts)) return { accounts, doubt: undefined, listed: undefined }
  const read = yield* Effect.result(ServiceAccounts.read(accounts, addresses))
  if (Result.isFailure(read) && read.failure.exitCode === Failure.exitCodes.usage && (yield* mayEnd(isFirst))) {
    return yield* read.failure
  }
  const known = yield* KnownAccounts.ever
  const { master } = accounts
  const seen = Result.isSuccess(read) ? read.success.accounts.list : []
  const doubt = Result.isSuccess(read) ? read.success.doubt : read.failure.message
  return {
    accounts: {
      ...(master === undefined ? {} : { master }),
      list: Array.from(new Set([...seen, ...known])),
      complete: false
    },
    doubt,
    listed: Result.isSuccess(read)
      ? { subAccounts: read.success.listed.subAccounts, at: read.success.listed.readAt, isProven: doubt === undefined }
      : undefined
  }
})

export interface Round {
  readonly summary: Sync.Summary
  /** What is not proven complete, each in a line. */
  readonly unproven: ReadonlyArray<string>
  /** What is wrong although everything was read, each in a line. */
  readonly doubts: ReadonlyArray<string>
  /** Why it is not proven, or in doubt. */
  readonly causes: ReadonlyArray<string>
}

export const run = Effect.fnUntraced(function*(asked: Asked, times: ZonedTimes.ZonedTimes, isFirst: boolean) {
  const { accounts, doubt, listed } = yield* accountsOf(asked, isFirst)
  const context = yield* Effect.context<Stdio.Stdio | Terminal.Terminal>()
  const onListed = ({ gone, ...present }: Sync.ListChange) =>
    Effect.andThen(
      gone.length === 0 ? Effect.void : Stderr.complain(...ServiceAccounts.changes({ gone })),
      present.added.length + present.back.length === 0 ? Effect.void : Stderr.tell(...ServiceAccounts.changes(present))
    ).pipe(Effect.provideContext(context))
  const track = yield* Progress.track({ what: "deposits", unit: "query" })
  const summary = yield* Sync.run({
    ...asked,
    accounts,
    inDoubt: doubt !== undefined,
    ...(listed === undefined ? {} : { listed }),
    onListed,
    onProgress: ({ operation, queries, queriesDone, query, ...counts }) =>
      track.set({ ...counts, what: QueryName.of(operation, query), done: queriesDone, of: queries })
  })
  const told: Round = {
    summary,
    unproven: [...(doubt === undefined ? [] : [ServiceAccounts.doubtful(doubt)]), ...SyncText.gaps(summary, times)],
    doubts: [...SyncText.clock(summary, times), ...SyncText.emptied(summary)],
    causes: [...(doubt === undefined ? [] : [`accounts: ${GapCause.of(doubt)}`]), ...SyncText.causes(summary)]
  }
  return told
}, Effect.scoped)

/** Before a round reads: it takes many more requests, of which nothing else would tell the reason. */
export const disbelief = Archive.Archive.use(({ learnt }) => learnt).pipe(
  Effect.flatMap((learnt) => {
    const lines = SyncText.disbelief(learnt)
    return lines.length === 0 ? Effect.void : Stderr.complain(...lines)
  })
)
