/** The fleets that the tests of a file share. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fleet from "./Fleet.ts"
import * as Moments from "./Moments.ts"

export class Fleets extends Context.Service<Fleets, ReadonlyArray<Moments.Lane>>()("@tallystick/cluster/test/Fleets") {}

/** A fleet for so many moments of a kind: most of a moment is waiting, so that four fleets keep two cores busy. */
const MOMENTS = 13
const LANES = Math.min(4, Math.ceil(Moments.KILLS / MOMENTS))

/** The first job of an archive opens items that later ones only keep: the second one is like all others. */
const lane = Effect.gen(function*() {
  const fleet = yield* Fleet.make
  yield* Moments.undisturbed(fleet)
  return { fleet, steps: yield* Moments.undisturbed(fleet) }
})

export const layer = Layer.effect(
  Fleets,
  Effect.all(Array.from({ length: LANES }, () => lane), { concurrency: "unbounded" })
)

/** Processes live by the clock of the machine. */
export const options = { excludeTestServices: true, timeout: "10 minutes" } as const

export const tried = (fault: Moments.Fault) => Effect.flatMap(Fleets, (lanes) => Moments.tried(lanes, fault))
