/**
 * Whatever its database does, a fleet of three runners comes to the report to which one process comes, and makes one execution of each job: the
 * server crashes, is started anew, ends all sessions, or has a full disk. The runners live through it.
 *
 * TALLYSTICK_KILLS: so many moments of each kind (default 2). TALLYSTICK_SEED draws other moments.
 */
import { layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as PostgresServer from "../../../archive/test/support/PostgresServer.ts"
import type * as Fleet from "./Fleet.ts"
import * as Fleets from "./Fleets.ts"
import type * as Moments from "./Moments.ts"

const restarted = (how: PostgresServer.Stop): Moments.Fault => ({
  name: `PostgreSQL restarted, ${how}`,
  strike: ({ fleet: { server } }) => Effect.as(Effect.promise(() => server.restart(how)), Effect.void)
})

const sessions: Moments.Fault = {
  name: "all sessions ended",
  strike: ({ fleet: { sql } }) =>
    Effect.as(
      Effect.orDie(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`),
      Effect.void
    )
}

/** So much of the disk is left, KiB. */
const LEFT = [0, 8, 32, 128]

/** How a runner says it. */
const FULL = /disk is full|No space left/

/** A server that cannot write its log ends, and whoever gives it room starts it again. It is gone where it refuses so often. */
const REFUSALS = 5

const isGone = ({ sql }: Fleet.Fleet) =>
  Effect.retry(sql`SELECT 1`, Schedule.spaced("200 millis").pipe(Schedule.upTo({ times: REFUSALS }))).pipe(
    Effect.isFailure
  )

const full: Moments.Fault = {
  name: "disk full",
  strike: ({ fleet, isOver, seeded }) =>
    Effect.gen(function*() {
      const { disk, members, server } = fleet
      const said = Array.from(members.values(), ({ running }) => {
        const before = running.lines().length
        return running.until("that the disk is full", (lines) => lines.slice(before).some((line) => FULL.test(line)))
      })
      yield* disk.fill(seeded.pick(LEFT))
      yield* Effect.raceFirst(
        Effect.raceAllFirst([isOver, ...said]),
        Effect.repeat(isGone(fleet), { schedule: Schedule.spaced("200 millis"), until: (isGone) => isGone })
      )
      yield* disk.free
      yield* (yield* isGone(fleet)) ? Effect.promise(() => server.restart()) : Effect.void
      return Effect.void
    })
}

layer(Fleets.layer, Fleets.options)("a cluster of three runners", (it) => {
  it.effect("a job is done once when PostgreSQL crashes at any moment", () => Fleets.tried(restarted("immediate")))

  it.effect("a job is done once when PostgreSQL is started anew at any moment", () => Fleets.tried(restarted("fast")))

  it.effect("a job is done once when PostgreSQL ends all sessions at any moment", () => Fleets.tried(sessions))

  it.effect("a job waits at any moment while the disk of PostgreSQL is full, and is done once", () =>
    Fleets.tried(full))
})
