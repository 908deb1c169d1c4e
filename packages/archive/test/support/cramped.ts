/** Run as a process whose files may not grow for long: commits to an archive, moves its log as far as there is room, and is killed. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { writeSync } from "node:fs"
import * as Drivers from "../../src/internal/Drivers.ts"
import { Database } from "../../src/internal/sql/Database.ts"

// Refused, as by a full disk, rather than killed by the first write beyond.
process.on("SIGXFSZ", () => undefined)

const file = process.argv[2] ?? ""

await Effect.gen(function*() {
  const { sql } = Context.get(yield* Layer.build(Drivers.layerSqlite({ file })), Database)
  yield* sql`PRAGMA wal_autocheckpoint = 1`
  const commit = (n: number) =>
    sql.withTransaction(sql`INSERT INTO stamps ${sql.insert({ base_url: `${n}`.repeat(4000), fingerprint: "late" })}`)
  yield* Effect.forEach(Array.from({ length: 10 }, (_, n) => n + 1), commit)
  const [row] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM stamps WHERE fingerprint = 'late'`
  yield* Effect.sync(() => {
    writeSync(1, `${row?.n}\n`)
    process.kill(process.pid, "SIGKILL")
  })
}).pipe(Effect.scoped, Effect.runPromise)
