/**
 * The table `notices`, an outbox, and `notice_marks`, which says what a destination was told last. A notice is claimed before it is
 * sent: for a minute nobody else sends it. If nobody says that it was sent, it is sent again.
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as Statement from "effect/sql/Statement"
import * as InList from "../sql/InList.ts"
import * as Insert from "../sql/Insert.ts"
import * as StoredText from "../sql/StoredText.ts"

/** A notice that is to be written, for one destination. */
export interface Letter {
  readonly key: string
  /** Of one subject a later notice waits until the earlier ones were sent. */
  readonly subject: string
  /** The notice as JSON. */
  readonly body: string
}

/** A notice that waits. */
interface Waiting {
  readonly key: string
  readonly body: string
  readonly tries: number
}

/** Notices that wait for any destination. */
export interface Unsent {
  readonly notices: number
  /** When the first of them was written, Unix ms; null where none waits. */
  readonly since: number | null
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** A claim holds so long, ms: longer than a notice takes. */
const LEASE = MINUTE

/** The longest time between two attempts, ms. */
const LONGEST = 6 * HOUR

/** A notice is kept so long, sent or not, ms: what was not sent until then is given up. */
const KEPT = 7 * 24 * HOUR

/** A destination that nothing is written for is known for so long, ms; then it is told like a new one. */
const KNOWN = 100 * 24 * HOUR

/** The time until the next attempt, ms: a minute, then four times as long each time. */
const spacing = (tries: number): number => Math.min(MINUTE * 4 ** Math.max(tries - 1, 0), LONGEST)

export const make = (sql: SqlClient.SqlClient) => {
  const intoMarks = Insert.into(
    sql,
    "notice_marks",
    ["destination", "subject", "episode", "told_at"],
    ["destination", "subject"]
  )
  const last = Effect.map(
    sql<{ number: number | null }>`SELECT MAX(number) AS number FROM notices`,
    ([row]) => row?.number ?? 0
  )

  /**
   * Writes notices in their order, at a moment in Unix ms; one that is there already stays as it is. It runs inside a transaction, which
   * others wait for, so that a later notice has a greater number, whatever the clock says.
   */
  const put = Effect.fnUntraced(function*(
    destination: string,
    letters: ReadonlyArray<Letter>,
    at: number
  ): Effect.fn.Return<void, SqlError> {
    const before = yield* last
    for (const [index, { body, key, subject }] of letters.entries()) {
      const times = { made_at: at, tries: 0, next_at: at }
      const row = { number: before + 1 + index, key, destination, subject, body: StoredText.encode(body), ...times }
      yield* sql`INSERT INTO notices ${sql.insert(row)} ON CONFLICT (key) DO NOTHING`
    }
  })

  /** The notice that was tried least comes first: one that is refused again and again keeps none waiting but those of its subject. */
  const next = (destination: string, now: number) =>
    sql<Waiting>`SELECT key, body, tries FROM notices n
      WHERE destination = ${destination} AND sent_at IS NULL AND next_at <= ${now} AND NOT EXISTS (
        SELECT 1 FROM notices e WHERE e.destination = n.destination AND e.subject = n.subject AND e.sent_at IS NULL
          AND e.number < n.number)
      ORDER BY tries, number LIMIT 1`

  /** Claims the first notice that is due; it runs inside a transaction. */
  const claim = Effect.fnUntraced(function*(destination: string, now: number) {
    const [found] = yield* next(destination, now)
    if (found === undefined) return undefined
    yield* sql`UPDATE notices SET ${sql.update({ next_at: now + LEASE, tries: found.tries + 1 })}
      WHERE key = ${found.key}`
    return { ...found, body: StoredText.decode(found.body), tries: found.tries + 1 }
  })

  const expired = (now: number, which: Statement.Fragment) =>
    Effect.map(
      sql<{ sent_at: number | null }>`DELETE FROM notices WHERE ${which} AND made_at < ${now - KEPT} RETURNING sent_at`,
      (rows) => rows.filter(({ sent_at }) => sent_at === null).length
    )

  return {
    put,
    claim: (destination: string, now: number) => sql.withTransaction(claim(destination, now)),
    sent: ({ key }: Pick<Waiting, "key">, now: number) => sql`UPDATE notices SET sent_at = ${now} WHERE key = ${key}`,
    /** Says when a notice that was not taken may be sent again. */
    failed: ({ key, tries }: Pick<Waiting, "key" | "tries">, now: number) =>
      sql`UPDATE notices SET next_at = ${now + spacing(tries)} WHERE key = ${key} AND sent_at IS NULL`,
    /** Gives the number of notices that were not sent. */
    unsent: (destination: string): Effect.Effect<number, SqlError> =>
      Effect.map(
        sql<{ n: number }>`SELECT COUNT(*) AS n FROM notices WHERE destination = ${destination} AND sent_at IS NULL`,
        ([row]) => row?.n ?? 0
      ),
    allUnsent: Effect.map(
      sql<Unsent>`SELECT COUNT(*) AS notices, MIN(made_at) AS since FROM notices WHERE sent_at IS NULL`,
      ([row]) => row ?? { notices: 0, since: null }
    ),
    /** Takes away what is older than notices are kept, and gives the number of those that were never sent. */
    expire: (destination: string, now: number): Effect.Effect<number, SqlError> =>
      expired(now, sql`destination = ${destination}`),
    /** The same for all destinations but these. One of those that was told nothing for a long time is forgotten, with all its marks. */
    expireOthers: (destinations: ReadonlyArray<string>, now: number): Effect.Effect<number, SqlError> => {
      const isOther = destinations.length === 0 ? sql`1 = 1` : sql`NOT (${sql.in("destination", destinations)})`
      return Effect.andThen(
        sql`DELETE FROM notice_marks WHERE ${isOther} AND destination NOT IN (
          SELECT destination FROM notice_marks WHERE told_at >= ${now - KNOWN})`,
        expired(now, isOther)
      )
    },
    /** Gives what a destination was told last of a subject. */
    mark: (destination: string, subject: string): Effect.Effect<number | undefined, SqlError> =>
      Effect.map(
        sql<{ episode: number }>`SELECT episode FROM notice_marks
          WHERE destination = ${destination} AND subject = ${subject}`,
        ([row]) => row?.episode
      ),
    /** Gives the subjects that begin with a word and a space of which a destination was told something. */
    subjects: (destination: string, word: string): Effect.Effect<ReadonlyArray<string>, SqlError> =>
      Effect.map(
        sql<{ subject: string }>`SELECT subject FROM notice_marks
          WHERE destination = ${destination} AND subject LIKE ${`${word} %`}`,
        (rows) => rows.map(({ subject }) => subject)
      ),
    /** Marks what a destination was told of subjects, at a moment in Unix ms. */
    setMarks: (destination: string, subjects: ReadonlyArray<string>, episode: number, at: number) =>
      intoMarks(subjects.map((subject) => [destination, subject, episode, at])),
    clearMarks: (destination: string, subjects: ReadonlyArray<string>): Effect.Effect<void, SqlError> =>
      subjects.length === 0
        ? Effect.void
        : Effect.asVoid(
          sql`DELETE FROM notice_marks WHERE destination = ${destination} AND ${InList.of(sql, "subject", subjects)}`
        )
  }
}
