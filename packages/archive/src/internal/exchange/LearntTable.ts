/** This table keeps what rounds of sync learnt of how the service answers. An archive is of one service, so this is too. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Learnt from "@tallystick/core/Learnt"
import * as Effect from "effect/Effect"
import type * as Database from "../sql/Database.ts"
import * as CountedTable from "./CountedTable.ts"

interface Row extends CountedTable.Counted {
  readonly operation: Coverage.Coverage["operation"]
  readonly believed: number
  readonly learnt_at: number
  readonly agreements: number
  readonly page_length: number
  readonly backwards: number
  readonly forwards: number
  readonly longest_response: number
  readonly longest_list: number
}

const COLUMNS = [
  "operation",
  "believed",
  "learnt_at",
  "agreements",
  "page_length",
  "backwards",
  "forwards",
  "longest_response",
  "longest_list"
]

const toRow = (operation: Row["operation"], answers: Learnt.Answers) => ({
  operation,
  believed: answers.believed ? 1 : 0,
  learnt_at: answers.learntAt,
  agreements: answers.agreements,
  page_length: answers.pageLength,
  backwards: answers.backwards,
  forwards: answers.forwards,
  longest_response: answers.longestResponse,
  longest_list: answers.longestList
})

const fromRow = (row: Row): Learnt.Answers => ({
  believed: row.believed === 1,
  learntAt: row.learnt_at,
  agreements: row.agreements,
  pageLength: row.page_length,
  backwards: row.backwards,
  forwards: row.forwards,
  longestResponse: row.longest_response,
  longestList: row.longest_list
})

/**
 * A row that was damaged, lost or of an earlier time teaches nothing, and perhaps it said that the lists are not to be
 * believed.
 */
const DOUBTED: Learnt.Answers = {
  believed: false,
  learntAt: 0,
  agreements: 0,
  pageLength: 0,
  backwards: 0,
  forwards: 0,
  longestResponse: 0,
  longestList: 0
}

export const make = ({ error, sql }: Database.Service) => {
  const table = CountedTable.make<Row>(sql, { table: "learnt", columns: COLUMNS })

  const known = Effect.map(table.found, ({ isDamaged, rows }): Learnt.Learnt =>
    isDamaged
      ? { deposits: DOUBTED, transfers: DOUBTED }
      : Object.fromEntries(rows.map((row) => [row.operation, fromRow(row)])))

  /** Everything that is not learnt anew stays, a doubt too. */
  const save = Effect.fnUntraced(function*(learnt: Learnt.Learnt) {
    const { deposits, transfers } = yield* known
    const rows = [["deposits", learnt.deposits ?? deposits], ["transfers", learnt.transfers ?? transfers]] as const
    yield* table.replace(
      rows.flatMap(([operation, answers]) => answers === undefined ? [] : [toRow(operation, answers)])
    )
  })

  return {
    learnt: Effect.mapError(known, error),
    saveLearnt: (learnt: Learnt.Learnt) => Effect.mapError(sql.withTransaction(save(learnt)), error),
    /** It is true where one of the rows was lost, is not as it was written, or is of an earlier time. */
    isDamaged: Effect.map(table.found, ({ isDamaged }) => isDamaged)
  }
}
