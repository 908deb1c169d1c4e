/** What an archive claims is held against what happened, after every sync: see `Judge` for the rules, `World` for what happens. */
import { describe, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { NOW } from "../support/records.ts"
import * as Exports from "./Exports.ts"
import * as Judge from "./Judge.ts"
import * as Seeds from "./Seeds.ts"
import * as Simulation from "./Simulation.ts"
import * as World from "./World.ts"

interface Kind extends Simulation.Kind {
  readonly name: string
  /** What is true at the latest when the world has come to rest; absent: no more than ever. */
  readonly end?: typeof Judge.current
  /** Old exports are imported in between, and syncs ask for one account only, or from another moment on. */
  readonly imports?: boolean
}

/** Pages that are read at once, while time goes by. */
const busy = { page: 7, concurrency: 4, latency: 3000 }

const kinds: ReadonlyArray<Kind> = [
  { name: "that only grows", page: 7, end: Judge.current },
  { name: "that shows records late", ...busy, late: World.MINUTE, end: Judge.current },
  { name: "with twins", ...busy, twins: true, end: Judge.current },
  { name: "with twins in random order", ...busy, twins: true, shuffled: true, end: Judge.current },
  {
    name: "that fails, whose readers die",
    ...busy,
    late: World.MINUTE,
    failing: 0.05,
    kills: true,
    end: Judge.current
  },
  {
    name: "that takes records away between readings",
    ...busy,
    removals: "between readings",
    failing: 0.02,
    kills: true
  },
  { name: "that takes records away between pages", page: 7, removals: "at any time", end: Judge.returned },
  {
    name: "that takes records away and gives them back",
    ...busy,
    removals: "between readings",
    returns: true,
    kills: true
  },
  {
    name: "that takes records away and gives them back, in one response",
    page: 1000,
    removals: "between readings",
    returns: true,
    end: Judge.returned
  },
  { name: "whose statuses go back", ...busy, regressions: true, twins: true, kills: true },
  { name: "beside which old exports are imported", page: 7, late: World.MINUTE / 2, imports: true },
  {
    name: "with twins, beside which old exports are imported",
    ...busy,
    failing: 0.03,
    twins: true,
    kills: true,
    imports: true
  },
  {
    name: "that takes records away which old exports have",
    page: 7,
    removals: "between readings",
    kills: true,
    imports: true
  },
  {
    name: "where everything happens",
    page: 7,
    concurrency: 4,
    latency: World.MINUTE / 2,
    late: 1.5 * World.MINUTE,
    twins: true,
    regressions: true,
    removals: "between readings",
    returns: true,
    failing: 0.03,
    kills: true
  }
]

const ROUNDS = 10

const live = (kind: Kind) =>
  Effect.fnUntraced(function*(seed: number) {
    const simulation = yield* Simulation.make(kind, seed)
    const { answered, broker, pass, random, rest, sync, world } = simulation
    const exports = Exports.make(simulation)
    const shifts = kind.removals === "at any time"
    const allowed = { regressions: kind.regressions ?? false, shifts, ...(shifts ? { answered } : {}) }

    const asked = (round: number) => ({
      ...(kind.imports && random.chance(0.3) ? { accounts: ["a@x"] } : {}),
      ...(kind.imports && random.chance(0.1) ? { since: NOW + random.int(-200, 200) * World.HOUR } : {}),
      ...(round === 0 ? { since: NOW } : {})
    })

    yield* Effect.gen(function*() {
      for (let round = 0; round < ROUNDS; round++) {
        yield* pass
        yield* sync(asked(round))
        yield* Judge.sound(world, allowed)
        if (!kind.imports) continue
        yield* exports
        yield* Judge.sound(world, allowed)
      }
      yield* rest
      yield* Judge.sound(world, { ...allowed, shifts: false })
      if (kind.end !== undefined) yield* kind.end(world)
    }).pipe(Effect.provide(Layer.merge(Archive.layerMemory(), broker)))
  })

describe("an archive of a service", () => {
  for (const kind of kinds) {
    const lost = kind.removals === "at any time" ? "loses nothing that it was shown, and" : "loses,"
    it.effect(`${kind.name} ${lost} doubles and invents nothing`, () => Seeds.each(live(kind)))
  }
})
