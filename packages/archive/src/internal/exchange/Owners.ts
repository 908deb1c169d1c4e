/** The table `stamps` names the owners of the records: an exchange, and keys of one master account. */
import * as Origin from "@tallystick/core/Origin"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import * as ArchiveError from "../../ArchiveError.ts"
import type * as Database from "../sql/Database.ts"
import * as StoredText from "../sql/StoredText.ts"
import * as CountedTable from "./CountedTable.ts"

interface Row extends CountedTable.Counted {
  readonly base_url: string
  readonly fingerprint: string
}

/** This is said where the stamp of an owner was lost or changed. */
export const LOST =
  "it does not tell any more whose records it keeps, and no sync writes to it before tallystick archive " +
  "trust says that they are those of the configured key"

export const make = ({ error, place, sql }: Database.Service) => {
  const told = <Failure extends ArchiveError.OwnerError>(failure: SqlError | Failure) =>
    failure._tag === "SqlError" ? error(failure) : failure

  const table = CountedTable.make<Row>(sql, { table: "stamps", columns: ["base_url", "fingerprint"] })

  /** Tells whether the service proved that anything is complete; coverage that a person vouched for is of no master account. */
  const isProven = Effect.map(
    sql`SELECT operation FROM coverage WHERE state = 'complete' AND vouched = 0 LIMIT 1`,
    (parts) => parts.length > 0
  )

  /**
   * Reads the stamps that are as they were written, and tells whether there were others. Proof is looked for first, because its
   * stamp was there before it.
   */
  const found = Effect.map(Effect.all([isProven, table.found]), ([isProven, { isDamaged, rows }]) => ({
    known: rows.map(({ base_url, fingerprint }): Origin.Origin => ({
      baseUrl: StoredText.decode(base_url),
      fingerprint
    })),
    isDamaged: isDamaged || (isProven && rows.length === 0)
  }))

  const damaged = ArchiveError.ArchiveError.of(new ArchiveError.Damaged({ place, detail: LOST }))

  const rows = Effect.flatMap(found, ({ isDamaged, known }) => isDamaged ? Effect.fail(damaged) : Effect.succeed(known))

  /** Replaces all stamps. */
  const write = (origins: ReadonlyArray<Origin.Origin>) =>
    table.replace(origins.map(({ baseUrl, fingerprint }) => ({ base_url: StoredText.encode(baseUrl), fingerprint })))

  const other = (known: ReadonlyArray<Origin.Origin>, configured: Origin.Origin) =>
    ArchiveError.ArchiveError.of(
      new ArchiveError.OtherMaster({
        place,
        archive: known.map(Origin.describe).join(" and "),
        configured: Origin.describe(configured)
      })
    )

  /** Adds a stamp unless it is there or `refuses` has something against it. */
  const add = (
    read: Effect.Effect<ReadonlyArray<Origin.Origin>, SqlError | ArchiveError.DatabaseError>,
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
    /** It is true where a stamp was lost or is not as it was written, or where there is proof and no stamp. */
    areDamaged: Effect.map(found, ({ isDamaged }) => isDamaged),
    claim: add(rows, (known) => known.length > 0),
    // A person names the owner, also where the archive no longer does.
    trust: add(
      Effect.map(found, ({ known }) => known),
      (known, { baseUrl }) => known.some((stamp) => stamp.baseUrl !== baseUrl)
    )
  }
}
