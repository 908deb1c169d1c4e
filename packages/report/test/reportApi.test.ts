/** What is served of the last report, over real sockets. */
import { assert, describe, it } from "@effect/vitest"
import * as Entry from "@tallystick/reconcile/Entry"
import * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import * as Json from "@tallystick/report/Json"
import * as ReportApi from "@tallystick/report/ReportApi"
import * as Reports from "@tallystick/report/Reports"
import * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Served from "./support/Served.ts"

const publish = (report: Report.Report) => Effect.flatMap(Reports.Reports, (reports) => reports.publish(report))

const { sample } = Served

const ofSide = (side: Entry.Side) =>
  Schema.Array(
    Entry.Entry.mapFields((fields) => ({
      ...fields,
      side: Schema.Literal(side),
      record: Schema.optionalKey(Schema.Array(Schema.String))
    }))
  )

/** An outcome in which everything may stand that its schema allows. */
const OfAnyKind = Outcome.Outcome.mapFields((fields) => ({
  ...fields,
  deposits: ofSide("deposit"),
  transfers: ofSide("transfer")
}))

const plain = Schema.decodeSync(Schema.fromJsonString(OfAnyKind))

describe("before the first report", () => {
  it.effect("each answer says that there is none, and a derived client knows the error by its type", () =>
    Effect.gen(function*() {
      for (const path of ["/report", "/report/summary", "/report/outcomes", "/report/outcomes/c0ffee"]) {
        const { body, headers, status } = yield* Served.asked(path)
        assert.strictEqual(status, 404)
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.deepStrictEqual(JSON.parse(body), {
          _tag: "NoReport",
          message: "There is no report yet: no run has ended since the start."
        })
      }
      const { tallystick } = yield* Served.client
      assert.instanceOf(yield* Effect.flip(tallystick.whole()), ReportApi.NoReport)
      assert.instanceOf(yield* Effect.flip(tallystick.outcomes({ query: {} })), ReportApi.NoReport)
    }).pipe(Effect.provide(Served.layer())))
})

describe("the last report", () => {
  it.effect("says of each entry whether it lies in the range, unless it is of version 1, whose form has nothing of it", () =>
    Effect.gen(function*() {
      const [outcome] = sample.outcomes
      assert.isDefined(outcome)
      const paths = ["/report", "/report/outcomes", `/report/outcomes/${outcome.id}`]
      yield* publish(sample)
      for (const path of paths) assert.include((yield* Served.asked(path)).body, "inRange")
      yield* publish({ ...sample, version: 1 })
      for (const path of paths) assert.notInclude((yield* Served.asked(path)).body, "inRange")
    }).pipe(Effect.provide(Served.layer())))

  it.effect("is served as the JSON format writes it, and comes back as it was", () =>
    Effect.gen(function*() {
      const { tallystick } = yield* Served.client
      for (const report of Served.many(10)) {
        yield* publish(report)
        const { body, headers } = yield* Served.asked("/report")
        assert.strictEqual(body, Json.render(report))
        assert.strictEqual(headers.get("content-type"), "application/json")
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.deepStrictEqual(yield* tallystick.whole(), report)
        assert.deepStrictEqual(yield* tallystick.summary(), Struct.omit(report, ["outcomes"]))
      }
    }).pipe(Effect.provide(Served.layer())))

  it.effect.prop(
    "gives back every outcome as it was, of every code, by its id and in a list",
    [OfAnyKind],
    ([made]) =>
      Effect.gen(function*() {
        // JSON knows no negative zero, and no time or lag is one.
        const outcome = plain(JSON.stringify(made))
        const outcomes = Object.entries(Outcome.codes).flatMap(([kind, codes]) =>
          codes.map((code) => ({ ...outcome, id: code, outcome: Schema.decodeUnknownSync(Outcome.Kind)(kind), code }))
        )
        yield* publish({ ...sample, outcomes })
        const { tallystick } = yield* Served.client
        const { outcomes: listed } = yield* tallystick.outcomes({ query: {} })
        assert.deepStrictEqual(listed, outcomes)
        for (const outcome of outcomes.slice(0, 3)) {
          assert.deepStrictEqual(yield* tallystick.outcome({ params: { id: outcome.id } }), outcome)
        }
      }).pipe(Effect.provide(Served.layer())),
    { arbitrary: { runs: 25 } }
  )

  it.effect("has no outcome of another id, and says so", () =>
    Effect.gen(function*() {
      yield* publish(sample)
      const { tallystick } = yield* Served.client
      for (const id of ["c0ffee", "../summary", "a b", "%", "ü"]) {
        const error = yield* Effect.flip(tallystick.outcome({ params: { id } }))
        assert.instanceOf(error, ReportApi.NoOutcome)
        assert.strictEqual(error.id, id)
      }
    }).pipe(Effect.provide(Served.layer())))

  it.effect("is served even where a source's own record is no JSON", () =>
    Effect.gen(function*() {
      const circle: Record<string, unknown> = { row: 7n }
      circle["itself"] = circle
      const outcomes = sample.outcomes.map((outcome) => ({
        ...outcome,
        deposits: outcome.deposits.map((entry: Entry.Entry) => ({ ...entry, record: circle }))
      }))
      yield* publish({ ...sample, outcomes })
      const { tallystick } = yield* Served.client
      const found = yield* tallystick.whole()
      assert.strictEqual(found.outcomes.length, outcomes.length)
      const [record] = found.outcomes.flatMap((outcome: Outcome.Outcome) =>
        outcome.deposits.map(({ record }) => record)
      )
      assert.include(String(record), "row")
    }).pipe(Effect.provide(Served.layer())))
})

describe("a list of outcomes", () => {
  const report = Served.many(3).toSorted((one, other) => other.outcomes.length - one.outcomes.length)[0] ?? sample

  it.effect("comes in pages, each outcome once, whatever is asked for", () =>
    Effect.gen(function*() {
      yield* publish(report)
      const { tallystick } = yield* Served.client
      const [first] = report.outcomes
      assert.isDefined(first)
      const queries = [
        { filter: {}, isWanted: () => true },
        { filter: { code: [first.code] }, isWanted: ({ code }: Outcome.Outcome) => code === first.code },
        {
          filter: { outcome: ["discrepancy", "pending"] as const, final: false },
          isWanted: ({ final, outcome }: Outcome.Outcome) =>
            !final && (outcome === "discrepancy" || outcome === "pending")
        },
        { filter: { final: true }, isWanted: ({ final }: Outcome.Outcome) => final }
      ]
      for (const { filter, isWanted } of queries) {
        const expected = report.outcomes.filter(isWanted)
        for (const limit of [1, 7, expected.length, expected.length + 1].filter((limit) => limit > 0)) {
          const found: Array<Outcome.Outcome> = []
          let after: string | null | undefined
          while (after !== null) {
            const page: ReportApi.OutcomePage = yield* tallystick.outcomes({
              query: { ...filter, limit, ...(after === undefined ? {} : { after }) }
            })
            assert.isAtMost(page.outcomes.length, limit)
            found.push(...page.outcomes)
            after = page.next
          }
          assert.deepStrictEqual(found, expected)
        }
      }
    }).pipe(Effect.provide(Served.layer())))

  it.effect("is begun again when the report has been replaced, because the next page would leave out outcomes", () =>
    Effect.gen(function*() {
      const { tallystick } = yield* Served.client
      yield* publish(report)
      const { next } = yield* tallystick.outcomes({ query: { limit: 1 } })
      assert.isNotNull(next)
      yield* publish(sample)
      for (const after of [next, `${next}9`, "other.5"]) {
        assert.instanceOf(
          yield* Effect.flip(tallystick.outcomes({ query: { after } })),
          ReportApi.ReportReplaced
        )
      }
    }).pipe(Effect.provide(Served.layer())))

  it.effect("is refused, and told why, where the query is not as described", () =>
    Effect.gen(function*() {
      yield* publish(sample)
      const refused = {
        "code=lost": "query.code.0: ",
        "outcome=discrepancy&outcome=odd": "query.outcome.1: ",
        "final=maybe": "query.final: ",
        "after=": "query.after: ",
        "after=0": "query.after: ",
        [`after=${"x".repeat(5000)}`]: "query.after: ",
        "limit=0": "query.limit: ",
        "limit=1001": "query.limit: ",
        "limit=1.5": "query.limit: ",
        "limit=many&final=no": "query.final: "
      }
      for (const [query, part] of Object.entries(refused)) {
        const { body, headers, status } = yield* Served.asked(`/report/outcomes?${query}`)
        assert.strictEqual(status, 400, query)
        assert.strictEqual(headers.get("cache-control"), "no-store")
        const error = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(ReportApi.InvalidRequest))(body)
        assert.include(error.message, part)
      }
      const few = yield* Served.asked("/report/outcomes?code=exact&code=fee&limit=2")
      assert.strictEqual(few.status, 200)
    }).pipe(Effect.provide(Served.layer())))
})

describe("the description", () => {
  it("has a component for whatever a report is made of", () => {
    const { components, paths } = OpenApi.fromApi(Served.Api)
    assert.deepStrictEqual(Object.keys(paths), [
      "/report/summary",
      "/report",
      "/report/outcomes",
      "/report/outcomes/{id}",
      "/report/events"
    ])
    assert.deepStrictEqual(Object.keys(components.schemas).toSorted(), [
      "Accepted",
      "BadRecord",
      "Because",
      "Books",
      "Candidate",
      "CarriedItem",
      "CodeCount",
      "ControlTotal",
      "ControlTotalLine",
      "ControlTotalNet",
      "ControlTotalSide",
      "Coverage",
      "CoverageGap",
      "Entry",
      "Identity",
      "InvalidRequestEncoded",
      "Lags",
      "News",
      "NoOutcomeEncoded",
      "NoReportEncoded",
      "Note",
      "OpenAge",
      "Outcome",
      "OutcomeEncoded",
      "OutcomePage",
      "Pair",
      "Past",
      "Report",
      "ReportReplacedEncoded",
      "ResolvedPolicy",
      "RollForward",
      "RollForwardLine",
      "RollForwardWorth",
      "RollForwardWorthLine",
      "RollForwardWorthTotal",
      "Summary",
      "SummaryEncoded",
      "TransferQuery"
    ])
  })

  it("stands beside an embedder's own groups, also where a name is the same", () => {
    const Entry = Schema.Struct({ text: Schema.String }).annotate({ identifier: "Entry" })
    const diary = HttpApiGroup.make("diary").add(HttpApiEndpoint.get("read", "/diary", { success: Entry }))
    const { components, paths } = OpenApi.fromApi(HttpApi.make("own").add(diary, ReportApi.ReportApi.prefix("/books")))
    assert.includeMembers(Object.keys(paths), ["/diary", "/books/report", "/books/report/events"])
    assert.includeMembers(Object.keys(components.schemas), ["Entry", "Entry_1", "Outcome", "Report"])
  })
})
