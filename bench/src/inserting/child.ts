/** One inserter in a process of its own: it keeps the pages of a day whenever it is told to, and reports the times. */
import * as Year from "../archive/Year.ts"
import * as Inserter from "./Inserter.ts"

export interface Plan {
  readonly name: Inserter.Name
  readonly file: string
  readonly pages: number
  readonly records: number
  /** Turns of new pages. */
  readonly days: number
}

export interface Turn {
  readonly side: Inserter.Side
  readonly day: number
}

export interface Took {
  readonly wallMs: number
  /** Processor time over all threads. */
  readonly cpuMs: number
  readonly added: number
}

const { days, file, name, pages, records }: Plan = JSON.parse(process.argv[2] ?? "{}")
const saves = await (await Inserter.load(name)).prepare(file)

const paged = <Record>(all: ReadonlyArray<Record>): ReadonlyArray<ReadonlyArray<Record>> =>
  Array.from({ length: pages }, (_, page) => all.slice(page * records, (page + 1) * records))

/**
 * All of them before anything is timed, and old: what the collector has to do with them is no cost of keeping them. It is
 * not told to begin later on either, since it would throw away what the compiler knows.
 */
const made = Array.from({ length: days }, (_, day) => {
  const { deposits, transfers } = Year.day(day, Math.ceil(pages * records * 1.05))
  return { deposits: paged(deposits), transfers: paged(transfers) }
})
for (let round = 0; round < 3; round++) globalThis.gc?.()

const ready = ({ day, side }: Turn): (readAt: number) => Promise<number> | number => {
  const { deposits = [], transfers = [] } = made[day] ?? {}
  return side === "deposits"
    ? (readAt) => saves.deposits(deposits, readAt)
    : (readAt) => saves.transfers(transfers, readAt)
}

process.on("message", async (turn: Turn) => {
  const save = ready(turn)
  const start = performance.now()
  const cpu = process.cpuUsage()
  const added = await save(Year.START + (turn.day + 2) * Year.DAY)
  const { system, user } = process.cpuUsage(cpu)
  process.send?.({ wallMs: performance.now() - start, cpuMs: (system + user) / 1000, added } satisfies Took)
})
process.on("disconnect", () => process.exit())
process.send?.("ready")
