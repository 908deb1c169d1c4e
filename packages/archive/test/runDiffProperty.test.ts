/** Whatever arrives between two runs, their difference is what a comparison of both reports by hand comes to. */
import { assert, describe, it } from "@effect/vitest"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import type * as RunDiff from "../src/RunDiff.ts"
import * as Runs from "../src/Runs.ts"
import { judged, type Kind } from "./support/byHand.ts"
import { NOW } from "./support/records.ts"
import { cases } from "./support/Seeded.ts"
import { DAY, DAYS, read, Step } from "./support/steps.ts"

interface Told {
  readonly state: Kind
  readonly code: string
  readonly outcome: string
  readonly final: boolean
  readonly at: number
}

const entries = ({ outcomes }: Report.Report): ReadonlyMap<string, Told> =>
  new Map(
    outcomes.flatMap((outcome) =>
      [outcome.deposits, outcome.transfers].flatMap((side) =>
        side.map(({ at, id, side, status }, place) => {
          const { code, final, id: name } = outcome
          return [`${side} ${id}`, {
            state: judged(outcome, place, status === "failed"),
            code,
            outcome: name,
            final,
            at
          }]
        })
      )
    )
  )

const isWaiting = (told: Told | undefined): boolean =>
  told !== undefined && ["open", "pending", "undetermined"].includes(told.state)

/** Compares by hand; an entry that came and was settled at once is `arrived`. */
const kindOf = (before: Told | undefined, after: Told | undefined): RunDiff.Kind | "arrived" | undefined => {
  if (isWaiting(after) !== isWaiting(before)) return isWaiting(after) ? "new" : "closed"
  if (before === undefined) return "arrived"
  if (after === undefined) return "gone"
  if (before.state !== after.state || before.code !== after.code) return "code"
  if (before.outcome !== after.outcome) return "partners"
  return !isWaiting(after) || before.final === after.final ? undefined : after.final ? "final" : "provisional"
}

const byHand = (before: Report.Report, after: Report.Report, { from, to }: { from: number; to: number }) => {
  const [old, now] = [entries(before), entries(after)]
  return Array.from(new Set([...old.keys(), ...now.keys()])).flatMap((key) => {
    const at = (old.get(key) ?? now.get(key))?.at ?? 0
    const kind = at >= from && at < to ? kindOf(old.get(key), now.get(key)) : undefined
    return kind === undefined ? [] : [`${kind} ${key}`]
  }).toSorted()
}

describe("the difference of two runs", () => {
  it.effect.prop(
    "is that of their reports, for any records that arrive between them and any ranges that share time",
    [Schema.Array(Step).check(Schema.isMinLength(16), Schema.isMaxLength(32))],
    ([drawn]) =>
      Effect.gen(function*() {
        const { diff, get } = yield* Runs.Runs
        // All of it lies around one midnight, so that entries meet.
        const steps = drawn.map((step) =>
          step.kind === "execution" ? { ...step, from: step.from % 2 } : { ...step, hour: 20 + step.hour % 7 }
        )
        const kept: Array<ArchiveReconciliation.Recorded> = []
        yield* read([])
        for (const [index, step] of steps.entries()) {
          if (step.kind !== "execution") {
            yield* read(steps.slice(0, index + 1))
            continue
          }
          const range = { from: NOW + step.from * DAY, to: NOW + Math.min(step.from + step.days, DAYS) * DAY }
          kept.push(yield* ArchiveReconciliation.record({ range, accounts: { list: ["a@x"], complete: true } }))
        }
        for (const [place, after] of kept.entries()) {
          for (const before of [kept[0], kept[place - 1]].filter((one) => one !== undefined)) {
            const [one, other] = [before.report.range, after.report.range]
            if (one === null || other === null) return yield* Effect.die("each run has a range")
            const common = { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) }
            const [first, second] = [yield* get(before.run.id), yield* get(after.run.id)].map(Option.getOrThrow)
            if (first === undefined || second === undefined) return yield* Effect.die("each run is kept")
            if (common.from >= common.to) {
              assert.include((yield* Effect.flip(diff(first, second))).message, "about different times")
              continue
            }
            const found = yield* diff(first, second)
            assert.deepStrictEqual(found.common, common)
            const expected = byHand(before.report, after.report, common)
            assert.deepStrictEqual(
              found.differences.map(({ id, kind, side }) => `${kind} ${side} ${id}`).toSorted(),
              expected.filter((one) => !one.startsWith("arrived"))
            )
            assert.strictEqual(found.arrived, expected.filter((one) => one.startsWith("arrived")).length)
          }
        }
        return yield* Effect.void
      }).pipe(Effect.provide(Archive.Archive.layerMemory())),
    { arbitrary: { runs: Math.min(cases(20), 250) } }
  )
})
