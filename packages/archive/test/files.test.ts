/** Files that tell the status of a deposit which the service shows too: nothing that rests on what only a file says is final. */
import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as ArchiveSource from "../src/ArchiveSource.ts"
import { deposit, NOW, transfer } from "./support/records.ts"
import * as Seeded from "./support/Seeded.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const BEGIN = NOW - 20 * DAY

const [PENDING, SETTLED, FAILED] = [4, 5, 7] as const

/** Hours after the deposit's own time. */
interface Event {
  readonly by: "service" | "file"
  readonly at: number
  readonly status: number
  /** When the file was exported, if it says so. */
  readonly seen?: number
}

const service = (at: number, status: number): Event => ({ by: "service", at, status })
const file = (at: number, status: number, seen?: number): Event => ({
  by: "file",
  at,
  status,
  ...(seen === undefined ? {} : { seen })
})

/** Each reading shows everything up to its own time; the transfer comes so many hours after the deposit. */
const happen = (lag: number) => (events: ReadonlyArray<Event>) =>
  Effect.gen(function*() {
    const archive = yield* Archive.Archive
    for (const { at, by, seen, status } of events) {
      const readAt = NOW + at * HOUR
      yield* TestClock.setTime(readAt)
      const records = [deposit({ status })]
      if (by === "file") {
        yield* archive.deposits.importRecords(records, seen === undefined ? undefined : NOW + seen * HOUR)
        continue
      }
      const slice = { from: BEGIN, to: readAt, bad: [] }
      const covered = (operation: Coverage.Coverage["operation"]): Coverage.Coverage => ({
        operation,
        from: BEGIN,
        to: readAt,
        readAt,
        state: "complete"
      })
      const moved = lag <= at ? [transfer({ timestamp: NOW + lag * HOUR })] : []
      yield* archive.deposits.saveSlice({ ...slice, records, coverage: [covered("deposits")] })
      yield* archive.transfers.saveSlice({ ...slice, records: moved, coverage: [covered("transfers")] })
    }
  })

/** What a report says of some hours around the deposit's own time. */
const report = (from = -24, to = 15 * 24) =>
  Effect.map(
    ArchiveReconciliation.run({
      range: { from: NOW + from * HOUR, to: NOW + to * HOUR },
      accounts: { list: ["a@x"], complete: true }
    }),
    ({ outcomes }) => outcomes
  )

const said = (from?: number, to?: number) =>
  Effect.map(report(from, to), (outcomes) => outcomes.map(({ code, final }) => `${code} ${final}`).toSorted())

const final = (from?: number, to?: number) =>
  Effect.map(said(from, to), (words) => words.filter((word) => word.endsWith("true")))

const archived = <A, E>(effect: Effect.Effect<A, E, Archive.Archive>) =>
  Effect.provide(effect, Archive.Archive.layerMemory())

describe("a deposit that the service and files tell of", () => {
  it.effect("settled when the service saw it, whatever files said before", () =>
    archived(Effect.gen(function*() {
      const history = [service(1, PENDING), service(47, PENDING), service(49, SETTLED), service(99, SETTLED)]
      yield* happen(50)(history)
      assert.deepStrictEqual(yield* final(), ["exact true"])
      yield* happen(50)([file(100, SETTLED, 48), file(100, PENDING, 24), file(100, SETTLED), file(100, PENDING)])
      assert.deepStrictEqual(yield* final(), ["exact true"])
    })))

  it.effect("keeps the time when the service saw it settle, where a file said so before that", () =>
    archived(Effect.gen(function*() {
      yield* happen(50)([
        service(1, PENDING),
        file(25, SETTLED, 24),
        service(47, PENDING),
        service(49, SETTLED),
        service(99, SETTLED)
      ])
      const [outcome] = yield* report()
      assert.deepStrictEqual(outcome?.deposits[0]?.past?.settledAt, NOW + 49 * HOUR)
      assert.deepStrictEqual(outcome?.deposits[0]?.past?.unsettledAt, NOW + 47 * HOUR)
    })))

  it.effect.each(
    [
      ["a file alone says that it settled", 50, [service(1, PENDING), service(60, PENDING), file(61, SETTLED, 61)]],
      ["a file alone says that it settled, and nobody moved it", 999, [service(99, PENDING), file(100, SETTLED, 100)]],
      ["a file alone says that it failed", 999, [service(99, PENDING), file(100, FAILED, 100)]],
      ["a file says that it is not settled after all", 1, [service(99, SETTLED), file(100, PENDING, 100)]],
      ["a file knows of a time when it was not settled yet", 50, [service(99, SETTLED), file(100, PENDING)]],
      ["a file says that it failed", 1, [service(99, SETTLED), file(100, FAILED)]],
      ["a file says that it had settled before", 50, [
        service(30, PENDING),
        service(49, SETTLED),
        service(99, SETTLED),
        file(100, SETTLED, 20)
      ]]
    ] as const
  )("is the basis of nothing final where %s", ([, lag, events]) =>
    archived(Effect.gen(function*() {
      yield* happen(lag)(events)
      assert.deepStrictEqual(yield* final(), [])
      assert.deepStrictEqual(yield* final(-24, 24), [])
      assert.deepStrictEqual(yield* final(lag - 1, lag + 1), [])
    })))

  it.effect("may be the one of a transfer of the week behind it, also of a report about the later day", () =>
    archived(Effect.gen(function*() {
      yield* happen(100)([service(1, PENDING), file(3, SETTLED, 3), service(200, PENDING), file(201, SETTLED, 201)])
      assert.deepStrictEqual(yield* final(96, 120), [])
    })))

  it.effect("is still asked for by a sync, whatever a file says", () =>
    archived(Effect.gen(function*() {
      yield* happen(999)([service(1, PENDING), file(3, SETTLED, 3)])
      const { unsettled } = yield* Archive.Archive
      assert.deepStrictEqual((yield* unsettled(0)).map(({ at }) => at), [NOW])
    })))

  it.effect.each([1, 3, 7, 20, 25, 30, 48, 60, 70])(
    "that stays pending may be the one of any later transfer, %d hours behind it, until it is seen to settle",
    (lag) =>
      archived(Effect.gen(function*() {
        yield* happen(lag)([service(1, PENDING), service(72, PENDING), service(120, PENDING)])
        const ranges = [[-24, 24], [-24, 360], [lag - 2, lag + 2]] as const
        for (const [from, to] of ranges) assert.deepStrictEqual(yield* final(from, to), [])
        yield* happen(lag)([service(121, SETTLED)])
        const later = yield* said(-24, 360)
        assert.isTrue(later.every((word) => word.endsWith("false")), later.join())
      }))
  )

  it.effect("that settles while a report is made is read, because it was asked for before", () =>
    archived(Effect.gen(function*() {
      yield* happen(60)([service(1, PENDING), service(120, PENDING)])
      const about = { policy: Policy.defaults, accounts: { list: ["a@x"], complete: true } }
      const range = { from: NOW + 58 * HOUR, to: NOW + 62 * HOUR }
      const unsettled = yield* ArchiveSource.unsettledBefore(range.from, about.policy)
      assert.deepStrictEqual(unsettled, [NOW])
      yield* happen(60)([service(121, SETTLED)])
      const slices = yield* Stream.runCollect(ArchiveSource.deposits({ ...about, ...range, unsettled }))
      const found = slices.flatMap(({ records }) => records)
      assert.deepStrictEqual(found.map(({ at, past, status }) => [at, status, past?.settledAt]), [
        [NOW, "settled", NOW + 121 * HOUR]
      ])
    })))

  const Hours = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 40 }))
  const Step = Schema.Struct({
    by: Schema.Literals(["service", "service", "file", "file"]),
    hours: Hours,
    status: Schema.Literals([PENDING, SETTLED, FAILED]),
    back: Schema.Literals([-1, 0, 1, 5, 30, 60])
  })
  const Story = Schema.Struct({
    steps: Schema.Array(Step).check(Schema.isMaxLength(7)),
    ends: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 120 })),
    as: Schema.Literals([SETTLED, SETTLED, FAILED]),
    lag: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 160 })),
    after: Hours
  })

  it.effect.prop(
    "has no final outcome that one more reading by the service corrects",
    [Story],
    ([story]) =>
      archived(Effect.gen(function*() {
        const { after, as, ends, lag, steps } = story
        const truth = (at: number): number => at < ends ? PENDING : as
        let now = 1
        // Records that files alone know keep what they say.
        const events = [service(now, truth(now))]
        for (const { back, by, hours, status } of steps) {
          now += hours
          if (now > 150) break
          events.push(
            by === "service" ? service(now, truth(now)) : back < 0 ? file(now, status) : file(now, status, now - back)
          )
        }
        yield* happen(lag)(events)
        const ranges = [[-24, 24], [-24, 360], [lag - 2, lag + 2]] as const
        const before = yield* Effect.forEach(ranges, ([from, to]) => report(from, to))
        yield* happen(lag)([service(now + after, truth(now + after))])
        const later = yield* Effect.forEach(ranges, ([from, to]) => report(from, to))
        for (const [index, outcomes] of before.entries()) {
          const ids = new Set((later[index] ?? []).map(({ id }) => id))
          for (const one of outcomes) {
            if (one.final) assert.isTrue(ids.has(one.id), `${one.code} was final: ${one.explanation}`)
          }
        }
      })),
    { arbitrary: { runs: Math.min(Seeded.cases(60), 300) } }
  )
})
