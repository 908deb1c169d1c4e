import { assert, describe, it } from "@effect/vitest"
import type { Covered } from "@tallystick/archive/Archive"
import * as Status from "@tallystick/archive/Status"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Schema from "effect/Schema"

const HOUR = 3_600_000

const query = (fromAccount: string): Coverage.TransferQuery => ({
  fromAccount,
  fromAccountType: "SPOT",
  toAccountType: "SPOT"
})

const part = (
  from: number,
  to: number,
  state: Coverage.Coverage["state"] = "complete",
  more: Partial<Covered> = {}
): Covered => ({ operation: "deposits", from, to, readAt: to, state, vouched: false, ...more })

const gap: Coverage.Gap = { code: "unproven", detail: "the pages disagreed" }

const brief = (parts: ReadonlyArray<Status.Part>) => parts.map(({ from, state, to }) => `${from}-${to} ${state}`)

describe("Status", () => {
  it("knows what nobody asked about, before, between and behind what is known", () => {
    const [only, ...others] = Status.scopes("deposits", [part(10, 20), part(30, 40, "open")], { from: 0, to: 50 })
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(brief(only?.parts ?? []), [
      "0-10 unread",
      "10-20 complete",
      "20-30 unread",
      "30-40 open",
      "40-50 unread"
    ])
    assert.strictEqual(only?.completeTo, 20)
  })

  it("joins what says the same, and keeps apart what was proven and what was vouched for", () => {
    const coverage = [
      part(0, 10),
      part(10, 20),
      part(20, 30, "complete", { vouched: true }),
      part(30, 40, "incomplete", { gap })
    ]
    const [only] = Status.scopes("deposits", coverage, { from: 0, to: 40 })
    assert.deepStrictEqual(brief(only?.parts ?? []), ["0-20 complete", "20-30 vouched", "30-40 incomplete"])
    assert.deepStrictEqual(only?.parts.at(-1)?.gap, gap)
  })

  it("lets what is vouched for all transfers stand for each query, and what was proven stand over it", () => {
    const transfers = { operation: "transfers" } as const
    const far = 600_000
    const coverage = [
      part(0, 30, "complete", { ...transfers, vouched: true }),
      part(20, 25, "incomplete", { ...transfers, query: query("a"), gap }),
      part(25, 60 + far, "complete", { ...transfers, query: query("a") }),
      part(30, 50, "complete", { ...transfers, query: query("b") })
    ]
    const scopes = Status.scopes("transfers", coverage, { from: 0, to: 60 + far })
    assert.deepStrictEqual(scopes.map(({ parts }) => brief(parts)), [
      ["0-25 vouched", "25-600060 complete"],
      ["0-30 vouched", "30-50 complete", "50-600060 unread"]
    ])
    assert.strictEqual(Status.completeTo(scopes), 50)
    assert.deepStrictEqual(Status.laggards(scopes).map(({ query }) => query), [query("b")])
    assert.deepStrictEqual(brief(Status.together(scopes)), ["0-30 vouched", "30-50 complete", "50-600060 unread"])
  })

  it("tells gaps between what is complete from those before and behind it", () => {
    const inside = (...coverage: ReadonlyArray<Covered>) =>
      brief(Status.inside(Status.scopes("deposits", coverage, { from: 0, to: 60 })))
    const lost = { code: "damaged", detail: "lost" } as const
    const forgotten = { code: "retention", detail: "forgotten" } as const
    assert.deepStrictEqual(inside(part(10, 20), part(20, 40, "open")), [])
    assert.deepStrictEqual(inside(part(10, 20, "open")), [])
    assert.deepStrictEqual(
      inside(part(0, 5, "incomplete", { gap: forgotten }), part(10, 20), part(25, 30, "open"), part(30, 40)),
      [
        "20-25 unread",
        "25-30 open"
      ]
    )
    const unread = { code: "not-read", detail: "the clocks differed" } as const
    assert.deepStrictEqual(
      inside(
        part(0, 5, "incomplete", { gap: unread }),
        part(10, 20),
        part(20, 30, "incomplete", { gap: unread }),
        part(30, 40)
      ),
      ["20-30 incomplete"]
    )
    assert.deepStrictEqual(
      inside(
        part(0, 5, "incomplete", { gap: forgotten }),
        part(5, 10, "incomplete", { gap: lost }),
        part(10, 20),
        part(20, 30, "incomplete", { gap: forgotten }),
        part(30, 40),
        part(40, 50, "incomplete", { gap: lost })
      ),
      ["5-10 incomplete", "20-30 incomplete"]
    )
    const transfers = { operation: "transfers" } as const
    const coverage = ["a", "b", "c"].flatMap((name) => {
      const mine = { ...transfers, query: query(name) }
      const hole = name === "c" ? "complete" : "incomplete"
      return [part(0, 10, "complete", mine), part(10, 20, hole, { ...mine, gap }), part(20, 60, "complete", mine)]
    })
    const [hole, ...others] = Status.inside(Status.scopes("transfers", coverage, { from: 0, to: 60 }))
    assert.deepStrictEqual(hole?.queries, [query("a"), query("b")])
    assert.deepStrictEqual(others, [])
  })

  it("knows of a query that was never asked what was vouched for all, and leaves out who is of no interest", () => {
    const transfers = { operation: "transfers" } as const
    const coverage = [
      part(0, 30, "complete", { ...transfers, vouched: true }),
      part(30, 60, "complete", { ...transfers, query: query("a") })
    ]
    const about = (...names: ReadonlyArray<string>) =>
      Status.scopes("transfers", coverage, { from: 0, to: 60 }, names.map(query)).map(({ completeTo }) => completeTo)
    assert.deepStrictEqual(about("a"), [60])
    assert.deepStrictEqual(about("a", "new"), [60, 30])
  })

  it("tells a hole that many queries share once, with all of them", () => {
    const of = (name: string) => ({ operation: "transfers", query: query(name) }) as const
    const coverage = [
      ...["a", "b"].map((name) => part(0, 20, "complete", of(name))),
      part(0, 30, "complete", of("c")),
      ...["a", "b"].map((name) => part(20, 30, "incomplete", { operation: "transfers", query: query(name), gap }))
    ]
    const [hole, ...others] = Status.holes(Status.scopes("transfers", coverage, { from: 0, to: 30 }))
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(hole?.queries, [query("a"), query("b")])
    assert.deepStrictEqual(hole?.gap, gap)
  })

  it("calls missing what lies before, between, and in a side that was never read, but not what is to come", () => {
    const holes = (...coverage: ReadonlyArray<Covered>) =>
      brief(Status.holes(Status.scopes("deposits", coverage, { from: 0, to: 50 })))
    assert.deepStrictEqual(holes(part(0, 20), part(30, 40)), ["20-30 unread"])
    assert.deepStrictEqual(holes(part(10, 20, "open")), ["0-10 unread"])
    assert.deepStrictEqual(holes(), ["0-50 unread"])
  })

  it("shows a gap of a millisecond in a year of cells", () => {
    const year = 365 * 24 * HOUR
    const [only] = Status.scopes("deposits", [part(0, 1e9), part(1e9 + 1, year)], { from: 0, to: year })
    const cells = Status.timeline(only?.parts ?? [], { from: 0, to: year }, 50)
    assert.strictEqual(cells.length, 50)
    assert.strictEqual(cells.filter((state) => state === "unread").length, 1)
    assert.strictEqual(cells.filter((state) => state === "complete").length, 49)
  })

  it("counts the hours until the first unread deposit is forgotten", () => {
    const now = 1000 * HOUR
    const history = 72 * HOUR
    const deadline = (...coverage: ReadonlyArray<Covered>) => (Status.deadline(coverage, now, history) - now) / HOUR
    assert.strictEqual(deadline(), 0)
    assert.strictEqual(deadline(part(0, now - HOUR)), 71)
    assert.strictEqual(deadline(part(0, now - 10 * HOUR), part(now - 9 * HOUR, now)), 62)
    assert.strictEqual(deadline(part(0, now)), 72)
    assert.strictEqual(deadline(part(0, now, "complete", { operation: "transfers" })), 0)
    assert.strictEqual(deadline(part(now - 20 * HOUR, now - HOUR)), 71)
    assert.strictEqual(deadline(part(now - 90 * HOUR, now - 80 * HOUR)), 0)
  })

  it("counts no unread minute at the border at which the archive began, and every one that came later", () => {
    const now = 1000 * HOUR
    const minute = HOUR / 60
    const [from, border] = [now - 72 * HOUR + minute, now - 72 * HOUR + 2 * minute]
    const failed = (from: number, to: number) => part(from, to, "incomplete", { readAt: now })
    const deadline = (...coverage: ReadonlyArray<Covered>) => (Status.deadline(coverage, now, 72 * HOUR) - now) / minute
    assert.strictEqual(deadline(failed(from, border), part(border, now)), 72 * 60)
    assert.strictEqual(deadline(failed(from, now)), 1)
    assert.strictEqual(deadline(failed(from, border + HOUR), part(border + HOUR, now)), 1)
    assert.strictEqual(deadline(part(from - HOUR, from), failed(from, border), part(border, now)), 1)
  })

  const State = Schema.Literals(["complete", "open", "incomplete"])
  const Length = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))
  const Step = Schema.Struct({ skip: Schema.Boolean, length: Length, state: State, vouched: Schema.Boolean })

  it.prop(
    "has no hole and no overlap, and says of each moment what the coverage of that moment says",
    [Schema.Array(Step), Schema.Array(Step)],
    ([first, second]) => {
      const laid = (steps: ReadonlyArray<typeof Step.Type>, more: Partial<Covered>) => {
        let at = 0
        return steps.flatMap(({ length, skip, state, vouched }) => {
          at += length
          return skip ? [] : [part(at - length, at, state, { operation: "transfers", vouched, ...more })]
        })
      }
      const everything = laid(first, {})
      const own = laid(second, { query: query("a") })
      const to = Math.max(1, ...[...everything, ...own].map((one) => one.to)) + 1
      const [scope] = Status.scopes("transfers", [...everything, ...own], { from: 0, to })
      let at = 0
      for (const one of scope?.parts ?? []) {
        assert.strictEqual(one.from, at)
        at = one.to
        for (let time = one.from; time < one.to; time++) {
          const said = [...everything, ...own].filter((covered) => covered.from <= time && time < covered.to)
            .map((covered): Status.State => covered.state === "complete" && covered.vouched ? "vouched" : covered.state)
          const ranked = [...said, ...(said.length === 0 ? ["unread" as const] : [])]
            .toSorted((a, b) => Status.states.indexOf(a) - Status.states.indexOf(b))
          assert.strictEqual(one.state, ranked[0])
        }
      }
      assert.strictEqual(at, to)
      assert.deepStrictEqual(Status.together(scope === undefined ? [] : [scope]), scope?.parts)
    }
  )
})
