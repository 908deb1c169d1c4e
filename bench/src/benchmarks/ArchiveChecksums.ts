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
import * as VersionTable from "../../../packages/archive/src/internal/records/VersionTable.ts"
import * as Checksum from "../../../packages/archive/src/internal/sql/Checksum.ts"
import * as Rows from "../archive/Rows.ts"
import * as Year from "../archive/Year.ts"
import * as Report from "../Report.ts"

/** A report of a day reads it, the one before and the one behind, and looks for lost deposits in the week before those. */
const DAYS = 10

const reported = { from: Year.START + 8 * Year.DAY, to: Year.START + 9 * Year.DAY }

/** What a report reads. */
const read = { from: reported.from - Year.DAY, to: reported.to + Year.DAY }

const week = { from: read.from - 7 * Year.DAY, to: read.from }

const PAGE = 500

const MINUTE = 60_000

const RANGE = { from: Year.START, to: Year.START + DAYS * Year.DAY }

const READ_AT = RANGE.to + Year.DAY

const days = Array.from({ length: DAYS }, (_, index) => Year.day(index))

/** Some transfers of the last day come after it. */
const records = {
  deposits: days.flatMap(({ deposits }) => deposits),
  transfers: days.flatMap(({ transfers }) => transfers).filter(({ timestamp }) => timestamp < RANGE.to)
}

/** Every second deposit is seen before it settles. */
const seen = records.deposits.map((deposit, index) => index % 2 === 0 ? deposit : { ...deposit, status: 0 })

const kept = records.deposits.length + records.transfers.length

/** Processor time over all threads, ms. */
const cpu = async (work: () => unknown): Promise<number> => {
  globalThis.gc?.()
  const before = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}

const keep = <Record>(
  history: Archive.History<Record>,
  all: ReadonlyArray<Record>,
  readAt: (last: Record) => number
) =>
  Effect.gen(function*() {
    for (let from = 0; from < all.length; from += PAGE) {
      const page = all.slice(from, from + PAGE)
      const last = page.at(-1)
      if (last !== undefined) yield* history.savePage({ records: page, bad: [], readAt: readAt(last) })
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
  const versions = db.prepare(`SELECT ${VersionTable.COLUMNS.join(", ")} FROM versions`).all()
    .map((row) => Object.assign({}, row))
  db.close()
  return [...rows, ...versions]
}

interface Round {
  readonly keeping: number
  readonly summing: number
  readonly reading: number
  readonly checking: number
  readonly reporting: number
  /** Of the records that the report reads. */
  readonly checkingRead: number
  readonly lookingBack: number
}

const round = async (file: string): Promise<Round> => {
  const runtime = ManagedRuntime.make(Archive.Archive.layerSqlite({ file }))
  const { deposits, transfers } = await runtime.runPromise(Archive.Archive)
  const keeping = await cpu(async () => {
    await runtime.runPromise(keep(deposits, seen, ({ insertTime }) => insertTime + MINUTE))
    await runtime.runPromise(keep(transfers, records.transfers, ({ timestamp }) => timestamp + MINUTE))
  })
  const summed = rowsOf(file)
  const values = summed.map((row) => Object.values(row).slice(0, -1))
  const summing = await cpu(() => {
    for (const row of values) Checksum.of(row)
  })
  await runtime.runPromise(keep(deposits, records.deposits, ({ insertTime }) => insertTime + 30 * MINUTE))
  await runtime.runPromise(vouch(deposits, "deposits", records.deposits))
  await runtime.runPromise(vouch(transfers, "transfers", records.transfers))
  const reading = await cpu(async () => {
    await runtime.runPromise(Stream.runDrain(deposits.slices(RANGE)))
    await runtime.runPromise(Stream.runDrain(transfers.slices(RANGE)))
  })
  const reporting = await cpu(() =>
    runtime.runPromise(ArchiveReconciliation.run({
      range: reported,
      accounts: Year.accounts,
      addresses: Year.addressBook
    }))
  )
  const lookingBack = await cpu(async () => {
    const lost = await runtime.runPromise(Archive.Archive.use(({ settlingUnknown }) => settlingUnknown(week)))
    if (lost.damaged.length > 0) throw new Error("a deposit is lost")
  })
  await runtime.dispose()
  const rows = rowsOf(file)
  if (rows.length !== kept + seen.filter(({ status }) => status === 0).length) {
    throw new Error(`${rows.length} rows of ${kept} records were kept`)
  }
  const isSound = (row: object): boolean => Checksum.holds(row)
  const checking = await cpu(() => {
    if (!rows.every(isSound)) throw new Error("a row is not as it was written")
  })
  const near = rows.filter((row) => "at" in row && Number(row.at) >= read.from && Number(row.at) < read.to)
  const checkingRead = await cpu(() => {
    if (!near.every(isSound)) throw new Error("a row is not as it was written")
  })
  return { keeping, summing, reading, checking, reporting, checkingRead, lookingBack }
}

export const archiveChecksums = async (runs: number): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "tallystick-bench-checksums-"))
  const found: Array<Round> = []
  for (let run = -1; run < runs; run++) {
    const took = await round(join(directory, `${run}.db`))
    if (run >= 0) found.push(took)
  }
  rmSync(directory, { recursive: true, force: true })
  const row = (
    name: string,
    whole: (round: Round) => number,
    part: (round: Round) => number,
    back: (round: Round) => number = () => 0
  ) => {
    const ms = (of: (round: Round) => number): string => Report.digits(Report.median(found.map(of)), 0)
    const share = Report.median(found.map((round) => (part(round) + back(round)) / whole(round)))
    return [name, ms(whole), ms(part), ms(back), `${Report.digits(share * 100, 1)} %`]
  }
  console.log(`${Report.count(kept)} records of ${DAYS} days; every second deposit was seen before it settled`)
  console.log(Report.table(["cpu ms", "whole", "checksums", "week before", "share"], [
    row("keep pages of 500", ({ keeping }) => keeping, ({ summing }) => summing),
    row("read slices", ({ reading }) => reading, ({ checking }) => checking),
    row(
      "report of a day",
      ({ reporting }) => reporting,
      ({ checkingRead }) => checkingRead,
      ({ lookingBack }) => lookingBack
    )
  ]))
}
