/** Pages of 500 records into an archive's file, each in a transaction: through the archive, and by hand beside it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as YearFile from "../archive/YearFile.ts"
import type * as Child from "../inserting/child.ts"
import * as Inserter from "../inserting/Inserter.ts"
import * as Report from "../Report.ts"
import * as Turns from "../Turns.ts"

const sides = ["transfers", "deposits"] as const

/** The same pages twice: nothing of the first is known, all of the second. */
const times = ["new", "known"] as const

const head = ["", "µs", "min", "max", "cpu µs", "of node:sqlite", "of its cpu"]

type Took = Child.Took

interface Options {
  readonly pages: number
  /** Records of a page. */
  readonly records: number
  readonly warmUp: number
  readonly runs: number
}

/** The median over the rounds of how much faster one was than another in the same round. */
const speed = (base: ReadonlyArray<Took>, runs: ReadonlyArray<Took>, of: (took: Took) => number): string => {
  const ratios = runs.flatMap((took, round) => {
    const other = base[round]
    return other === undefined ? [] : [of(other) / of(took)]
  })
  return `${Report.digits(Report.median(ratios), 2)} ×`
}

export const archiveInsert = async ({ pages, records, runs, warmUp }: Options): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "tallystick-bench-insert-"))
  const children = await Promise.all(Inserter.names.map(async (name, index) => {
    const file = join(directory, `${index}.db`)
    await YearFile.create(file)
    const plan: Child.Plan = { name, file, pages, records, days: warmUp + runs }
    const child = Turns.start(new URL("../inserting/child.ts", import.meta.url), JSON.stringify(plan))
    await Turns.answer(child)
    return [name, child] as const
  }))
  const wanted = pages * records
  for (const side of sides) {
    const found = new Map<string, Array<Took>>()
    for (let round = -warmUp; round < runs; round++) {
      for (const time of times) {
        for (const [name, child] of round % 2 === 0 ? children : children.toReversed()) {
          child.send({ side, day: warmUp + round } satisfies Child.Turn)
          const took = await Turns.answer<Took>(child)
          const expected = time === "new" ? wanted : 0
          if (took.added !== expected) throw new Error(`${name} added ${took.added} records instead of ${expected}`)
          const row = `${name}, ${time}`
          if (round >= 0) found.set(row, [...found.get(row) ?? [], took])
        }
      }
    }
    console.log(`\n${side}, ${Report.count(pages)} pages of ${records} a round`)
    const micros = (ms: number): number => ms * 1000 / wanted
    const rows = Array.from(found, ([name, runs]) => {
      const base = found.get(name.replace(/^.*, /, "node:sqlite, ")) ?? []
      const walls = runs.map(({ wallMs }) => micros(wallMs))
      return [
        name,
        Report.digits(Report.median(walls), 2),
        Report.digits(Math.min(...walls), 2),
        Report.digits(Math.max(...walls), 2),
        Report.digits(Report.median(runs.map(({ cpuMs }) => micros(cpuMs))), 2),
        speed(base, runs, ({ wallMs }) => wallMs),
        speed(base, runs, ({ cpuMs }) => cpuMs)
      ]
    })
    console.log(Report.table(head, rows))
  }
  for (const [, child] of children) child.disconnect()
  rmSync(directory, { recursive: true, force: true })
}
