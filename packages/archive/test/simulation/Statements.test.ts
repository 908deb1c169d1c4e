/** What is said about an archive is held against what happened, after every sync, broken off or not. */
import { assert, describe, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Runs from "@tallystick/archive/Runs"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { NOW } from "../support/records.ts"
import * as Seeds from "./Seeds.ts"
import * as Simulation from "./Simulation.ts"
import * as Statements from "./Statements.ts"
import * as World from "./World.ts"

interface Kind extends Simulation.Kind {
  readonly name: string
  /** What it gives reason to say, besides. */
  readonly said: ReadonlyArray<Outcome.Code>
}

/** Pages that are read at once, while time goes by. */
const busy = { page: 7, concurrency: 4, latency: 3000 }

const kinds: ReadonlyArray<Kind> = [
  { name: "that only grows", page: 7, said: ["in-flight"] },
  {
    name: "that shows records late and fails, whose readers die",
    ...busy,
    late: World.MINUTE,
    failing: 0.05,
    kills: true,
    said: ["coverage-gap"]
  },
  {
    name: "that takes records away",
    ...busy,
    removals: "between readings",
    failing: 0.02,
    kills: true,
    said: ["vanished"]
  },
  {
    name: "that takes records away and gives them back",
    ...busy,
    removals: "between readings",
    returns: true,
    said: ["vanished"]
  },
  {
    name: "whose statuses go back",
    ...busy,
    regressions: true,
    removals: "between readings",
    kills: true,
    said: ["status-regressed"]
  }
]

const ROUNDS = 10

const byId = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<Outcome.Outcome> =>
  outcomes.toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** What is recorded of an outcome, in any case. */
const recordedOf = (outcomes: ReadonlyArray<Outcome.Outcome>) =>
  byId(outcomes).map(({ code, explanation, id }) => ({ id, code, explanation }))

const judgeStream = Effect.fnUntraced(function*(options: ArchiveReconciliation.Options, report: Report.Report) {
  const events = yield* Stream.runCollect(ArchiveReconciliation.events(options))
  const streamed = events.flatMap((event) => event._tag === "Outcome" ? [event.outcome] : [])
  assert.deepStrictEqual(byId(streamed), byId(report.outcomes))
})

const judgeRecording = Effect.fnUntraced(function*(report: Report.Report) {
  const runs = yield* Runs.Runs
  const { run } = yield* runs.save(report)
  assert.isFalse((yield* runs.save(report)).isNew)
  assert.deepStrictEqual(recordedOf(yield* Stream.runCollect(runs.outcomes(run))), recordedOf(report.outcomes))
})

const live = (kind: Kind, said: Set<Outcome.Code>) =>
  Effect.fnUntraced(function*(seed: number) {
    const { broker, pass, random, sync, world } = yield* Simulation.make({ ...kind, pairs: true }, seed)
    const final: Statements.Final = new Map()

    yield* Effect.gen(function*() {
      for (let round = 0; round < ROUNDS; round++) {
        yield* pass
        yield* sync(round === 0 ? { since: NOW } : {})

        const now = yield* Clock.currentTimeMillis
        const from = random.int(NOW, now - 1)
        const part = { from, to: from + random.int(1, 5 * World.HOUR) }
        const asked = {
          range: random.chance(0.5) ? { from: NOW, to: now } : part,
          accounts: { list: World.ACCOUNTS, complete: true }
        }
        const report = yield* ArchiveReconciliation.run({ ...asked, batch: random.int(1, 50) })
        Statements.judge(report.outcomes, world, { regressions: kind.regressions ?? false, now })
        if (!kind.regressions && kind.removals === undefined) Statements.judgeFinal(report.outcomes, final)
        yield* judgeStream({ ...asked, batch: random.int(1, 50) }, report)
        yield* judgeRecording(report)
        for (const { code } of report.outcomes) said.add(code)
      }
    }).pipe(Effect.provide(Layer.merge(Archive.layerMemory(), broker)))
  })

describe("what is said of a service", () => {
  for (const kind of kinds) {
    it.effect(`${kind.name} is true, the same in a stream, and recorded as it was said`, () =>
      Effect.gen(function*() {
        const said = new Set<Outcome.Code>()
        yield* Seeds.each(live(kind, said))
        if (Seeds.isAll) {
          assert.includeMembers([...said], ["exact", "missing-deposit", "missing-transfer", ...kind.said])
        }
      }))
  }
})
