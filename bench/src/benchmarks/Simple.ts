/** Contenders that read no files: median, least and most of their runs, and their speed beside that of one of them. */
import type * as All from "../contenders/All.ts"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"

interface Options {
  readonly contenders: ReadonlyArray<All.Name>
  /** The one that the others are measured against. */
  readonly base?: All.Name
  /** What one run does, and of what the rate is. */
  readonly units: number
  readonly unit: string
  readonly runs: number
}

export const simple = async ({ base, contenders, runs, unit, units }: Options): Promise<void> => {
  const rows: Array<readonly [string, Report.Summary, number]> = []
  for (const name of contenders) {
    const sample = await Process.sample({ contender: name, directory: "", warmUp: 3, runs })
    if (typeof sample === "string") console.log(`${name}: ${sample}`)
    else rows.push([name, Report.summary([sample]), sample.peak])
  }
  const reference = rows.find(([name]) => name === base)?.[1].median
  const isBeside = reference !== undefined
  const head = ["", "ms", "min", "max", `${unit}/s`, "peak MB"]
  console.log(Report.table(
    isBeside ? head.concat(`speed of ${base}`) : head,
    rows.map(([name, { max, median, min }, peak]) => {
      const cells = [
        name,
        Report.digits(median, 1),
        Report.digits(min, 1),
        Report.digits(max, 1),
        Report.digits(units / median * 1000, units > 1 ? 0 : 2),
        Report.count(peak)
      ]
      return isBeside ? cells.concat(`${Report.digits(reference / median, 2)} ×`) : cells
    })
  ))
}
