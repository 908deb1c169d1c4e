/** What rounds of sync learnt of how the service answers, in its table. The archive is of one service, so this is too. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Learnt from "@tallystick/core/Learnt"
import * as Effect from "effect/Effect"
import * as Checksum from "./Checksum.ts"
import type * as Database from "./Database.ts"

interface Row {
  readonly operation: Coverage.Coverage["operation"]
  readonly believed: number
  readonly learnt_at: number
  readonly agreements: number
  readonly page_length: number
  readonly backwards: number
  readonly forwards: number
  readonly longest_response: number
  readonly longest_list: number
  readonly checksum: number
}

const toRow = (operation: Row["operation"], answers: Learnt.Answers) => {
  const row = {
    operation,
    believed: answers.believed ? 1 : 0,
    learnt_at: answers.learntAt,
    agreements: answers.agreements,
    page_length: answers.pageLength,
    backwards: answers.backwards,
    forwards: answers.forwards,
    longest_response: answers.longestResponse,
    longest_list: answers.longestList
  }
  return { ...row, checksum: Checksum.of(Object.values(row)) }
}

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

/** A damaged row taught nothing, and perhaps it said that the lists are not to be believed. */
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

export const make = ({ error, sql }: Database.Service) => ({
  learnt: sql<Row>`SELECT operation, believed, learnt_at, agreements, page_length, backwards, forwards,
      longest_response, longest_list, checksum FROM learnt`.pipe(
    Effect.map((rows): Learnt.Learnt => {
      const damaged = rows.some((row) => !Checksum.holds(row))
      const nothing = damaged ? { deposits: DOUBTED, transfers: DOUBTED } : {}
      return {
        ...nothing,
        ...Object.fromEntries(rows.filter(Checksum.holds).map((row) => [row.operation, fromRow(row)]))
      }
    }),
    Effect.mapError(error)
  ),
  saveLearnt: ({ deposits, transfers }: Learnt.Learnt) => {
    const rows = [
      ...(deposits === undefined ? [] : [toRow("deposits", deposits)]),
      ...(transfers === undefined ? [] : [toRow("transfers", transfers)])
    ]
    return Effect.forEach(
      rows,
      (row) =>
        Effect.andThen(
          sql`DELETE FROM learnt WHERE operation = ${row.operation}`,
          sql`INSERT INTO learnt ${sql.insert(row)}`
        ),
      { discard: true }
    ).pipe(sql.withTransaction, Effect.mapError(error))
  }
})
