/** Times of one contender, taken in a process of its own. */
import type { Contender } from "./Contender.ts"
import type * as All from "./contenders/All.ts"
import * as HistoryFile from "./HistoryFile.ts"
import * as Judge from "./Judge.ts"

export interface Plan {
  readonly contender: All.Name
  /** What the contender reads. */
  readonly directory: string
  readonly warmUp: number
  readonly runs: number
  /** Nothing but the run itself: no verdict. */
  readonly isCold?: boolean
}

export interface Sample {
  /** Ms of each run, of the whole: what a contender does only a share of is extrapolated. */
  readonly times: ReadonlyArray<number>
  /** Ms of processor time that the median run took, on all threads together; the same extrapolation. */
  readonly cpu: number
  readonly share: number
  /** The most memory that the process ever held, in MB. */
  readonly peak: number
  /** What it held of that before the first run: Node, the contender and its input. */
  readonly before: number
  /** Absent where nothing is matched. */
  readonly verdict?: Judge.Verdict
}

const MEGABYTE = 1_048_576

interface Times {
  readonly times: ReadonlyArray<number>
  /** Ms of processor time of the median run. */
  readonly cpu: number
}

/** Runs to warm up, and then those that count. */
export const take = async (
  run: () => unknown,
  { runs, warmUp }: { readonly runs: number; readonly warmUp: number }
): Promise<Times> => {
  const times: Array<number> = []
  const cpus: Array<number> = []
  for (let round = -warmUp; round < runs; round++) {
    const start = performance.now()
    const cpu = process.cpuUsage()
    await run()
    const { system, user } = process.cpuUsage(cpu)
    if (round < 0) continue
    times.push(performance.now() - start)
    cpus.push((system + user) / 1000)
  }
  return { times, cpu: cpus.toSorted((a, b) => a - b)[cpus.length >> 1] ?? Number.NaN }
}

export const measure = async (
  contender: Contender,
  { directory, isCold = false, runs, warmUp }: Plan
): Promise<Sample> => {
  const ready = await contender.prepare(directory)
  const share = ready.share ?? 1
  if (!isCold) globalThis.gc?.()
  const before = process.memoryUsage.rss() / MEGABYTE
  const { cpu, times } = await take(() => ready.run(), { runs, warmUp })
  const peak = process.resourceUsage().maxRSS / 1024
  const pairs = isCold ? undefined : await ready.pairs?.()
  return {
    times: times.map((time) => time / share),
    cpu: cpu / share,
    share,
    peak,
    before,
    ...(pairs === undefined ? {} : { verdict: Judge.judge(HistoryFile.read(directory), pairs) })
  }
}
