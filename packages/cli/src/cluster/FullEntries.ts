/** A recorded run has what agrees in short, without what the records say beside that; the archive keeps them, and a report has all of it. */
import * as ArchiveSource from "@tallystick/archive/ArchiveSource"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

type Source = Parameters<typeof ArchiveSource.deposits>[0]

const lacksRecord = ({ record }: Entry.Entry): boolean => record === undefined

/** The entries of a side that lack their records, as the archive has them now, by id. */
const found = Effect.fnUntraced(function*(
  lacking: ReadonlyArray<Entry.Entry>,
  entries: typeof ArchiveSource.deposits,
  source: Omit<Source, "from" | "to">
) {
  const byId = new Map<string, Entry.Entry>()
  if (lacking.length === 0) return byId
  const ids = new Set(lacking.map(({ id }) => id))
  const from = lacking.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY)
  const to = lacking.reduce((most, { at }) => Math.max(most, at), Number.NEGATIVE_INFINITY) + 1
  yield* Stream.runForEach(entries({ ...source, from, to }), ({ records }) =>
    Effect.sync(() => {
      for (const entry of records) if (ids.has(entry.id)) byId.set(entry.id, entry)
    }))
  return byId
})

/** A record that changed since the run read it is not shown: the entry says what it was. */
const isSame = (a: Entry.Entry, b: Entry.Entry): boolean =>
  a.at === b.at && a.asset === b.asset && a.status === b.status && a.amount === b.amount

const filled = (known: ReadonlyMap<string, Entry.Entry>) => (entry: Entry.Entry): Entry.Entry => {
  const full = lacksRecord(entry) ? known.get(entry.id) : undefined
  return full === undefined || !isSame(entry, full) ? entry : { ...full, ...entry }
}

/** Gives outcomes with all that the archive knows of their entries. */
export const make = Effect.fnUntraced(function*(
  outcomes: ReadonlyArray<Outcome.Outcome>,
  source: Omit<Source, "from" | "to">
) {
  const deposits = filled(
    yield* found(outcomes.flatMap((one) => one.deposits.filter(lacksRecord)), ArchiveSource.deposits, source)
  )
  const transfers = filled(
    yield* found(outcomes.flatMap((one) => one.transfers.filter(lacksRecord)), ArchiveSource.transfers, source)
  )
  return outcomes.map((outcome): Outcome.Outcome => ({
    ...outcome,
    deposits: outcome.deposits.map(deposits),
    transfers: outcome.transfers.map(transfers)
  }))
})
