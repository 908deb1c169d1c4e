/** The next transfer of the same class from each deposit on, by an ASOF JOIN; of several deposits the last one keeps it. */
import { DuckDBInstance } from "@duckdb/node-api"
import { join } from "node:path"
import type { Task } from "../reconcile/contender.ts"

const columns = (names: ReadonlyArray<string>): string => {
  const typed = names.map((name) => `'${name}': '${/^(at|insertTime|timestamp)$/.test(name) ? "BIGINT" : "VARCHAR"}'`)
  return `columns = {${typed.join(", ")}}`
}

const plain = (path: string): string =>
  `SELECT id, asset, coalesce(account, '') AS account, amount, "at"
   FROM read_ndjson('${path}', ${columns(["id", "asset", "account", "amount", "at"])})`

export const run = async ({ book: { after, before, directory, isExchange }, out }: Task): Promise<void> => {
  const at = (name: string): string => join(directory, name)
  const [deposits, transfers] = [at("deposits.ndjson"), at("transfers.ndjson")]
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" })
  const connection = await instance.connect()
  const statements = [
    `CREATE TABLE d AS ${
      isExchange
        ? `SELECT txId AS id, coin AS asset, account, amount, insertTime AS "at"
           FROM read_ndjson('${deposits}', ${columns(["txId", "coin", "address", "amount", "insertTime"])})
           LEFT JOIN (SELECT address, account FROM read_json('${at("addresses.json")}')) USING (address)`
        : plain(deposits)
    }`,
    `CREATE TABLE t AS ${
      isExchange
        ? `SELECT tranId AS id, asset, fromAccount AS account, amount, "timestamp" AS "at"
           FROM read_ndjson('${transfers}', ${columns(["tranId", "asset", "fromAccount", "amount", "timestamp"])})`
        : plain(transfers)
    }`,
    `CREATE TABLE pairs AS
     SELECT d.id AS deposit, t.id AS transfer
     FROM d ASOF JOIN t
       ON d.asset = t.asset AND d.account = t.account AND d.amount = t.amount AND d."at" - (${before}) <= t."at"
     WHERE t."at" <= d."at" + ${after}
     QUALIFY row_number() OVER (PARTITION BY t.id ORDER BY d."at" DESC, d.id) = 1`,
    `COPY (
       SELECT 'matched' AS outcome, deposit, transfer FROM pairs
       UNION ALL SELECT 'unmatched', id, NULL FROM d ANTI JOIN pairs ON id = deposit
       UNION ALL SELECT 'unmatched', NULL, id FROM t ANTI JOIN pairs ON id = transfer
     ) TO '${out}' (FORMAT json)`
  ]
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}
