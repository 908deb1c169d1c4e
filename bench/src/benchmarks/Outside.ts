/** Deposits and credits of a bridge whose truth is known, beside what takes the first that fits. */
import { fileURLToPath } from "node:url"
import type * as Child from "../outside/child.ts"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"

const child = fileURLToPath(new URL("../outside/child.ts", import.meta.url))

const head = [
  "",
  "ms",
  "min",
  "max",
  "cpu ms",
  "pairs",
  "right",
  "precision",
  "reach",
  "classes",
  "closed",
  "their pairs"
]

const share = (part: number, whole: number): string => `${Report.digits(100 * part / whole, 1)} %`

export const outside = async (plan: Omit<Child.Plan, "name">): Promise<void> => {
  const rows: Array<ReadonlyArray<string>> = []
  for (const name of ["tallystick", "greedy", "nested loop"] as const) {
    const { text } = await Process.run(process.execPath, ["--expose-gc", child, JSON.stringify({ name, ...plan })])
    const took: Child.Took = JSON.parse(text)
    rows.push([
      name,
      Report.digits(Report.median(took.times), 1),
      Report.digits(Math.min(...took.times), 1),
      Report.digits(Math.max(...took.times), 1),
      Report.digits(took.cpu, 1),
      Report.count(took.pairs),
      Report.count(took.right),
      share(took.right, took.pairs),
      share(took.right, took.truth),
      Report.count(took.classes),
      Report.count(took.closed),
      Report.count(took.within)
    ])
  }
  console.log(Report.table(head, rows))
}
