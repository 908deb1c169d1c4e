import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as PageLengths from "../src/internal/paging/PageLengths.ts"
import * as Scan from "../src/internal/paging/Scan.ts"

interface Row {
  readonly id: string
  readonly t: number
}

const NOW = 10_000

const states = (slices: ReadonlyArray<{ readonly coverage: ReadonlyArray<Record<string, unknown>> }>) =>
  slices.flatMap(({ coverage }) => coverage.map(({ from, state, to }) => [from, to, state]))

describe("the end of a scan", () => {
  /** A service that shows its newest records first, `length` a page, and counts the requests. */
  const newestFirst = (rows: () => ReadonlyArray<Row>, length: number) => {
    let requests = 0
    const page: Scan.Options<Row>["source"]["page"] = (start, end, { page = 1 }) =>
      Effect.sync(() => {
        requests++
        const known = rows().filter(({ t }) => t >= start && t <= end).toSorted((a, b) => b.t - a.t)
        return {
          page: { records: known.slice((page - 1) * length, page * length), bad: [] },
          at: { earliest: NOW, latest: NOW }
        }
      })
    const source = { page, time: ({ t }: Row) => t, badTime: () => undefined, identity: ({ id }: Row) => id }
    const scan = (from: number, to: number) =>
      Scan.scan<Row>({
        source: { ...source, mark: ({ id }) => id, twins: "same", looksCut: () => false },
        clock: { now: Effect.succeed({ earliest: NOW, latest: NOW }) },
        unasked: Effect.undefined,
        lengths,
        scope: { operation: "transfers" },
        from,
        to,
        sliceLength: 1000,
        joined: 500,
        settle: 50,
        history: 1_000_000,
        concurrency: 4
      })
    const lengths = PageLengths.make()
    return { requests: () => requests, earlier: scan(NOW - 1000, NOW - 400), tail: scan(NOW - 400, NOW) }
  }

  it.effect("asks for a short settled time together with what is not settled yet: one request where nothing is there", () =>
    Effect.gen(function*() {
      const few = [{ id: "old", t: NOW - 300 }, { id: "young", t: NOW - 10 }]
      let rows: ReadonlyArray<Row> = []
      const service = newestFirst(() => rows, 10)
      const split = [[NOW - 400, NOW - 50, "complete"], [NOW - 50, NOW, "open"]]
      // A longer list was read before, and checked by another reading.
      rows = [900, 800, 700, 600, 500].map((before) => ({ id: `r${before}`, t: NOW - before }))
      yield* Stream.runDrain(service.earlier)
      for (const [known, requests] of [[few, 2], [[], 1]] as const) {
        rows = known
        const before = service.requests()
        const slices = yield* Stream.runCollect(service.tail)
        assert.deepStrictEqual(states(slices), split)
        assert.deepStrictEqual(slices.flatMap(({ records }) => records), rows)
        assert.strictEqual(service.requests() - before, requests)
      }
    }))

  it.effect("asks for both apart where one response does not show all: a young record that goes would hide a settled one", () =>
    Effect.gen(function*() {
      const settled = Array.from({ length: 9 }, (_, index) => ({ id: `r${index}`, t: NOW - 390 + index * 30 }))
      const young = { id: "young", t: NOW - 10 }
      const earlier = Array.from({ length: 12 }, (_, index) => ({ id: `e${index}`, t: NOW - 990 + index * 45 }))
      for (const length of [2, 3, 4, 5]) {
        for (let vanishes = 1; vanishes < 6; vanishes++) {
          let left = Number.POSITIVE_INFINITY
          const service = newestFirst(
            () => left-- > 0 ? [...earlier, ...settled, young] : [...earlier, ...settled],
            length
          )
          // A longer list was read before, so that nothing but the rule itself holds this one up.
          yield* Stream.runDrain(service.earlier)
          left = vanishes
          const slices = yield* Stream.runCollect(service.tail)
          const shown = new Set(slices.flatMap(({ records }) => records.map(({ id }) => id)))
          for (const { from, state, to } of slices.flatMap(({ coverage }) => coverage)) {
            if (state !== "complete") continue
            for (const { id, t } of settled) if (t >= from && t < to) assert.isTrue(shown.has(id), `${id}, ${length}`)
          }
        }
      }
    }))
})
