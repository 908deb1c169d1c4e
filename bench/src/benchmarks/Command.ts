/** `tallystick reconcile` from files of lines to a line an outcome, beside reading the same lines with JSON.parse. */
import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as EntryFiles from "../EntryFiles.ts"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"
import { seeds } from "./Match.ts"

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const cli = path("../../../packages/cli/src/main.ts")
const scratch = mkdtempSync(join(tmpdir(), "tallystick-bench-peak-"))

interface Timed {
  readonly wallMs: number
  readonly peak: number
}

const node = async (args: ReadonlyArray<string>): Promise<Timed> => {
  const peak = join(scratch, "peak")
  const { wallMs } = await Process.run(process.execPath, ["--import", path("../peak.ts"), ...args], {
    accepted: [0, 1],
    isRead: false,
    env: { BENCH_PEAK: peak }
  })
  return { wallMs, peak: Number(readFileSync(peak, "utf8")) }
}

const commands = {
  "JSON.parse": ({ deposits, transfers }: EntryFiles.EntryFiles) => [path("../parseLines.ts"), deposits, transfers],
  tallystick: ({ deposits, policy, transfers }: EntryFiles.EntryFiles) =>
    [cli, "reconcile", "--deposits", deposits, "--transfers", transfers, "--policy", policy]
      .concat("--complete", "--format", "ndjson")
} as const

interface Options {
  readonly size: number
  readonly days: number
  readonly runs: number
}

export const command = async (scales: ReadonlyArray<Options>): Promise<void> => {
  const rows: Array<ReadonlyArray<string>> = []
  for (const [name, args] of Object.entries(commands)) {
    for (const { days, runs, size } of scales) {
      const found: Array<Timed> = []
      for (const seed of runs > 1 ? seeds : seeds.slice(0, 1)) {
        const files = await EntryFiles.make(size, days, seed)
        if (runs > 1) await node(args(files))
        for (let run = 0; run < runs; run++) found.push(await node(args(files)))
      }
      const walls = found.map(({ wallMs }) => wallMs)
      rows.push([
        `${name}, ${Report.count(size)} + ${Report.count(size)}, ${days} days`,
        Report.count(Report.median(walls)),
        Report.count(Math.min(...walls)),
        Report.count(Math.max(...walls)),
        Report.count(2 * size / Report.median(walls) * 1000),
        Report.count(Report.median(found.map(({ peak }) => peak)))
      ])
    }
  }
  console.log(Report.table(["", "ms of a process", "min", "max", "lines/s", "peak MB"], rows))
}
