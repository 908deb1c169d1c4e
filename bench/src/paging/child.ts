/** One reader in a process of its own: it reads everything whenever it is told a number of lanes, and reports the times. */
import * as Pager from "./Pager.ts"
import type * as Service from "./Service.ts"

export interface Plan {
  readonly name: Pager.Name
  readonly service: Service.Service
}

export interface Took {
  readonly wallMs: number
  /** Processor time over all threads. */
  readonly cpuMs: number
  readonly records: number
}

const { name, service }: Plan = JSON.parse(process.argv[2] ?? "{}")
const read = await (await Pager.load(name)).prepare(service)

process.on("message", async (lanes: number) => {
  globalThis.gc?.()
  const start = performance.now()
  const cpu = process.cpuUsage()
  const records = await read(lanes)
  const { system, user } = process.cpuUsage(cpu)
  process.send?.({ wallMs: performance.now() - start, cpuMs: (system + user) / 1000, records } satisfies Took)
})
process.on("disconnect", () => process.exit())
