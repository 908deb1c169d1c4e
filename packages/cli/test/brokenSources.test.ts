import { assert, describe, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveError from "@tallystick/archive/ArchiveError"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Runs from "@tallystick/archive/Runs"
import * as RecordFile from "@tallystick/cli/archive/RecordFile"
import * as RecordKind from "@tallystick/cli/archive/RecordKind"
import * as FieldMap from "@tallystick/cli/config/FieldMap"
import * as EntryFileStream from "@tallystick/cli/files/EntryFileStream"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerError from "@tallystick/core/BrokerError"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Slice from "@tallystick/core/Slice"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as BrokerReconciliation from "@tallystick/reconcile/BrokerReconciliation"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as EntryStream from "@tallystick/reconcile/EntryStream"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Masking from "@tallystick/report/Masking"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PlatformError from "effect/PlatformError"
import * as Result from "effect/Result"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import { TestClock } from "effect/testing"
import { vi } from "vitest"
import * as Broken from "./support/Broken.ts"
import { layerFiles } from "./support/Run.ts"

vi.setConfig({ testTimeout: 600_000 })

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const AT = Date.UTC(2026, 10, 19)

const CHUNKS = 4
/** The long run breaks a source behind every chunk, others behind every second one. */
const STEP = process.env["TALLYSTICK_CASES"] === undefined ? 2 : 1

/** So many that a stream tells the first outcomes long before the last entry has come. */
const COUNT = 9000
/** The same of a file: of its rows 10,000 are held back to be put in order. */
const LONG = 21_000
/** The same of a file that is read as a whole before anything is told. */
const FEW = 300

const timeOf = (index: number): number => AT + Math.floor(index / 3) * MINUTE
const END = timeOf(LONG) + 10 * HOUR

const policy = Policy.resolve(
  Result.getOrThrow(Policy.decode({ window: { before: "1 minute", after: "20 minutes" }, late: "1 hour" }))
)
const accounts = { list: ["a@x"], complete: true }
const options = { policy, accounts }

const covered = (operation: Coverage.Coverage["operation"]): ReadonlyArray<Coverage.Coverage> => [
  { operation, from: AT - 10 * HOUR, to: END, readAt: END, state: "complete" }
]

const entry = (side: Entry.Side, index: number): Entry.Entry => ({
  side,
  id: `${side[0]}${index}`,
  asset: "USDT",
  amount: String(index + 1),
  at: timeOf(index) + (side === "deposit" ? 0 : 5 * MINUTE),
  status: "settled"
})

/** Every seventh deposit was never moved, every eleventh transfer came from nowhere. */
const indices = (side: Entry.Side, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => index)
    .filter((index) => (side === "deposit" ? index % 11 !== 5 : index % 7 !== 3))

const entries = (side: Entry.Side, count = COUNT): ReadonlyArray<Entry.Entry> =>
  indices(side, count).map((index) => entry(side, index))

const chunked = <A>(list: ReadonlyArray<A>): Stream.Stream<A> =>
  Stream.rechunk(Stream.fromIterable(list), Math.ceil(list.length / CHUNKS))

const whole: Broken.Break = (stream) => stream

type Source = (side: Entry.Side, breaks: Broken.Break) => Reconciliation.Side<unknown>

const fromEntries: Source = (side, breaks) =>
  Slice.fromEntries(breaks(chunked(entries(side)), new Error("the source is gone")), covered(`${side}s`))

/** Each slice carries all that is vouched for, not its own part alone. */
const slices: Source = (side, breaks) => {
  const all = fromEntries(side, whole)
  const wide = Stream.map(all, (slice) => Object.assign({}, slice, { coverage: covered(`${side}s`) }))
  return breaks(wide, new Error("the source is gone"))
}

/** Neighbours changed places, so that rows are held back. */
const swapped = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> => list.map((one, index) => list[index ^ 1] ?? one)

const fromRows: Source = (side, breaks) => {
  const rows = swapped(entries(side)).map(Struct.omit(["side"])).map((value) =>
    Result.succeed({ value, source: value.id, raw: JSON.stringify(value) })
  )
  return EntryStream.fromRows(breaks(chunked(rows), new Error("the source is gone")), {
    ...options,
    side,
    limit: 50,
    coverage: ({ from, to }, _first, isLast) => {
      const end = isLast ? END : to
      return { to: end, coverage: [{ operation: `${side}s`, from, to: end, readAt: END, state: "complete" }] }
    }
  })
}

const encoder = new TextEncoder()
const gone = PlatformError.systemError({ _tag: "Unknown", module: "Stdin", method: "read", description: "gone" })

/** Parts end in the middle of a line. */
const parts = (text: string): ReadonlyArray<Uint8Array> => {
  const bytes = encoder.encode(text)
  const length = Math.ceil(bytes.length / CHUNKS)
  return Array.from({ length: CHUNKS }, (_, index) => bytes.slice(index * length, (index + 1) * length))
}

const vouched = {
  ...options,
  account: () => undefined,
  maps: FieldMap.none,
  from: undefined,
  to: undefined,
  complete: true
}

type Bytes = Stream.Stream<Uint8Array, PlatformError.PlatformError>

const fileOf = (write: (list: ReadonlyArray<Entry.Entry>) => string, count: number) => {
  const files = {
    deposit: parts(write(entries("deposit", count))),
    transfer: parts(write(entries("transfer", count)))
  }
  return (side: Entry.Side, breaks: (bytes: Bytes) => Bytes) => {
    const stdin = breaks(Stream.rechunk(Stream.fromIterable(files[side]), 1))
    return EntryFileStream.make(side, "-", vouched).slices.pipe(
      Stream.provide(Layer.merge(layerFiles, Stdio.layerTest({ stdin })))
    )
  }
}

const ndjson = (list: ReadonlyArray<Entry.Entry>): string =>
  list.map((one) => `${JSON.stringify(Struct.omit(one, ["side"]))}\n`).join("")
const csv = (list: ReadonlyArray<Entry.Entry>): string =>
  `id,asset,amount,at\n${list.map(({ amount, asset, at, id }) => `${id},${asset},${amount},${at}\n`).join("")}`
const json = (list: ReadonlyArray<Entry.Entry>): string => JSON.stringify(list.map(Struct.omit(["side"])))

const files = [
  ["a file of lines", fileOf(ndjson, LONG)],
  ["a CSV file", fileOf(csv, FEW)],
  ["an array of JSON", fileOf(json, FEW)]
] as const

const sources: ReadonlyArray<readonly [name: string, source: Source]> = [
  ["entries of one's own", fromEntries],
  ["slices of one's own, each of which claims everything", slices],
  ["rows of one's own, which are put in order", fromRows],
  ...files.map(([name, file]) =>
    [name, (side: Entry.Side, breaks: Broken.Break) => file(side, (bytes) => breaks(bytes, gone))] as const
  )
]

const told = (events: ReadonlyArray<Runs.Event>): ReadonlyArray<string> =>
  events.flatMap((event) => (event._tag === "Outcome" ? [JSON.stringify(event.outcome)] : []))

/** Breaks a source behind each chunk in each way: no outcome is told that the whole source does not come to. */
const holds = Effect.fnUntraced(function*<E, R>(
  make: (breaks: Broken.Break) => Stream.Stream<Runs.Event, E, R>,
  { after = Effect.void, last = CHUNKS }: { readonly after?: Effect.Effect<void, E, R>; readonly last?: number } = {}
) {
  const right = new Set(told(yield* Stream.runCollect(make(whole))))
  assert.isAbove(right.size, FEW / 2)
  for (const way of Broken.ways) {
    for (let chunks = 0; chunks <= last; chunks += Math.min(STEP, last)) {
      const events = yield* Broken.seen(chunks, way, make)
      const wrong = told(events).filter((outcome) => !right.has(outcome))
      assert.deepStrictEqual(wrong.slice(0, 3), [], `${way} behind ${chunks} chunks: ${wrong.length} are wrong`)
      assert.isTrue(events.every(({ _tag }) => _tag === "Outcome"))
      yield* after
    }
  }
})

/** The same as the exchange tells it. */
const records = {
  deposits: indices("deposit", COUNT).map((index): SubAccountDeposit.SubAccountDeposit => ({
    amount: String(index + 1),
    coin: "USDT",
    network: "TRX",
    status: 5,
    address: "TAbc",
    txId: `tx${index}:0`,
    unlockConfirm: "10",
    confirmTimes: "12",
    insertTime: timeOf(index),
    memo: ""
  })),
  transfers: indices("transfer", COUNT).map((index): UniversalTransfer.UniversalTransfer => ({
    tranId: `t${index}`,
    fromAccount: "a@x",
    toAccount: "master",
    clientTranId: "",
    asset: "USDT",
    amount: String(index + 1),
    fromAccountType: "SPOT",
    toAccountType: "SPOT",
    fromSymbol: "SPOT",
    toSymbol: "SPOT",
    status: "SUCCESS",
    timestamp: timeOf(index) + 5 * MINUTE
  }))
}
const range = { from: AT, to: timeOf(COUNT) + HOUR }

const sides = ["deposit", "transfer"] as const

/** What is told of a source, one side of which breaks. */
const eventsOf = (source: Source, broken: Entry.Side) => (breaks: Broken.Break) => {
  const side = (side: Entry.Side) => source(side, side === broken ? breaks : whole)
  return Reconciliation.events(side("deposit"), side("transfer"), options)
}

describe("a source that breaks, behind whichever chunk and in whichever way, tells nothing that the whole does not", () => {
  describe.each(sources)("%s", (_, source) => {
    it.effect.each(sides)(
      "%ss",
      (broken) => TestClock.setTime(END).pipe(Effect.andThen(holds(eventsOf(source, broken))))
    )
  })

  it.effect("masked outcomes", () =>
    holds((breaks) => Masking.events(eventsOf(fromEntries, "transfer")(breaks), accounts)))

  it.effect.each(sides)("an archive: %ss", (broken) =>
    Effect.gen(function*() {
      const archive = yield* Archive.Archive
      yield* archive.deposits.saveSlice({ ...range, records: records.deposits, bad: [], coverage: covered("deposits") })
      yield* archive.transfers.saveSlice({
        ...range,
        records: records.transfers,
        bad: [],
        coverage: covered("transfers")
      })
      const error = ArchiveError.ArchiveError.of(new ArchiveError.Failed({ place: "here", detail: "gone" }))
      const breaking = <Record>(history: Archive.History<Record>, breaks: Broken.Break): Archive.History<Record> => ({
        ...history,
        slices: (asked) => breaks(history.slices(asked), error)
      })
      yield* holds((breaks) =>
        Stream.provideService(
          ArchiveReconciliation.events({ ...options, range, batch: COUNT / CHUNKS / 2 }),
          Archive.Archive,
          Archive.Archive.of({
            ...archive,
            deposits: breaking(archive.deposits, broken === "deposit" ? breaks : whole),
            transfers: breaking(archive.transfers, broken === "transfer" ? breaks : whole)
          })
        )
      )
    }).pipe(Effect.provide(Archive.Archive.layerMemory())))

  it.effect.each(sides)("the exchange: %ss", (broken) =>
    Effect.gen(function*() {
      const broker = yield* Broker.Broker
      yield* TestClock.setTime(range.to + 6 * HOUR)
      const gone = BrokerError.BrokerError.of(
        "subAccountDeposits",
        new BrokerError.Unavailable({ detail: "gone", attempts: 6, sent: true })
      )
      yield* holds((breaks) =>
        Stream.provideService(
          BrokerReconciliation.events({ ...options, range }),
          Broker.Broker,
          Broker.Broker.of({
            ...broker,
            scanSubAccountDeposits: (asked) => {
              const slices = broker.scanSubAccountDeposits(asked)
              return broken === "deposit" ? breaks(slices, gone) : slices
            },
            scanUniversalTransfers: (asked) => {
              const slices = broker.scanUniversalTransfers(asked)
              return broken === "transfer" ? breaks(slices, gone) : slices
            }
          })
        ), { last: 1 })
    }).pipe(Effect.provide(Broker.Broker.layerMemory(records))))

  it.effect("a run that is recorded, which is then no run", () =>
    Effect.gen(function*() {
      const runs = yield* Runs.Runs
      const recorded = (breaks: Broken.Break) => runs.record(eventsOf(fromEntries, "transfer")(breaks))
      const after = Effect.map(runs.list(), (list) => assert.deepStrictEqual(list, []))
      yield* holds(
        (breaks) => breaks === whole ? eventsOf(fromEntries, "transfer")(whole) : recorded(breaks),
        { after }
      )
      const last = yield* Stream.runLast(recorded(whole))
      assert.include(Option.getOrThrow(last), { _tag: "Recorded", isNew: true })
    }).pipe(Effect.provide(Archive.Archive.layerMemory())))

  it.effect.each(files)("%s in which something is no UTF-8", ([, file]) =>
    Effect.gen(function*() {
      yield* TestClock.setTime(END)
      const eventsOf = (garbles: (bytes: Bytes) => Bytes) =>
        Reconciliation.events(file("deposit", garbles), file("transfer", (bytes) => bytes), options)
      const right = new Set(told(yield* Stream.runCollect(eventsOf((bytes) => bytes))))
      assert.isAbove(right.size, FEW / 2)
      for (let chunks = 0; chunks <= CHUNKS; chunks += STEP) {
        const events: Array<Reconciliation.Event> = []
        const garbled = eventsOf((bytes) =>
          Stream.take(bytes, chunks).pipe(
            Stream.concat(Stream.make(Uint8Array.of(0xff))),
            Stream.concat(Stream.drop(bytes, chunks))
          )
        )
        const error = yield* Effect.flip(
          Stream.runForEach(garbled, (event) => Effect.sync(() => void events.push(event)))
        )
        assert.include(String(error), "it is not UTF-8 text")
        assert.deepStrictEqual(told(events).filter((outcome) => !right.has(outcome)).slice(0, 3), [])
      }
    }))
})

describe("a file of records that breaks", () => {
  it.effect("gives no record that the whole file does not hold: half a row is none", () =>
    Effect.gen(function*() {
      const rows = records.transfers.slice(0, FEW).map((record) => Object.values(record).join(","))
      const text = `${Object.keys(records.transfers[0] ?? {}).join(",")}\n${rows.join("\n")}\n`
      const read = (breaks: Broken.Break) =>
        RecordFile.read(RecordKind.transfers, "-").pipe(
          Stream.provide(Layer.merge(
            layerFiles,
            Stdio.layerTest({ stdin: breaks(Stream.rechunk(Stream.fromIterable(parts(text)), 1), gone) })
          ))
        )
      yield* TestClock.setTime(END)
      const right = new Set((yield* Stream.runCollect(read(whole))).map((row) => JSON.stringify(row)))
      assert.strictEqual(right.size, FEW)
      for (const way of Broken.ways) {
        for (let chunks = 0; chunks <= CHUNKS; chunks += STEP) {
          const found = yield* Broken.seen(chunks, way, read)
          assert.deepStrictEqual(found.map((row) => JSON.stringify(row)).filter((row) => !right.has(row)), [])
        }
      }
    }))
})
