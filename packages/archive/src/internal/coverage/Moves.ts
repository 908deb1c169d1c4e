/**
 * This number grows whenever a record moves to another time, or damaged rows are taken out and their time is no longer
 * complete. What was read piece by piece is of one state only while the number stays: a record that moved from a piece that was
 * still to be read to one that was read before would be in neither.
 */
import type * as SqlClient from "effect/sql/SqlClient"
import * as Counter from "../sql/Counter.ts"

export type Moves = Counter.Counter

export const make = (sql: SqlClient.SqlClient): Moves => Counter.make(sql, "moves")
