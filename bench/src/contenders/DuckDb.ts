/** DuckDB with two threads. The result stays in a table of its own: it is not carried into JavaScript. */
import { DuckDBInstance } from "@duckdb/node-api"
import { join } from "node:path"
import type { Contender } from "../Contender.ts"
import { relative, window } from "../History.ts"

const contender = (statements: ReadonlyArray<string>): Contender => ({
  prepare: async (directory) => {
    const instance = await DuckDBInstance.create(join(directory, "history.duckdb"), {
      access_mode: "READ_ONLY",
      threads: "2"
    })
    const connection = await instance.connect()
    return {
      run: async () => {
        for (const statement of statements) await connection.run(statement)
      },
      pairs: async () => {
        const sized = await connection.runAndReadAll("SELECT count(*)::INTEGER FROM deposits")
        const pairs = new Int32Array(Number(sized.getRows()[0]?.[0])).fill(-1)
        const rows = await connection.runAndReadAll("SELECT deposit, transfer FROM pairs")
        for (const [deposit, transfer] of rows.getRows()) pairs[Number(deposit)] = Number(transfer)
        return pairs
      }
    }
  }
})

/** The next transfer of the same amount from each deposit on. It may go to several deposits; a tolerance cannot be said. */
export const asof = contender([
  `CREATE OR REPLACE TEMP TABLE pairs AS
   SELECT d.id AS deposit, t.id AS transfer
   FROM deposits d ASOF JOIN transfers t
     ON d.asset = t.asset AND d.amount = t.amount AND d."at" - ${window.before} <= t."at"
   WHERE t."at" <= d."at" + ${window.after}`
])

const inWindow = `t."at" BETWEEN d."at" - ${window.before} AND d."at" + ${window.after}`

/** The pairs of which each is the best of the other. */
const bestOfEachOther = `
  SELECT deposit, transfer FROM (
    SELECT deposit, transfer,
      row_number() OVER (PARTITION BY deposit ORDER BY off, lag, transfer) AS of_deposit,
      row_number() OVER (PARTITION BY transfer ORDER BY off, lag, deposit) AS of_transfer
    FROM candidates)
  WHERE of_deposit = 1 AND of_transfer = 1`

const left = (side: "deposit" | "transfer"): string =>
  `CREATE OR REPLACE TEMP TABLE left_${side}s AS
   SELECT * FROM ${side}s s WHERE NOT EXISTS (SELECT 1 FROM pairs WHERE ${side} = s.id)`

/**
 * Each side used once: first of equal amounts, then of what is left within the tolerance. In steps of its own, because
 * as one statement the second join is planned so badly that it takes a minute.
 */
export const oneToOne = contender([
  `CREATE OR REPLACE TEMP TABLE candidates AS
   SELECT d.id AS deposit, t.id AS transfer, 0 AS off, abs(t."at" - d."at") AS lag
   FROM deposits d JOIN transfers t ON d.asset = t.asset AND d.amount = t.amount AND ${inWindow}`,
  `CREATE OR REPLACE TEMP TABLE pairs AS ${bestOfEachOther}`,
  left("deposit"),
  left("transfer"),
  `CREATE OR REPLACE TEMP TABLE candidates AS
   SELECT d.id AS deposit, t.id AS transfer, abs(t.amount - d.amount) AS off, abs(t."at" - d."at") AS lag
   FROM left_deposits d JOIN left_transfers t
     ON d.asset = t.asset AND ${inWindow} AND abs(t.amount - d.amount) <= ${relative} * d.amount`,
  `INSERT INTO pairs ${bestOfEachOther}`
])
