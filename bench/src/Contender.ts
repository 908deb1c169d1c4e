/** Whoever takes part in a benchmark. */

export interface Ready {
  /** What is timed. */
  readonly run: () => unknown
  /** What the last run matched: per deposit its transfer, or -1. Not timed. */
  readonly pairs?: () => Int32Array | Promise<Int32Array>
  /** How much of the whole a run does: 1 unless it would take too long. */
  readonly share?: number
}

export interface Contender {
  /** Makes ready what the run needs, from the files of a directory where there are any. Not timed. */
  readonly prepare: (directory: string) => Promise<Ready> | Ready
}
