/** The tables `entry_states`, where each entry stands that was ever waiting, and `entry_history`, each change of it. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import type { BookState, Waiting } from "../../BookState.ts"
import * as InList from "../sql/InList.ts"
import * as Insert from "../sql/Insert.ts"
import * as StoredText from "../sql/StoredText.ts"
import type * as Judgement from "./Judgement.ts"

/** Where an entry stands. */
export interface EntryState extends Judgement.Judgement {
  /** The item that it makes alone, and of which it is the first entry: `i` and 16 hexadecimal digits. */
  readonly item: string
  /** The number of the execution in which it waited for the first time. */
  readonly since: number
  /** The number of the execution that judged it last; of a change the one that made it. */
  readonly execution: number
}

/** An entry that waits, and with how many it does so: those that stand in its outcome in the same state, itself among them. */
export interface Together {
  readonly entry: EntryState
  readonly together: number
}

/** An entry that waits now, and an outcome in which it waits or once waited. */
export type WaitedIn = Pick<EntryState, "id" | "outcome" | "side">

/** What is counted of an entry that waits. */
export interface Waits extends Pick<EntryState, "amount" | "asset" | "at" | "code" | "outcome" | "side"> {
  readonly state: Waiting
}

interface Row {
  readonly side: Entry.Side
  readonly id: string
  readonly item: string
  readonly asset: string
  readonly amount: string
  readonly at: number
  readonly account: string | null
  readonly state: BookState
  readonly code: Judgement.Judgement["code"]
  readonly outcome: string
  readonly since: number
  readonly execution: number
}

/** Both tables have these columns. */
const COLUMNS = [
  "side",
  "id",
  "item",
  "asset",
  "amount",
  "at",
  "account",
  "state",
  "code",
  "outcome",
  "since",
  "execution"
] as const

/** How an entry stands in these columns changes when an execution judges it otherwise, and then only. */
const STOOD = ["asset", "amount", "at", "account", "state", "code", "outcome"] as const

const DIGITS = 16

/** Names the item of which an entry is the first. */
export const itemOf = ({ id, side }: Pick<Judgement.Judgement, "id" | "side">): string =>
  `i${createHash("sha256").update(`${side} ${id}`).digest("hex").slice(0, DIGITS)}`

const { decode, encode } = StoredText

/** Compares texts as the databases do, byte by byte. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(encode(a)), Buffer.from(encode(b)))

/** The order in which entries are read: by their times. */
export const compare = (a: EntryState, b: EntryState): number =>
  a.at - b.at || (a.side === b.side ? byBytes(a.id, b.id) : a.side < b.side ? -1 : 1)

/** The fields are named one by one: of a hundred thousand rows that takes a third of the time that a spread takes. */
const stateOf = (row: Row): EntryState => {
  const { account, amount, at, code, execution, item, outcome, side, since, state } = row
  const [id, asset] = [decode(row.id), decode(row.asset)]
  return account === null
    ? { side, id, item, asset, amount, at, state, code, outcome, since, execution }
    : { side, id, item, asset, amount, at, account: decode(account), state, code, outcome, since, execution }
}

const valuesOf = (state: EntryState) => [
  state.side,
  encode(state.id),
  state.item,
  encode(state.asset),
  state.amount,
  state.at,
  state.account === undefined ? null : encode(state.account),
  state.state,
  state.code,
  state.outcome,
  state.since,
  state.execution
]

const SIDES = ["deposit", "transfer"] as const

/** Entries of one side around a moment. */
export interface Around extends Coverage.Interval {
  readonly side: Entry.Side
  readonly at: number
  readonly assets: ReadonlyArray<string>
}

type Named = Pick<EntryState, "id" | "side">

export const make = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(COLUMNS.join(", "))
  const standing = sql.literal(COLUMNS.map((name) => `s.${name}`).join(", "))
  const historical = sql.literal(COLUMNS.map((name) => `h.${name}`).join(", "))
  const intoStates = Insert.into(sql, "entry_states", COLUMNS, ["side", "id"])
  const intoHistory = Insert.into(sql, "entry_history", COLUMNS)

  /** Whatever the collation of a database is, entries of one moment stand in one order. */
  const inOrder = (of: "" | "h." | "s."): Fragment =>
    sql.onDialectOrElse({
      pg: () => sql.literal(`${of}at, ${of}side COLLATE "C", ${of}id COLLATE "C"`),
      orElse: () => sql.literal(`${of}at, ${of}side, ${of}id`)
    })

  const isOther = sql.literal(
    STOOD.map((name) => `h.${name} IS DISTINCT FROM s.${name}`).join(" OR ")
  )

  const states = (
    rows: Effect.Effect<ReadonlyArray<Row>, SqlError>
  ): Effect.Effect<ReadonlyArray<EntryState>, SqlError> => Effect.map(rows, (rows) => rows.map(stateOf))

  const where = (condition: Fragment) =>
    states(sql<Row>`SELECT ${columns} FROM entry_states WHERE ${condition} ORDER BY ${inOrder("")}`)

  /** Whether a row of `entry_history h` is the last of its entry up to an execution. */
  const last = (execution: number): Fragment =>
    sql`h.execution = (SELECT MAX(x.execution) FROM entry_history x
      WHERE x.side = h.side AND x.id = h.id AND x.execution <= ${execution})`

  const eachSide = (
    entries: ReadonlyArray<Named>,
    read: (side: Entry.Side, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<EntryState>, SqlError>
  ) =>
    Effect.map(
      Effect.forEach(SIDES, (side) => {
        const ids = entries.filter((entry) => entry.side === side).map(({ id }) => encode(id))
        return ids.length === 0 ? Effect.succeed([]) : read(side, ids)
      }),
      (found) => found.flat()
    )

  return {
    /** Gives the entries of a range that ever waited. */
    within: (range: Coverage.Interval | null) =>
      where(range === null ? sql`1 = 1` : sql`at >= ${range.from} AND at < ${range.to}`),
    /** Gives those of these entries that ever waited. */
    of: (entries: ReadonlyArray<Named>) =>
      eachSide(entries, (side, ids) => where(sql`side = ${side} AND ${InList.of(sql, "id", ids)}`)),
    /** Gives the entries that are open, and of which an execution behind this one said so when it changed them. */
    openedBehind: (execution: number) =>
      where(sql`state = 'open' AND (side, id) IN (
        SELECT side, id FROM entry_history WHERE execution > ${execution} AND state = 'open')`),
    /** Gives the entries that wait in one of these outcomes. */
    waitingIn: (outcomes: ReadonlyArray<string>) =>
      where(sql`state IN ('open', 'pending', 'undetermined') AND ${InList.of(sql, "outcome", outcomes)}`),
    /**
     * Gives the times in an interval (Unix ms) at which entries lie, or ever lay, that an execution behind this one changed, each with
     * the last such execution. The changes are read first: those of one execution are few.
     */
    movedBehind: (execution: number, { from, to }: Coverage.Interval) =>
      sql<{ readonly at: number; readonly execution: number }>`SELECT h.at AS at, MAX(c.execution) AS execution
        FROM entry_history c CROSS JOIN entry_history h
        WHERE c.execution > ${execution} AND h.side = c.side AND h.id = c.id AND h.at >= ${from} AND h.at < ${to}
        GROUP BY h.at`,
    /** Gives the entries that make these items alone. */
    ofItems: (items: ReadonlyArray<string>) => where(InList.of(sql, "item", items)),
    /** Gives what became of each of these entries, in the order of the executions. */
    historiesOf: (entries: ReadonlyArray<Named>) =>
      eachSide(entries, (side, ids) =>
        states(sql<Row>`SELECT ${columns} FROM entry_history
          WHERE side = ${side} AND ${InList.of(sql, "id", ids)} ORDER BY execution`)),
    /** Gives those of a side that wait in an interval and are of one of these assets, so many at most: the nearest to a moment, Unix ms. */
    waitingNear: ({ assets, at, from, side, to }: Around, most: number) =>
      states(sql<Row>`SELECT ${columns} FROM entry_states WHERE state IN ('open', 'pending', 'undetermined')
        AND side = ${side} AND at >= ${from} AND at < ${to} AND ${sql.in("asset", assets.map(encode))}
        ORDER BY ABS(at - ${at}), id LIMIT ${most}`),
    /** Gives the entries that wait. */
    waiting: where(sql`state IN ('open', 'pending', 'undetermined')`),
    /** Streams the entries that wait, by time. One statement reads them all, so that no execution comes in between. */
    waitingTogether: sql<Row & { readonly together: number }>`SELECT ${standing}, COALESCE(t.entries, 1) AS together
      FROM entry_states s LEFT JOIN (SELECT outcome, state, COUNT(*) AS entries FROM entry_states
        WHERE state IN ('open', 'pending', 'undetermined') GROUP BY outcome, state HAVING COUNT(*) > 1) t
        ON t.outcome = s.outcome AND t.state = s.state
      WHERE s.state IN ('open', 'pending', 'undetermined') ORDER BY ${inOrder("s.")}`.stream.pipe(
      Stream.mapArray(Arr.map((row): Together => ({ entry: stateOf(row), together: row.together })))
    ),
    /** Streams what is counted of the entries that wait, in no order. One statement reads them all. */
    counted: sql<Waits>`SELECT side, asset, amount, at, state, code, outcome FROM entry_states
      WHERE state IN ('open', 'pending', 'undetermined')`.stream.pipe(
      Stream.mapArray(
        Arr.map(({ amount, asset, at, code, outcome, side, state }): Waits => ({
          side,
          asset: decode(asset),
          amount,
          at,
          state,
          code,
          outcome
        }))
      )
    ),
    /** Streams the outcomes in which entries that wait now ever waited, in no order. */
    waitedIn: sql<Pick<Row, "id" | "outcome" | "side">>`SELECT h.side, h.id, h.outcome
      FROM entry_states s JOIN entry_history h ON h.side = s.side AND h.id = s.id
      WHERE s.state IN ('open', 'pending', 'undetermined') AND h.state IN ('open', 'pending', 'undetermined')`.stream
      .pipe(
        Stream.mapArray(Arr.map(({ id, outcome, side }) => ({ side, id: decode(id), outcome })))
      ),
    /** Gives the entries that stand in an outcome. */
    ofOutcome: (outcome: string) => where(sql`outcome = ${outcome}`),
    /** Gives the entries of which the id of the item begins so, or that of an outcome in which they ever stood. */
    beginning: (prefix: string) => {
      const behind = `${prefix}g`
      return where(
        prefix.startsWith("i")
          ? sql`item >= ${prefix} AND item < ${behind}`
          : sql`EXISTS (SELECT 1 FROM entry_history h WHERE h.side = entry_states.side AND h.id = entry_states.id
              AND h.outcome >= ${prefix} AND h.outcome < ${behind})`
      )
    },
    /** Gives the entries that waited after an execution, as they stood then; or those whose time lies before another one (Unix ms). */
    waitingAfter: (execution: number, before: number = Number.MAX_SAFE_INTEGER) =>
      states(sql<Row>`SELECT ${historical} FROM entry_history h
        WHERE h.state IN ('open', 'pending', 'undetermined') AND h.at < ${before} AND ${last(execution)}
        ORDER BY ${inOrder("h.")}`),
    /** Gives the entries of a range that waited until an execution or before, as they stood after it. */
    standing: ({ from, to }: Coverage.Interval, execution: number) =>
      states(sql<Row>`SELECT ${historical} FROM entry_history h
        WHERE h.at >= ${from} AND h.at < ${to} AND ${last(execution)} ORDER BY ${inOrder("h.")}`),
    /**
     * Tells whether both tables say otherwise where an entry of a range stands: the last change of it is how it stands. One statement
     * looks at both, so that no execution comes in between.
     */
    disagree: ({ from, to }: Coverage.Interval) =>
      Effect.map(
        sql`SELECT side FROM (
          SELECT s.side AS side FROM entry_states s LEFT JOIN entry_history h
            ON h.side = s.side AND h.id = s.id AND ${last(Number.MAX_SAFE_INTEGER)}
            WHERE s.at >= ${from} AND s.at < ${to} AND (h.id IS NULL OR ${isOther})
          UNION ALL
          SELECT h.side AS side FROM entry_history h LEFT JOIN entry_states s ON s.side = h.side AND s.id = h.id
            WHERE h.at >= ${from} AND h.at < ${to} AND ${
          last(Number.MAX_SAFE_INTEGER)
        } AND (s.id IS NULL OR s.at <> h.at)
        ) AS other LIMIT 1`,
        ({ length }) => length > 0
      ),
    /** Gives every change, or those of an execution. */
    changes: (execution?: number) =>
      states(sql<Row>`SELECT ${columns} FROM entry_history
        WHERE ${execution === undefined ? sql`1 = 1` : sql`execution = ${execution}`} ORDER BY execution, side, id`),
    /** Gives how the entries that an execution changed stood before it. */
    before: (execution: number) =>
      states(sql<Row>`SELECT ${historical} FROM entry_history c JOIN entry_history h ON h.side = c.side AND h.id = c.id
        WHERE c.execution = ${execution} AND ${last(execution - 1)}`),
    /** Gives what became of an entry, the first execution first. */
    historyOf: ({ id, side }: Named) =>
      states(
        sql<Row>`SELECT ${columns} FROM entry_history WHERE side = ${side} AND id = ${encode(id)} ORDER BY execution`
      ),
    clear: Effect.andThen(sql`DELETE FROM entry_history`, sql`DELETE FROM entry_states`),
    write: (states: ReadonlyArray<EntryState>) => intoStates(states.map(valuesOf)),
    tell: (changes: ReadonlyArray<EntryState>) => intoHistory(changes.map(valuesOf))
  }
}
