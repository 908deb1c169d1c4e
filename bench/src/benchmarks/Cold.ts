/** 100,000 + 100,000 entries by a process that starts, reads its input, matches once and ends. */
import * as All from "../contenders/All.ts"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"
import { files, seeds } from "./Match.ts"

export const cold = async (): Promise<void> => {
  const rows: Array<readonly [string, ReadonlyArray<number>, number]> = []
  for (const name of All.matching) {
    const walls: Array<number> = []
    let peak = 0
    for (const seed of seeds) {
      const directory = await files({ size: 100_000, days: 3 }, seed)
      for (let run = 0; run < 5; run++) {
        const sample = await Process.sample({ contender: name, directory, warmUp: 0, runs: 1, isCold: true })
        if (typeof sample === "string") {
          console.log(`${name}: ${sample}`)
          break
        }
        walls.push(sample.wallMs)
        peak = Math.max(peak, sample.peak)
      }
    }
    if (walls.length > 0) rows.push([name, walls, peak])
  }
  const ours = Report.median(rows.find(([name]) => name === "tallystick")?.[1] ?? [])
  console.log(Report.table(
    ["", "ms of a process", "min", "max", "of ours", "peak MB"],
    rows.map(([name, walls, peak]) => [
      name,
      Report.count(Report.median(walls)),
      Report.count(Math.min(...walls)),
      Report.count(Math.max(...walls)),
      `${Report.digits(Report.median(walls) / ours, 2)} ×`,
      Report.count(peak)
    ])
  ))
}
