/** The books of a desk that is years behind: what waits, a decision, a run of the books, and periods that were closed. */
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Year from "../archive/Year.ts"
import * as YearFile from "../archive/YearFile.ts"
import type * as Decide from "../books/decide.ts"
import * as Seeded from "../books/Seeded.ts"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

export const bundle = path("../../../packages/cli/dist/bundle/main.js")

interface Asked {
  /** So many entries wait, and so many outcomes has the day that is recorded. */
  readonly size: number
  /** So many outcomes are settled beside what waits. */
  readonly settled: number
  readonly rounds: number
}

export interface Contender {
  readonly name: string
  readonly args: ReadonlyArray<string>
  /** It gets the archive anew before each run. */
  readonly before?: () => void
  /** It looks at the archive after each run. */
  readonly after?: () => void
}

/** All take turns; what comes before the first round fills the caches and does not count. */
export const turns = (
  contenders: ReadonlyArray<Contender>,
  rounds: number,
  warmUp = 1
): ReadonlyArray<ReadonlyArray<string>> => {
  const found = contenders.map((): Array<Process.Metered> => [])
  for (let round = -warmUp; round < rounds; round++) {
    for (const [index, { after, args, before, name }] of contenders.entries()) {
      before?.()
      const took = Process.metered(args, { accepted: [0, 1] })
      after?.()
      // What is measured takes long, and may be ended before its table is whole.
      console.error(`${name}: ${Report.count(took.cpuMs)} ms of processor time, ${Report.count(took.peak)} MB`)
      if (round >= 0) found[index]?.push(took)
    }
  }
  const medians = found.map((runs) => ({
    wall: Report.median(runs.map(({ wallMs }) => wallMs)),
    cpu: Report.median(runs.map(({ cpuMs }) => cpuMs)),
    peak: Report.median(runs.map(({ peak }) => peak))
  }))
  const [start] = medians
  return medians.map(({ cpu, peak, wall }, index) => [
    contenders[index]?.name ?? "",
    Report.count(wall),
    Report.count(cpu),
    index === 0 ? "" : Report.count(cpu - (start?.cpu ?? Number.NaN)),
    Report.count(peak)
  ])
}

/** Gives the path of a file that is gone with the benchmark. */
export type At = (name: string) => string

const head = ["", "ms of a process", "cpu ms", "without its start", "peak MB"]

const listing = (small: string, large: string, rounds: number): string => {
  const open = (file: string, ...flags: ReadonlyArray<string>) => [bundle, "open", "--archive-file", file, ...flags]
  return Report.table(
    head,
    turns([
      { name: "open, 100 items", args: open(small) },
      { name: "open, table", args: open(large) },
      { name: "open --asset A7", args: open(large, "--asset", "A7") },
      { name: "open --format csv", args: open(large, "--format", "csv") },
      { name: "open --format ndjson", args: open(large, "--format", "ndjson") },
      { name: "node:sqlite, csv", args: [path("../books/bare.ts"), large] }
    ], rounds)
  )
}

const deciding = async (at: At, rounds: number): Promise<string> => {
  const rows: Array<ReadonlyArray<string>> = []
  for (const count of [0, 1000, 20_000]) {
    const [kept, file] = [at(`decisions-${count}.db`), at("decide.db")]
    await Seeded.make(kept, { open: 1000, settled: 0, decisions: count, closes: 0 })
    const renew = (): void => {
      rmSync(`${file}-lock`, { force: true })
      copyFileSync(kept, file)
    }
    renew()
    const { text } = await Process.run(process.execPath, ["--expose-gc", path("../books/decide.ts"), file])
    const took: Decide.Took = JSON.parse(text)
    const args = [bundle, "decide", "note", Seeded.idOf(7), "--words", "asked", "--by", "clerk", "--archive-file", file]
    const [command] = turns([{ name: "", args, before: renew }], rounds)
    rows.push([
      Report.count(count),
      Report.digits(took.first, 1),
      Report.digits(took.further, 1),
      Report.digits(took.cpu, 1),
      ...[took.page, took.search, took.marks].map((ms) => Report.digits(ms, 1)),
      ...[1, 2, 4].map((column) => command?.[column] ?? "")
    ])
  }
  return Report.table(
    [
      "decisions",
      "first, ms",
      "further, ms",
      "cpu ms",
      "a page, ms",
      "search, ms",
      "marks, ms",
      "the command, ms",
      "cpu ms",
      "peak MB"
    ],
    rows
  )
}

const recording = async (at: At, { rounds, size }: Pick<Asked, "rounds" | "size">): Promise<string> => {
  const [kept, file] = [at("day.db"), at("recorded.db")]
  await YearFile.write(kept, { days: 3, sweeps: size })
  writeFileSync(at("accounts.json"), JSON.stringify(Year.accounts))
  writeFileSync(at("addresses.json"), JSON.stringify(Year.addressBook))
  const before = (): void => {
    for (const end of ["", "-wal", "-shm", "-lock"]) rmSync(`${file}${end}`, { force: true })
    copyFileSync(kept, file)
  }
  const day = new Date(Year.START + Year.DAY).toISOString().slice(0, 10)
  const args = [bundle, "reconcile", "--archive", "--archive-file", file, "--day", day, "--out", at("report.ndjson")]
    .concat(["--accounts", at("accounts.json"), "--addresses", at("addresses.json"), "--format", "ndjson"])
  return Report.table(
    ["", "ms of a process", "cpu ms", "more than the first", "peak MB"],
    // The archive has just been copied before each run, so that the caches are full already.
    turns(
      [
        { name: "not recorded", args: [...args, "--no-record"], before },
        { name: "recorded", args, before },
        { name: "recorded, with --book", args: [...args, "--book", "--by", "clerk"], before }
      ],
      rounds,
      0
    )
  )
}

const periods = async (at: At, rounds: number): Promise<string> => {
  const rows: Array<Contender> = []
  for (const closes of [0, 300]) {
    const file = at(`closes-${closes}.db`)
    await Seeded.make(file, { open: 1000, settled: 0, decisions: 0, closes })
    rows.push({ name: `periods, ${closes} closes`, args: [bundle, "periods", "--archive-file", file] })
  }
  return Report.table(head, turns(rows, rounds))
}

export const inScratch = async (work: (at: At) => Promise<string>): Promise<string> => {
  if (!existsSync(bundle)) throw new Error("the command is not bundled: run `npx --yes pnpm@12 build` in the root")
  const scratch = mkdtempSync(join(tmpdir(), "tallystick-bench-books-"))
  try {
    return await work((name) => join(scratch, name))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

export const booksOpen = ({ rounds, settled, size }: Asked): Promise<string> =>
  inScratch(async (at) => {
    await Seeded.make(at("small.db"), { open: 100, settled: 0, decisions: 0, closes: 0 })
    await Seeded.make(at("large.db"), { open: size, settled, decisions: 0, closes: 0 })
    return listing(at("small.db"), at("large.db"), rounds)
  })

export const booksDecide = (rounds: number): Promise<string> => inScratch((at) => deciding(at, rounds))

export const booksPeriods = (rounds: number): Promise<string> => inScratch((at) => periods(at, rounds))

export const booksRecord = (asked: Pick<Asked, "rounds" | "size">): Promise<string> =>
  inScratch((at) => recording(at, asked))
