/** Parts of a year of 10M + 10M records reconciled from one archive, each by a process of its own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import type * as Asked from "../archive/Asked.ts"
import type * as Child from "../archive/child.ts"
import * as Year from "../archive/Year.ts"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

const head = ["", "ms of a process", "min", "max", "cpu ms", "peak MB", "outcomes", "matched"]

/** V8 options of a process: the command's own, and none. */
const frugal = "--heap-growing-percent=50"

const file = async (...size: ReadonlyArray<string>): Promise<string> =>
  (await Process.run(process.execPath, [path("../archive/makeYear.ts"), ...size])).text.trim()

/** What runs left behind, so that each records as much as the first. */
const forget = (file: string): void => {
  const db = new DatabaseSync(file)
  for (const table of ["run_outcomes", "outcomes", "run_packs", "packs", "runs"]) db.exec(`DELETE FROM ${table}`)
  db.close()
}

interface Took extends Child.Took {
  readonly wallMs: number
}

const reconcile = async (flags: ReadonlyArray<string>, asked: Asked.Asked): Promise<Took> => {
  const { text, wallMs } = await Process.run(process.execPath, [
    ...flags,
    path("../archive/child.ts"),
    JSON.stringify(asked)
  ])
  const took: Child.Took = JSON.parse(text)
  return { ...took, wallMs }
}

const row = (name: string, found: ReadonlyArray<Took>): ReadonlyArray<string> => {
  const walls = found.map(({ wallMs }) => wallMs)
  return [
    name,
    Report.count(Report.median(walls)),
    Report.count(Math.min(...walls)),
    Report.count(Math.max(...walls)),
    Report.count(Report.median(found.map(({ cpuMs }) => cpuMs))),
    Report.count(Report.median(found.map(({ peak }) => peak))),
    Report.count(found[0]?.outcomes ?? 0),
    Report.count(found[0]?.matched ?? 0)
  ]
}

/** A day in July. */
const DAY = 200

/** As a report, as a report that is recorded, as lines; and by the command. */
export const archiveDay = async (runs: number): Promise<void> => {
  const archive = await file()
  const forms = ["report", "recorded", "lines"] as const
  const found = new Map<string, Array<Took>>()
  for (let run = -1; run < runs; run++) {
    for (const form of forms) {
      for (const flags of [[], [frugal]]) {
        const took = await reconcile(flags, { file: archive, day: DAY, days: 1, form })
        const name = [form, ...flags].join(", ")
        if (run >= 0) found.set(name, [...found.get(name) ?? [], took])
        if (form === "recorded") forget(archive)
      }
    }
  }
  console.log(Report.table(head, Array.from(found, ([name, took]) => row(name, took))))
  await archiveCommand(archive, runs)
}

const archiveCommand = async (archive: string, runs: number): Promise<void> => {
  const scratch = mkdtempSync(join(tmpdir(), "tallystick-bench-day-"))
  const at = (name: string): string => join(scratch, name)
  writeFileSync(at("accounts.json"), JSON.stringify(Year.accounts))
  writeFileSync(at("addresses.json"), JSON.stringify(Year.addressBook))
  const day = new Date(Year.START + DAY * Year.DAY).toISOString().slice(0, 10)
  const walls: Array<number> = []
  for (let run = -1; run < runs; run++) {
    const { wallMs } = await Process.run(
      process.execPath,
      [path("../../../packages/cli/src/main.ts"), "reconcile", "--archive-file", archive, "--day", day].concat(
        ["--accounts", at("accounts.json"), "--addresses", at("addresses.json"), "--format", "ndjson"]
      ),
      { accepted: [0, 1], isRead: false }
    )
    if (run >= 0) walls.push(wallMs)
    forget(archive)
  }
  rmSync(scratch, { recursive: true, force: true })
  console.log(
    `\ntallystick reconcile --archive --day ${day} --format ndjson, with the run recorded: ` +
      `${Report.count(Report.median(walls))} ms, ${Report.count(Math.min(...walls))} to ${
        Report.count(Math.max(...walls))
      }`
  )
}

/** Longer and longer parts as lines: the memory must not grow with them. */
export const archiveYear = async (spans: ReadonlyArray<number>): Promise<void> => {
  const archive = await file()
  const rows: Array<ReadonlyArray<string>> = []
  for (const days of spans) {
    const took = await reconcile([frugal], { file: archive, day: 1, days, form: "lines" })
    rows.push(row(`${days} days`, [took]))
  }
  console.log(Report.table(head, rows))
}

/** A day of many records that is recorded by one thread and by two, in turns; and where the time of one thread goes. */
export const archiveWorkers = async (sweeps: number, runs: number): Promise<string> => {
  const archive = await file(JSON.stringify({ days: 3, sweeps }))
  const asked = { file: archive, day: 1, days: 1 }
  const counts = [1, 2] as const
  const found = new Map<number, Array<Took>>()
  for (let run = 0; run < runs; run++) {
    for (const workers of counts) {
      const took = await reconcile([frugal], { ...asked, form: "recorded", workers })
      found.set(workers, [...found.get(workers) ?? [], took])
      forget(archive)
    }
  }
  const rows = counts.map((count) => row(count === 1 ? "one thread" : `${count} workers`, found.get(count) ?? []))
  const { text } = await Process.run(process.execPath, [frugal, path("../archive/phases.ts"), JSON.stringify(asked)])
  forget(archive)
  return `${Report.table(head, rows)}\n\n${text.trimEnd()}`
}
