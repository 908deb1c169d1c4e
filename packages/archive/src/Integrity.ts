/** An integrity check tells whether an archive still holds what was written to it. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Archive from "./Archive.ts"
import type * as ArchiveError from "./ArchiveError.ts"
import * as Damages from "./internal/coverage/Damages.ts"
import type * as Run from "./Run.ts"

/** These findings name everything that is not as it was written. Edits that make the checksums agree are not seen. */
export interface Integrity {
  /** Each sentence names a fault of the database's pages, or of the rows that say what is complete. */
  readonly structure: ReadonlyArray<string>
  /** These stretches, each of a day or less, hold other rows than were written. */
  readonly damages: ReadonlyArray<Archive.Damage>
  /**
   * This coverage was proven of other rows than those that are kept: either the coverage or the rows come from an earlier time.
   */
  readonly outdated: ReadonlyArray<Coverage.Coverage>
  /**
   * Rows of this time were lost before and read again as the exchange shows them now, or an earlier version of a record is
   * gone; such an archive is sound all the same.
   */
  readonly lost: ReadonlyArray<Coverage.Coverage>
  /** These losses are in recorded runs. No report is made from recorded runs. */
  readonly runs: Run.Damages
  /** The ledger of decisions is not as it was written: a sentence names the first row that is not. */
  readonly ledger?: string
  /**
   * Somebody added these triggers, rules, policies and views to the tables of the archive, each in a sentence: by them a table may not keep
   * what is written to it. Absent where there are none.
   */
  readonly additions?: ReadonlyArray<string>
}

/** Tells whether everything that reports are made of is as it was written. */
export const areRecordsSound = ({ damages, outdated, structure }: Integrity): boolean =>
  damages.length === 0 && outdated.length === 0 && structure.length === 0

/** Tells whether every recorded run is as it was recorded. */
export const areRunsSound = ({ runs }: Pick<Integrity, "runs">): boolean => runs.ids.length === 0 && runs.lost === 0

/** Tells whether every decision is as it was written. */
export const isLedgerSound = ({ ledger }: Pick<Integrity, "ledger">): boolean => ledger === undefined

/** Tells whether the tables are as the archive made them. */
export const areTablesSound = ({ additions }: Pick<Integrity, "additions">): boolean => additions === undefined

/** Tells whether nothing at all is damaged: records, runs, decisions, the tables and what holds them together. */
export const isSound = (integrity: Integrity): boolean =>
  areRecordsSound(integrity) && areRunsSound(integrity) && isLedgerSound(integrity) && areTablesSound(integrity)

const ALWAYS: Coverage.Interval = { from: 0, to: Number.MAX_SAFE_INTEGER }

const gap = (operation: Coverage.Coverage["operation"]) => ({ from, to }: Coverage.Interval): Coverage.Coverage => ({
  operation,
  from,
  to,
  readAt: 0,
  state: "incomplete",
  gap: Damages.LOST
})

/** Gives the days (UTC), or the rest of one, of which a repair found rows lost. Reports call nothing in them complete. */
export const lost = (
  interval: Coverage.Interval = ALWAYS
): Effect.Effect<ReadonlyArray<Coverage.Coverage>, ArchiveError.DatabaseError, Archive.Archive> =>
  Archive.Archive.use(({ deposits, transfers }) =>
    Effect.map(
      Effect.all([deposits.lost(interval), transfers.lost(interval)]),
      ([deposits, transfers]) => Coverage.merge([...deposits.map(gap("deposits")), ...transfers.map(gap("transfers"))])
    )
  )

/** Gives the times of records that lost an earlier version, perhaps one of another day. A report calls nothing final there. */
const bereft = (interval: Coverage.Interval) =>
  Archive.Archive.use(({ deposits, transfers }) =>
    Effect.map(
      Effect.all([deposits.bereft(interval), transfers.bereft(interval)]),
      ([deposits, transfers]) => [...deposits.map(gap("deposits")), ...transfers.map(gap("transfers"))]
    )
  )

/**
 * Reads every record, run and outcome of the interval, by default of the whole archive, and every decision: some seconds for a
 * million of them. Where somebody kept a head of the ledger elsewhere, the ledger must still go through it. Where damaged pages of the database cannot be read, `structure` says so, and everything else is looked at all the same.
 */
export const check = (
  interval: Coverage.Interval = ALWAYS,
  kept?: Archive.Head
): Effect.Effect<Integrity, ArchiveError.IntervalError, Archive.Archive> =>
  Effect.gen(function*() {
    const archive = yield* Archive.Archive
    const unread = new Set<string>()
    const looked = <A>(what: Effect.Effect<A, ArchiveError.IntervalError, Archive.Archive>, otherwise: A) =>
      Effect.catch(what, (error) => {
        const { reason } = error
        if (reason._tag !== "Damaged") return Effect.fail(error)
        unread.add(`not all of it can be read: ${reason.detail}`)
        return Effect.succeed(otherwise)
      })
    const structure = yield* looked(archive.structure, [])
    const found = {
      damages: [
        ...yield* looked(archive.deposits.check(interval), []),
        ...yield* looked(archive.transfers.check(interval), [])
      ],
      outdated: (yield* looked(archive.coverage(interval), [])).filter(({ gap, state }) =>
        state === "incomplete" && gap?.code === "damaged" && gap.detail === Damages.GAP.detail
      ),
      lost: Coverage.merge([...yield* looked(lost(interval), []), ...yield* looked(bereft(interval), [])]),
      runs: yield* looked(archive.damagedRuns(interval), { ids: [], lost: 0 })
    }
    const { fault } = yield* looked<Partial<Archive.Verified>>(archive.ledger(kept), {})
    const additions = yield* looked(archive.additions, [])
    return {
      ...found,
      structure: [...structure, ...unread],
      ...(fault === undefined ? {} : { ledger: fault }),
      ...(additions.length === 0 ? {} : { additions })
    }
  })
