/**
 * A runner that stands still, or is cut off from its database, for longer than its locks last: another one does its job, once, and it writes
 * nothing when it goes on. Three runners as real processes, and a real PostgreSQL.
 *
 * TALLYSTICK_KILLS: so many moments of each kind (default 2). TALLYSTICK_SEED draws other moments.
 */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fleets from "./Fleets.ts"
import * as Moments from "./Moments.ts"

const stopped: Moments.Fault = {
  name: "SIGSTOP",
  strike: ({ fleet, worker }) =>
    Effect.as(
      worker.running.signal("SIGSTOP"),
      Effect.gen(function*() {
        const before = yield* fleet.digests
        yield* worker.running.signal("SIGCONT")
        yield* Moments.back(fleet, worker)
        assert.deepStrictEqual(yield* fleet.digests, before)
      })
    )
}

const cut: Moments.Fault = {
  name: "cut off",
  strike: ({ fleet, worker }) =>
    Effect.as(
      worker.network.cut,
      Effect.gen(function*() {
        const before = yield* fleet.digests
        yield* worker.network.heal
        yield* Moments.back(fleet, worker)
        assert.deepStrictEqual(yield* fleet.digests, before)
      })
    )
}

layer(Fleets.layer, Fleets.options)("a cluster of three runners", (it) => {
  it.effect("a job whose runner stands still is done by another one, and the first writes nothing when it wakes", () =>
    Fleets.tried(stopped))

  it.effect("a job whose runner is cut off is done by another one, and the first writes nothing when it is back", () =>
    Fleets.tried(cut))
})
