/** `pnpm bench [name…]`: all benchmarks, or those that are named. */
import { archiveChecksums } from "./benchmarks/ArchiveChecksums.ts"
import { archiveInsert } from "./benchmarks/ArchiveInsert.ts"
import { archiveDay, archiveYear } from "./benchmarks/ArchiveSpan.ts"
import { cold } from "./benchmarks/Cold.ts"
import { command } from "./benchmarks/Command.ts"
import { match } from "./benchmarks/Match.ts"
import { outside } from "./benchmarks/Outside.ts"
import { paging } from "./benchmarks/Paging.ts"
import { simple } from "./benchmarks/Simple.ts"
import { start } from "./benchmarks/Start.ts"
import * as All from "./contenders/All.ts"
import * as Report from "./Report.ts"

interface Benchmark {
  readonly title: string
  readonly run: () => Promise<void> | void
}

const benchmarks: Readonly<Record<string, Benchmark>> = {
  match: {
    title: "Match 100,000 + 100,000 entries, 50 assets, 3 days",
    run: () => match({ size: 100_000, days: 3 })
  },
  dense: {
    title: "Match 100,000 + 100,000 entries, 50 assets, 2.4 hours",
    run: () => match({ size: 100_000, days: 0.1 })
  },
  cold: { title: "Match 100,000 + 100,000 entries, a whole process", run: cold },
  command: {
    title: "The command, from lines to outcomes",
    run: () => command([{ size: 100_000, days: 3, runs: 3 }])
  },
  flat: {
    title: "The command's memory over a longer run",
    run: () => command([{ size: 1_000_000, days: 30, runs: 1 }, { size: 5_000_000, days: 150, runs: 1 }])
  },
  decode: {
    title: "Decode a page of 500 deposits, 200 times",
    run: () => simple({ contenders: All.decoding, base: "JSON.parse", units: 100_000, unit: "records", runs: 15 })
  },
  paging: {
    title: "1,000 pages of 500 records from a local server",
    run: async () => {
      await paging({ kind: "deposits", warmUp: 1, runs: 7 })
      await paging({ kind: "transfers", warmUp: 1, runs: 5 })
    }
  },
  "archive-insert": {
    title: "Pages of 500 records into an archive's file, a transaction a page",
    run: () => archiveInsert({ pages: 40, records: 500, warmUp: 4, runs: 11 })
  },
  "archive-checksums": {
    title: "What checksums add to keeping 274,000 + 274,000 records, and to reading them",
    run: () => archiveChecksums(5)
  },
  "archive-day": {
    title: "A day out of an archive of 10M + 10M records",
    run: () => archiveDay(3)
  },
  "archive-year": {
    title: "Longer and longer parts of an archive of 10M + 10M records, an outcome a line",
    run: () => archiveYear([30, 91, 363])
  },
  outside: {
    title: "11,410 deposits and 11,417 credits of a bridge, whose truth is known",
    run: () => outside({ warmUp: 2, runs: 5 })
  },
  start: {
    title: "The published command, from nothing to its help",
    run: () => start({ rounds: 41 })
  },
  kernel: {
    title: "The two solvers",
    run: () => simple({ contenders: All.kernel, units: 1, unit: "runs", runs: 5 })
  }
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => benchmarks[name] === undefined)
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(", ")}; there are: ${Object.keys(benchmarks).join(", ")}`)
  process.exit(2)
}
console.log(Report.machine())
for (const [name, { run, title }] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`\n${name}: ${title}`)
  await run()
}
