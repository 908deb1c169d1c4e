/** What checksums add to keeping records and to reading them: the same rows through the archive, and through the checksum alone. */
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Checksum from "../../../packages/archive/src/internal/Checksum.ts"
import * as Rows from "../archive/Rows.ts"
import * as Year from "../archive/Year.ts"
import * as Report from "../Report.ts"

/** A report of the one in the middle reads them all. */
const DAYS = 3

const PAGE = 500

const RANGE = { from: Year.START, to: Year.START + DAYS * Year.DAY }

const READ_AT = RANGE.to + Year.DAY

const days = Array.from({ length: DAYS }, (_, index) => Year.day(index))

/** Some transfers of the last day come after it. */
const records = {
  deposits: days.flatMap(({ deposits }) => deposits),
  transfers: days.flatMap(({ transfers }) => transfers).filter(({ timestamp }) => timestamp < RANGE.to)
}

const kept = records.deposits.length + records.transfers.length

/** Processor time over all threads, ms. */
const cpu = async (work: () => unknown): Promise<number> => {
  globalThis.gc?.()
  const before = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}

const keep = <Record>(history: Archive.History<Record>, all: ReadonlyArray<Record>) =>
  Effect.gen(function*() {
    for (let from = 0; from < all.length; from += PAGE) {
      yield* history.savePage({ records: all.slice(from, from + PAGE), bad: [], readAt: READ_AT })
    }
  })

const vouch = <Record>(
  history: Archive.History<Record>,
  operation: "deposits" | "transfers",
  all: ReadonlyArray<Record>
) =>
  history.saveSlice({
    ...RANGE,
    records: all,
    bad: [],
    coverage: [{ operation, ...RANGE, readAt: READ_AT, state: "complete" }]
  })

/** Rows as the archive reads them, the checksum last. */
const rowsOf = (file: string): ReadonlyArray<object> => {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = (["deposits", "transfers"] as const).flatMap((side) => {
    const statement = db.prepare(`SELECT ${Rows.columns[side].join(", ")} FROM ${side}`)
    return statement.all().map((row) => Object.assign({}, row))
  })
  db.close()
  return rows
}

interface Round {
  readonly keeping: number
  readonly summing: number
  readonly reading: number
  readonly reporting: number
  readonly checking: number
}

const round = async (file: string): Promise<Round> => {
  const runtime = ManagedRuntime.make(Archive.Archive.layerSqlite({ file }))
  const { deposits, transfers } = await runtime.runPromise(Archive.Archive)
  const keeping = await cpu(async () => {
    await runtime.runPromise(keep(deposits, records.deposits))
    await runtime.runPromise(keep(transfers, records.transfers))
  })
  await runtime.runPromise(vouch(deposits, "deposits", records.deposits))
  await runtime.runPromise(vouch(transfers, "transfers", records.transfers))
  const reading = await cpu(async () => {
    await runtime.runPromise(Stream.runDrain(deposits.slices(RANGE)))
    await runtime.runPromise(Stream.runDrain(transfers.slices(RANGE)))
  })
  const reporting = await cpu(() =>
    runtime.runPromise(ArchiveReconciliation.run({
      range: { from: Year.START + Year.DAY, to: Year.START + 2 * Year.DAY },
      accounts: Year.accounts,
      addresses: Year.addressBook
    }))
  )
  await runtime.dispose()
  const rows = rowsOf(file)
  const values = rows.map((row) => Object.values(row).slice(0, -1))
  if (rows.length !== kept) throw new Error(`${rows.length} rows of ${kept} were kept`)
  const summing = await cpu(() => {
    for (const row of values) Checksum.of(row)
  })
  const checking = await cpu(() => {
    if (!rows.every((row) => Checksum.holds(row))) throw new Error("a row is not as it was written")
  })
  return { keeping, summing, reading, reporting, checking }
}

export const archiveChecksums = async (runs: number): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "tallystick-bench-checksums-"))
  const found: Array<Round> = []
  for (let run = -1; run < runs; run++) {
    const took = await round(join(directory, `${run}.db`))
    if (run >= 0) found.push(took)
  }
  rmSync(directory, { recursive: true, force: true })
  const row = (name: string, whole: (round: Round) => number, part: (round: Round) => number) => {
    const micros = (of: (round: Round) => number): string =>
      Report.digits(Report.median(found.map(of)) * 1000 / kept, 2)
    const share = Report.median(found.map((round) => part(round) / whole(round)))
    return [name, micros(whole), micros(part), `${Report.digits(share * 100, 1)} %`]
  }
  console.log(`${Report.count(kept)} rows; a report of a day reads all of them`)
  console.log(Report.table(["cpu µs a row", "whole", "checksums", "share"], [
    row("keep pages of 500", ({ keeping }) => keeping, ({ summing }) => summing),
    row("read slices", ({ reading }) => reading, ({ checking }) => checking),
    row("report of a day", ({ reporting }) => reporting, ({ checking }) => checking)
  ]))
}
