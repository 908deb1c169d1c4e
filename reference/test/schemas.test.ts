/** The JSON Schemas against what the programs write and read, judged by a validator of somebody else. */
import { assert, describe, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Report from "@tallystick/reconcile/Report"
import * as Json from "@tallystick/report/Json"
import * as Ndjson from "@tallystick/report/Ndjson"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { readdirSync, readFileSync } from "node:fs"
import * as Sample from "../../packages/reconcile/test/reportSample.ts"
import * as Case from "../../packages/reconcile/test/support/Case.ts"
import * as Run from "../../packages/reconcile/test/support/Run.ts"
import * as Form from "../src/Form.ts"
import * as JsonSchema from "../src/JsonSchema.ts"
import { schemas } from "../src/Schemas.ts"
import * as Books from "./support/Books.ts"
import * as Validator from "./support/Validator.ts"

const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

const reportProblems = Validator.make(schemas.report)
/** The same, and no key may be there that the schema does not tell. */
const strictProblems = Validator.make(JsonSchema.make(Report.Report, "report", { strict: true }))
const lineProblems = Validator.make(schemas.events)
const policyProblems = Validator.make(schemas.policy)

const asJson = (report: Report.Report): unknown => JSON.parse(Json.render(report))

const isValid = (report: Report.Report): void => {
  const json = asJson(report)
  assert.deepStrictEqual(reportProblems(json), [])
  assert.deepStrictEqual(strictProblems(json), [])
}

const decodeCases = Schema.decodeSync(Schema.fromJsonString(Schema.Array(Case.Case)))

const AnyJson = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
const ReportJson = Schema.fromJsonString(
  Schema.Struct({ outcomes: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)) })
)

describe("the JSON Schema of reports", () => {
  it("takes the report in which most things happen", () => isValid(Sample.report()))

  it("takes the report of nothing", () => {
    const accounts = { list: [], complete: false }
    const report = Report.make({ outcomes: [], coverage: [], policy: Policy.defaults, accounts, warnings: [] })
    assert.deepStrictEqual([report.range, report.lags, report.asOf], [null, null, null])
    isValid(report)
  })

  it("takes the report of every sample case", () => {
    const cases = decodeCases(text("packages/reconcile/test/fixtures/matching-sample.json"))
    assert.isAbove(cases.length, 20)
    for (const one of cases) {
      const input = Case.toInput(one)
      const policy = Run.policy(input.policy)
      const accounts = { list: [], complete: false }
      isValid(Report.make({ ...Run.match(input), coverage: Run.complete, policy, accounts, warnings: [] }))
    }
  })

  it("takes the reports of random books", () => {
    const codes = new Set<string>()
    for (let seed = 1; seed <= 60; seed++) {
      const report = Books.random(seed)
      isValid(report)
      for (const { code } of report.outcomes) codes.add(code)
    }
    assert.isAbove(codes.size, 15)
  })

  it.effect("takes the report of a history of the service's own records", () => Effect.map(Books.generated(7), isValid))

  it("refuses a report that lacks anything, or has anything of another type", () => {
    const whole = Sample.report()
    const json = Schema.decodeSync(AnyJson)(Json.render(whole))
    for (const key of Object.keys(json)) {
      const { [key]: value, ...rest } = json
      assert.isNotEmpty(reportProblems(rest), `without ${key}`)
      const other = typeof value === "string" ? 1 : "x"
      assert.isNotEmpty(reportProblems({ ...json, [key]: other }), `${key}: ${other}`)
    }
  })

  it("refuses an outcome that lacks anything, a code that nobody knows, and an amount that is none", () => {
    const rendered = Json.render(Sample.report())
    const [outcome] = Schema.decodeSync(ReportJson)(rendered).outcomes
    const json = Schema.decodeSync(AnyJson)(rendered)
    const problems = (changed: Record<string, unknown>) => reportProblems({ ...json, outcomes: [changed] })
    assert.deepStrictEqual(problems({ ...outcome }), [])
    for (
      const key of ["id", "outcome", "code", "final", "deposits", "transfers", "lagMs", "explanation", "candidates"]
    ) {
      const { [key]: _, ...rest } = { ...outcome }
      assert.isNotEmpty(problems(rest), key)
    }
    assert.isNotEmpty(problems({ ...outcome, code: "swept" }))
    const deposit = { id: "d", asset: "BTC", amount: "1", at: 0, status: "settled" }
    assert.deepStrictEqual(problems({ ...outcome, deposits: [deposit] }), [])
    for (const amount of ["1e3", "-1", "1,5", "", 1]) {
      assert.isNotEmpty(problems({ ...outcome, deposits: [{ ...deposit, amount }] }), String(amount))
    }
  })
})

describe("the JSON Schema of a stream's lines", () => {
  it.effect("takes every line, and no line that is neither outcome nor summary", () =>
    Effect.gen(function*() {
      const { outcomes, ...summary } = Sample.report()
      const events = Stream.concat(
        Stream.map(Stream.fromIterable(outcomes), (outcome) => ({ _tag: "Outcome" as const, outcome })),
        Stream.make({ _tag: "Summary" as const, summary })
      )
      const lines = yield* Stream.runCollect(Ndjson.lines(events))
      assert.strictEqual(lines.length, outcomes.length + 1)
      for (const line of lines) assert.deepStrictEqual(lineProblems(JSON.parse(line)), [])
      assert.isNotEmpty(lineProblems({}))
      assert.isNotEmpty(lineProblems({ summary: {} }))
    }))
})

const files = (folder: string, extension: string): ReadonlyArray<string> =>
  readdirSync(new URL(`../../${folder}/`, import.meta.url))
    .filter((name) => name.endsWith(extension)).map((name) => `${folder}/${name}`)

const isPolicy = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).some((key) => Object.hasOwn(Policy.defaults, key))

const blocks = (path: string): ReadonlyArray<unknown> =>
  Array.from(text(path).matchAll(/^```json\n(.*?)^```$/gms), ([, code = ""]): unknown => JSON.parse(code))

/** What a file would say that writes every default. */
const defaultsOf = (node: JsonSchema.Node): unknown => {
  if (node["default"] !== undefined) return node["default"]
  const keys = Form.keys(node).map(({ name, node }) => [name, defaultsOf(node)] as const)
  return Object.fromEntries(keys.filter(([, value]) => value !== undefined))
}

describe("the JSON Schema of policies", () => {
  it("takes the policies to begin with, and every policy that the documentation shows", () => {
    const shown = files("docs", ".md").flatMap(blocks).filter(isPolicy)
    const kept = files("policies", ".json").map((path): unknown => JSON.parse(text(path)))
    assert.isAbove(shown.length, 8)
    assert.isAbove(kept.length, 3)
    for (const policy of [...shown, ...kept]) {
      assert.isTrue(Result.isSuccess(Policy.decode(policy)), JSON.stringify(policy))
      assert.deepStrictEqual(policyProblems(policy), [], JSON.stringify(policy))
    }
  })

  it.each<unknown>([
    {},
    Policy.defaults,
    { window: { before: -60_000, after: "1.5 hours" } },
    { ambiguity: "assign" },
    { tolerance: { maxShare: "1.000" } },
    { statuses: { deposit: { settled: [5, "done"] } } }
  ])("takes %j, as the reader does", (policy) => {
    assert.isTrue(Result.isSuccess(Policy.decode(policy)))
    assert.deepStrictEqual(policyProblems(policy), [])
  })

  it.each<unknown>([
    "report",
    { windows: {} },
    { window: { behind: 1 } },
    { window: { after: "an hour" } },
    { window: { after: 1.5 } },
    { late: -1 },
    { tolerance: { absolute: 0.1 } },
    { tolerance: { absolute: "1e-3" } },
    { tolerance: { maxShare: "1.01" } },
    { tolerance: { base: "smaller" } },
    { grouping: { maxSize: 1 } },
    { grouping: { maxSize: 2.5 } },
    { ambiguity: { ratio: 0.5 } },
    { ambiguity: "guess" },
    { flows: [] },
    { flows: [{ from: "*" }] },
    { flows: [{ from: "*", to: "master", types: [["SPOT"]] }] },
    { per: [{}] },
    { per: [{ asset: "" }] },
    { minAmount: { USDT: 1 } },
    { links: [{ deposits: [], transfers: ["t"] }] },
    { forbid: [{ deposit: "d" }] }
  ])("refuses %j, as the reader does", (policy) => {
    assert.isTrue(Result.isFailure(Policy.decode(policy)))
    assert.isNotEmpty(policyProblems(policy))
  })

  it("tells the default of every key that has one", () => {
    const written = Result.getOrThrow(Policy.decode(defaultsOf(schemas.policy)))
    assert.sameMembers(Object.keys(written), Object.keys(Policy.defaults))
    assert.deepStrictEqual(Policy.resolve(written), Policy.defaults)
  })
})

describe("the JSON Schemas of accounts, addresses and prices", () => {
  const prices = Validator.make(schemas.prices)
  const accounts = Validator.make(schemas.accounts)
  const addresses = Validator.make(schemas.addresses)

  it("take what the documentation shows", () => {
    assert.deepStrictEqual(accounts({ master: "master", list: ["sub00001", "sub00002"], complete: true }), [])
    assert.deepStrictEqual(accounts({ master: ["a@example.com", "b"], list: [] }), [])
    assert.deepStrictEqual(prices({ BTC: "65000.12", USDT: "1" }), [])
    assert.deepStrictEqual(addresses([{ address: "TXYZ", network: "TRX", account: "sub00001" }]), [])
  })

  it("refuse what no reader takes", () => {
    for (
      const value of [{}, { list: [""] }, { list: [], master: [] }, { list: [], complete: "yes" }, { list: [], x: 1 }]
    ) {
      assert.isNotEmpty(accounts(value), JSON.stringify(value))
    }
    for (const value of [{ BTC: 65000 }, { BTC: "-1" }, { BTC: "1e3" }, [], "BTC"]) {
      assert.isNotEmpty(prices(value), JSON.stringify(value))
    }
    for (
      const value of [{}, [{ address: "T" }], [{ address: "", account: "s" }], [{ address: "T", account: "s", x: 1 }]]
    ) {
      assert.isNotEmpty(addresses(value), JSON.stringify(value))
    }
  })
})
