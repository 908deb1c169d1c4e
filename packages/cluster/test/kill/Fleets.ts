/** The fleet that the tests of a file share. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fleet from "./Fleet.ts"
import * as Moments from "./Moments.ts"

export class Fleets extends Context.Service<Fleets, {
  readonly fleet: Fleet.Fleet
  /** So often a runner speaks to the archive for a job. */
  readonly steps: number
}>()("@tallystick/cluster/test/Fleets") {}

/** The first job of an archive opens items that later ones only keep: the second one is like all others. */
export const layer = Layer.effect(
  Fleets,
  Effect.gen(function*() {
    const fleet = yield* Fleet.make
    yield* Moments.undisturbed(fleet)
    return { fleet, steps: yield* Moments.undisturbed(fleet) }
  })
)

/** Processes live by the clock of the machine. */
export const options = { excludeTestServices: true, timeout: "5 minutes" } as const

export const tried = (fault: Moments.Fault) =>
  Effect.gen(function*() {
    const { fleet, steps } = yield* Fleets
    yield* Moments.tried(fleet, fault, steps)
    yield* Moments.whole(fleet)
  })
