/** Reconciles a part of the year in a process of its own, and prints what it took. */
import * as Asked from "./Asked.ts"

export interface Took extends Asked.Came {
  /** Processor time over all threads since the process began. */
  readonly cpuMs: number
  /** The most memory that the process ever held, in MB. */
  readonly peak: number
}

const came = await Asked.reconcile(JSON.parse(process.argv[2] ?? "{}"))
const { system, user } = process.cpuUsage()
console.log(JSON.stringify(
  { ...came, cpuMs: (system + user) / 1000, peak: process.resourceUsage().maxRSS / 1024 } satisfies Took
))
