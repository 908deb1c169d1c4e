import { assert, describe, it } from "@effect/vitest"
import * as BrokerError from "@tallystick/core/BrokerError"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as PageLengths from "../src/internal/paging/PageLengths.ts"
import * as Scan from "../src/internal/paging/Scan.ts"

interface Row {
  readonly id: string
  readonly t: number
  readonly v?: string
}

const NOW = 10_000
const error = (reason: BrokerError.RequestReason) => BrokerError.BrokerError.of("subAccountDeposits", reason)
const unavailable = error(new BrokerError.Unavailable({ detail: "down", attempts: 6, sent: true }))
/** A time is too old for the service, or so old already that it is not even asked. */
const refusals = [
  error(new BrokerError.InvalidRequest({ code: "700004", serviceMessage: "startTime too old" })),
  error(new BrokerError.InvalidParameter({ parameter: "startTime", actual: "1", allowed: "a time from 2" }))
]

type Trouble = (start: number, end: number, page: number) => BrokerError.RequestError | undefined

/** A scan of [0, 1000) in slices of 100 at the time 10 000, unless changed. */
const scan = (rows: ReadonlyArray<Row>, changes: Partial<Scan.Options<Row>> = {}, trouble: Trouble = () => undefined) =>
  Scan.scan<Row>({
    source: {
      page: (start, end, { page = 1 }) => {
        const found = trouble(start, end, page)
        if (found !== undefined) return Effect.fail(found)
        const records = page > 1 ? [] : rows.filter(({ t }) => t >= start && t <= end)
        return Effect.succeed({ page: { records, bad: [] }, at: { earliest: NOW, latest: NOW + 5 } })
      },
      time: ({ t }) => t,
      badTime: () => undefined,
      identity: ({ id }) => id,
      mark: ({ id }: Row) => id.slice(0, 1),
      twins: "several",
      looksCut: () => false
    },
    lengths: PageLengths.make(),
    clock: { now: Effect.succeed({ earliest: NOW, latest: NOW + 5 }) },
    unasked: Effect.undefined,
    scope: { operation: "deposits" },
    from: 0,
    to: 1000,
    sliceLength: 100,
    joined: 0,
    settle: 50,
    history: 1_000_000,
    concurrency: 4,
    ...changes
  })

const states = (slices: ReadonlyArray<{ readonly coverage: ReadonlyArray<Record<string, unknown>> }>) =>
  slices.flatMap(({ coverage }) => coverage.map(({ from, state, to }) => [from, to, state]))

describe("a scan", () => {
  it.effect("cuts the range into slices without hole or overlap, in time order, whatever answers first", () =>
    Effect.gen(function*() {
      const rows = Array.from({ length: 100 }, (_, index) => ({ id: `r${index}`, t: (index * 37) % 950 }))
      const slow = scan(rows, { from: 13, to: 950 })
      const slices = yield* Stream.runCollect(slow)
      assert.strictEqual(slices[0]?.from, 13)
      assert.strictEqual(slices.at(-1)?.to, 950)
      for (const [index, slice] of slices.entries()) {
        assert.isAtMost(slice.to - slice.from, 100)
        if (index > 0) assert.strictEqual(slice.from, slices[index - 1]?.to)
        for (const { t } of slice.records) assert.isTrue(t >= slice.from && t < slice.to)
        assert.deepStrictEqual(
          slice.records.map(({ t }) => t),
          slice.records.map(({ t }) => t).toSorted((a, b) => a - b)
        )
      }
      assert.strictEqual(slices.flatMap(({ records }) => records).length, rows.filter(({ t }) => t >= 13).length)
    }))

  it.effect("emits slices in order although later ones are answered first", () =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(Stream.runCollect(scan([], {
        source: {
          page: (start) =>
            Effect.as(Effect.sleep(1000 - start), {
              page: { records: [], bad: [] },
              at: { earliest: NOW, latest: NOW }
            }),
          time: ({ t }) => t,
          badTime: () => undefined,
          identity: ({ id }) => id,
          mark: ({ id }: Row) => id.slice(0, 1),
          twins: "several",
          looksCut: () => false
        }
      })))
      yield* TestClock.adjust("1 minute")
      const slices = yield* Fiber.join(fiber)
      assert.deepStrictEqual(slices.map(({ from }) => from), [0, 100, 200, 300, 400, 500, 600, 700, 800, 900])
    }))

  it.effect("sorts records of one moment by their identity", () =>
    Effect.gen(function*() {
      const slices = yield* Stream.runCollect(
        scan([{ id: "b", t: 5 }, { id: "c", t: 4 }, { id: "a", t: 5 }], { to: 100 })
      )
      assert.deepStrictEqual(slices[0]?.records.map(({ id }) => id), ["c", "a", "b"])
    }))

  it.effect("ends coverage where records may still arrive, frozen when it began", () =>
    Effect.gen(function*() {
      const slices = yield* Stream.runCollect(scan([{ id: "young", t: NOW }], { from: NOW - 170, to: NOW + 100 }))
      assert.deepStrictEqual(states(slices), [
        [NOW - 170, NOW - 70, "complete"],
        [NOW - 70, NOW - 50, "complete"],
        [NOW - 50, NOW + 5, "open"],
        [NOW + 5, NOW + 100, "open"]
      ])
      assert.deepStrictEqual(slices.flatMap(({ records }) => records.map(({ id }) => id)), ["young"])
    }))

  it.effect("asks for all that is still to come at once, however far the range reaches", () =>
    Effect.gen(function*() {
      const slices = yield* Stream.runCollect(scan([], { from: NOW - 170, to: Number.MAX_SAFE_INTEGER }))
      assert.deepStrictEqual(states(slices).at(-1), [NOW + 5, Number.MAX_SAFE_INTEGER, "open"])
      assert.isBelow(slices.length, 6)
    }))

  it.effect("makes its slices as they are asked for", () =>
    Effect.gen(function*() {
      const first = yield* Stream.runCollect(
        Stream.take(
          scan([], { from: 0, to: 1e15, clock: { now: Effect.succeed({ earliest: 1e15, latest: 1e15 }) } }),
          3
        )
      )
      assert.deepStrictEqual(first.map(({ from }) => from), [0, 100, 200])
    }))

  it.effect("covers nothing that an answer came too early to know, where the clock was put right in between", () =>
    Effect.gen(function*() {
      // The scan began an hour ahead of the service; its answers then tell the service's time.
      const ahead = { now: Effect.succeed({ earliest: NOW + 3_600_000, latest: NOW + 3_600_000 }) }
      const slices = yield* Stream.runCollect(
        scan([], { from: NOW - 150, to: NOW + 150, sliceLength: 300, clock: ahead, history: 36_000_000 })
      )
      assert.deepStrictEqual(states(slices), [[NOW - 150, NOW - 50, "complete"], [NOW - 50, NOW + 150, "open"]])
    }))

  /** A service that forgets what is older than 300 ms; its `n`th answer (from 0) takes `pace(n)` ms. */
  const forgetful = (rows: ReadonlyArray<Row>, more: Partial<Scan.Options<Row>>, pace = (_n: number) => 10) => {
    let time = NOW
    let answers = 0
    const now = Effect.sync(() => ({ earliest: time, latest: time }))
    const source: Scan.Options<Row>["source"] = {
      page: (start, end, { page = 1 }) =>
        Effect.sync(() => {
          time += pace(answers++)
          const known = rows.filter(({ t }) => t >= start && t <= end && t >= time - 300)
          const at = { earliest: time, latest: time }
          return { page: { records: known.slice((page - 1) * 2, page * 2), bad: [] }, at }
        }),
      time: ({ t }) => t,
      badTime: () => undefined,
      identity: ({ id }) => id,
      mark: ({ id }: Row) => id.slice(0, 1),
      twins: "several",
      looksCut: () => false
    }
    return scan([], { source, clock: { now }, history: 300, concurrency: 1, sliceLength: 1000, ...more })
  }

  it.effect("does not take pages for proof between which the service forgot a record: they shift and none repeats", () =>
    Effect.gen(function*() {
      const rows = Array.from({ length: 30 }, (_, index) => ({ id: `r${index}`, t: NOW - 300 + index * 8 }))
      for (const settle of [10, 30, 60, 120]) {
        const slices = yield* Stream.runCollect(forgetful(rows, { from: NOW - 300, to: NOW - settle, settle }))
        const delivered = new Set(slices.flatMap(({ records }) => records.map(({ id }) => id)))
        for (const { from, state, to } of slices.flatMap(({ coverage }) => coverage)) {
          if (state !== "complete") continue
          for (const { id, t } of rows) {
            if (t >= from && t < to) assert.isTrue(delivered.has(id), `${id}, settle ${settle}`)
          }
        }
      }
    }))

  it.effect("reads again, behind a new border, what the service's forgetting reached while it was read", () =>
    Effect.gen(function*() {
      const rows = Array.from({ length: 12 }, (_, index) => ({ id: `r${index}`, t: NOW - 280 + index * 20 }))
      // The second page of what was thought to last comes so late that the service has forgotten the first.
      const late = (n: number) => n === 5 ? 130 : 2
      const slices = yield* Stream.runCollect(forgetful(rows, { from: NOW - 300, to: NOW - 40, settle: 40 }, late))
      const covered = slices.flatMap(({ coverage }) => coverage).filter(({ state }) => state === "complete")
      assert.deepStrictEqual(covered.map(({ from, to }) => [from - NOW, to - NOW]), [[-260, -256], [-116, -40]])
      // What the first page showed is delivered although it is forgotten; no answer ever showed these three.
      const shown = rows.filter(({ id }) => !["r4", "r5", "r6"].includes(id))
      assert.deepStrictEqual(slices.flatMap(({ records }) => records), shown)
      for (const [index, { from, to }] of slices.entries()) {
        assert.isAbove(to, from)
        if (index > 0) assert.strictEqual(from, slices[index - 1]?.to)
      }
    }))

  it.effect("takes records that arrive while it reads, and move others to the next page, for no habit of the service", () =>
    Effect.gen(function*() {
      const rows = Array.from({ length: 7 }, (_, index) => ({ id: `r${index}`, t: NOW - 900 + index * 120 }))
      const lengths = PageLengths.make()
      const page: Scan.Options<Row>["source"]["page"] = (start, end, { page = 1 }) =>
        Effect.sync(() => {
          rows.push({ id: `young${rows.length}`, t: NOW - 1 })
          const known = rows.filter(({ t }) => t >= start && t <= end).toSorted((a, b) => b.t - a.t)
          return {
            page: { records: known.slice((page - 1) * 7, page * 7), bad: [] },
            at: { earliest: NOW, latest: NOW }
          }
        })
      const settled = { from: NOW - 1000, to: NOW - 50 }
      const source = { page, time: ({ t }: Row) => t, badTime: () => undefined, identity: ({ id }: Row) => id }
      const slices = yield* Stream.runCollect(scan([], {
        ...settled,
        source: { ...source, mark: ({ id }) => id, twins: "same", looksCut: () => false },
        clock: { now: Effect.succeed({ earliest: NOW, latest: NOW }) },
        sliceLength: 1000,
        lengths
      }))
      assert.isTrue(lengths.isTrusted())
      assert.deepStrictEqual(states(slices), [[settled.from, settled.to, "complete"]])
    }))

  it.effect("believes a service whose true twins stand on two pages, and delivers each of them or names a gap", () =>
    Effect.gen(function*() {
      for (let seed = 1; seed <= 200; seed++) {
        const rows = Array.from({ length: 40 }, (_, index): Row => {
          const group = index % 8 < 5 ? index : index - index % 8 + 5
          return { id: `r${group}`, t: 100 + ((group * (2 * seed + 1)) % 797) }
        })
        const lengths = PageLengths.make()
        const page: Scan.Options<Row>["source"]["page"] = (start, end, { limit = 7, page = 1 }) => {
          const found = rows.filter(({ t }) => t >= start && t <= end).toSorted((a, b) => a.t - b.t)
          const length = Math.min(limit, 7)
          const records = found.slice((page - 1) * length, page * length)
          return Effect.succeed({ page: { records, bad: [] }, at: { earliest: NOW, latest: NOW } })
        }
        const source = { page, time: ({ t }: Row) => t, badTime: () => undefined, identity: ({ id }: Row) => id }
        const slices = yield* Stream.runCollect(scan([], {
          source: { ...source, mark: ({ id }) => id, twins: "several", looksCut: () => false },
          clock: { now: Effect.succeed({ earliest: NOW, latest: NOW }) },
          sliceLength: 1000,
          lengths
        }))
        assert.isTrue(lengths.isTrusted(), `seed ${seed}`)
        const isWhole = slices.every(({ coverage }) => coverage.every(({ state }) => state === "complete"))
        if (isWhole) assert.strictEqual(slices.flatMap(({ records }) => records).length, rows.length)
      }
    }))

  /** Scans one slice of ten records. The content of one of them follows from the number of the request. */
  const told = (
    v: (n: number) => string,
    onPage?: Scan.Options<Row>["onPage"],
    lengths = PageLengths.make()
  ) => {
    let n = 0
    const page: Scan.Options<Row>["source"]["page"] = (start, end, { page = 1 }) =>
      Effect.sync(() => {
        const value = v(n++)
        const rows = Array.from({ length: 10 }, (_, index) => ({ id: `r${index}`, t: index * 90 + 20 }))
        const records = rows.filter(({ t }) => page === 1 && t >= start && t <= end)
        return {
          page: { records: records.map((row) => row.id === "r5" ? { id: "r5", t: row.t, v: value } : row), bad: [] },
          at: { earliest: NOW, latest: NOW }
        }
      })
    const source = {
      page,
      time: ({ t }: Row) => t,
      badTime: () => undefined,
      identity: ({ id }: Row) => id,
      content: ({ id, v = "" }: Row) => `${id} ${v.split(",")[0]}`,
      mark: ({ id }: Row) => id,
      twins: "same" as const,
      looksCut: () => false
    }
    return Effect.map(
      Stream.runCollect(scan([], { source, sliceLength: 1000, concurrency: 1, lengths, onPage })),
      (slices) => ({ slices, lengths })
    )
  }

  it.effect("gives the event loop a turn between answers from memory that never end", () =>
    Effect.gen(function*() {
      let asked = 0
      let turn: number | undefined
      setImmediate(() => {
        turn = asked
      })
      const page: Scan.Options<Row>["source"]["page"] = () =>
        Effect.promise(() => {
          const id = `r${asked++}`
          return Promise.resolve({ page: { records: [{ id, t: 500 }], bad: [] }, at: { earliest: NOW, latest: NOW } })
        })
      const source = { page, time: ({ t }: Row) => t, badTime: () => undefined, identity: ({ id }: Row) => id }
      const slices = scan([], {
        source: { ...source, mark: ({ id }) => id, twins: "same", looksCut: () => false },
        sliceLength: 1000
      })
      yield* Effect.raceFirst(
        Stream.runDrain(slices),
        Effect.callback<void>((resume) => {
          setImmediate(() => resume(Effect.void))
        })
      )
      assert.isBelow(turn ?? Number.POSITIVE_INFINITY, 100)
      assert.isBelow(asked, 300)
    }))

  it.effect("vouches for no slice of which a record came with two contents, whichever reading showed the other one", () =>
    Effect.gen(function*() {
      for (const [other, isTrusted] of Array.from({ length: 60 }, (_, n) => [1 + n % 30, n < 30] as const)) {
        for (const v of [(n: number) => n === other ? "2" : "1", (n: number) => n < other ? "1" : "2"]) {
          const lengths = PageLengths.make()
          if (!isTrusted) lengths.sawDisagreement()
          const values = new Set<string | undefined>()
          const { slices } = yield* told(v, ({ records }) =>
            Effect.sync(() => {
              for (const record of records) if (record.id === "r5") values.add(record.v)
            }), lengths)
          const isComplete = slices.every(({ coverage }) => coverage.every(({ state }) => state === "complete"))
          assert.strictEqual(isComplete, values.size === 1, `at request ${other}, ${isTrusted}`)
        }
      }
      const { lengths, slices } = yield* told((n) => n < 2 ? "1" : "2")
      assert.strictEqual(slices[0]?.coverage[0]?.gap?.code, "source-conflict")
      assert.isFalse(lengths.isTrusted())
    }))

  it.effect("vouches for a slice of which a status changed between two readings", () =>
    Effect.gen(function*() {
      for (let after = 1; after < 10; after++) {
        const { lengths, slices } = yield* told((n) => n < after ? "1,WAIT" : "1,SUCCESS")
        assert.deepStrictEqual(states(slices), [[0, 1000, "complete"]])
        assert.isTrue(lengths.isTrusted())
      }
    }))

  it.effect("covers nothing older than the service certainly keeps, but delivers it", () =>
    Effect.gen(function*() {
      const rows = [{ id: "old", t: NOW - 400 }]
      const slices = yield* Stream.runCollect(
        scan(rows, { from: NOW - 500, to: NOW - 200, sliceLength: 300, history: 300 })
      )
      const border = NOW + 5 - 300
      assert.deepStrictEqual(states(slices), [
        [NOW - 500, border, "incomplete"],
        [border, border + 50, "incomplete"],
        [border + 50, NOW - 200, "complete"]
      ])
      for (const { gap } of slices[0]?.coverage ?? []) assert.strictEqual(gap?.code, "retention")
      assert.deepStrictEqual(slices[0]?.records, rows)
    }))

  it.effect("names a page that failed, and goes on", () =>
    Effect.gen(function*() {
      const slices = yield* Stream.runCollect(
        scan([], { to: 300 }, (start) => start === 99 ? unavailable : undefined)
      )
      assert.deepStrictEqual(states(slices), [[0, 100, "complete"], [100, 200, "incomplete"], [200, 300, "complete"]])
      const gap = slices[1]?.coverage[0]?.gap
      assert.strictEqual(gap?.code, "failed-page")
      assert.include(gap?.detail, "down")
    }))

  it.effect("delivers what a slice showed before one of its pages failed", () =>
    Effect.gen(function*() {
      const rows = [{ id: "a", t: 110 }, { id: "b", t: 250 }]
      const slices = yield* Stream.runCollect(
        scan(rows, { to: 300 }, (start, _, page) => start === 99 && page === 2 ? unavailable : undefined)
      )
      assert.deepStrictEqual(states(slices), [[0, 100, "complete"], [100, 200, "incomplete"], [200, 300, "complete"]])
      assert.strictEqual(slices[1]?.coverage[0]?.gap?.code, "failed-page")
      assert.deepStrictEqual(slices.flatMap(({ records }) => records), rows)
    }))

  it.effect("does not call a failed page open", () =>
    Effect.gen(function*() {
      const slices = yield* Stream.runCollect(scan([], { from: NOW - 10, to: NOW }, () => unavailable))
      assert.deepStrictEqual(states(slices), [[NOW - 10, NOW, "incomplete"]])
    }))

  it.effect("fails where every further request is pointless", () =>
    Effect.gen(function*() {
      const said = { code: "1", serviceMessage: "" }
      for (
        const reason of [
          new BrokerError.KeyRejected(said),
          new BrokerError.PermissionDenied({ ...said, permission: "X" }),
          new BrokerError.AccountRejected(said),
          new BrokerError.InvalidRequest(said)
        ]
      ) {
        const failure = yield* Effect.flip(Stream.runDrain(scan([], {}, () => error(reason))))
        assert.strictEqual(failure.reason, reason)
      }
    }))

  it.effect("takes the refusal of times that are too old for a gap", () =>
    Effect.gen(function*() {
      for (const refused of refusals) {
        const slices = yield* Stream.runCollect(
          scan([], { from: NOW - 500, to: NOW - 100, history: 300 }, (start) => start < NOW - 300 ? refused : undefined)
        )
        const border = NOW + 5 - 300
        assert.deepStrictEqual(states(slices), [
          [NOW - 500, NOW - 400, "incomplete"],
          [NOW - 400, NOW - 300, "incomplete"],
          [NOW - 300, border, "incomplete"],
          [border, border + 50, "incomplete"],
          [border + 50, border + 150, "complete"],
          [border + 150, NOW - 100, "complete"]
        ])
      }
    }))
})
