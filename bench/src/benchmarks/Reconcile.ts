/** The library and the command from two NDJSON files to an outcome an entry, beside others with the same work. */
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Process from "../Process.ts"
import * as Book from "../reconcile/Book.ts"
import type * as Contender from "../reconcile/contender.ts"
import * as Judge from "../reconcile/Judge.ts"
import * as Report from "../Report.ts"

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const bundle = path("../../../packages/cli/dist/bundle/main.js")
const child = path("../reconcile/contender.ts")

const base = "parse and write"
const command = "tallystick, command"
const names = [base, command, "tallystick, library", "DuckDB", "Polars", "greedy"] as const

const args = (name: (typeof names)[number], book: Book.Book, out: string): ReadonlyArray<string> => {
  if (name !== command) {
    return [child, JSON.stringify({ name, book: { ...book, truth: [] }, out } satisfies Contender.Plan)]
  }
  const at = (file: string): string => join(book.directory, file)
  return [bundle, "reconcile", "--deposits", at("deposits.ndjson"), "--transfers", at("transfers.ndjson")].concat(
    ["--policy", at("policy.json"), "--addresses", at("addresses.json"), "--complete"],
    ["--format", "ndjson", "--out", out]
  )
}

export interface Options {
  readonly book: Book.Name
  readonly size: number
  readonly seeds: ReadonlyArray<number>
  /** Every contender runs once with each seed, and again while there is time, so many times at most. */
  readonly most: number
  readonly minutes: number
}

interface Found extends Process.Metered {
  readonly entries: number
  /** Processor time beside that of the base in the same round. */
  readonly ratio: number
  readonly megabytes: number
}

const medianOf = (found: ReadonlyArray<Found>, of: (one: Found) => number): number => Report.median(found.map(of))

const percent = (share: number): string => `${Report.digits(100 * share, 1)} %`

const quality = (verdicts: ReadonlyArray<Judge.Verdict>): ReadonlyArray<string> => {
  if (verdicts.length === 0) return []
  const sum = (of: (one: Judge.Verdict) => number): number => verdicts.reduce((sum, one) => sum + of(one), 0)
  const stated = sum((one) => one.stated)
  return [
    Report.count(stated / verdicts.length),
    percent(sum((one) => one.right) / stated),
    percent(sum((one) => one.reach) / verdicts.length),
    percent(sum((one) => one.inClasses) / verdicts.length)
  ]
}

const head = ["", "cpu s", "min", "max", "lines/s of cpu", "of parse and write", "wall s", "peak MB", "MB written"]
  .concat("stated", "right", "reach", "in classes")

export interface Result {
  readonly table: string
  /** What of it is said of the command in one sentence. */
  readonly sentence: string
}

export const reconcile = async ({ book: name, minutes, most, seeds, size }: Options): Promise<Result> => {
  const begin = performance.now()
  const scratch = mkdtempSync(join(tmpdir(), "tallystick-bench-books-"))
  const out = join(scratch, "outcomes.ndjson")
  const found = new Map<string, Array<Found>>()
  const verdicts = new Map<string, Array<Judge.Verdict>>()
  try {
    for (let round = 0; round < seeds.length * most; round++) {
      if (round >= seeds.length && performance.now() - begin > minutes * 60_000) break
      const directory = join(scratch, String(round))
      const book = Book.make(name, size, seeds[round % seeds.length] ?? 1, directory)
      let least = Number.NaN
      for (const contender of names) {
        rmSync(out, { force: true })
        const took = Process.metered(args(contender, book, out), contender === command ? { accepted: [0, 1] } : {})
        if (contender === base) least = took.cpuMs
        found.set(contender, [...found.get(contender) ?? [], {
          ...took,
          entries: book.entries,
          ratio: least / took.cpuMs,
          megabytes: statSync(out).size / 1e6
        }])
        if (contender === base || round >= seeds.length) continue
        verdicts.set(contender, [...verdicts.get(contender) ?? [], await Judge.judge(out, book)])
      }
      rmSync(directory, { recursive: true })
    }
  } finally {
    rmSync(scratch, { recursive: true })
  }
  const rows = Array.from(found, ([contender, all]) => {
    const cpus = all.map(({ cpuMs }) => cpuMs / 1000)
    return [
      contender,
      Report.digits(Report.median(cpus), 2),
      Report.digits(Math.min(...cpus), 2),
      Report.digits(Math.max(...cpus), 2),
      Report.count(medianOf(all, ({ cpuMs, entries }) => entries / cpuMs * 1000)),
      Report.digits(medianOf(all, ({ ratio }) => ratio), 3),
      Report.digits(medianOf(all, ({ wallMs }) => wallMs / 1000), 2),
      Report.count(medianOf(all, ({ peak }) => peak)),
      Report.count(medianOf(all, ({ megabytes }) => megabytes)),
      ...quality(verdicts.get(contender) ?? [])
    ]
  })
  const runs = found.get(base)?.length ?? 0
  const entries = Report.count(medianOf(found.get(base) ?? [], ({ entries }) => entries))
  const ours = found.get(command) ?? []
  return {
    table: `${Report.table(head, rows)}\n\n${runs} runs of each, in turns; ${entries} entries`,
    sentence: `The command reads ${entries} entries from two files and writes an outcome for each of them in ` +
      `${Report.digits(medianOf(ours, ({ cpuMs }) => cpuMs / 1000), 1)} s of processor time and ` +
      `${Report.count(medianOf(ours, ({ peak }) => peak))} MB: ` +
      `${
        Report.digits(medianOf(ours, ({ ratio }) => 1 / ratio), 1)
      } times what it takes to parse the same JSON and write it again.`
  }
}
