/** A hash of what the summary of a run says, but for what differs where the same run is recorded anew. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { createHash } from "node:crypto"
import type * as Run from "../../Run.ts"
import * as Canonical from "../ledger/Canonical.ts"
import * as RunRow from "../runs/RunRow.ts"

/** An earlier version may have told less. */
const Unknown = Schema.optionalKey(Schema.Unknown)

/** A stretch of coverage. When it was read, and the words for a gap, are left out: each reading has its own. */
const Stretch = Schema.Struct({
  operation: Unknown,
  query: Unknown,
  from: Unknown,
  to: Unknown,
  state: Unknown,
  gap: Schema.optionalKey(Schema.Struct({ code: Unknown }))
})

/** The members that follow from the question, the coverage and the outcomes. When all was read, what was decided by then and the ages do not. */
const Told = Schema.Struct({
  version: Unknown,
  clean: Schema.Boolean,
  range: Unknown,
  policy: Unknown,
  accounts: Schema.Struct({ master: Unknown, count: Unknown, complete: Unknown, digest: Unknown }),
  addresses: Unknown,
  coverage: Schema.Array(Stretch),
  totals: Unknown,
  matchRate: Unknown,
  counts: Schema.Array(Schema.StructWithRest(
    Schema.Struct({ outcome: Schema.String, outcomes: Schema.Int }),
    [Schema.Record(Schema.String, Schema.Unknown)]
  )),
  lags: Unknown
})

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Told))

/** Tells whether the columns of a run, which lists show, repeat its summary. */
const isRepeated = (row: RunRow.RunRow, { clean, counts }: typeof Told.Type): boolean => {
  const { clean: isClean, counts: counted } = RunRow.decode(row)
  const sum = (kind: string): number =>
    counts.reduce((sum, { outcome, outcomes }) => (outcome === kind ? sum + outcomes : sum), 0)
  return isClean === clean && Object.entries(counted).every(([kind, count]) => sum(kind) === count)
}

/**
 * SHA-256 of the canonical JSON of these members, as the database has them, with the stretches of coverage in the order of their
 * texts; none where the run is not as it was recorded.
 */
export const of = (
  sql: SqlClient.SqlClient,
  { id }: Pick<Run.Run, "id">
): Effect.Effect<Option.Option<string>, SqlError> =>
  Effect.map(
    sql<RunRow.Whole>`SELECT ${RunRow.allColumns(sql)} FROM runs WHERE id = ${id}`,
    ([row]) =>
      Option.fromUndefinedOr(row).pipe(
        Option.flatMap((row) =>
          Option.filter(Option.flatMap(RunRow.summaryOf(row), decode), (told) => isRepeated(row, told))
        ),
        Option.map(({ coverage, ...told }) => {
          const text = Canonical.stringify({ ...told, coverage: coverage.map(Canonical.stringify).toSorted() })
          return createHash("sha256").update(text).digest("hex")
        })
      )
  )
