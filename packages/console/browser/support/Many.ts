/** More items than a desk ever has, written past the archive: each like one that the books made. */
import * as Effect from "effect/Effect"
import { DatabaseSync } from "node:sqlite"
import * as Rank from "../../../archive/src/internal/items/Rank.ts"

/** The id of the entry of an item, from 1 on. Its amount is its number and a half. */
export const entryOf = (index: number): string => `many${String(index).padStart(6, "0")}`

/** What of a copy differs from the item or entry that is copied; `n.i` is its number. */
const differing: Readonly<Record<string, string>> = {
  number: "1000 + n.i",
  key: "key || '-' || n.i",
  item: "printf('i%016x', n.i)",
  id: "printf('i%016x', n.i)",
  entry: "printf('many%06d', n.i)",
  amount: "n.i || '.5'",
  missing: "n.i || '.5'",
  size_rank: "ranked(n.i || '.5')"
}

/** Copies an item and its entry so many times. The archive is open elsewhere, which sees them at once. */
export const copied = (file: string, entry: string, count: number): Effect.Effect<void> =>
  Effect.sync(() => {
    const db = new DatabaseSync(file)
    db.function("ranked", { deterministic: true }, (amount) => Rank.of(String(amount)))
    const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
    const copy = (table: string, where: string, own: Readonly<Record<string, string>> = {}): void => {
      const columns = db.prepare(`SELECT name FROM pragma_table_info('${table}')`).all().map(({ name }) => String(name))
      const values = columns.map((name) => own[name] ?? differing[name] ?? name)
      db.prepare(`INSERT INTO ${table} (${columns.join(", ")}) ${numbers} SELECT ${values.join(", ")} FROM ${table}, n
        WHERE ${where} = ?`).run(entry)
    }
    db.exec("PRAGMA synchronous = OFF; BEGIN")
    copy("items", "entry")
    copy("entry_states", "id", { id: "printf('many%06d', n.i)" })
    db.exec(`INSERT INTO item_terms (item, term) ${numbers}
      SELECT 1000 + n.i, 'm' || n.i || '.5' FROM n UNION ALL SELECT 1000 + n.i, printf('wmany%06d', n.i) FROM n`)
    db.exec("COMMIT")
    db.close()
  })
