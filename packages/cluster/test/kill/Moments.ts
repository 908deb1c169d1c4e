/** Moments at which something happens to a fleet while it works, and what became of its work. */
import { assert } from "@effect/vitest"
import * as Books from "@tallystick/archive/Books"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Seeded from "../../../archive/test/support/Seeded.ts"
import * as Job from "../../src/Job.ts"
import * as Desk from "../support/Desk.ts"
import type * as Fleet from "./Fleet.ts"
import * as Processes from "./Processes.ts"

export const KILLS = Number(process.env["TALLYSTICK_KILLS"] ?? 2)
export const SEED = Number(process.env["TALLYSTICK_SEED"] ?? 1)

export interface Fault {
  readonly name: string
  /** Brings it about. What it gives is done when the job has ended. */
  readonly strike: (moment: Moment) => Effect.Effect<Effect.Effect<void>>
}

/** A moment in a job. */
export interface Moment {
  readonly fleet: Fleet.Fleet
  /** The runner that works on the job. */
  readonly worker: Fleet.Member
  readonly seeded: Seeded.Seeded
  /** Resumes when the job has ended. */
  readonly isOver: Effect.Effect<void>
}

/** What was seen of a moment, ms from when it happened. */
export interface Seen {
  /** So often the runner had spoken to the archive. */
  readonly step: number
  readonly begunAgain: number | undefined
  readonly ended: number
  /** So often work on the job began. */
  readonly begun: number
  /** So many threads were begun for it. */
  readonly threads: number
}

/** A job that has not ended after this time hangs, ms. */
const PATIENCE = 120_000

const TURN = "100 millis"

/** So many turns of fibers lie between a statement and what happens, at most. */
const LATER = 200

const now = Effect.clockWith(({ currentTimeMillis }) => currentTimeMillis)

const waited = (fleet: Fleet.Fleet, id: string, until: (job: Job.Job) => boolean) =>
  Effect.repeat(fleet.ask(({ get }) => get(id)), { schedule: Schedule.spaced(TURN), until }).pipe(
    Effect.timeoutOrElse({
      duration: PATIENCE,
      orElse: () =>
        Effect.flatMap(fleet.ask(({ get }) => get(id)), (job) =>
          Effect.die(
            new Error(
              `${JSON.stringify(job)}\n${
                Array.from(
                  fleet.members.values(),
                  ({ name, running }) => `${name}\n${running.lines().slice(-60).join("\n")}`
                )
                  .join("\n\n")
              }`
            )
          ))
    })
  )

/** Asks a question that was not asked before; gives the job when a runner has begun it. */
const begun = Effect.fnUntraced(function*(fleet: Fleet.Fleet) {
  const { alone, question } = yield* fleet.next
  const [threads, spoken] = [fleet.threads(), new Map(Array.from(fleet.members.values(), (one) => [one, one.spoken()]))]
  const { id } = yield* fleet.ask(({ submit }) => submit(question))
  const job = yield* waited(fleet, id, ({ state }) => state !== "waiting")
  const worker = fleet.members.get(job.runner ?? "") ?? assert.fail(`no runner is ${job.runner}`)
  return { alone, id, threads, worker, spoken: spoken.get(worker) ?? 0 }
})

/** The job is done, with the report and the books of one process. */
export const done = Effect.fnUntraced(function*(fleet: Fleet.Fleet, { alone, id }: { alone: Fleet.Told; id: string }) {
  const job = yield* waited(fleet, id, Job.isEnded)
  assert.include(job, { state: "done", run: alone.run }, job.failure)
  const { outcomes, ...told } = yield* fleet.told(alone.run)
  const { outcomes: wanted, ...rest } = alone
  assert.deepStrictEqual(told, rest)
  assert.strictEqual(JSON.stringify(outcomes), JSON.stringify(wanted))
  return job
})

/** How often a runner speaks to the archive for a job to which nothing happens. */
export const undisturbed = Effect.fnUntraced(function*(fleet: Fleet.Fleet) {
  const asked = yield* begun(fleet)
  const { running, spoken } = asked.worker
  yield* running.until(
    "its thread gone",
    () => fleet.threads() > asked.threads && Processes.threads(running).present === 0
  )
  const steps = spoken() - asked.spoken
  yield* done(fleet, asked)
  return steps
})

/** One moment: at one of `steps`, or a little later. */
const moment = Effect.fnUntraced(
  function*(fleet: Fleet.Fleet, { strike }: Fault, seeded: Seeded.Seeded, steps: number) {
    const asked = yield* begun(fleet)
    const step = seeded.int(1, steps)
    const isOver = Effect.asVoid(waited(fleet, asked.id, Job.isEnded))
    yield* Effect.raceFirst(asked.worker.speaks(asked.spoken + step), isOver)
    yield* Effect.repeat(Effect.yieldNow, { times: seeded.int(0, LATER) })
    const at = yield* now
    const after = yield* strike({ fleet, worker: asked.worker, seeded, isOver })
    const { begun: times, begunAt = 0, endedAt = 0 } = yield* done(fleet, asked)
    yield* after
    for (const { name, running } of fleet.members.values()) {
      assert.isTrue(running.isThere(), `${name} ended: ${running.lines().slice(-60).join("\n")}`)
    }
    return {
      step,
      begunAgain: begunAt > at ? begunAt - at : undefined,
      ended: Math.max(0, endedAt - at),
      begun: times,
      threads: fleet.threads() - asked.threads
    } satisfies Seen
  }
)

/** Waits until a runner that was stopped or cut off is one again, and its threads are gone. */
export const back = (fleet: Fleet.Fleet, { name, running }: Fleet.Member) =>
  Effect.andThen(
    running.until("its threads gone", () => Processes.threads(running).present === 0),
    Effect.repeat(fleet.ask(({ runners }) => runners), {
      schedule: Schedule.spaced(TURN),
      until: (there) => there.some(({ address }) => address === name)
    })
  )

/** The books are what the ledger and its runs have. */
const whole = (fleet: Fleet.Fleet) =>
  Effect.gen(function*() {
    const { verify } = yield* Books.Books
    assert.deepStrictEqual(yield* verify, [])
  }).pipe(Desk.within(fleet.archive))

const figures = (values: ReadonlyArray<number>): string => {
  const sorted = values.toSorted((a, b) => a - b).map((ms) => (ms / 1000).toFixed(1))
  return sorted.length === 0
    ? "none"
    : `${sorted[sorted.length >> 1]} s (${sorted.length}: ${sorted[0]} to ${sorted.at(-1)})`
}

/** A fleet, and how often its runners speak to the archive for a job. */
export interface Lane {
  readonly fleet: Fleet.Fleet
  readonly steps: number
}

/** Tries a fault at so many moments as are asked for, which fleets share, and tells what was seen. */
export const tried = Effect.fnUntraced(function*(lanes: ReadonlyArray<Lane>, fault: Fault) {
  const seen: Array<Seen> = []
  yield* Effect.forEach(lanes, ({ fleet, steps }, index) =>
    Effect.gen(function*() {
      const seeded = Seeded.make(SEED * lanes.length + index)
      for (let turn = index; turn < KILLS; turn += lanes.length) {
        seen.push(
          yield* Effect.catchDefect(
            moment(fleet, fault, seeded, steps),
            (defect) => Effect.die(new Error(`${fault.name}, turn ${turn}`, { cause: defect }))
          )
        )
      }
      yield* whole(fleet)
    }), { concurrency: "unbounded", discard: true })
  const inJob = seen.filter(({ ended }) => ended > 0)
  const sum = (of: (one: Seen) => number): number => seen.reduce((all, one) => all + of(one), 0)
  yield* Effect.sync(() =>
    process.stderr.write(
      `${fault.name}: ${seen.length} moments of ${
        lanes[0]?.steps
      } steps, ${inJob.length} before the end; begun again after ` +
        `${figures(inJob.flatMap(({ begunAgain }) => begunAgain ?? []))}; ended after ${
          figures(inJob.map(({ ended }) => ended))
        }; begun ${sum(({ begun }) => begun)} times, in ${sum(({ threads }) => threads)} threads\n`
    )
  )
})
