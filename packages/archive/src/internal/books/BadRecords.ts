/** Records that could not be read are items of their own: one each, however many runs met it. */
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type * as ArchiveError from "../../ArchiveError.ts"
import * as Execution from "../../Execution.ts"
import type * as OpenItem from "../../OpenItem.ts"
import * as RawTime from "../records/RawTime.ts"
import * as Content from "../runs/Content.ts"
import * as Lookup from "../runs/Lookup.ts"
import * as Stored from "../runs/Stored.ts"
import type * as Database from "../sql/Database.ts"
import * as ItemId from "./ItemId.ts"
import * as Unreadable from "./Unreadable.ts"

/** A record of a run, under the id of its item and with the id of its outcome. */
type Met = Pick<OpenItem.BadRecordItem, "id" | "outcome" | "record">

/** Gives the records of a run. Of those that have one text, each has a number of its own. */
const numbered = (found: ReturnType<typeof Unreadable.of>): ReadonlyArray<Met> => {
  const seen = new Map<string, number>()
  return found.toSorted(([a], [b]) => a < b ? -1 : 1).map(([outcome, record]) => {
    const key = JSON.stringify([record.side, record.raw])
    const ordinal = seen.get(key) ?? 0
    seen.set(key, ordinal + 1)
    return { id: ItemId.ofBadRecord(record, ordinal), outcome, record }
  })
}

const timeOf = { deposit: RawTime.of("insertTime"), transfer: RawTime.of("timestamp") }

export const make = (database: Database.Service) => {
  const { error, place, sql } = database
  const runs = Lookup.make(database)
  const stored = Stored.make(place)

  /** Gives the records of each run that kept them in rows of their own. Outcomes without entries stand at the time 0. */
  const inRows = Effect.gen(function*() {
    const contents = yield* sql<Content.Content>`SELECT ${sql.literal(Content.COLUMNS.join(", "))} FROM outcomes
      WHERE at = 0 AND code = 'bad-record'`
    const sightings = yield* sql<{ run: string; digest: string }>`SELECT r.id AS run, o.digest AS digest
      FROM run_outcomes o JOIN runs r ON r.number = o.run WHERE o.at = 0 AND r.id IS NOT NULL`
    const byDigest = new Map(contents.map((content) => [content.digest, content]))
    return new Map(
      Array.from(
        Map.groupBy(sightings, ({ run }) => run),
        ([run, all]) => [run, all.flatMap(({ digest }) => byDigest.get(digest) ?? [])] as const
      )
    )
  })

  /** Reads all that a run came to: an earlier version kept its records among other outcomes. */
  const inPacks = (run: string) =>
    Stream.runFold(
      runs.outcomes({ id: run }),
      (): ReturnType<typeof Unreadable.of> => [],
      (found, outcome) => [...found, ...Unreadable.of([outcome])]
    )

  const read = Effect.fnUntraced(function*(
    { badRecords, run }: Execution.Judging,
    rows: ReadonlyArray<Content.Content>
  ) {
    const found = rows.length === badRecords
      ? Unreadable.of(yield* Effect.forEach(rows, (row) => stored.ofRow(row, `run ${run}`)))
      : yield* inPacks(run)
    return found.length === badRecords ? numbered(found) : yield* runs.damaged(run)
  })

  /**
   * Gives what each run of executions met that met any. Of a run that counts no more nothing but `since` is asked, so that its damage
   * keeps nobody from the rest.
   */
  const met = Effect.fnUntraced(function*(
    judgings: ReadonlyArray<Execution.Judging>,
    counting: ReadonlySet<string>
  ): Effect.fn.Return<ReadonlyMap<string, ReadonlyArray<Met>>, ArchiveError.OutcomesError | SqlError> {
    const having = new Map(judgings.filter(({ badRecords }) => badRecords > 0).map((one) => [one.run, one]))
    if (having.size === 0) return new Map()
    const rows = yield* inRows
    const found = yield* Effect.forEach(
      having,
      ([run, judging]) =>
        read(judging, rows.get(run) ?? []).pipe(
          Effect.catchIf(
            (failure) => failure._tag === "ArchiveError" && failure.reason._tag === "Damaged" && !counting.has(run),
            () => Effect.succeed([])
          ),
          Effect.map((records) => [run, records] as const)
        )
    )
    return new Map(found)
  })

  const found = Effect.fnUntraced(function*(
    executions: ReadonlyArray<Execution.Body>,
    isOf: (judged: Execution.Judged) => boolean
  ) {
    const items = new Map<string, OpenItem.BadRecordItem>()
    const last = Execution.judged(executions).filter(isOf)
    if (!last.some(({ judging }) => judging.badRecords > 0)) {
      return { items, byRun: new Map<string, ReadonlyArray<Met>>() }
    }
    const counting = new Set(last.map(({ judging }) => judging.run))
    const byRun = yield* met(executions.flatMap(Execution.judgings), counting).pipe(
      Effect.mapError((failure) => failure._tag === "SqlError" ? error(failure) : failure)
    )
    const since = new Map<string, Execution.Body>()
    for (const body of executions) {
      for (const { run } of Execution.judgings(body)) {
        for (const { id } of byRun.get(run) ?? []) if (!since.has(id)) since.set(id, body)
      }
    }
    for (const { by, judging } of last.toSorted((a, b) => a.by.number - b.by.number)) {
      for (const one of byRun.get(judging.run) ?? []) {
        const first = since.get(one.id) ?? by
        const at = timeOf[one.record.side](one.record.raw)
        items.set(one.id, {
          _tag: "BadRecord",
          ...one,
          ...(at === undefined ? {} : { at }),
          since: first.number,
          metAt: first.at,
          execution: by.number,
          run: judging.run
        })
      }
    }
    return { items, byRun }
  })

  /**
   * Gives the records that runs met which are the last ones over some time, as of the last of the executions; `isOf` chooses the time.
   * A record may belong near the time of a run, so that it stays until all of this time was judged again without meeting it.
   */
  const all = (
    executions: ReadonlyArray<Execution.Body>,
    isOf: (judged: Execution.Judged) => boolean = () => true
  ): Effect.Effect<ReadonlyArray<OpenItem.BadRecordItem>, ArchiveError.OutcomesError> =>
    Effect.map(
      found(executions, isOf),
      ({ items }) => Array.from(items.values()).toSorted((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1))
    )

  /** Gives what each run met that is the last one over any time. */
  const byRun = (executions: ReadonlyArray<Execution.Body>) =>
    Effect.map(
      found(executions, () => true),
      ({ byRun, items }) => (run: string): ReadonlyArray<OpenItem.BadRecordItem> =>
        (byRun.get(run) ?? []).flatMap(({ id }) => items.get(id) ?? [])
    )

  return { all, byRun }
}
