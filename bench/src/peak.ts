/** Loaded with `--import` into a process: writes the most memory that it ever held, in MB, to the file of `BENCH_PEAK`. */
import { writeFileSync } from "node:fs"

const file = process.env["BENCH_PEAK"]
if (file !== undefined) {
  process.on("exit", () => writeFileSync(file, String(process.resourceUsage().maxRSS / 1024)))
}
