/** What waits, as CSV, by `node:sqlite` alone: the same query, a line a row, and no more. */
import { DatabaseSync } from "node:sqlite"

const db = new DatabaseSync(process.argv[2] ?? "", { readOnly: true })
const statement = db.prepare(
  `SELECT item, state, code, since, side, id, asset, amount, at, account, execution FROM entry_states
    WHERE state IN ('open', 'pending', 'undetermined') ORDER BY at, side, id`
)
statement.setReturnArrays(true)
let text = ""
for (const row of statement.iterate()) {
  text += `${Object.values(row).join(",")}\n`
  if (text.length < 65_536) continue
  process.stdout.write(text)
  text = ""
}
process.stdout.write(text)
db.close()
