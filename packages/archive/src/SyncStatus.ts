/** What syncs and imports brought into an archive, what is lacking, and until when it can still be read. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Origin from "@tallystick/core/Origin"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Archive from "./Archive.ts"
import type * as ArchiveError from "./ArchiveError.ts"
import * as Integrity from "./Integrity.ts"
import * as Status from "./Status.ts"

/** One side of the books. */
export interface Side {
  readonly operation: Coverage.Coverage["operation"]
  readonly counts: Archive.Counts
  /** Times of the first and the last record, Unix ms. */
  readonly first: number | null
  readonly last: number | null
  /** The end of what was read or vouched for, complete or not, Unix ms; damaged coverage tells of no reading. */
  readonly readTo: number | null
  /** What is known from the beginning to now, query by query: `Status.completeTo` and `Status.holes` tell of all of it. */
  readonly scopes: ReadonlyArray<Status.Scope>
  /** The time of which rows were lost and read again as the exchange shows them now. */
  readonly lost: ReadonlyArray<Coverage.Coverage>
  /** Since when its lists are not believed, because two readings differed, Unix ms; null where they are. */
  readonly disbelievedSince: number | null
}

export interface SyncStatus {
  /** The archive's name for people: a file, or a database's host and name. */
  readonly place: string
  /** The owners of the records; there is none where only files were imported. */
  readonly stamps: ReadonlyArray<Origin.Origin>
  /** Unix ms, by this machine; by the service's last reading where this machine's clock is behind it. */
  readonly now: number
  /** When the service forgets the first deposit that may be unread, Unix ms. */
  readonly deadline: number
  /** From the first thing that is known to now. */
  readonly interval: Coverage.Interval
  /** The deposits, then the transfers. */
  readonly sides: ReadonlyArray<Side>
  /** The sub-accounts that the exchange listed; none where nobody asked it. */
  readonly subAccounts: ReadonlyArray<Archive.ListedAccount>
}

/** Where complete coverage begins, or what is known at all; one that reaches back to the beginning of all time counts not. */
const begin = (
  coverage: ReadonlyArray<Coverage.Coverage>,
  first: ReadonlyArray<number | null>,
  otherwise: number
): number => {
  const complete = coverage.filter(({ state }) => state === "complete")
  const known = (complete.length > 0 ? complete : coverage).map(({ from }) => from).filter((time) => time > 0)
  return [...known, ...first.filter((time) => time !== null)]
    .reduce((least, time) => Math.min(least, time), otherwise)
}

const ALWAYS: Coverage.Interval = { from: 0, to: Number.MAX_SAFE_INTEGER }

/**
 * Tells what the archive has read and what it lacks, as it was recorded: `Integrity.check` reads the records themselves. `history` is how
 * long the service keeps deposits, ms (`depositHistory` of its conventions). It fails with an `ArchiveError`.
 */
export const read = Effect.fnUntraced(function*(
  history: number
): Effect.fn.Return<SyncStatus, ArchiveError.IntervalError, Archive.Archive> {
  const archive = yield* Archive.Archive
  const coverage = yield* archive.coverage()
  const now = coverage.reduce(
    (latest, { readAt, vouched }) => vouched ? latest : Math.max(latest, readAt),
    yield* Clock.currentTimeMillis
  )
  const extents = { deposits: yield* archive.deposits.extent, transfers: yield* archive.transfers.extent }
  const counts = { deposits: yield* archive.deposits.counts, transfers: yield* archive.transfers.counts }
  const learnt = yield* archive.learnt
  const lost = yield* Integrity.lost()
  const disputed = {
    deposits: yield* archive.deposits.disputed(ALWAYS),
    transfers: yield* archive.transfers.disputed(ALWAYS)
  }
  const claimed = Status.withDisputed(Status.withLost(coverage, lost), disputed)
  const from = begin(coverage, [extents.deposits.first, extents.transfers.first], now - 1)
  const interval = { from, to: Math.max(now, from + 1) }
  const side = (operation: Coverage.Coverage["operation"]): Side => {
    const { first, last } = extents[operation]
    const readTo = coverage.reduce(
      (to, part) => part.operation === operation && part.gap?.code !== "damaged" ? Math.max(to, part.to) : to,
      0
    )
    const scopes = Status.scopes(operation, claimed, interval)
    const answers = learnt[operation]
    return {
      operation,
      counts: counts[operation],
      first,
      last,
      readTo: readTo === 0 ? null : Math.min(readTo, now),
      scopes,
      lost: lost.filter((part) => part.operation === operation),
      disbelievedSince: answers?.believed === false ? answers.learntAt : null
    }
  }
  return {
    place: archive.place,
    stamps: yield* archive.stamps,
    now,
    deadline: Status.deadline(coverage, now, history),
    interval,
    sides: [side("deposits"), side("transfers")],
    subAccounts: (yield* archive.subAccounts).accounts
  }
})
