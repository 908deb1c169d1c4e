/** Every program of the guides is a file of `src`, and runs as it stands. */
import { assert, describe, it, layer } from "@effect/vitest"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { readdirSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import * as Program from "./support/Program.ts"

class World extends Context.Service<World, Effect.Success<typeof Program.world>>()("World") {
  static readonly layer = Layer.effect(World, Program.world).pipe(
    Layer.provideMerge(Sandbox.Sandbox.layer({ history: Program.history, rules: { rate: null } }))
  )
}

/** What each says. Those that never end, or only define, have a test of their own. */
const says = {
  "embed": /^\d+ settled deposits in the 24 hours until two minutes ago/,
  "report": /The books (?:agree|do not agree)/,
  "compose": /^missing-transfer: 25\.5 USDT arrived on .*, but no transfer to master that fits it was made by /,
  "config": /^A request is good for 10000 ms$/,
  "create-key": /^sub00001 has a key for SPOT_TRANSFER_READ and SPOT_DEPOSIT_READ, noted as nightly report 2026-11$/,
  "bulk": /^\d+ of \d+ are accepted$/m,
  "cluster": /^job [0-9a-f]{12} is done: execution 1, begun 1 time$/m,
  "books": /^\d+ open items? after execution 1$/m,
  "item-pages": /^\d+ open items, \d+ of them younger than a day$/m,
  "notify": /^1 sent to cat, 0 waiting/,
  "decide":
    /^The transfer of \S+ \S+ from \S+ to master on .* UTC is excluded by clerk \(claimed\): a test of ours \(test; decision 1\)\. The ledger ends at 1\.$/,
  "errors": /^Incomplete: the records are not all there: count nothing/,
  "packages/core": /^\d+ deposits in that hour, and none is missing from the count$/,
  "packages/reconcile":
    /^missing-transfer: 25\.5 USDT arrived on .*, but no transfer to master that fits it was made by /m,
  "packages/report": /1 unmatched deposit/,
  "packages/archive": /^The books (?:agree|do not agree)/,
  "packages/sandbox": /^100 of the sandbox's \d+ deposits on one page$/,
  "rotate": /^\d+ deposits today, in Berlin$/,
  "signer": /^10 deposits were read with a signature from the KMS$/
}

const elsewhere = [
  "masters",
  "scheduled",
  "workflow",
  "durable",
  "observe",
  "csv-ledger",
  "sql-ledger",
  "patient",
  "app/main",
  "app/Books",
  "app/Desk",
  "app/Ledger",
  "bridge/slack",
  "bridge/pagerduty",
  "bridge/mail",
  "service/main",
  "service/Api",
  "service/Rounds",
  "service/Telemetry",
  "service/watch"
]

it("runs every program of the guides", () => {
  const programs = readdirSync(fileURLToPath(new URL("../src", import.meta.url)), { recursive: true, encoding: "utf8" })
    .flatMap((name) => name.endsWith(".ts") ? [name.slice(0, -3)] : [])
  assert.sameMembers([...Object.keys(says), ...elsewhere], programs)
})

describe("the program", () => {
  layer(World.layer, { excludeTestServices: true })((it) => {
    it.effect.each(Object.entries(says))("%s runs as it stands", ([name, expected]) =>
      Effect.gen(function*() {
        const { secret } = yield* World
        const { said, told } = yield* Program.run(name)
        assert.deepStrictEqual(told, [])
        assert.match(said.join("\n"), expected)
        assert.notInclude(said.join("\n"), secret)
      }))

    it.effect("csv-ledger finds the sweep that its ledger forgot", () =>
      Effect.gen(function*() {
        const { forgotten } = yield* World
        assert.isDefined(forgotten)
        const { said, told } = yield* Program.run("csv-ledger")
        assert.deepStrictEqual(told, [])
        const [, missing = ""] = said.join("\n").split("[missing-transfer]")
        assert.include(missing.split("\n\n")[0], `${forgotten.deposit.slice(0, 8)}…`)
      }))

    it.effect("observe sends its spans and metrics to the collector, and no secret", () =>
      Effect.gen(function*() {
        const { apiKey } = yield* Sandbox.Sandbox
        const { collector, secret } = yield* World
        const { said, told } = yield* Program.run("observe")
        assert.deepStrictEqual(told, [])
        const [, count] = /^(\d+) requests for deposits were answered$/.exec(said.join("\n")) ?? []
        const { points, received, resource, spans } = collector
        assert.strictEqual(resource()["service.name"], "sweeper")
        const parents = (name: string): ReadonlyArray<string> => {
          const span = spans().find((span) => span.name === name || span.spanId === name)
          return span === undefined ? [] : [span.name, ...parents(span.parentSpanId ?? "")]
        }
        assert.deepStrictEqual(parents("GET /api/v3/broker/capital/deposit/subHisrec/getall"), [
          "GET /api/v3/broker/capital/deposit/subHisrec/getall",
          "Broker.subAccountDeposits",
          "sweep"
        ])
        const requests = points("tallystick.client.requests").filter((point) =>
          "operation" in point && point.operation === "subAccountDeposits"
        )
        assert.deepStrictEqual(requests.map(({ value }) => value), [Number(count)])
        const bodies = received.map(({ body }) => body).join("\n")
        for (const word of [secret, Redacted.value(apiKey), "signature"]) assert.notInclude(bodies, word)
      }))

    it.effect("sql-ledger finds it too, and writes every outcome into the database of the ledger", () =>
      Effect.gen(function*() {
        const { env, forgotten } = yield* World
        assert.isDefined(forgotten)
        const { said, told } = yield* Program.run("sql-ledger")
        assert.deepStrictEqual(told, [])
        const missing = said.filter((line) => line.startsWith("missing-transfer: "))
        const db = new DatabaseSync(env.LEDGER_DATABASE, { readOnly: true })
        const rows = db.prepare("SELECT outcome FROM tallystick_outcomes").all()
        const runs = db.prepare("SELECT run FROM tallystick_outcomes_runs WHERE finished_at IS NOT NULL").all()
        const lacking = db.prepare("SELECT content FROM tallystick_outcomes WHERE code = 'missing-transfer'").all()
        db.close()
        assert.strictEqual(missing.length, lacking.length)
        assert.strictEqual(lacking.filter(({ content }) => String(content).includes(`${forgotten.deposit}~`)).length, 1)
        assert.strictEqual(rows.filter(({ outcome }) => outcome === "discrepancy").length, said.length)
        assert.isAbove(rows.length, said.length)
        assert.strictEqual(runs.length, 1)
      }))

    it.effect("app puts each break on the desk once", () =>
      Effect.gen(function*() {
        const { cases } = yield* World
        const { said, told } = yield* Program.run("app/main")
        assert.deepStrictEqual(told, [])
        assert.isAbove(cases.length, 0)
        assert.deepStrictEqual(said, [`${cases.length} cases are on the desk.`])
        assert.strictEqual(new Set(cases.map((found) => JSON.stringify(found))).size, cases.length)
      }))
  })
})
