/** The history of the entries of an archive, read from its table, and exact sums of it. */
import * as Schema from "effect/Schema"
import { DatabaseSync } from "node:sqlite"

/** Exact enough for every amount of the sandbox, and for its worth at a price of cents. */
const SCALE = 20

export const units = (amount: string): bigint => {
  const [whole = "", fraction = ""] = amount.split(".")
  return BigInt(whole + fraction.padEnd(SCALE, "0"))
}

export const text = (units: bigint): string => {
  const digits = String(units < 0n ? -units : units).padStart(SCALE + 1, "0")
  const fraction = digits.slice(-SCALE).replace(/0+$/, "")
  return `${units < 0n ? "-" : ""}${digits.slice(0, -SCALE)}${fraction === "" ? "" : `.${fraction}`}`
}

const Row = Schema.Struct({
  side: Schema.String,
  id: Schema.String,
  asset: Schema.String,
  amount: Schema.String,
  state: Schema.String,
  execution: Schema.Int
})
export type Row = typeof Row.Type

const decodeRows = Schema.decodeUnknownSync(Schema.Array(Row))

/** Gives every change of every entry, the first execution first. */
export const historyOf = (file: string): ReadonlyArray<Row> => {
  const database = new DatabaseSync(file)
  const found = database.prepare(
    "SELECT side, id, asset, amount, state, execution FROM entry_history ORDER BY execution"
  ).all()
  database.close()
  return decodeRows(found)
}

export const waiting = (row: Row | undefined): Row | undefined =>
  row !== undefined && /^(open|pending|undetermined)$/.test(row.state) ? row : undefined
