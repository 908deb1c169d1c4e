/** Decides in a process of its own, and prints what the first decision, the others, and looks at the ledger between them took. */
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
  /** The median of a page of the ledger that is asked for behind each of them, ms. */
  readonly page: number
  /** The same of a page of those in which a text stands. */
  readonly search: number
  /** The median of the marks, asked for behind each of them, ms. */
  readonly marks: number
}

const FURTHER = 30

const LOOKS = 10

const decide = Decisions.Decisions.use(({ decide }) =>
  decide([{ kind: "note", entries: [{ side: "transfer", id: Seeded.idOf(7) }], words: "asked the exchange" }], {
    author: { by: "clerk", identity: "claimed" }
  })
)

const page = (text?: string) => Decisions.Decisions.use(({ page }) => page(text === undefined ? {} : { text }))

const timed = Effect.fnUntraced(function*<A, E, R>(work: Effect.Effect<A, E, R>) {
  const begin = performance.now()
  yield* work
  return performance.now() - begin
})

/** A look behind each of several decisions. */
const looks = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.replicateEffect(Effect.andThen(decide, timed(work)), LOOKS), Report.median)

const program = Effect.gen(function*() {
  const first = yield* timed(decide)
  const before = process.cpuUsage()
  const further = yield* Effect.replicateEffect(timed(decide), FURTHER)
  const { system, user } = process.cpuUsage(before)
  return {
    first,
    further: Report.median(further),
    cpu: (system + user) / 1000 / FURTHER,
    page: yield* looks(page()),
    search: yield* looks(page("asked")),
    marks: yield* looks(Archive.Archive.use(({ marks }) => marks))
  } satisfies Took
})

console.log(JSON.stringify(
  await Effect.runPromise(Effect.provide(program, Archive.Archive.layerSqlite({ file: process.argv[2] ?? "" })))
))
