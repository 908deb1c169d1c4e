/** Answers pages of what waits by `node:http` and `node:sqlite` alone: rows as they are, as JSON. It prints its address. */
import { createServer } from "node:http"
import { DatabaseSync } from "node:sqlite"

const db = new DatabaseSync(process.argv[2] ?? "", { readOnly: true })

const ORDERS: Readonly<Record<string, string>> = { age: "at, key", worth: "worth_rank DESC, key DESC" }

const byTerm = (order: string) =>
  db.prepare(
    `SELECT i.* FROM item_terms t CROSS JOIN items i WHERE t.term >= ? AND t.term < ? AND i.number = t.item ORDER BY ${order} LIMIT 101`
  )

const rowsOf = (query: URLSearchParams): ReadonlyArray<unknown> => {
  const order = ORDERS[query.get("by") ?? "age"] ?? "at, key"
  const [account, asset, code, text] = ["account", "asset", "code", "text"].map((name) => query.get(name))
  if (code !== null && code !== undefined) {
    return db.prepare(`SELECT * FROM items WHERE code = ? ORDER BY ${order} LIMIT 101`).all(code)
  }
  if (account !== null && account !== undefined) return byTerm(order).all(`c${account}`, `c${account}\u0001`)
  if (asset !== null && asset !== undefined) {
    return db.prepare(`SELECT * FROM items WHERE asset = ? ORDER BY ${order} LIMIT 101`).all(asset)
  }
  if (text?.startsWith("sub") === true) return byTerm(order).all(`c${text}`, `c${text}z`)
  if (text !== null && text !== undefined) return byTerm(order).all(`w${text}`, `w${text}z`)
  return db.prepare(`SELECT * FROM items ORDER BY ${order} LIMIT 101`).all()
}

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "/", "http://localhost")
  response.setHeader("content-type", "application/json")
  response.end(JSON.stringify(rowsOf(searchParams)))
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${address === null || typeof address === "string" ? 0 : address.port}/`)
})

process.on("SIGTERM", () => {
  server.closeAllConnections()
  server.close()
  db.close()
})
