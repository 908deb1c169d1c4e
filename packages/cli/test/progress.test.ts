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
import * as Sink from "effect/Sink"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Terminal from "effect/Terminal"
import { TestClock } from "effect/testing"
import * as TestConsole from "effect/testing/TestConsole"
import * as Machine from "../../core/test/support/machine.ts"
import { counts, state, SYNC } from "./support/Progress.ts"
import { directory, layerFiles } from "./support/Run.ts"

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
