/** 1,000 pages of 500 records from a local server: every reader in a process of its own, one run each in turn. */
import type * as Child from "../paging/child.ts"
import * as Pager from "../paging/Pager.ts"
import * as Service from "../paging/Service.ts"
import * as Report from "../Report.ts"
import * as Turns from "../Turns.ts"

const start = (name: string, argument: string) => Turns.start(new URL(`../paging/${name}`, import.meta.url), argument)

interface Run extends Child.Took, Service.Seen {}

const records = Service.RECORDS

const row = (name: string, runs: ReadonlyArray<Run>, of: (base: Pager.Name) => number): ReadonlyArray<string> => {
  const walls = runs.map(({ wallMs }) => wallMs)
  const [first] = runs
  return [
    name,
    Report.count(Report.median(walls)),
    Report.count(Math.min(...walls)),
    Report.count(Math.max(...walls)),
    Report.count(Report.median(runs.map(({ cpuMs }) => cpuMs))),
    Report.count(first?.requests ?? 0),
    Report.count(first?.empty ?? 0),
    ...(["undici + JSON.parse", "ccxt, JSON"] as const).map((base) => `${Report.digits(of(base), 2)} ×`)
  ]
}

const head = ["", "ms", "min", "max", "cpu ms", "requests", "empty", "of undici", "of ccxt"]

interface Options {
  readonly kind: Service.Kind
  readonly warmUp: number
  readonly runs: number
}

/** The median over the rounds of how much faster one was than another in the same round. */
const speed = (base: ReadonlyArray<Run>, runs: ReadonlyArray<Run>): number =>
  Report.median(runs.map(({ wallMs }, round) => (base[round]?.wallMs ?? Number.NaN) / wallMs))

export const paging = async ({ kind, runs, warmUp }: Options): Promise<void> => {
  const server = start("server.ts", kind)
  const service = await Turns.answer<Service.Service>(server)
  const children = Pager.names.map((name) => {
    const plan: Child.Plan = { name, service }
    return [name, start("child.ts", JSON.stringify(plan))] as const
  })
  for (const lanes of [1, 4, 8]) {
    const found = new Map<Pager.Name, Array<Run>>(Pager.names.map((name) => [name, []]))
    for (let round = -warmUp; round < runs; round++) {
      for (const [name, child] of children) {
        child.send(lanes)
        const took = await Turns.answer<Child.Took>(child)
        if (took.records !== records) throw new Error(`${name} read ${took.records} records instead of ${records}`)
        server.send("seen")
        const seen = await Turns.answer<Service.Seen>(server)
        if (round >= 0) found.get(name)?.push({ ...took, ...seen })
      }
    }
    console.log(`\n${kind}, concurrency ${lanes}`)
    const rows = Array.from(found, ([name, runs]) => row(name, runs, (base) => speed(found.get(base) ?? [], runs)))
    console.log(Report.table(head, rows))
  }
  for (const [, child] of children) child.disconnect()
  server.disconnect()
}
