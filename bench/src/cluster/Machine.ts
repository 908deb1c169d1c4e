/** Processor time and memory of processes that run, from the kernel's account of them. */
import { readdirSync, readFileSync } from "node:fs"

/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10

/** Fields of `/proc/PID/stat` behind the name of the program. */
const FIELD = { parent: 1, user: 11, system: 12, userOfChildren: 13, systemOfChildren: 14 }

const stat = (pid: number | string): ReadonlyArray<string> | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ")
  } catch {
    return undefined
  }
}

const sum = (fields: ReadonlyArray<string> | undefined, ...at: ReadonlyArray<number>): number =>
  at.reduce((ms, field) => ms + Number(fields?.[field] ?? 0) * TICK_MS, 0)

/** Processor time of a process and of all its threads until now, ms. */
export const cpuOf = (pid: number): number => sum(stat(pid), FIELD.user, FIELD.system)

/** Processor time of a process and of its child processes until now, those that ended included, ms. */
export const cpuOfTree = (pid: number): number =>
  readdirSync("/proc").filter((name) => /^\d+$/.test(name)).reduce(
    (ms, name) => {
      const fields = stat(name)
      return Number(fields?.[FIELD.parent]) === pid ? ms + sum(fields, FIELD.user, FIELD.system) : ms
    },
    sum(stat(pid), FIELD.user, FIELD.system, FIELD.userOfChildren, FIELD.systemOfChildren)
  )

/** Memory that a process holds at this moment, MB. */
export const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024
