/** One inserter in a process of its own: it keeps the pages of a day whenever it is told to, and reports the times. */
import * as Year from "../archive/Year.ts"
import * as Inserter from "./Inserter.ts"

export interface Plan {
  readonly name: Inserter.Name
  readonly file: string
  readonly pages: number
  readonly records: number
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

const { file, name, pages, records }: Plan = JSON.parse(process.argv[2] ?? "{}")
const saves = await (await Inserter.load(name)).prepare(file)

const paged = <Record>(all: ReadonlyArray<Record>): ReadonlyArray<ReadonlyArray<Record>> =>
  Array.from({ length: pages }, (_, page) => all.slice(page * records, (page + 1) * records))

/** Made anew each time, as pages come from the wire. */
const ready = ({ day, side }: Turn): (readAt: number) => Promise<number> | number => {
  const made = Year.day(day, Math.ceil(pages * records * 1.05))
  if (side === "deposits") {
    const deposits = paged(made.deposits)
    return (readAt) => saves.deposits(deposits, readAt)
  }
  const transfers = paged(made.transfers)
  return (readAt) => saves.transfers(transfers, readAt)
}

process.on("message", async (turn: Turn) => {
  const save = ready(turn)
  globalThis.gc?.()
  const start = performance.now()
  const cpu = process.cpuUsage()
  const added = await save(Year.START + (turn.day + 2) * Year.DAY)
  const { system, user } = process.cpuUsage(cpu)
  process.send?.({ wallMs: performance.now() - start, cpuMs: (system + user) / 1000, added } satisfies Took)
})
process.on("disconnect", () => process.exit())
process.send?.("ready")
