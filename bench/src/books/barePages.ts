/** Pages of what waits by `node:sqlite` alone, one question after another; prints the processor time of an answer to each, ms. */
import { DatabaseSync } from "node:sqlite"

const db = new DatabaseSync(process.argv[2] ?? "", { readOnly: true })

const ROUNDS = 100

const WAITING = "state IN ('open', 'pending', 'undetermined')"

const questions: Readonly<Record<string, readonly [sql: string, ...params: ReadonlyArray<string>]>> = {
  "the oldest": ["SELECT * FROM items ORDER BY at, key LIMIT 101"],
  "most worth": ["SELECT * FROM items ORDER BY worth_rank DESC, key DESC LIMIT 101"],
  "one account (1 %), by worth": [
    `SELECT i.* FROM item_terms t CROSS JOIN items i WHERE t.term = ? AND i.number = t.item
      ORDER BY worth_rank DESC, key DESC LIMIT 101`,
    "csub-007"
  ],
  "a whole id": [
    "SELECT i.* FROM item_terms t CROSS JOIN items i WHERE t.term >= ? AND t.term < ? AND i.number = t.item LIMIT 101",
    "w10000007",
    "w10000008"
  ],
  "the oldest, without the table": [`SELECT * FROM entry_states WHERE ${WAITING} ORDER BY at, side, id LIMIT 101`],
  "the greatest amount, without the table": [
    `SELECT * FROM entry_states WHERE ${WAITING} ORDER BY CAST(amount AS REAL) DESC LIMIT 101`
  ]
}

const took = Object.entries(questions).map(([name, [sql, ...params]]) => {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  const before = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) statement.all(...params)
  const { system, user } = process.cpuUsage(before)
  return [name, (system + user) / 1000 / ROUNDS] as const
})
db.close()
console.log(JSON.stringify(took))
