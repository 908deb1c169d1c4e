/** How long the engine keeps other work of its process waiting, and when a timeout of one second ends it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Process from "../Process.ts"
import * as Book from "../reconcile/Book.ts"
import type * as Child from "../reconcile/steps.ts"
import * as Report from "../Report.ts"

const child = fileURLToPath(new URL("../reconcile/steps.ts", import.meta.url))

const books = ["plain", "exchange", "crowded", "groups"] as const

export const steps = async (size: number): Promise<string> => {
  const scratch = mkdtempSync(join(tmpdir(), "tallystick-bench-steps-"))
  const rows: Array<ReadonlyArray<string>> = []
  for (const name of books) {
    const { directory, entries } = Book.make(name, size, 1, join(scratch, name))
    for (const form of ["events", "reconcile"] as const) {
      const { text } = await Process.run(process.execPath, [child, directory, form])
      const { max, p99, timeout, whole }: Child.Took = JSON.parse(text)
      rows.push([
        `${name}, ${form}`,
        Report.count(entries),
        Report.digits(p99, 1),
        Report.digits(max, 1),
        Report.count(whole),
        Report.count(timeout)
      ])
    }
  }
  rmSync(scratch, { recursive: true })
  const head = ["", "entries", "step at p99, ms", "longest step, ms", "whole run, ms", "ended by a timeout of 1 s, ms"]
  return Report.table(head, rows)
}
