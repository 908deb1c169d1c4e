import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Policy from "../src/Policy.ts"
import * as Run from "./support/Run.ts"

const issues = (input: unknown): ReadonlyArray<string> => {
  const decoded = Policy.decode(input)
  return Result.isFailure(decoded) ? decoded.failure.issues.map(({ message, path }) => `${path}: ${message}`) : []
}

const design = {
  window: { before: "1 minute", after: "1 hour" },
  late: "23 hours",
  lagFrom: "settled",
  tolerance: { absolute: "0", relative: "0", base: "deposit", inclusive: true, maxShare: "0.5" },
  fees: [{ asset: "BTC", flat: "0.0001", rate: "0.001" }],
  per: [{
    asset: "BTC",
    window: { after: "3 hours" },
    tolerance: { absolute: "0.00001" },
    late: "2 days",
    ambiguity: { residual: "0" }
  }],
  grouping: { manyToOne: true, oneToMany: true, maxSize: 8, maxRun: 1000 },
  ambiguity: { mode: "report", ratio: 2, rivals: 5, residual: "0" },
  reference: "prefer",
  assets: { aliases: [["USDT", "USDT-TRX"]] },
  flows: [{ from: "*", to: "master" }],
  statuses: { deposit: { settled: [5] }, transfer: { settled: ["SUCCESS"] } },
  minAmount: { USDT: "0.01" },
  exclude: [{ side: "deposit", id: "…", reason: "…" }],
  links: [{ deposits: ["a"], transfers: ["b"], by: "…", reason: "…" }],
  forbid: [{ deposit: "…", transfer: "…" }]
}

describe("a policy", () => {
  it("may hold every key of the design", () => {
    assert.deepStrictEqual(issues(design), [])
  })

  it.effect("of a program is checked like any other, and has its defaults", () =>
    Effect.gen(function*() {
      const { late, window } = yield* Policy.make({ window: { after: "2 hours" } })
      assert.deepStrictEqual({ late, window }, {
        late: Policy.defaults.late,
        window: { ...Policy.defaults.window, after: 7_200_000 }
      })
      const error = yield* Effect.flip(Policy.make({ window: { after: "1 hours ago" }, late: -1 }))
      assert.deepStrictEqual(error.issues.map(({ path }) => path), ["window.after", "late"])
    }))

  it("may be empty, and then has the defaults of the design", () => {
    const { ambiguity, flows, grouping, late, reference, tolerance, window } = Policy.defaults
    assert.deepStrictEqual(Effect.runSync(Policy.make({})), Policy.defaults)
    assert.deepStrictEqual(
      { ambiguity, flows, grouping, late, reference, tolerance, window },
      {
        ambiguity: { mode: "report", ratio: 2, rivals: 5, residual: "0" },
        flows: [{ from: "*", to: "master" }],
        grouping: { manyToOne: true, oneToMany: true, maxSize: 8, maxRun: 1000 },
        late: 23 * Run.HOUR,
        reference: "prefer",
        tolerance: { absolute: "0", relative: "0", base: "deposit", inclusive: true, maxShare: "0.5" },
        window: { before: Run.MINUTE, after: Run.HOUR }
      }
    )
  })

  it("counts lags from settling too; one that was recorded before that could be said counted from the deposit alone", () => {
    assert.strictEqual(Policy.defaults.lagFrom, "settled")
    assert.strictEqual(Run.policy({ lagFrom: "seen" }).lagFrom, "seen")
    const { lagFrom: _, ...recorded } = Policy.defaults
    assert.strictEqual(Schema.decodeSync(Policy.Resolved)(recorded).lagFrom, "seen")
  })

  it("refuses unknown keys by name, at every level", () => {
    assert.deepStrictEqual(
      issues({
        windows: {},
        window: { aftr: 1 },
        per: [{ asset: "BTC", lat: 1 }],
        ambiguity: { mode: "report", x: 1 }
      }),
      ["windows", "window.aftr", "per[0].lat", "ambiguity.x"].map((key) => `${key}: this key is not known to a policy`)
    )
  })

  it("takes durations as text or ms, negative ones for the bounds of the window only", () => {
    const { late, window } = Run.policy({ window: { before: "-1 day", after: 86_400_000 }, late: "1.5 hours" })
    assert.deepStrictEqual({ late, window }, { late: 90 * Run.MINUTE, window: { before: -Run.DAY, after: Run.DAY } })
    for (const wrong of ["1h", "soon", "Infinity", 0.5, "1 nano", "0.5 millis"]) {
      assert.match(
        issues({ window: { after: wrong } }).join(),
        /^window\.after: Expected a duration such as "90 seconds".*, got /
      )
    }
    assert.match(issues({ late: -1 }).join(), /^late: Expected a duration that is not negative, got -1/)
  })

  it("of a program takes a Duration wherever a length of time stands, and refuses one that is no whole ms", () => {
    const make = (input: Policy.Input) => Effect.runSync(Effect.result(Policy.make(input)))
    assert.deepStrictEqual(
      make({
        window: { before: Duration.minutes(5), after: "1 hour" },
        late: Duration.days(1),
        per: [{ asset: "BTC", window: { after: Duration.hours(3) }, late: Duration.zero }]
      }),
      make({
        window: { before: "5 minutes", after: "1 hour" },
        late: "1 day",
        per: [{ asset: "BTC", window: { after: "3 hours" }, late: 0 }]
      })
    )
    for (const late of [Duration.nanos(1n), Duration.infinity, Duration.millis(-1)]) {
      const refused = make({ late })
      assert.match(
        Result.isFailure(refused) ? refused.failure.message : "",
        /late: Expected a (?:duration|finite number)/
      )
    }
  })

  it("refuses an empty window, also of a single asset", () => {
    assert.match(issues({ window: { before: "-2 hours" } }).join(), /^window: the window is empty/)
    assert.match(
      issues({ per: [{ asset: "BTC", window: { after: "-2 minutes" } }] }).join(),
      /^per\[0\]\.window: the window is empty/
    )
    assert.deepStrictEqual(issues({ window: { before: "-1 hour", after: "1 hour" } }), [])
  })

  it("takes amounts as decimal text only", () => {
    for (const wrong of [0.1, "1e3", "-1", "", "1,000", ".5"]) {
      assert.match(
        issues({ tolerance: { absolute: wrong } }).join(),
        /^tolerance\.absolute: Expected decimal text such as "0\.05", at most .* got /
      )
    }
    assert.match(issues({ tolerance: { maxShare: "1.1" } }).join(), /^tolerance\.maxShare/)
    assert.match(issues({ fees: [{ asset: "BTC", rate: "1" }] }).join(), /^fees\[0\]\.rate: a rate is below 1/)
    assert.match(issues({ fees: [{ asset: "BTC" }] }).join(), /^fees\[0\]: a fee needs flat, rate or both/)
  })

  it("may give the mode of ambiguity alone", () => {
    assert.deepStrictEqual(Run.policy({ ambiguity: "assign" }).ambiguity, {
      mode: "assign",
      ratio: 2,
      rivals: 5,
      residual: "0"
    })
    assert.match(issues({ ambiguity: "guess" }).join(), /^ambiguity: Expected .*"report".*got "guess"/)
  })

  it("may say below which size residuals are noise, by asset, and nothing else of ambiguity by asset", () => {
    const { ambiguity, per } = Run.policy({
      ambiguity: { residual: "0.01" },
      per: [{ asset: "BTC", ambiguity: { residual: "0.00001" } }, { asset: "ETH" }]
    })
    assert.strictEqual(ambiguity.residual, "0.01")
    assert.deepStrictEqual(per.map((rule) => rule.ambiguity), [{ residual: "0.00001" }, { residual: "0.01" }])
    assert.match(issues({ ambiguity: { residual: "-1" } }).join(), /^ambiguity/)
    assert.deepStrictEqual(issues({ per: [{ asset: "BTC", ambiguity: { ratio: 3 } }] }), [
      "per[0].ambiguity.ratio: this key is not known to a policy"
    ])
  })

  it("refuses an id in two links, an excluded id in a link, and a link with one side", () => {
    assert.deepStrictEqual(
      issues({
        exclude: [{ id: "x" }],
        links: [{ deposits: ["a"], transfers: ["x"] }, { deposits: ["a"], transfers: ["y"] }]
      }),
      [
        "links[0].transfers[0]: transfer \"x\" is excluded; an excluded entry cannot be linked",
        "links[1].deposits[0]: deposit \"a\" already stands at links[0].deposits[0]"
      ]
    )
    assert.deepStrictEqual(issues({ links: [{ deposits: [], transfers: ["y"] }], forbid: [{ deposit: "x" }] }), [
      "links[0].deposits[0]: a value is missing here: the list is too short",
      "forbid[0].transfer: this key is missing"
    ])
  })

  it("refuses one asset in two lists of aliases, and one status code with two meanings", () => {
    assert.strictEqual(issues({ assets: { aliases: [["A", "B"], ["C", "A"]] } }).length, 1)
    assert.strictEqual(issues({ statuses: { deposit: { settled: [5, 1], failed: ["1"] } } }).length, 1)
  })

  it("says everything that is wrong at once, in readable lines", () => {
    const decoded = Policy.decode({ late: "soon", reference: "maybe" })
    assert.isTrue(Result.isFailure(decoded))
    if (Result.isFailure(decoded)) assert.strictEqual(decoded.failure.message.split("\n").length, 2)
    assert.match(issues(3).join(), /^: Expected object, got 3/)
  })
})

describe("statuses", () => {
  it("mean what the policy says, and what it does not know is unknown", () => {
    const policy = Run.policy({ statuses: { deposit: { settled: [5, 12] } } })
    const meanings = [5, "12", 7, 1, 99].map((code) => Policy.statusOf(policy, "deposit", code))
    assert.deepStrictEqual(meanings, ["settled", "settled", "failed", "pending", "unknown"])
    assert.strictEqual(Policy.statusOf(Policy.defaults, "deposit", 12), "pending")
    assert.strictEqual(Policy.statusOf(Policy.defaults, "transfer", "SUCCESS"), "settled")
    assert.strictEqual(Policy.statusOf(Policy.defaults, "transfer", "success"), "unknown")
  })
})
