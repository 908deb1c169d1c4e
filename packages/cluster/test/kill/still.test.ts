/**
 * A runner that stands still, or is cut off from its database, for longer than its locks last: another one does its job, once, and it changes
 * nothing that anybody sees when it goes on. Three runners as real processes, and a real PostgreSQL.
 *
 * TALLYSTICK_KILLS: so many moments of each kind (default 2). TALLYSTICK_SEED draws other moments.
 */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fleets from "./Fleets.ts"
import * as Moments from "./Moments.ts"

/** What it did meanwhile, and does when it is back, changes nothing. */
const back = ({ fleet, worker }: Moments.Moment, comes: Effect.Effect<void>) =>
  Effect.gen(function*() {
    const before = yield* fleet.digests
    yield* comes
    yield* Moments.back(fleet, worker)
    assert.deepStrictEqual(yield* fleet.digests, before)
  })

const stopped: Moments.Fault = {
  name: "SIGSTOP",
  strike: (moment) =>
    Effect.as(moment.worker.running.signal("SIGSTOP"), back(moment, moment.worker.running.signal("SIGCONT")))
}

const cut: Moments.Fault = {
  name: "cut off",
  strike: (moment) => Effect.as(moment.worker.network.cut, back(moment, moment.worker.network.heal))
}

layer(Fleets.layer, Fleets.options)("a cluster of three runners", (it) => {
  it.effect("a job whose runner stands still is done by another one, and the first changes nothing when it wakes", () =>
    Fleets.tried(stopped))

  it.effect("a job whose runner is cut off is done by another one, and the first changes nothing when it is back", () =>
    Fleets.tried(cut))
})
