/** Decides in a process of its own, and prints what the first decision and the others took. */
// oxlint-disable-next-line import/no-unassigned-import -- it works by being loaded
import "effect/schema/SchemaJITCompiler/enable"
import * as Archive from "@tallystick/archive/Archive"
import * as Decisions from "@tallystick/archive/Decisions"
import * as Effect from "effect/Effect"
import * as Report from "../Report.ts"
import * as Seeded from "./Seeded.ts"

export interface Took {
  /** In a program that has not read the ledger before, ms. */
  readonly first: number
  /** The median of those that follow, ms. */
  readonly further: number
  /** Their processor time, ms each. */
  readonly cpu: number
}

const FURTHER = 30

const decide = Decisions.Decisions.use(({ decide }) =>
  decide([{ kind: "note", entries: [{ side: "transfer", id: Seeded.idOf(7) }], words: "asked the exchange" }], {
    author: { by: "clerk", identity: "claimed" }
  })
)

const timed = Effect.gen(function*() {
  const begin = performance.now()
  yield* decide
  return performance.now() - begin
})

const program = Effect.gen(function*() {
  const first = yield* timed
  const before = process.cpuUsage()
  const further = yield* Effect.replicateEffect(timed, FURTHER)
  const { system, user } = process.cpuUsage(before)
  return { first, further: Report.median(further), cpu: (system + user) / 1000 / FURTHER } satisfies Took
})

console.log(JSON.stringify(
  await Effect.runPromise(Effect.provide(program, Archive.Archive.layerSqlite({ file: process.argv[2] ?? "" })))
))
