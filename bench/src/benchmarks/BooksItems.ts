/** Pages of what waits, asked for by many readers of one program at once. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type * as Pages from "../books/pages.ts"
import type * as Priced from "../books/priced.ts"
import * as Seeded from "../books/Seeded.ts"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"

type Asked = Omit<Pages.Asked, "file">

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** The value below which so many of a hundred lie. */
const percentile = (values: ReadonlyArray<number>, hundredths: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * hundredths / 100) - 1] ?? Number.NaN

const program = async (file: string, argument: string): Promise<string> =>
  (await Process.run(process.execPath, [path(file), argument])).text

export const booksItems = async (asked: Asked): Promise<string> => {
  const scratch = mkdtempSync(join(tmpdir(), "tallystick-bench-items-"))
  try {
    const file = join(scratch, "items.db")
    await Seeded.make(file, { open: asked.open, settled: 0, decisions: 0, closes: 0 })
    const { filled }: Priced.Took = JSON.parse(await program("../books/priced.ts", file))
    const bare: ReadonlyArray<readonly [string, number]> = JSON.parse(await program("../books/barePages.ts", file))
    const took: Pages.Took = JSON.parse(await program("../books/pages.ts", JSON.stringify({ ...asked, file })))
    const peers = new Map(bare)
    const ours = took.answers.map(({ cpu, name, took }) => {
      const peer = peers.get(name)
      peers.delete(name)
      return [
        name,
        Report.digits(cpu, 2),
        peer === undefined ? "" : Report.digits(peer, 2),
        Report.digits(percentile(took, 50), 1),
        Report.digits(percentile(took, 95), 1)
      ]
    })
    const others = Array.from(peers, ([name, cpu]) => [name, "", Report.digits(cpu, 2)])
    const table = Report.table(
      [`${Report.count(asked.open)} items, ${asked.readers} readers`, "cpu ms", "node:sqlite", "median ms", "p95 ms"],
      [...ours, ...others]
    )
    const memory = [took.loaded, took.pages, took.peak].map(Report.count).join(", ")
    const told = `the list written: ${
      Report.count(filled)
    } ms of processor time; peak MB when loaded, with pages, with a summary: ${memory}`
    return `${table}\n\n${told}`
  } finally {
    rmSync(scratch, { recursive: true })
  }
}
