/** Readers of one program ask for pages of items at once, each as soon as it has its last answer; prints what each question took. */
// oxlint-disable-next-line import/no-unassigned-import -- it works by being loaded
import "effect/schema/SchemaJITCompiler/enable"
import * as Archive from "@tallystick/archive/Archive"
import type * as ItemFilter from "@tallystick/archive/ItemFilter"
import * as ItemPages from "@tallystick/archive/ItemPages"
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import * as RandomNumbers from "../Random.ts"
import * as Seeded from "./Seeded.ts"

export interface Asked {
  readonly file: string
  /** So many entries wait. */
  readonly open: number
  readonly readers: number
  /** So often each reader asks each question. */
  readonly rounds: number
}

export interface Answers {
  readonly name: string
  /** How long each answer took, ms. */
  readonly took: ReadonlyArray<number>
  /** Processor time of an answer, ms. */
  readonly cpu: number
}

export interface Took {
  readonly answers: ReadonlyArray<Answers>
  /** The most memory that the process held before it opened the archive, before the first summary, and in all, MB. */
  readonly loaded: number
  readonly pages: number
  readonly peak: number
}

const asked: Asked = JSON.parse(process.argv[2] ?? "{}")

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

/** Each reader has random numbers of its own. */
type Random = () => number

type Ask = (random: Random, pages: ItemPages.Service) => Effect.Effect<unknown, unknown>

const page = (filter: ItemFilter.ItemFilter, by: ItemFilter.By): Ask => (_, { page }) =>
  page({ filter, order: { by }, size: 100 })

/** Each reader goes on where its last page of this order ended. */
const further = (by: ItemFilter.By): Ask => {
  const ends = new WeakMap<Random, string>()
  return (random, { page }) => {
    const after = ends.get(random)
    return Effect.tap(
      page({ order: { by }, size: 100, ...(after === undefined ? {} : { after }) }),
      ({ next }) => Effect.sync(() => next === undefined ? ends.delete(random) : ends.set(random, next))
    )
  }
}

const found = (textOf: (id: string) => string): Ask => (random, { page }) =>
  page({
    filter: { text: textOf(Seeded.idOf(Math.floor(random() * asked.open))) },
    order: { by: "worth" },
    size: 100
  })

const asks: Readonly<Record<string, Ask>> = {
  "the oldest": page({}, "age"),
  "most worth": page({}, "worth"),
  "the next page, by worth": further("worth"),
  "the next page, by age": further("age"),
  "the next page, by code": further("code"),
  "one code (5 %), by worth": page({ codes: ["in-flight"] }, "worth"),
  "one code (95 %), by age": page({ codes: ["missing-deposit"], states: ["open"] }, "age"),
  "one account (1 %), by worth": page({ account: "sub-007" }, "worth"),
  "one asset (2 %), first by worth": page({ asset: "A48" }, "worth"),
  "one asset (2 %), last by worth": page({ asset: "A0" }, "worth"),
  "a state (none), by worth": page({ states: ["undetermined"] }, "worth"),
  "accounts (10 %), last by worth": page({ text: "sub-00" }, "worth"),
  "the same, by age": page({ text: "sub-00" }, "age"),
  "one side (none), by worth": page({ side: "deposit" }, "worth"),
  "account and asset (none), by worth": page({ account: "sub-007", asset: "A8" }, "worth"),
  "at least so much worth": page({ leastWorth: "5000" }, "age"),
  "a whole id": found((id) => id),
  "the beginning of an id": found((id) => id.slice(0, 6)),
  "the end of an id": found((id) => id.slice(-4)),
  "the beginning of an outcome": found((id) => sha256(id).slice(0, 6)),
  "a part of an account, by age": page({ text: "sub" }, "age"),
  "a text that nothing has": page({ text: "nothing" }, "worth"),
  "a summary, asked again": (_, { summary }) => summary({}, { at: 0 })
}

const measured = Effect.fnUntraced(
  function*<E, R>(name: string, ask: (random: Random) => Effect.Effect<unknown, E, R>) {
    const took: Array<number> = []
    const timed = Effect.fnUntraced(function*(random: Random) {
      const begin = performance.now()
      yield* ask(random)
      took.push(performance.now() - begin)
    })
    const before = process.cpuUsage()
    yield* Effect.forEach(
      Array.from({ length: asked.readers }, (_, reader) => RandomNumbers.make(reader + 1)),
      (random) => Effect.replicateEffect(timed(random), asked.rounds, { discard: true }),
      { concurrency: asked.readers, discard: true }
    )
    const { system, user } = process.cpuUsage(before)
    return { name, took, cpu: (system + user) / 1000 / took.length } satisfies Answers
  }
)

const peak = (): number => process.resourceUsage().maxRSS / 1024

const once = Effect.fnUntraced(function*<E, R>(name: string, work: Effect.Effect<unknown, E, R>) {
  const [begin, before] = [performance.now(), process.cpuUsage()]
  yield* work
  const { system, user } = process.cpuUsage(before)
  return { name, took: [performance.now() - begin], cpu: (system + user) / 1000 } satisfies Answers
})

const loaded = peak()

const program = Effect.gen(function*() {
  const pages = yield* ItemPages.ItemPages
  const answers: Array<Answers> = []
  let before = 0
  for (const [name, ask] of Object.entries(asks)) {
    if (name.startsWith("a summary")) {
      before = peak()
      answers.push(yield* once("a summary, for the first time", pages.summary({}, { at: 0 })))
    }
    answers.push(yield* measured(name, (random) => ask(random, pages)))
  }
  return { answers, loaded, pages: before, peak: peak() } satisfies Took
})

console.log(JSON.stringify(
  await Effect.runPromise(Effect.provide(program, Archive.Archive.layerSqlite({ file: asked.file })))
))
