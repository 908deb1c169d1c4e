/** Decides a day in two parts, one after the other in one thread, and prints what each step takes: of these, parts alone are decided side by side. */
import { Archive } from "@tallystick/archive/Archive"
import * as ArchiveSource from "@tallystick/archive/ArchiveSource"
import { Runs } from "@tallystick/archive/Runs"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Partition from "@tallystick/reconcile/Partition"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type { Part } from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Report from "../Report.ts"
import type * as Asked from "./Asked.ts"
import * as Year from "./Year.ts"

const { day, days, file }: Asked.Asked = JSON.parse(process.argv[2] ?? "{}")

const rows: Array<ReadonlyArray<string>> = []

/** Takes down the processor time of a step. */
const step = <A, E, R>(what: string, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const before = process.cpuUsage()
    const done = yield* work
    const { system, user } = process.cpuUsage(before)
    rows.push([what, Report.count((system + user) / 1000)])
    return done
  })

const policy = Policy.defaults
const range = { from: Year.START + day * Year.DAY, to: Year.START + (day + days) * Year.DAY }
const horizon = Policy.horizon(policy)
const options = { range, policy, accounts: Year.accounts, addresses: Year.addressBook }

const program = Effect.gen(function*() {
  const reading = { from: range.from - horizon, to: range.to + horizon, policy, accounts: Year.accounts }
  const unsettled = yield* ArchiveSource.unsettledBefore(reading.from, policy)
  const source = { ...reading, unsettled, account: AddressBook.lookup(Year.addressBook) }
  const sides = (assets?: ReadonlyArray<string>) => {
    const own = assets === undefined ? source : { ...source, assets }
    return [ArchiveSource.deposits(own), ArchiveSource.transfers(own)] as const
  }
  yield* step("read all, and nothing else", Effect.forEach(sides(), Stream.runDrain))
  const { bad, whole } = yield* step("survey", Reconciliation.survey(...sides(), options))
  const parts: Array<Part> = []
  for (const { assets } of Partition.balanced(whole.families, 2)) {
    parts.push(
      yield* step("a part", Reconciliation.part(...sides(assets), { ...options, assets, whole }))
    )
  }
  yield* step("copy the parts, as between threads", Effect.sync(() => parts.map((part) => structuredClone(part))))
  const report = yield* step("merge", Reconciliation.merge(parts, { ...options, whole, bad }))
  yield* step("record", Runs.use(({ save }) => save(report)))
})

await Effect.runPromise(Effect.provide(program, Archive.layerSqlite({ file })))
console.log(Report.table(["", "cpu ms"], rows))
