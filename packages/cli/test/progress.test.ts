import { assert, describe, it } from "@effect/vitest"
import * as FieldMap from "@tallystick/cli/config/FieldMap"
import * as EntryFile from "@tallystick/cli/files/EntryFile"
import * as FileBytes from "@tallystick/cli/files/FileBytes"
import * as BrokerProgress from "@tallystick/cli/network/BrokerProgress"
import * as Progress from "@tallystick/cli/terminal/Progress"
import * as ProgressLine from "@tallystick/cli/terminal/ProgressLine"
import * as QuietFlag from "@tallystick/cli/terminal/QuietFlag"
import * as Stderr from "@tallystick/cli/terminal/Stderr"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerReconciliation from "@tallystick/reconcile/BrokerReconciliation"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Clock from "effect/Clock"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Terminal from "effect/Terminal"
import { TestClock } from "effect/testing"
import * as TestConsole from "effect/testing/TestConsole"
import * as Machine from "../../core/test/support/machine.ts"
import { directory, layerFiles } from "./support/Run.ts"

const counts = { done: 12, of: 96, pages: 340, records: 12_345, added: 2345 }

const SYNC = { what: "transfers from sub00012", unit: "query" } as const

/** One piece of work that began at 0, went on evenly until `moved`, and has come to `changes`. */
const state = (changes: Partial<ProgressLine.Counts> = {}, moved = 0, about: ProgressLine.About = SYNC) => {
  const own = Symbol("piece")
  const opened = ProgressLine.opened(ProgressLine.begin(0), own, about)
  const { done = counts.done } = changes
  const begun = ProgressLine.changed(opened, own, { done: Math.min(1, done) }, false, moved / Math.max(1, done))
  return ProgressLine.changed(begun, own, { ...counts, ...changes }, false, moved)
}

/** When each of some queries is done, ms, of which so many are read at once. */
const endsOf = (lengths: ReadonlyArray<number>, atOnce: number): ReadonlyArray<number> => {
  const free = Array.from({ length: atOnce }, () => 0)
  const ends = lengths.map((length) => {
    const at = Math.min(...free)
    free[free.indexOf(at)] = at + length
    return at + length
  })
  return ends.toSorted((a, b) => a - b)
}

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

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

describe("the line of progress", () => {
  it("tells what is read now, queries, pages, records, how fast, and how long it may still take", () => {
    assert.strictEqual(
      ProgressLine.line(state({}, 15_000), 15_000, 200),
      "[==>                 ]  transfers from sub00012  12/96 queries  340 pages  12,345 records (2,345 new)  823 records/s  " +
        "1 min 45 s left"
    )
    assert.strictEqual(
      ProgressLine.line(state({}, 15_000), 15_000, 80),
      "[=>      ]  transfers from sub00012  12/96 queries  1 min 45 s left"
    )
    assert.strictEqual(
      ProgressLine.sentence(state({}, 15_000), 15_000),
      "transfers from sub00012: 12 of 96 queries, 340 pages, 12,345 records (2,345 new), 823 records/s, 1 min 45 s left"
    )
    assert.strictEqual(
      ProgressLine.sentence(state({ of: 0, done: 1 }, 15_000), 15_000),
      "transfers from sub00012: 340 pages, 12,345 records (2,345 new), 823 records/s"
    )
    assert.notInclude(ProgressLine.line(state({ done: 0 }, 15_000), 15_000, 200), "left")
    assert.notInclude(ProgressLine.line(state({ done: 96 }, 15_000), 15_000, 200), "left")
    assert.include(ProgressLine.line(state({ done: 96 }), 0, 200), "[====================]")
    assert.include(
      ProgressLine.line(state({ done: 97 }), 0, 200),
      "[====================]  transfers from sub00012  97/97 queries"
    )
  })

  it("tells how much of the files that are read at once was read", () => {
    const [left, right] = [Symbol("left"), Symbol("right")]
    const open = [left, right].reduce(
      (state, id) => ProgressLine.opened(state, id, { what: id === left ? "d.ndjson" : "t.ndjson", unit: "byte" }),
      ProgressLine.begin(0)
    )
    const read = (id: symbol, done: number) => (state: ProgressLine.State) =>
      ProgressLine.changed(state, id, { done, of: 100_000_000 }, false, done === 0 ? 0 : 10_000)
    const begun = read(right, 0)(read(left, 0)(open))
    const both = read(right, 1_900_000)(read(left, 48_150_000)(begun))
    assert.strictEqual(
      ProgressLine.line(both, 10_000, 200),
      "[=====>              ]  d.ndjson, t.ndjson  50.0 MB of 200.0 MB  30 s left"
    )
    assert.strictEqual(ProgressLine.sentence(both, 10_000), "d.ndjson, t.ndjson: 50.0 MB of 200.0 MB, 30 s left")
    const pipe = state({ of: 0, done: 1_500_000, pages: 0 }, 0, { what: "stdin", unit: "byte" })
    assert.strictEqual(ProgressLine.line(pipe, 0, 200), "stdin  1.5 MB")
  })

  it("tells a share of work whose units mean nothing, once it is known how much there is", () => {
    const nothing = { done: 0, of: 0, pages: 0, records: 0, added: 0 }
    const matching = { what: "matching 200,000 entries …", unit: "share" } as const
    const line = (counts: Partial<ProgressLine.Counts>) =>
      ProgressLine.line(state({ ...nothing, ...counts }, 3000, matching), 3000, 200)
    assert.strictEqual(line({}), "matching 200,000 entries …")
    assert.strictEqual(
      line({ done: 999, of: 4000 }),
      "[====>               ]  matching 200,000 entries …  24 %  10 s left"
    )
    assert.strictEqual(line({ done: 4000, of: 4000 }), "[====================]  matching 200,000 entries …  100 %")
    const told = state({ ...nothing, done: 999, of: 4000 }, 3000, matching)
    assert.strictEqual(ProgressLine.sentence(told, 3000), "matching 200,000 entries …: 24 %, 10 s left")
    assert.strictEqual(ProgressLine.sentence(state(nothing, 0, matching), 0), "matching 200,000 entries …")
  })

  it("says on a narrow terminal too that no page came, though queries ended", () => {
    assert.include(ProgressLine.line(state({ pages: 0, records: 0, added: 0 }, 15_000), 15_000, 69), "  0 pages")
  })

  it("guesses no time left before a tenth is done, nor while one query takes long", () => {
    assert.include(ProgressLine.line(state({ done: 10 }, 15_000), 15_000, 200), "  2 min 9 s left")
    assert.notInclude(ProgressLine.line(state({ done: 9 }, 15_000), 15_000, 200), "left")
    assert.include(ProgressLine.line(state({ done: 95 }, 50_001), 60_000, 200), "  1 s left")
    assert.notInclude(ProgressLine.line(state({ done: 95 }, 50_000), 60_000, 200), "left")
  })

  it.prop(
    "never shows less of the whole than before, whatever is found to be done on the way",
    [Schema.Array(
      Schema.Struct({ piece: between(0, 2), done: between(0, 9), of: between(0, 30), isMore: Schema.Boolean })
    )],
    ([steps]) => {
      const pieces = [Symbol("a"), Symbol("b"), Symbol("c")]
      let shown = 0
      let state = ProgressLine.begin(0)
      for (const { isMore, piece, ...counts } of steps) {
        const own = pieces[piece] ?? Symbol("none")
        if (!state.pieces.has(own)) state = ProgressLine.opened(state, own, SYNC)
        state = ProgressLine.changed(state, own, counts, isMore, 0)
        const full = /^\[(=*)/.exec(ProgressLine.line(state, 0, 200))?.[1]?.length ?? shown
        assert.isAtLeast(full, shown)
        shown = full
      }
    }
  )

  it.prop(
    "guesses after a tenth how long the rest takes, within a factor of two, however long the deposits took",
    [
      Schema.Array(between(200, 300)).check(Schema.isMinLength(400), Schema.isMaxLength(500)),
      between(1, 8),
      between(0, 600_000)
    ],
    ([lengths, atOnce, deposits]) => {
      const own = Symbol("sync")
      const of = lengths.length + 1
      let state = ProgressLine.opened(ProgressLine.begin(0), own, SYNC)
      state = ProgressLine.changed(state, own, { of }, true, 0)
      const ends = [deposits, ...endsOf(lengths, atOnce).map((end) => deposits + end)]
      for (const [index, now] of ends.entries()) {
        state = ProgressLine.changed(state, own, { done: 1 }, true, now)
        const [done, truth] = [index + 1, (ends.at(-1) ?? 0) - now]
        const guess = ProgressLine.remaining(state, now)
        if (done < of / 10) assert.isUndefined(guess)
        // The last ones are read at once, and end as they like.
        else if (of - done > 2 * atOnce) {
          assert.isAtLeast(guess ?? 0, truth / 2)
          assert.isAtMost(guess ?? Infinity, truth * 2)
        }
      }
    }
  )

  it.prop(
    "never breaks the line of a terminal, however narrow it is",
    [
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1e9 }))
    ],
    ([width, count]) => {
      const text = ProgressLine.line(state({ pages: count, records: count, of: count, done: count >> 1 }), count, width)
      assert.isAtMost(text.length, width)
      assert.notInclude(text, "\n")
    }
  )
})

const NOW = Date.UTC(2026, 10, 19)

const CLEAR = "\r\u001b[K"

/** What stderr is given, drawn and said. */
const watched = Effect.fnUntraced(function*<A, E, R>(
  effect: Effect.Effect<A, E, R>,
  { env = {}, isTerminal = true }: { readonly env?: Record<string, string>; readonly isTerminal?: boolean } = {}
) {
  const written: Array<string> = []
  const console = Object.assign(Object.create(globalThis.console), {
    error: (text: string) => written.push(`${text}\n`)
  })
  yield* Progress.shown(effect).pipe(
    Effect.andThen(Stderr.say("after")),
    Effect.provide([stdio(isTerminal, written), terminal, Stderr.layerLogger]),
    Effect.provideService(Console.Console, console),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(env))
  )
  return written
})

/** Comes on by a page each second. */
const pages = Effect.fnUntraced(function*(seconds: number) {
  const track = yield* Progress.track(SYNC)
  yield* track.add({ of: 96, done: 12 })
  for (let step = 0; step < seconds; step++) {
    yield* TestClock.adjust("1 second")
    yield* track.add({ pages: 1 })
  }
}, Effect.scoped)

describe("progress", () => {
  it.effect("is drawn again in its line of a terminal, not too often, and leaves nothing behind", () =>
    Effect.gen(function*() {
      const written = yield* watched(Effect.scoped(Effect.gen(function*() {
        const track = yield* Progress.track(SYNC)
        for (let step = 0; step < 10; step++) {
          yield* track.add({ pages: 1 })
          yield* TestClock.adjust(30)
        }
      })))
      assert.deepStrictEqual(written.map((text) => text.slice(0, 4)), [CLEAR, CLEAR, CLEAR, "afte"])
      assert.strictEqual(written.at(-2), CLEAR)
      for (const text of written) assert.isBelow(text.length - CLEAR.length, 60)
    }))

  it.effect("gives way to what is said and logged, and comes back below, though nothing moves", () =>
    Effect.gen(function*() {
      const written = yield* watched(Effect.scoped(Effect.gen(function*() {
        const track = yield* Progress.track(SYNC)
        yield* Stderr.say("before")
        yield* TestClock.adjust(100)
        yield* track.set(counts)
        yield* Effect.logWarning("The service asks to wait.")
        yield* Stderr.say("two", "lines")
        yield* TestClock.adjust(900)
        yield* Stderr.say("at last")
      })))
      const line = (now: number) => CLEAR + ProgressLine.line(state({}, 100), now, 57)
      assert.deepStrictEqual(written, [
        "before\n",
        line(100),
        `${CLEAR}warning: The service asks to wait.\n`,
        "two\nlines\n",
        line(1000),
        `${CLEAR}at last\n`,
        "after\n"
      ])
    }))

  it.effect("is a line every ten seconds where nobody watches, and on a terminal that cannot go back", () =>
    Effect.gen(function*() {
      const said = "transfers from sub00012: 12 of 96 queries, 10 pages, 0 records\n"
      for (const options of [{ isTerminal: false }, { env: { TERM: "dumb" } }]) {
        const written = yield* watched(pages(25), options)
        assert.strictEqual(written.length, 3)
        assert.strictEqual(written[0], said)
      }
    }))

  it.effect("goes on where the machine's clock is set back or forward meanwhile", () =>
    Effect.gen(function*() {
      for (const by of [-3_600_000, 86_400_000]) {
        const machine = yield* Machine.make
        const set = Effect.sync(() => machine.set(by))
        const work = Effect.andThen(pages(9), Effect.andThen(set, pages(16)))
        const written = yield* watched(Effect.scoped(Effect.andThen(Progress.track(SYNC), work)), { isTerminal: false })
          .pipe(Effect.provideService(Clock.Clock, machine.clock))
        assert.strictEqual(written.length, 3, written.join(""))
      }
    }))

  it.effect("is not shown by a quiet command, which says only what went wrong", () =>
    Effect.gen(function*() {
      const quiet = Effect.provideService(QuietFlag.quiet, true)
      const spoken = Effect.andThen(Stderr.say("all is well"), Stderr.complain("something is not"))
      assert.deepStrictEqual(
        yield* watched(Effect.andThen(pages(25), spoken).pipe(quiet)),
        ["something is not\n", "after\n"]
      )
    }))
})

/** Everything of a file, whose sides are vouched for. */
const READING: EntryFile.Options = {
  policy: Policy.defaults,
  accounts: { list: [], complete: false },
  account: () => undefined,
  maps: FieldMap.none,
  from: undefined,
  to: undefined,
  complete: true
}

describe("what is read shows how far it is", () => {
  it.effect("files of entries as they are read, and lets others have their turn meanwhile", () =>
    Effect.gen(function*() {
      const { at, put } = yield* directory
      const row = (index: number) => ({
        id: String(index),
        asset: "BTC",
        amount: "1",
        at: `${1_763_000_000_000 + index}`
      })
      const rows = Array.from({ length: 12_000 }, (_, index) => row(index))
      yield* put(
        "books.ndjson",
        rows.map((row) => `${JSON.stringify({ ...row, reference: "é".repeat(50) })}\n`).join("")
      )
      yield* put("books.json", JSON.stringify(rows.map((row) => ({ ...row, reference: "é".repeat(50) }))))
      yield* put(
        "books.csv",
        `id,asset,amount,at,reference\n${
          rows.map((row) => `${Object.values(row).join(",")},${"é".repeat(50)}\n`).join("")
        }`
      )
      for (const name of ["books.ndjson", "books.json", "books.csv"]) {
        yield* TestClock.setTime(1_764_000_000_000)
        let turns = 0
        const others = Effect.forever(
          Effect.andThen(TestClock.adjust(100), Effect.andThen(Effect.sync(() => turns++), Effect.yieldNow))
        )
        const written = yield* watched(
          Effect.raceFirst(
            EntryFile.read("deposit", at(name), READING),
            others
          ).pipe(Effect.tap(({ slice }) => Effect.sync(() => assert.strictEqual(slice.records.length, rows.length))))
        )
        assert.isAtLeast(turns, 5, name)
        const [done = 0, of = 0] = written.flatMap((text) =>
          /([\d.]+) MB of ([\d.]+) MB/.exec(text)?.slice(1).map(Number) ?? []
        )
        assert.isAbove(done, 0, name)
        assert.isBelow(done, of, name)
        assert.strictEqual(written.at(-2), CLEAR)
      }
    }).pipe(Effect.provide(layerFiles)))

  it.effect("entries that are matched show which share is done, where they are many", () =>
    Effect.gen(function*() {
      const side = (side: "deposit" | "transfer", count: number) =>
        EntryFile.of(
          side,
          {
            name: `${side}s.ndjson`,
            text: Array.from(
              { length: count },
              (_, at) => JSON.stringify({ id: `${side}${at}`, asset: "BTC", amount: `${at + 1}`, at: NOW + at })
            ).join("\n")
          },
          READING
        )
      const matched = Effect.fnUntraced(function*(count: number) {
        const [left, right] = [yield* side("deposit", count), yield* side("transfer", count)]
        const run = EntryFile.matching(left, right)((onProgress) =>
          Reconciliation.reconcile(Stream.make(left.slice), Stream.make(right.slice), {
            onProgress: (progress) => Effect.andThen(onProgress(progress), TestClock.adjust(100))
          })
        )
        return yield* watched(run)
      })
      yield* TestClock.setTime(NOW)
      const shares = (yield* matched(10_000)).flatMap((text) => /entries … {2}(\d+) %/.exec(text)?.[1] ?? []).map(
        Number
      )
      assert.isAbove(shares.length, 10)
      assert.isTrue(shares.some((share) => share > 0 && share < 100))
      assert.deepStrictEqual(yield* matched(9999), ["after\n"])
    }))

  it.effect("what keeps everything waiting is told before it begins", () =>
    Effect.gen(function*() {
      const written = yield* watched(Progress.during("matching 800,000 entries …")(Effect.void))
      assert.deepStrictEqual(written, [`${CLEAR}matching 800,000 entries …`, CLEAR, "after\n"])
      assert.deepStrictEqual(yield* watched(Progress.during("matching")(Effect.void), { isTerminal: false }), [
        "after\n"
      ])
    }))

  it.effect("from the service: the slices of one scan", () =>
    Effect.gen(function*() {
      const range = { from: NOW - 172_800_000, to: NOW }
      const read = Broker.Broker.use((broker) =>
        Stream.runForEach(broker.scanSubAccountDeposits(range), () => TestClock.adjust(100))
      )
      yield* TestClock.setTime(NOW)
      const lines = (yield* watched(BrokerProgress.shown(read))).filter((text) => text.includes("slices"))
      assert.isAbove(lines.length, 1)
      const slices = lines.map((text) => /deposits {2}(\d+)\/(\d+) slices/.exec(text)?.slice(1).map(Number))
      // The first slices come together, when the way in which the service answers was read a second time.
      const done = slices.map((numbers) => numbers?.[0] ?? 0)
      assert.deepStrictEqual(done, Array.from(new Set(done)).toSorted((a, b) => a - b))
      assert.isAtLeast(done.at(-1) ?? 0, 3)
      // Two days, and the minutes in which more may still appear.
      assert.deepStrictEqual(Array.from(new Set(slices.map((numbers) => numbers?.[1]))), [3])
    }).pipe(Effect.provide(Broker.Broker.layerMemory({ deposits: [], transfers: [] }))))

  it.effect("from the service: how many of the scans of a report are done, which are known before the first", () =>
    Effect.gen(function*() {
      const list = ["sub00001", "sub00002", "sub00003"]
      const options = {
        range: { from: NOW - 172_800_000, to: NOW },
        policy: Policy.defaults,
        accounts: { list, complete: true }
      }
      const read = Effect.gen(function*() {
        const broker = yield* Broker.Broker
        const slow = <A, E, R>(stream: Stream.Stream<A, E, R>) => Stream.tap(stream, () => TestClock.adjust(100))
        return yield* BrokerReconciliation.run({ ...options, onPlan: BrokerProgress.expect }).pipe(
          Effect.provideService(Broker.Broker, {
            ...broker,
            scanSubAccountDeposits: (input) => slow(broker.scanSubAccountDeposits(input)),
            scanUniversalTransfers: (input) => slow(broker.scanUniversalTransfers(input))
          })
        )
      })
      yield* TestClock.setTime(NOW)
      const lines = (yield* watched(BrokerProgress.shown(read))).filter((text) => text.includes("queries"))
      const told = lines.flatMap((text) => {
        const [, what = "", done, of] = /(deposits|transfers from sub\d+) {2}(\d+)\/(\d+) queries/.exec(text) ?? []
        return [{ what, done: Number(done), of: Number(of) }]
      })
      // Two days, and around them as far as the policy looks.
      assert.deepStrictEqual(Array.from(new Set(told.map(({ of }) => of))), [1 + 3 * list.length])
      const done = told.map(({ done }) => done)
      assert.deepStrictEqual(done, done.toSorted((a, b) => a - b))
    }).pipe(Effect.provide(Broker.Broker.layerMemory({ deposits: [], transfers: [] }))))

  it.effect("from a file: its bytes, unless it is short", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const read = (path: string) => watched(Stream.runForEach(FileBytes.read(path), () => TestClock.adjust(100)))
      assert.deepStrictEqual(yield* read(yield* put("short", "x".repeat(999_999))), ["after\n"])
      const long = yield* read(yield* put("long.ndjson", "x".repeat(2_500_000)))
      assert.isAbove(long.length, 5)
      assert.match(long[0] ?? "", /long\.ndjson {2}0\.1 MB of 2\.5 MB/)
      assert.strictEqual(long.at(-2), CLEAR)
    }).pipe(Effect.provide(layerFiles)))
})

describe("what is said", () => {
  it.effect("is broken between words on a terminal, and nowhere else", () =>
    Effect.gen(function*() {
      const said = Effect.fnUntraced(function*(isTerminal: boolean) {
        const console = yield* TestConsole.make
        yield* Stderr.tell(`${"word ".repeat(13)}end`, "short").pipe(
          Effect.provide([stdio(isTerminal, []), terminal]),
          Effect.provideService(Console.Console, console)
        )
        return yield* console.errorLines
      })
      assert.deepStrictEqual(yield* said(true), [`${"word ".repeat(11).trim()}\n  word word end\nshort`])
      assert.deepStrictEqual(yield* said(false), [`${"word ".repeat(13)}end\nshort`])
    }))
})
