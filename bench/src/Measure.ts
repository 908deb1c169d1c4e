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

export const measure = async (
  contender: Contender,
  { directory, isCold = false, runs, warmUp }: Plan
): Promise<Sample> => {
  const ready = await contender.prepare(directory)
  const share = ready.share ?? 1
  if (!isCold) globalThis.gc?.()
  const before = process.memoryUsage.rss() / MEGABYTE
  const times: Array<number> = []
  const cpus: Array<number> = []
  for (let run = -warmUp; run < runs; run++) {
    const start = performance.now()
    const cpu = process.cpuUsage()
    await ready.run()
    const { system, user } = process.cpuUsage(cpu)
    if (run < 0) continue
    times.push((performance.now() - start) / share)
    cpus.push((system + user) / 1000 / share)
  }
  const peak = process.resourceUsage().maxRSS / 1024
  const pairs = isCold ? undefined : await ready.pairs?.()
  return {
    times,
    cpu: cpus.toSorted((a, b) => a - b)[cpus.length >> 1] ?? Number.NaN,
    share,
    peak,
    before,
    ...(pairs === undefined ? {} : { verdict: Judge.judge(HistoryFile.read(directory), pairs) })
  }
}
