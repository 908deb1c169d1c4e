/** What is said of a run where the command is interrupted while it is recorded. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Runs from "@tallystick/archive/Runs"
import * as Recording from "@tallystick/cli/archive/Recording"
import * as Interruption from "@tallystick/cli/terminal/Interruption"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as TestConsole from "effect/testing/TestConsole"
import * as Sample from "../../reconcile/test/reportSample.ts"

const report = Sample.report()
const { outcomes: _, ...summary } = report

/** A run is committed, and the interruption comes before whoever waits for it hears of it. */
const committed: Runs.Service = {
  record: (events) => Stream.concat(events, Stream.fromEffect(Effect.interrupt)),
  save: () => Effect.interrupt,
  list: () => Effect.succeed([]),
  executions: () => Effect.succeed([]),
  page: () => Effect.succeed({ runs: [], count: 0 }),
  get: () => Effect.succeedNone,
  outcome: () => Effect.succeedNone,
  outcomes: () => Stream.empty,
  diff: () => Effect.die("nobody compares here"),
  prune: () => Effect.die("nobody prunes here")
}

const told = Effect.fnUntraced(function*<E>(effect: Effect.Effect<unknown, E, Runs.Runs>) {
  const console = yield* TestConsole.make
  yield* Interruption.note({ run: null }).pipe(
    Effect.andThen(effect),
    Interruption.told(Option.none()),
    Effect.provideService(Runs.Runs, committed),
    Effect.provideService(Console.Console, console),
    Effect.provide(NodeServices.layer),
    Effect.exit
  )
  return (yield* console.errorLines).join("\n")
})

describe("a run that is interrupted between its commit and the word of it", () => {
  it.effect("is not said to be unrecorded", () =>
    Effect.gen(function*() {
      const events = Stream.make({ _tag: "Summary" as const, summary })
      for (const effect of [Recording.save(report), Stream.runDrain(Recording.record(events, () => undefined))]) {
        const said = yield* told(effect)
        assert.include(said, "Interrupted. Nothing was written.")
        assert.notInclude(said, "recorded")
      }
    }))

  it.effect("is said to be unrecorded as long as nothing asked for that", () =>
    Effect.gen(function*() {
      const events = Stream.fromEffect(Effect.interrupt)
      assert.include(
        yield* told(Stream.runDrain(Recording.record(events, () => undefined))),
        "The run was not recorded."
      )
    }))
})
