/** Two masters with their own archives in one program. */
import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Runs from "@tallystick/archive/Runs"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { temporaryFolder } from "./support/databases.ts"

/** A master of a name, with what it keeps, built in one program with the others. */
class North extends Context.Service<North, Context.Context<Archive.Archive | Runs.Runs>>()("test/North") {}
class South extends Context.Service<South, Context.Context<Archive.Archive | Runs.Runs>>()("test/South") {}

type Layered<E> = Layer.Layer<Archive.Archive | Runs.Runs, E>

const masters = <E1, E2>(north: Layered<E1>, south: Layered<E2>) =>
  Layer.merge(
    Layer.effect(North, Effect.context<Archive.Archive | Runs.Runs>()).pipe(Layer.provide(north)),
    Layer.effect(South, Effect.context<Archive.Archive | Runs.Runs>()).pipe(Layer.provide(south))
  )

const interval = { from: 1_700_000_000_000, to: 1_700_000_001_000 }

/** What of one archive the other shows. */
const shared = Effect.gen(function*() {
  const [north, south] = [yield* North, yield* South]
  const one = Context.get(north, Archive.Archive)
  const other = Context.get(south, Archive.Archive)
  yield* one.vouch("deposits", interval, interval.to)
  assert.notStrictEqual(Context.get(north, Runs.Runs), Context.get(south, Runs.Runs))
  assert.lengthOf(yield* one.coverage(), 1)
  return yield* other.coverage()
})

describe("two archives in one program", () => {
  it.effect("share nothing in memory", () =>
    Effect.gen(function*() {
      const layer = masters(Archive.Archive.layerMemory(), Archive.Archive.layerMemory())
      assert.deepStrictEqual(yield* Effect.provide(shared, layer), [])
    }))

  it.effect("share nothing in their files, named or of a configuration of their own", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const configured = (name: string) =>
        Archive.Archive.layerConfig().pipe(
          Layer.provide(
            ConfigProvider.layer(ConfigProvider.fromEnv({ env: { TALLYSTICK_ARCHIVE: `${folder}/${name}.db` } }))
          )
        )
      const named = (name: string) => Archive.Archive.layerSqlite({ file: `${folder}/${name}.db` })
      for (const layer of [masters(named("a"), named("b")), masters(configured("c"), configured("d"))]) {
        assert.deepStrictEqual(yield* Effect.provide(shared, layer), [])
      }
    }))
})
