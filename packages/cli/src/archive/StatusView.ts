/** The content and the gaps of an archive, gathered for `archive status` and `doctor`. */
import * as Archive from "@tallystick/archive/Archive"
import * as Integrity from "@tallystick/archive/Integrity"
import * as Status from "@tallystick/archive/Status"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Origin from "@tallystick/core/Origin"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** One side of the books. */
export interface Side {
  readonly operation: Coverage.Coverage["operation"]
  readonly counts: Archive.Counts
  /** Times of the first and the last record, Unix ms. */
  readonly first: number | null
  readonly last: number | null
  /** The end of what was read or vouched for, complete or not, Unix ms; damaged coverage tells of no reading. */
  readonly readTo: number | null
  readonly scopes: ReadonlyArray<Status.Scope>
  /** The time of which rows were lost and read again as the exchange shows them now. */
  readonly lost: ReadonlyArray<Coverage.Coverage>
  /** Since when its lists are not believed, because two readings differed, Unix ms; null where they are. */
  readonly disbelievedSince: number | null
}

export interface StatusView {
  readonly place: string
  readonly stamps: ReadonlyArray<Origin.Origin>
  /** Unix ms, by this machine; by the service's last reading where this machine's clock is behind it. */
  readonly now: number
  /** When the service forgets the first deposit that may be unread, Unix ms. */
  readonly deadline: number
  /** From the first thing that is known to now. */
  readonly interval: Coverage.Interval
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

/** `history`: how long the service keeps deposits, ms. */
export const read = Effect.fnUntraced(function*(history: number) {
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
  } satisfies StatusView
})

/** The program that writes to the archive at this moment. */
export const holder = Archive.Archive.use(({ holder }) => Effect.map(holder, Option.getOrUndefined))
