/** What rounds of sync cost over thousands of sub-accounts of which a tenth is active, with turns and without. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type * as Child from "../accounts/child.ts"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"

const child = fileURLToPath(new URL("../accounts/child.ts", import.meta.url))

interface Options {
  readonly counts: ReadonlyArray<number>
  /** Rounds after the first one, ten minutes apart. */
  readonly rounds: number
}

export const accounts = async ({ counts, rounds }: Options): Promise<string> => {
  const scratch = mkdtempSync(join(tmpdir(), "tallystick-bench-accounts-"))
  const rows: Array<ReadonlyArray<string>> = []
  for (const count of counts) {
    for (const all of [true, false]) {
      const plan: Child.Plan = { accounts: count, file: join(scratch, `${count}-${all}.db`), rounds, all }
      const { text } = await Process.run(process.execPath, [child, JSON.stringify(plan)])
      const { peak, records, rounds: [first, ...later] }: Child.Took = JSON.parse(text)
      rows.push([
        `${Report.count(count)}, ${all ? "all every round" : "quiet ones in turn"}`,
        Report.count(first?.requests ?? 0),
        Report.count(first?.seconds ?? 0),
        Report.count(Report.median(later.map(({ requests }) => requests))),
        Report.count(Math.max(...later.map(({ requests }) => requests))),
        Report.count(Report.median(later.map(({ seconds }) => seconds))),
        Report.count(Math.max(...later.map(({ seconds }) => seconds))),
        Report.digits(Report.median(later.map(({ cpuMs }) => cpuMs)) / 1000, 2),
        Report.count(records),
        Report.count(peak)
      ])
    }
  }
  rmSync(scratch, { recursive: true })
  const head = [
    "sub-accounts",
    "first: requests",
    "s",
    "round: requests",
    "most",
    "s",
    "most",
    "cpu s",
    "records kept",
    "peak MB"
  ]
  return Report.table(head, rows)
}
