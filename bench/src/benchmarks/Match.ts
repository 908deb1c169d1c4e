/** The matcher over entries in memory, beside databases, a data frame and a loop: every contender in a process of its own, three seeds. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as All from "../contenders/All.ts"
import { generate } from "../Generator.ts"
import * as HistoryFiles from "../HistoryFiles.ts"
import * as Process from "../Process.ts"
import * as Report from "../Report.ts"
import * as Scratch from "../Scratch.ts"

export interface Scale {
  readonly size: number
  readonly days: number
}

export const seeds = [1, 2, 3] as const

/** The files of a history, made when they are first needed. */
export const files = async ({ days, size }: Scale, seed: number): Promise<string> => {
  const directory = join(Scratch.root, `${size}-${days}-${seed}`)
  if (!existsSync(directory) || !HistoryFiles.isWritten(directory)) {
    await HistoryFiles.write(directory, generate({ seed, size, days }))
  }
  return directory
}

const share = (part: number, whole: number): string => `${Report.digits(100 * part / whole, 2)} %`

const row = (name: string, samples: ReadonlyArray<Process.Timed>, size: number, ours: number) => {
  const { max, median, min } = Report.summary(samples)
  const verdicts = samples.flatMap(({ verdict }) => verdict === undefined ? [] : [verdict])
  const sum = (of: (verdict: (typeof verdicts)[number]) => number): number =>
    verdicts.reduce((total, verdict) => total + of(verdict), 0)
  const isWhole = samples.every((sample) => sample.share === 1)
  return [
    isWhole ? name : `${name} (extrapolated from ${share(samples[0]?.share ?? 1, 1)})`,
    Report.count(median),
    Report.count(min),
    Report.count(max),
    Report.count(Report.median(samples.map(({ cpu }) => cpu))),
    Report.count(2 * size / median * 1000),
    `${Report.digits(median / ours, 2)} ×`,
    Report.count(Report.median(samples.map(({ peak }) => peak))),
    Report.count(Report.median(samples.map(({ before, peak }) => peak - before))),
    Report.count(sum(({ pairs }) => pairs) / verdicts.length),
    share(sum(({ valid }) => valid), sum(({ pairs }) => pairs)),
    share(sum(({ right }) => right), sum(({ pairs }) => pairs))
  ]
}

export const match = async (scale: Scale): Promise<void> => {
  const found = new Map<string, Array<Process.Timed>>()
  for (const seed of seeds) {
    const directory = await files(scale, seed)
    for (const name of All.matching) {
      const sample = await Process.sample({ contender: name, directory, warmUp: 2, runs: 5 })
      if (typeof sample === "string") console.log(`${name}: ${sample}`)
      else found.set(name, [...found.get(name) ?? [], sample])
    }
  }
  const ours = Report.summary(found.get("tallystick") ?? []).median
  const head = [
    "",
    "ms",
    "min",
    "max",
    "cpu ms",
    "records/s",
    "of ours",
    "peak MB",
    "above input",
    "pairs",
    "valid",
    "right"
  ]
  console.log(Report.table(head, Array.from(found, ([name, samples]) => row(name, samples, scale.size, ours))))
}
