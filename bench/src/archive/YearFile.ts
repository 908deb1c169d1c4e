/** An archive that holds the year, covered completely: written past the archive, in big transactions, and kept for reruns. */
import { Archive } from "@tallystick/archive/Archive"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Scratch from "../Scratch.ts"
import * as Rows from "./Rows.ts"
import * as Year from "./Year.ts"

const DAYS = 365

/** Days of one transaction. */
const TOGETHER = 5

const sources = ["Year.ts", "Rows.ts", "../../../packages/archive/src/internal/migrations/0001_records.ts"]

const version = sources
  .reduce((hash, name) => hash.update(readFileSync(new URL(name, import.meta.url))), createHash("sha256"))
  .digest("hex")
  .slice(0, 12)

/** An empty archive: the archive itself makes the tables. */
export const create = (file: string): Promise<void> =>
  Effect.runPromise(Effect.provide(Effect.asVoid(Archive), Archive.layerSqlite({ file })))

const cover = (db: DatabaseSync): void => {
  const query = db.prepare("INSERT INTO queries VALUES (?, ?, NULL, ?, ?)")
  const part = db.prepare("INSERT INTO coverage VALUES (?, ?, ?, ?, ?, 'complete', NULL, NULL, 0)")
  for (const [index, { fromAccount, fromAccountType, toAccountType }] of Year.queries.entries()) {
    query.run(index + 1, fromAccount ?? null, fromAccountType, toAccountType)
  }
  for (let day = 0; day <= DAYS; day++) {
    const from = Year.START + day * Year.DAY
    const to = from + Year.DAY
    part.run("deposits", 0, from, to, to + Year.DAY / 8)
    for (const index of Year.queries.keys()) part.run("transfers", index + 1, from, to, to + Year.DAY / 8)
  }
}

const fill = (db: DatabaseSync): void => {
  const deposits = Rows.inserting(db, "deposits", Rows.pushDeposit)
  const transfers = Rows.inserting(db, "transfers", Rows.pushTransfer)
  const numbers = new Map(Year.queries.map(({ fromAccount }, index) => [fromAccount, index + 1]))
  for (let first = 0; first < DAYS; first += TOGETHER) {
    db.exec("BEGIN")
    for (let index = first; index < first + TOGETHER; index++) {
      const day = Year.day(index)
      const seenAt = Year.START + (index + 1) * Year.DAY
      deposits(day.deposits, () => 0, seenAt)
      transfers(day.transfers, ({ fromAccount }) => numbers.get(fromAccount) ?? 0, seenAt)
    }
    db.exec("COMMIT")
  }
}

/** Made when it is first needed: about 5 GB. */
export const make = async (): Promise<string> => {
  const directory = join(Scratch.root, `archive-${version}`)
  const file = join(directory, "year.db")
  if (existsSync(join(directory, "ready"))) return file
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  await create(file)
  const db = new DatabaseSync(file)
  db.exec(
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -200000"
  )
  cover(db)
  fill(db)
  db.exec("PRAGMA journal_mode = WAL")
  db.close()
  writeFileSync(join(directory, "ready"), "")
  return file
}
