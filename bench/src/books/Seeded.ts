/**
 * An archive whose books are full: entries that wait, outcomes that were settled, decisions and closes. It is written past the archive,
 * by SQL, each row as the archive would have written it, but for the packs: see `settle`.
 */
import { Archive } from "@tallystick/archive/Archive"
import type * as Closing from "@tallystick/archive/Closing"
import type * as OpenItem from "@tallystick/archive/OpenItem"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { existsSync, rmSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { deflateRawSync } from "node:zlib"
import * as EntryStates from "../../../packages/archive/src/internal/books/EntryStates.ts"
import * as StateDigest from "../../../packages/archive/src/internal/books/StateDigest.ts"
import * as Chain from "../../../packages/archive/src/internal/ledger/Chain.ts"
import * as Checksum from "../../../packages/archive/src/internal/sql/Checksum.ts"
import * as Rows from "../archive/Rows.ts"

export interface Asked {
  /** So many entries wait. */
  readonly open: number
  /** So many outcomes are settled; they stand in the packs of runs, a run a day. */
  readonly settled: number
  /** So many decisions, all of them notes, stand in the ledger behind the executions. */
  readonly decisions: number
  /** So many days were reconciled and closed one by one. */
  readonly closes: number
}

const DAY = 86_400_000

const START = Date.UTC(2026, 0, 1)

/** Outcomes of a pack; the archive's own hold as many on average. */
const PACK = 256

/** Days of the runs in which settled outcomes stand. */
const RUNS = 365

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

export const idOf = (index: number): string => String(10_000_000 + index)

const insert = (table: string, columns: ReadonlyArray<string>): string =>
  `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`

const author = { by: "clerk", identity: "claimed" } as const

const daysOf = ({ closes }: Asked): number => Math.max(closes, 1)

const entry = (asked: Asked, index: number): OpenItem.EntryState => {
  const day = Math.floor(index * daysOf(asked) / asked.open)
  const id = idOf(index)
  return {
    side: "transfer",
    id,
    item: EntryStates.itemOf({ side: "transfer", id }),
    asset: `A${index % 50}`,
    amount: `${index % 977}.${String(index % 100_000_000).padStart(8, "0")}`,
    at: START + Math.floor(index * daysOf(asked) * DAY / asked.open),
    account: `sub-${String(index % 100).padStart(3, "0")}`,
    state: index % 20 === 0 ? "pending" : "open",
    code: index % 20 === 0 ? "in-flight" : "missing-deposit",
    outcome: sha256(id).slice(0, 16),
    since: numberOf(day),
    execution: numberOf(day)
  }
}

/** The number of a day's execution in the ledger; its close follows it. */
const numberOf = (day: number): number => 2 * day + 1

const transfer = ({ account, amount, asset, at, id }: OpenItem.EntryState): UniversalTransfer.UniversalTransfer => ({
  tranId: id,
  fromAccount: account ?? "",
  toAccount: "master",
  clientTranId: "",
  asset,
  amount,
  fromAccountType: "SPOT",
  toAccountType: "SPOT",
  fromSymbol: "",
  toSymbol: "",
  status: "SUCCESS",
  timestamp: at
})

/** The executions, their closes, and the decisions. */
const write = (db: DatabaseSync, asked: Asked, entries: ReadonlyArray<OpenItem.EntryState>): void => {
  const ledger = db.prepare(insert("ledger", ["number", "id", "previous", "body"]))
  let head = Chain.GENESIS
  const append = (content: object): void => {
    const row = Chain.next(head, content)
    ledger.run(row.number, row.id, row.previous, row.body)
    head = { number: row.number, id: row.id }
  }
  const byDay = Map.groupBy(entries, ({ at }) => Math.floor((at - START) / DAY))
  const waiting: Array<OpenItem.EntryState> = []
  for (let day = 0; day < daysOf(asked); day++) {
    const range = { from: START + day * DAY, to: START + (day + 1) * DAY }
    append({
      ...author,
      kind: "execution",
      at: range.to + DAY,
      run: `r${sha256(String(day)).slice(0, 16)}`,
      range,
      accounts: { master: ["master"], count: 100, complete: true, digest: sha256("accounts").slice(0, 16) },
      badRecords: 0,
      unread: [],
      outcomes: sha256(`outcomes ${day}`),
      asOf: range.to + DAY,
      policy: sha256("policy"),
      lines: sha256("lines"),
      addresses: { count: 0, digest: sha256("addresses").slice(0, 16) }
    })
    if (asked.closes === 0) continue
    const standing = byDay.get(day) ?? []
    waiting.push(...standing)
    append(
      {
        ...author,
        kind: "close",
        at: range.to + DAY + 60_000,
        zone: "UTC",
        through: new Date(range.from).toISOString().slice(0, 10),
        ...range,
        states: StateDigest.of(standing),
        totals: StateDigest.totals(standing),
        carried: StateDigest.of(waiting),
        provisional: 0,
        vouched: []
      } satisfies Omit<Closing.Close, "number" | "previous">
    )
  }
  for (let index = 0; index < asked.decisions; index++) {
    const one = entries[index % entries.length]
    if (one === undefined) break
    const { amount, asset, at, id, side } = one
    const words = `asked the exchange, ticket ${index}`
    append({
      ...author,
      kind: "note",
      at: START + 400 * DAY + index,
      entries: [{ side, id, asset, amount, at }],
      words
    })
  }
}

/**
 * Settled outcomes lie in the packs of their runs. The packs have the size of real ones and ids of their own, and all the same words:
 * whoever opens one finds that its digest is another. What is measured reads none of them.
 */
const settle = (db: DatabaseSync, { settled }: Asked): void => {
  const words = Array.from({ length: PACK }, (_, index) => {
    const side = { asset: `A${index % 50}`, amount: `${index}.5`, at: START + index * 1000, status: "confirmed" }
    const [deposit, move] = [sha256(`deposit ${index}`), idOf(index)]
    return JSON.stringify({
      id: deposit.slice(0, 16),
      outcome: "matched",
      code: "matched",
      final: true,
      residual: "0",
      deposits: [{ ...side, id: `0x${deposit}`, account: "sub-001" }],
      transfers: [{ ...side, id: move, account: "sub-001" }],
      explanation: `deposit 0x${deposit} was swept by transfer ${move}`
    })
  })
  const content = deflateRawSync(words.join("\n"))
  const pack = db.prepare(insert("packs", ["digest", "ids", "content"]))
  const seen = db.prepare(insert("run_packs", ["run", "place", "digest", "outcomes"]))
  const count = Math.ceil(settled / PACK)
  for (let index = 0; index < count; index++) {
    const digest = sha256(`pack ${index}`).slice(0, 32)
    const ids = Array.from({ length: PACK / 4 }, (_, part) => sha256(`${index} ${part}`)).join("")
    pack.run(digest, Buffer.from(ids, "hex"), content)
    seen.run(1 + index % RUNS, index, digest, PACK)
  }
}

const fill = (db: DatabaseSync, asked: Asked): void => {
  const entries = Array.from({ length: asked.open }, (_, index) => entry(asked, index))
  const columns = ["side", "id", "item", "asset", "amount", "at", "account", "state", "code", "outcome", "since"]
    .concat("execution")
  for (const table of ["entry_states", "entry_history"]) {
    const statement = db.prepare(insert(table, columns))
    for (const { account, amount, asset, at, code, execution, id, item, outcome, side, since, state } of entries) {
      const told = [side, id, item, asset, amount, at, account ?? null, state, code, outcome, since, execution]
      statement.run(...told)
    }
  }
  Rows.inserting(db, "transfers", Rows.transfer, Checksum.of)(entries.map(transfer), () => 0, START + 400 * DAY)
  write(db, asked, entries)
  settle(db, asked)
}

/** Writes the archive into a file, which is made anew. */
export const make = async (file: string, asked: Asked): Promise<void> => {
  for (const end of ["", "-wal", "-shm", "-lock"]) if (existsSync(`${file}${end}`)) rmSync(`${file}${end}`)
  await Effect.runPromise(Effect.provide(Effect.asVoid(Archive), Archive.layerSqlite({ file })))
  const db = new DatabaseSync(file)
  db.exec("PRAGMA synchronous = OFF; BEGIN")
  fill(db, asked)
  db.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
  db.close()
}
