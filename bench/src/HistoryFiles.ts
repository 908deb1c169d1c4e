/** Puts a history on disk, in a form for each contender, so that none of them pays for making it. */
import { DuckDBInstance } from "@duckdb/node-api"
import { once } from "node:events"
import { createWriteStream, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { History, Side } from "./History.ts"

const sides = ["deposits", "transfers"] as const
const columns = ["asset", "amount", "at"] as const

const writeRows = async (path: string, { amount, asset, at }: Side): Promise<void> => {
  const stream = createWriteStream(path)
  let rows = "id,asset,amount,at\n"
  for (let index = 0; index < at.length; index++) {
    rows += `${index},${asset[index]},${amount[index]},${at[index]}\n`
    if (rows.length < 1 << 20) continue
    if (!stream.write(rows)) await once(stream, "drain")
    rows = ""
  }
  stream.end(rows)
  await once(stream, "finish")
}

/** Writes raw columns, a DuckDB database with the tables `deposits` and `transfers`, and a Parquet file a side. */
export const write = async (directory: string, history: History): Promise<void> => {
  mkdirSync(directory, { recursive: true })
  for (const side of sides) {
    for (const name of columns) writeFileSync(join(directory, `${side}.${name}`), history[side][name])
    await writeRows(join(directory, `${side}.csv`), history[side])
  }
  writeFileSync(join(directory, "truth"), history.truth)
  const instance = await DuckDBInstance.create(join(directory, "history.duckdb"))
  const connection = await instance.connect()
  const types = "{'id': 'INTEGER', 'asset': 'INTEGER', 'amount': 'BIGINT', 'at': 'BIGINT'}"
  for (const side of sides) {
    const rows = join(directory, `${side}.csv`)
    await connection.run(`CREATE TABLE ${side} AS SELECT * FROM read_csv('${rows}', header = true, columns = ${types})`)
    await connection.run(`COPY (SELECT * FROM ${side} ORDER BY "at", id) TO '${join(directory, `${side}.parquet`)}'`)
  }
  connection.closeSync()
  instance.closeSync()
  writeFileSync(join(directory, "ready"), "")
}

export const isWritten = (directory: string): boolean => existsSync(join(directory, "ready"))
