/** Everything of an archive but its records and what was read, kept elsewhere, so that what a command writes can be undone in a moment. */
import { DatabaseSync } from "node:sqlite"

/** They are as large as the archive, and no run over it writes into them. */
const LARGE: ReadonlySet<string> = new Set(["deposits", "transfers", "coverage"])

const opened = (file: string, kept: string): DatabaseSync => {
  const db = new DatabaseSync(file)
  db.prepare("ATTACH ? AS kept").run(kept)
  return db
}

const tablesOf = (db: DatabaseSync): ReadonlyArray<string> =>
  db.prepare("SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all()
    .map(({ name }) => String(name)).filter((name) => !LARGE.has(name))

export const keep = (file: string, kept: string): void => {
  const db = opened(file, kept)
  for (const table of tablesOf(db)) db.exec(`CREATE TABLE kept.${table} AS SELECT * FROM main.${table}`)
  db.close()
}

/** Writes these tables anew as they were kept. */
export const restore = (file: string, kept: string): void => {
  const db = opened(file, kept)
  db.exec("BEGIN")
  for (const table of tablesOf(db)) {
    db.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM kept.${table}`)
  }
  db.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
  db.close()
}
