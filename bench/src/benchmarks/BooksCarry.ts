/** What an execution of the last day takes in books of many days, with what waits and what changed. */
import { copyFileSync, rmSync, writeFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import * as Year from "../archive/Year.ts"
import * as Carried from "../books/Carried.ts"
import * as Kept from "../books/Kept.ts"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"
import * as Books from "./Books.ts"

interface Asked {
  /** So many deposits and as many transfers are in the archive of 90 days. */
  readonly size: number
  readonly rounds: number
}

const DAYS = 90

/** A third of the days, with as many records each. */
const FEW = 30

interface Case extends Carried.Asked {
  readonly title: string
  /** The deposits of so many of what waits come before the last day is executed. */
  readonly healed: ReadonlyArray<number>
}

/** Beside more records than these only one is measured that heals: each makes five days anew. */
const FEW_RECORDS = 100_000

type Interval = Record<"from" | "to", number>

/** Twice what the default policy looks at behind an entry is read around each range, ms. */
const REACH = 2 * 25 * 3_600_000

const makeYear = fileURLToPath(new URL("../archive/makeYear.ts", import.meta.url))

const opened = <A>(file: string, work: (db: DatabaseSync) => A): A => {
  const db = new DatabaseSync(file)
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** How many runs the last execution has, and how many records lie in what these read. */
const read = (file: string): { readonly runs: number; readonly records: number } =>
  opened(file, (db) => {
    const last = db.prepare("SELECT body FROM ledger ORDER BY number DESC LIMIT 1").get()
    const { carried = [], range } = JSON.parse(String(last?.["body"]))
    const ranges: ReadonlyArray<Interval> = [range, ...carried.map((one: { readonly range: Interval }) => one.range)]
    const counts = ranges.flatMap(({ from, to }) =>
      ["deposits", "transfers"].map((side) =>
        Number(
          db.prepare(`SELECT COUNT(*) AS count FROM ${side} WHERE at >= ? AND at < ?`).get(from - REACH, to + REACH)
            ?.["count"]
        )
      )
    )
    return { runs: ranges.length, records: counts.reduce((sum, count) => sum + count, 0) }
  })

const measured = async (
  at: Books.At,
  { rounds, size }: Asked,
  books: Case
): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const { days, healed, title } = books
  const [file, kept] = [at("books.db"), at("kept.db")]
  const forget = (): void => {
    for (const name of [file, kept]) {
      for (const end of ["", "-wal", "-shm", "-lock"]) rmSync(`${name}${end}`, { force: true })
    }
  }
  const asked = JSON.stringify(Carried.records(days, size * days / DAYS))
  const { text } = await Process.run(process.execPath, [makeYear, asked])
  forget()
  copyFileSync(text.trim(), file)
  opened(file, (db) => Carried.lack(db, books))
  const executing = (day: number): ReadonlyArray<string> => {
    const named = new Date(Year.START + day * Year.DAY).toISOString().slice(0, 10)
    return [Books.bundle, "reconcile", "--archive", "--book", "--archive-file", file, "--day", named, "--by", "clerk"]
      .concat(["--accounts", at("accounts.json"), "--addresses", at("addresses.json")])
      .concat(["--format", "ndjson", "--out", at("report.ndjson")])
  }
  await Process.run(process.execPath, executing(days - 2), { accepted: [0, 1], isRead: false })
  opened(file, (db) => Carried.book(db, books))
  Kept.keep(file, kept)
  const found = new Map<string, ReturnType<typeof read>>()
  const contender = (what: string, count: number, ...flags: ReadonlyArray<string>): Books.Contender => ({
    name: `${title}${what}`,
    args: [...executing(days - 1), ...flags],
    before: () => {
      Kept.restore(file, kept)
      opened(file, (db) => Carried.heal(db, books, count))
    },
    after: () => found.set(what, read(file))
  })
  const whats = ["; --no-carry", "", ...healed.map((count) => `; ${count} healed`)]
  const rows = Books.turns(
    [
      contender("; --no-carry", 0, "--no-carry"),
      contender("", 0),
      ...healed.map((count) => contender(`; ${count} healed`, count))
    ],
    rounds,
    0
  )
  forget()
  return rows.map((row, index) => {
    const { records = Number.NaN, runs = Number.NaN } = found.get(whats[index] ?? "") ?? {}
    return row.concat(Report.count(runs), Report.count(records))
  })
}

export const booksCarry = (asked: Asked): Promise<string> =>
  Books.inScratch(async (at) => {
    writeFileSync(at("accounts.json"), JSON.stringify(Year.accounts))
    writeFileSync(at("addresses.json"), JSON.stringify(Year.addressBook))
    const rows: Array<ReadonlyArray<string>> = []
    const healed = asked.size > FEW_RECORDS ? [1] : [1, 10]
    for (
      const books of [
        { title: "90 days, 200 open", days: DAYS, open: 200, waited: 0, healed },
        { title: "30 days, 200 open", days: FEW, open: 200, waited: 0, healed },
        { title: "90 days, 0 open", days: DAYS, open: 0, waited: 0, healed: [] },
        { title: "90 days, 50 open", days: DAYS, open: 50, waited: 0, healed: [] },
        { title: "90 days, 200 open, 100,000 waited", days: DAYS, open: 200, waited: 100_000, healed: [] }
      ]
    ) {
      rows.push(...await measured(at, asked, books))
    }
    return Report.table(
      ["", "ms of a process", "cpu ms", "more than the first", "peak MB", "runs", "records read"],
      rows
    )
  })
