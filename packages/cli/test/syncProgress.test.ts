import { assert, describe, it } from "@effect/vitest"
import type * as Sync from "@tallystick/archive/Sync"
import * as SyncProgress from "@tallystick/cli/archive/SyncProgress"
import * as Notice from "@tallystick/cli/Notice"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Terminal from "effect/Terminal"
import { TestClock } from "effect/testing"
import * as TestConsole from "effect/testing/TestConsole"

const progress = (changes: Partial<Sync.Progress> = {}): Sync.Progress => ({
  operation: "transfers",
  slicesDone: 12,
  slices: 96,
  pages: 340,
  records: 12_345,
  added: 2345,
  ...changes
})

const pace = (elapsed: number, still = 0): SyncProgress.Pace => ({ elapsed, still })

const terminal = Layer.succeed(
  Terminal.Terminal,
  Terminal.make({
    columns: Effect.succeed(60),
    rows: Effect.succeed(20),
    size: Effect.die("nobody asks"),
    readInput: Effect.die("nothing is read"),
    readLine: Effect.die("nothing is read"),
    display: () => Effect.void
  })
)

const stdio = (isTerminal: boolean, written: Array<string>) =>
  Stdio.layerTest({
    stderrIsTerminal: Effect.succeed(isTerminal),
    stderr: () => Sink.forEach((part: string | Uint8Array) => Effect.sync(() => void written.push(String(part))))
  })

describe("the progress of a sync", () => {
  it("tells slices, pages, records, how fast, and how long it may still take", () => {
    assert.strictEqual(
      SyncProgress.line(progress(), pace(15_000), 200),
      "[==>                 ]  transfers  12/96 slices  340 pages  12,345 records (2,345 new)  823 records/s  1 min 45 s left"
    )
    assert.notInclude(SyncProgress.line(progress({ slicesDone: 0 }), pace(15_000), 200), "left")
    assert.notInclude(SyncProgress.line(progress({ slicesDone: 96 }), pace(15_000), 200), "left")
    assert.include(SyncProgress.line(progress({ slicesDone: 96 }), pace(0), 200), "[====================]")
  })

  it("says on a narrow terminal too that no page came, though slices ended", () => {
    assert.include(SyncProgress.line(progress({ pages: 0, records: 0, added: 0 }), pace(15_000), 59), "  0 pages  ")
  })

  it("guesses no time left while one slice takes long", () => {
    const almost = progress({ slicesDone: 95 })
    assert.include(SyncProgress.line(almost, pace(60_000, 9999), 200), "  1 s left")
    assert.notInclude(SyncProgress.line(almost, pace(60_000, 10_000), 200), "left")
  })

  it.prop(
    "never breaks the line of a terminal, however narrow it is",
    [
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1e9 }))
    ],
    ([width, count]) => {
      const line = SyncProgress.line(
        progress({ pages: count, records: count, slices: count, slicesDone: count >> 1 }),
        pace(count),
        width
      )
      assert.isAtMost(line.length, width)
      assert.notInclude(line, "\n")
    }
  )

  it.effect("is drawn again in its line of a terminal, not too often, and makes room for what comes after", () =>
    Effect.gen(function*() {
      const written: Array<string> = []
      yield* Effect.gen(function*() {
        const { update } = yield* SyncProgress.make
        for (let step = 0; step < 10; step++) {
          yield* update(progress({ pages: step }))
          yield* TestClock.adjust(30)
        }
      }).pipe(Effect.scoped, Effect.provide([stdio(true, written), terminal]))
      assert.deepStrictEqual(written.map((text) => text.slice(0, 4)), Array.from({ length: 4 }, () => "\r\u001b[K"))
      assert.strictEqual(written.at(-1), "\r\u001b[K")
      for (const text of written) assert.isBelow(text.length - 4, 60)
    }))

  it.effect("gives way to what is said and logged, and comes back below, though nothing moves", () =>
    Effect.gen(function*() {
      const written: Array<string> = []
      const console = Object.assign(Object.create(globalThis.console), {
        error: (text: string) => written.push(`${text}\n`)
      })
      yield* Effect.gen(function*() {
        const { update } = yield* SyncProgress.make
        yield* Notice.say("before")
        yield* update(progress())
        yield* Effect.logWarning("The service asks to wait.")
        yield* Notice.say("two", "lines")
        yield* TestClock.adjust("1 second")
        yield* Notice.say("at last")
        yield* update(progress())
        yield* TestClock.adjust("11 seconds")
      }).pipe(
        Effect.scoped,
        Effect.andThen(Notice.say("after")),
        Effect.provide([stdio(true, written), terminal, Notice.layerLogger]),
        Effect.provideService(Console.Console, console)
      )
      const clear = "\r\u001b[K"
      const line = (elapsed: number, still: number) => clear + SyncProgress.line(progress(), pace(elapsed, still), 59)
      assert.deepStrictEqual(written, [
        "before\n",
        line(0, 0),
        `${clear}warning: The service asks to wait.\n`,
        "two\nlines\n",
        line(1000, 1000),
        `${clear}at last\n`,
        line(1000, 1000),
        ...Array.from({ length: 11 }, (_, second) => line(2000 + second * 1000, 2000 + second * 1000)),
        clear,
        "after\n"
      ])
    }))

  it.effect("stands beside messages that are broken between words on a terminal, and nowhere else", () =>
    Effect.gen(function*() {
      const said = Effect.fnUntraced(function*(isTerminal: boolean) {
        const console = yield* TestConsole.make
        yield* Notice.tell(`${"word ".repeat(13)}end`, "short").pipe(
          Effect.provide([stdio(isTerminal, []), terminal]),
          Effect.provideService(Console.Console, console)
        )
        return yield* console.errorLines
      })
      assert.deepStrictEqual(yield* said(true), [`${"word ".repeat(11).trim()}\n  word word end\nshort`])
      assert.deepStrictEqual(yield* said(false), [`${"word ".repeat(13)}end\nshort`])
    }))

  it.effect("is a line every ten seconds where nobody watches", () =>
    Effect.gen(function*() {
      const written: Array<string> = []
      const console = yield* TestConsole.make
      yield* Effect.gen(function*() {
        const { update } = yield* SyncProgress.make
        for (let step = 0; step < 25; step++) {
          yield* TestClock.adjust("1 second")
          yield* update(progress({ pages: step }))
        }
      }).pipe(
        Effect.scoped,
        Effect.provide([stdio(false, written), terminal]),
        Effect.provideService(Console.Console, console)
      )
      const lines = yield* console.errorLines
      assert.strictEqual(lines.length, 2)
      assert.strictEqual(lines[0], "transfers: 12 of 96 slices, 9 pages, 12,345 records (2,345 new), 1,235 records/s")
      assert.deepStrictEqual(written, [])
    }))
})
