/** Whose records a database holds, in its table. */
import * as Origin from "@tallystick/core/Origin"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import * as ArchiveError from "../ArchiveError.ts"
import type * as Database from "./Database.ts"
import * as StoredText from "./StoredText.ts"

interface Row {
  readonly base_url: string
  readonly fingerprint: string
}

export const make = ({ error, place, sql }: Database.Service) => {
  const rows = Effect.map(
    sql<Row>`SELECT base_url, fingerprint FROM stamps ORDER BY base_url, fingerprint`,
    (found) =>
      found.map(({ base_url, fingerprint }): Origin.Origin => ({ baseUrl: StoredText.decode(base_url), fingerprint }))
  )

  const insert = ({ baseUrl, fingerprint }: Origin.Origin) =>
    sql`INSERT INTO stamps ${sql.insert({ base_url: StoredText.encode(baseUrl), fingerprint })}`

  const other = (known: ReadonlyArray<Origin.Origin>, configured: Origin.Origin) =>
    new ArchiveError.ArchiveError({
      reason: new ArchiveError.OtherMaster({
        place,
        archive: known.map(Origin.describe).join(" and "),
        configured: Origin.describe(configured)
      })
    })

  /** Adds a stamp unless it is there or `refuses` has something against it. */
  const add = (refuses: (known: ReadonlyArray<Origin.Origin>, origin: Origin.Origin) => boolean) =>
    Effect.fnUntraced(function*(origin: Origin.Origin) {
      const known = yield* rows
      const isThere = known.some(({ baseUrl, fingerprint }) =>
        baseUrl === origin.baseUrl && fingerprint === origin.fingerprint
      )
      const refused = !isThere && refuses(known, origin)
      const next: Effect.Effect<unknown, SqlError | ArchiveError.ArchiveError> = refused
        ? Effect.fail(other(known, origin))
        : isThere
        ? Effect.void
        : insert(origin)
      yield* next
    }, (effect) =>
      sql.withTransaction(effect).pipe(
        Effect.mapError((failure) => failure._tag === "ArchiveError" ? failure : error(failure))
      ))

  return {
    stamps: Effect.mapError(rows, error),
    claim: add((known) => known.length > 0),
    trust: add((known, { baseUrl }) => known.some((stamp) => stamp.baseUrl !== baseUrl))
  }
}
