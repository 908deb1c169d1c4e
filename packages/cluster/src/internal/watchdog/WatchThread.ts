/**
 * The thread of the watchdog. A thread cannot end its process: it stops the main thread with the inspector, which works within any loop, and
 * has it exit. Where the main thread is not in JavaScript, nothing stops it, and the process is killed.
 */
import { writeSync } from "node:fs"
import { Session } from "node:inspector"
import { workerData } from "node:worker_threads"
import * as Ending from "./Ending.ts"
import * as Pulses from "./Pulses.ts"
import * as Verdict from "./Verdict.ts"

const STDERR = 2

/** After this time in which the main thread did not exit the process is killed, ms. */
const GRACE = 5000

const { limits, memory, name }: {
  readonly memory: SharedArrayBuffer
  readonly name: string
  readonly limits: { readonly main: number; readonly job: number }
} = workerData

const judge = Verdict.make(limits)

const say = (why: string): void => {
  try {
    writeSync(STDERR, `${name} is ended by its watchdog (exit code ${Ending.EXIT_CODE}): ${why}\n`)
  } catch {
    // Whoever read it went away, or the disk is full: that keeps nothing from ending.
  }
}

const end = (why: string): void => {
  clearInterval(timer)
  say(why)
  setTimeout(() => process.kill(process.pid, "SIGKILL"), GRACE)
  const session = new Session()
  session.connectToMainThread()
  session.on("Debugger.paused", () => session.post("Runtime.evaluate", { expression: Ending.EXPRESSION }))
  session.post("Debugger.enable")
  session.post("Debugger.pause")
}

const words = (place: number): string =>
  place === Pulses.MAIN
    ? `its main loop did nothing for ${limits.main} seconds`
    : `the thread of a job did nothing for ${limits.job} seconds`

let [at, fetched] = [performance.now(), process.resourceUsage().majorPageFault]

const timer = setInterval(() => {
  if (Pulses.asked(memory) === Pulses.END.heartbeat) {
    return end("PostgreSQL answers, and still its locks were not renewed, or not given back, for a minute")
  }
  const [now, present] = [performance.now(), process.resourceUsage().majorPageFault]
  const place = judge({ elapsed: now - at, fetched: present - fetched, beats: Pulses.beats(memory) })
  at = now
  fetched = present
  return place === undefined ? undefined : end(words(place))
}, Verdict.TICK)
