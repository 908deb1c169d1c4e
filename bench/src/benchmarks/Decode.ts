/** A page of 500 deposits from text to records, beside others that read it. */
import { fileURLToPath } from "node:url"
import type * as Decoding from "../contenders/Decoding.ts"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"

const child = fileURLToPath(new URL("../contenders/Decoding.ts", import.meta.url))

/** The first is the one that the others are measured against. */
const names: ReadonlyArray<Decoding.Name> = [
  "JSON.parse",
  "tallystick, JIT on",
  "tallystick, JIT on, exact amounts",
  "zod 4"
]

export const decode = async (): Promise<string> => {
  const rows: Array<ReadonlyArray<string>> = []
  let base = Number.NaN
  for (const name of names) {
    const { peak, times }: Decoding.Took = JSON.parse((await Process.run(process.execPath, [child, name])).text)
    const median = Report.median(times)
    if (rows.length === 0) base = median
    rows.push([
      name,
      Report.digits(median, 1),
      Report.digits(Math.min(...times), 1),
      Report.digits(Math.max(...times), 1),
      Report.count(100_000 / median * 1000),
      Report.count(peak),
      `${Report.digits(base / median, 2)} ×`
    ])
  }
  return Report.table(["", "ms", "min", "max", "records/s", "peak MB", "speed of JSON.parse"], rows)
}
