/** What the command writes of a report of many outcomes in each format, whole and without its matches: size, time and memory. */
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Process from "../Process.ts"
import * as Book from "../reconcile/Book.ts"
import * as Report from "../Report.ts"

const bundle = fileURLToPath(new URL("../../../packages/cli/dist/bundle/main.js", import.meta.url))

const formats = ["json", "ndjson", "csv", "xlsx", "html"] as const

/** The same two files are read for each; a report that is not clean ends with 1. */
export const reportFiles = (size: number): string => {
  if (!existsSync(bundle)) throw new Error("the command is not bundled: run `npx --yes pnpm@12 build` in the root")
  const scratch = mkdtempSync(join(tmpdir(), "tallystick-report-files-"))
  try {
    const { directory } = Book.make("exchange", size, 1, join(scratch, "book"))
    const rows = formats.flatMap((format) =>
      [[], ["--without-matches"]].map((more) => {
        const out = join(scratch, `report.${format}`)
        const files = [
          "--deposits",
          join(directory, "deposits.ndjson"),
          "--transfers",
          join(directory, "transfers.ndjson"),
          "--addresses",
          join(directory, "addresses.json")
        ]
        const args = [bundle, "reconcile", ...files, "--complete", "--out", out, ...more]
        const { cpuMs, peak } = Process.metered(args, { accepted: [0, 1] })
        return [
          [format, ...more].join(" "),
          Report.digits(statSync(out).size / 1e6, 1),
          Report.digits(cpuMs / 1000, 1),
          Report.count(peak)
        ]
      })
    )
    return Report.table([`${Report.count(size)} deposits`, "MB", "cpu s", "peak MB"], rows)
  } finally {
    rmSync(scratch, { recursive: true })
  }
}
