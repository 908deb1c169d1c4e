/** `pnpm bench [--write] [name…]`: the benchmarks that are named, or the short ones; `--write` puts the results into the READMEs. */
import { accounts } from "./benchmarks/Accounts.ts"
import { archiveChecksums } from "./benchmarks/ArchiveChecksums.ts"
import { archiveInsert } from "./benchmarks/ArchiveInsert.ts"
import { archiveDay, archiveWorkers, archiveYear } from "./benchmarks/ArchiveSpan.ts"
import { booksDecide, booksOpen, booksPeriods, booksRecord } from "./benchmarks/Books.ts"
import { booksCarry } from "./benchmarks/BooksCarry.ts"
import { booksItems } from "./benchmarks/BooksItems.ts"
import { cluster, clusterMemory, clusterRunners } from "./benchmarks/Cluster.ts"
import { consoleOf } from "./benchmarks/Console.ts"
import { decode } from "./benchmarks/Decode.ts"
import { paging } from "./benchmarks/Paging.ts"
import { reconcile, type Result } from "./benchmarks/Reconcile.ts"
import { reportFiles } from "./benchmarks/ReportFiles.ts"
import { start } from "./benchmarks/Start.ts"
import { steps } from "./benchmarks/Steps.ts"
import { weight } from "./benchmarks/Weight.ts"
import type * as Book from "./reconcile/Book.ts"
import * as Report from "./Report.ts"
import * as Written from "./Written.ts"

/** Gives its table, or prints it itself. */
type Benchmark = () => Promise<Result | string | void> | string

const size = Number(process.env["BENCH_SIZE"] ?? 100_000)
/** Of the benchmarks of the books alone. */
const settled = Number(process.env["BENCH_SETTLED"] ?? 10_000_000)
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5)
/** So many ask at once in the benchmark of pages. */
const readers = Number(process.env["BENCH_READERS"] ?? 20)
const clustered = { sweeps: size, rounds, jobs: 6, many: 30 }
const book = (name: Book.Name): Benchmark => () =>
  reconcile({ book: name, size, seeds: [1, 2, 3], most: 2, minutes: 1.5 })

/** They are run where none is named. */
const short: Readonly<Record<string, Benchmark>> = {
  plain: book("plain"),
  exchange: book("exchange"),
  crowded: book("crowded"),
  groups: book("groups"),
  outside: () => reconcile({ book: "outside", size, seeds: [1], most: 5, minutes: 1 }),
  steps: () => steps(size),
  start: () => start({ rounds: 21 }),
  weight: () => weight({ rounds: 11 })
}

const long: Readonly<Record<string, Benchmark>> = {
  million: () => reconcile({ book: "plain", size: 1_000_000, seeds: [1], most: 1, minutes: 0 }),
  accounts: () => accounts({ counts: [1000, 5000], rounds: 36 }),
  "books-open": () => booksOpen({ size, settled, rounds }),
  "books-decide": () => booksDecide(rounds),
  "books-periods": () => booksPeriods(rounds),
  "books-record": () => booksRecord({ size, rounds }),
  "books-carry": () => booksCarry({ size, rounds }),
  "books-items": () => booksItems({ open: size, readers, rounds }),
  cluster: () => cluster(clustered),
  "cluster-runners": () => clusterRunners(clustered),
  "cluster-memory": () => clusterMemory(clustered),
  console: () => consoleOf({ open: size, settled, readers, rounds }),
  decode,
  "report-files": () => reportFiles(size),
  paging: async () => {
    await paging({ kind: "deposits", warmUp: 1, runs: 7 })
    await paging({ kind: "transfers", warmUp: 1, runs: 5 })
  },
  "archive-insert": () => archiveInsert({ pages: 40, records: 500, warmUp: 4, runs: 11 }),
  "archive-checksums": () => archiveChecksums(5),
  "archive-day": () => archiveDay(3),
  "archive-workers": () => archiveWorkers(size, rounds),
  "archive-year": () => archiveYear([30, 91, 363])
}

const benchmarks = { ...short, ...long }
const given = process.argv.slice(2)
const isWritten = given.includes("--write")
const named = given.filter((name) => name !== "--write")
const unknown = named.filter((name) => benchmarks[name] === undefined)
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(", ")}; there are: ${Object.keys(benchmarks).join(", ")}`)
  process.exit(2)
}
for (const name of named.length > 0 ? named : Object.keys(short)) {
  const machine = Report.machine()
  const begin = performance.now()
  console.log(`\n${name}, ${machine}`)
  const found = await benchmarks[name]?.()
  const table = typeof found === "object" ? found.table : found
  const took = `${machine}; ${Report.count((performance.now() - begin) / 1000)} s`
  console.log(`${table ?? ""}\n${took}`)
  if (!isWritten || typeof table !== "string") continue
  Written.put(name, `${table}\n\n${took}`)
  if (name === "plain" && typeof found === "object") Written.say("speed", found.sentence)
}
