/** Whose records a database holds, in its table. */
import * as Origin from "@tallystick/core/Origin"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import * as ArchiveError from "../ArchiveError.ts"
import * as Checksum from "./Checksum.ts"
import type * as Database from "./Database.ts"
import * as StoredText from "./StoredText.ts"

interface Row {
  readonly base_url: string
  readonly fingerprint: string
  readonly checksum: number
}

const checksumOf = (baseUrl: string, fingerprint: string): number => Checksum.of([baseUrl, fingerprint])

export const make = ({ error, place, sql }: Database.Service) => {
  const told = (failure: SqlError | ArchiveError.ArchiveError) =>
    failure._tag === "ArchiveError" ? failure : error(failure)

  const own = sql`operation = 'stamps'`

  /** In one statement, so that nothing is written in between. */
  const attempt = sql<Row & { readonly written: number }>`SELECT base_url, fingerprint, checksum,
      COALESCE((SELECT records FROM scopes WHERE ${own}), 0) AS written
    FROM stamps UNION ALL SELECT '', '', 0, records FROM scopes WHERE ${own} ORDER BY base_url, fingerprint`

  /** Those that are as they were written, and whether there were others. */
  const found = Effect.map(attempt, (all) => {
    const rows = all.filter(({ base_url }) => base_url !== "")
    const sound = rows.filter(({ base_url, checksum, fingerprint }) => checksum === checksumOf(base_url, fingerprint))
    return {
      known: sound.map(({ base_url, fingerprint }): Origin.Origin => ({
        baseUrl: StoredText.decode(base_url),
        fingerprint
      })),
      isDamaged: sound.length !== rows.length || sound.length !== (all[0]?.written ?? 0)
    }
  })

  const damaged = new ArchiveError.ArchiveError({
    reason: new ArchiveError.Damaged({
      place,
      detail:
        "it does not tell any more whose records it keeps (`tallystick archive trust` says that they are the configured key's)"
    })
  })

  const rows = Effect.flatMap(found, ({ isDamaged, known }) => isDamaged ? Effect.fail(damaged) : Effect.succeed(known))

  /** Takes the place of all. */
  const write = Effect.fnUntraced(function*(origins: ReadonlyArray<Origin.Origin>) {
    yield* sql`DELETE FROM stamps`
    yield* sql`DELETE FROM scopes WHERE ${own}`
    for (const { baseUrl, fingerprint } of origins) {
      const base_url = StoredText.encode(baseUrl)
      yield* sql`INSERT INTO stamps ${
        sql.insert({ base_url, fingerprint, checksum: checksumOf(base_url, fingerprint) })
      }`
    }
    yield* sql`INSERT INTO scopes ${sql.insert({ operation: "stamps", query: 0, asked: 0, records: origins.length })}`
  })

  const other = (known: ReadonlyArray<Origin.Origin>, configured: Origin.Origin) =>
    new ArchiveError.ArchiveError({
      reason: new ArchiveError.OtherMaster({
        place,
        archive: known.map(Origin.describe).join(" and "),
        configured: Origin.describe(configured)
      })
    })

  /** Adds a stamp unless it is there or `refuses` has something against it. */
  const add = (
    read: Effect.Effect<ReadonlyArray<Origin.Origin>, SqlError | ArchiveError.ArchiveError>,
    refuses: (known: ReadonlyArray<Origin.Origin>, origin: Origin.Origin) => boolean
  ) =>
    Effect.fnUntraced(function*(origin: Origin.Origin) {
      const known = yield* read
      const others = known.filter(({ baseUrl, fingerprint }) =>
        baseUrl !== origin.baseUrl || fingerprint !== origin.fingerprint
      )
      const isThere = others.length < known.length
      if (!isThere && refuses(known, origin)) return yield* other(known, origin)
      const isWhole = isThere && !(yield* found).isDamaged
      return yield* isWhole ? Effect.void : write([...others, origin])
    }, (effect) => Effect.mapError(sql.withTransaction(effect), told))

  return {
    stamps: Effect.mapError(rows, told),
    /** Whether one of them was lost or is not as it was written. */
    areDamaged: Effect.map(found, ({ isDamaged }) => isDamaged),
    claim: add(rows, (known) => known.length > 0),
    // A person says whose records these are, also where the archive does not tell any more.
    trust: add(
      Effect.map(found, ({ known }) => known),
      (known, { baseUrl }) => known.some((stamp) => stamp.baseUrl !== baseUrl)
    )
  }
}
