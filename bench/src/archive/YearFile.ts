/** An archive that holds the year, covered completely: written past the archive, in big transactions, and kept for reruns. */
import { Archive } from "@tallystick/archive/Archive"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import * as Claims from "../../../packages/archive/src/internal/coverage/Claims.ts"
import * as Queries from "../../../packages/archive/src/internal/coverage/Queries.ts"
import * as Checksum from "../../../packages/archive/src/internal/sql/Checksum.ts"
import * as Scratch from "../Scratch.ts"
import * as Rows from "./Rows.ts"
import * as Year from "./Year.ts"

/** How much an archive holds: days from `Year.START` on, with so many sweeps each. */
export interface Size {
  readonly days: number
  readonly sweeps: number
  /** Nothing of them is left over. */
  readonly isWhole?: boolean
}

const YEAR: Size = { days: 365, sweeps: Year.SWEEPS }

/** Days of one transaction. */
const TOGETHER = 5

/** From the end of a day to its reading, ms. */
const LATER = Year.DAY / 8

/** Of the control totals, ms. */
export const STRETCH = Year.DAY / 4

const internal = "../../../packages/archive/src/internal"

const sources = [
  "Year.ts",
  "Rows.ts",
  "YearFile.ts",
  "../Whole.ts",
  `${internal}/sql/Checksum.ts`,
  `${internal}/coverage/Claims.ts`,
  `${internal}/coverage/Queries.ts`,
  `${internal}/migrations/0007_controls.ts`
]

const version = sources
  .reduce((hash, name) => hash.update(readFileSync(new URL(name, import.meta.url))), createHash("sha256"))
  .digest("hex")
  .slice(0, 12)

/** An empty archive: the archive itself makes the tables. */
export const create = (file: string): Promise<void> =>
  Effect.runPromise(Effect.provide(Effect.asVoid(Archive), Archive.layerSqlite({ file })))

type Sides = Record<"deposits" | "transfers", Array<Claims.Claim>>

const numberOf = ({ fromAccount, fromAccountType, toAccountType }: Coverage.TransferQuery): number =>
  Queries.numberOf({
    from_account: fromAccount ?? null,
    to_account: null,
    from_account_type: fromAccountType,
    to_account_type: toAccountType
  })

/** Returns what is complete. */
const cover = (db: DatabaseSync, { days }: Size): Sides => {
  const claims: Sides = { deposits: [], transfers: [] }
  const query = db.prepare(
    "INSERT INTO queries (id, from_account, to_account, from_account_type, to_account_type) VALUES (?, ?, ?, ?, ?)"
  )
  const part = db.prepare(
    "INSERT INTO coverage (operation, query, from_ms, to_ms, read_at, last_read, state, gap_code, gap_detail, vouched, " +
      "checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
  )
  const write = (statement: StatementSync, values: ReadonlyArray<SQLInputValue>): void => {
    statement.run(...values, Checksum.of(values))
  }
  for (const asked of Year.queries) {
    query.run(numberOf(asked), asked.fromAccount ?? null, null, asked.fromAccountType, asked.toAccountType)
  }
  const complete = (operation: keyof Sides, number: number, from: number): void => {
    const [to, readAt] = [from + Year.DAY, from + Year.DAY + LATER]
    write(part, [operation, number, from, to, readAt, readAt, "complete", null, null, 0])
    claims[operation].push({
      query: number,
      from_ms: from,
      to_ms: to,
      read_at: readAt,
      last_read: readAt,
      state: "complete",
      vouched: 0
    })
  }
  for (let day = 0; day <= days; day++) {
    const from = Year.START + day * Year.DAY
    complete("deposits", 0, from)
    for (const asked of Year.queries) complete("transfers", numberOf(asked), from)
  }
  return claims
}

const fill = (db: DatabaseSync, { days, isWhole, sweeps }: Size): void => {
  const deposits = Rows.inserting(db, "deposits", Rows.deposit, Checksum.of)
  const transfers = Rows.inserting(db, "transfers", Rows.transfer, Checksum.of)
  const numbers = new Map(Year.queries.map((asked) => [asked.fromAccount, numberOf(asked)]))
  for (let first = 0; first < days; first += TOGETHER) {
    db.exec("BEGIN")
    for (let index = first; index < Math.min(first + TOGETHER, days); index++) {
      const day = Year.day(index, sweeps, isWhole)
      const seenAt = Year.START + (index + 1) * Year.DAY
      deposits(day.deposits, () => 0, seenAt)
      transfers(day.transfers, ({ fromAccount }) => numbers.get(fromAccount) ?? 0, seenAt)
    }
    db.exec("COMMIT")
  }
}

/** Control totals of every six hours; of each hour they would be as true. */
const control = (db: DatabaseSync, { days }: Size, claims: Sides): void => {
  const stretches = Array.from({ length: (days + 1) * Year.DAY / STRETCH }, (_, index) => {
    const from = Year.START + index * STRETCH
    return { from, to: from + STRETCH }
  })
  const write = db.prepare(
    "INSERT INTO controls (operation, from_ms, records, checksums, claims) VALUES (?, ?, 0, 0, ?) " +
      "ON CONFLICT (operation, from_ms) DO UPDATE SET claims = excluded.claims"
  )
  for (const operation of ["deposits", "transfers"] as const) {
    db.exec(`INSERT INTO controls (operation, from_ms, records, checksums, claims)
      SELECT '${operation}', at - at % ${STRETCH}, COUNT(*), SUM(checksum), 0 FROM ${operation} GROUP BY at / ${STRETCH}`)
    const sums = Claims.sums(stretches, claims[operation])
    for (const [index, { from }] of stretches.entries()) write.run(operation, from, sums[index] ?? 0)
  }
}

/** Makes an archive of so many days, past the archive. */
export const write = async (file: string, size: Size): Promise<void> => {
  await create(file)
  const db = new DatabaseSync(file)
  db.exec(
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -200000"
  )
  const claims = cover(db, size)
  fill(db, size)
  control(db, size, claims)
  db.exec("PRAGMA journal_mode = WAL")
  db.close()
}

/** Made when it is first needed: 3.4 GB for 10M + 10M records. */
export const make = async (size: Size = YEAR): Promise<string> => {
  const { days, isWhole = false, sweeps } = size
  const directory = join(Scratch.root, `archive-${version}-${days}-${sweeps}${isWhole ? "-whole" : ""}`)
  const file = join(directory, "year.db")
  if (existsSync(join(directory, "ready"))) return file
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory, { recursive: true })
  await write(file, size)
  writeFileSync(join(directory, "ready"), "")
  return file
}
