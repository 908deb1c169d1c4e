import { assert, describe, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { cases } from "../../reconcile/test/support/Generator.ts"
import * as Run from "../../reconcile/test/support/Run.ts"
import * as Statements from "../src/internal/policy/Statements.ts"
import * as PolicyText from "../src/PolicyText.ts"

const checked = (policy: Policy.Policy): Policy.Decoded => Result.getOrThrow(Policy.decode(policy))

/** What is said about one setting. */
const said = (policy: Policy.Policy, setting: string): string =>
  Statements.describe(checked(policy)).filter((statement) => statement.setting === setting).flatMap(({ text }) => text)
    .join(" ")

const sourceOf = (policy: Policy.Policy, setting: string): string =>
  Statements.describe(checked(policy)).filter((statement) => statement.setting === setting).map(Statements.sourceText)
    .join()

const all = (policy: Policy.Resolved): string =>
  Statements.words(policy).map(({ setting, text }) => [setting, ...text].join(" ")).join("\n")

describe("a policy in words", () => {
  it("says when a transfer may come, also where a bound is zero or negative", () => {
    const window = (before: string, after: string) => said({ window: { before, after } }, "window")
    assert.strictEqual(
      said({}, "window"),
      "A transfer may come up to 1 minute before and up to 1 hour after its deposit."
    )
    assert.strictEqual(
      window("-5 minutes", "90 minutes"),
      "A transfer must come at least 5 minutes and at most 1 hour 30 minutes after its deposit."
    )
    assert.strictEqual(
      window("2 hours", "-1 hour"),
      "A transfer must come at least 1 hour and at most 2 hours before its deposit."
    )
    assert.strictEqual(
      window("0 seconds", "1 day"),
      "A transfer may come up to 1 day after its deposit, and not before it."
    )
    assert.strictEqual(
      window("1 second", "0 seconds"),
      "A transfer may come up to 1 second before its deposit, and not after it."
    )
    assert.strictEqual(window("0 seconds", "0 seconds"), "A transfer must come at the very moment of its deposit.")
    assert.strictEqual(window("-1 hour", "1 hour"), "A transfer must come exactly 1 hour after its deposit.")
    assert.strictEqual(window("1 hour", "-1 hour"), "A transfer must come exactly 1 hour before its deposit.")
  })

  it("says what is late, by amount and by reference", () => {
    assert.match(said({}, "late"), /comes up to 23 hours later than that is reported as late, /)
    assert.match(said({}, "late"), /The same holds for one of the same reference, whatever its amount\./)
    assert.notMatch(said({ reference: "ignore" }, "late"), /reference/)
    assert.strictEqual(said({ late: 0 }, "late"), "Outside the window a transfer is no counterpart.")
  })

  it("says how much amounts may differ, and keeps the words of what is not in use", () => {
    assert.match(said({}, "tolerance"), /^Amounts must be equal\. \(No tolerance is given\./)
    assert.strictEqual(
      said({ tolerance: { absolute: "0.010", relative: "0.001", base: "larger", inclusive: false } }, "tolerance"),
      "Amounts may differ by less than 0.01 (but never more than 50 % of the smaller of the two), or by 0.1 % of the " +
        "larger of the two amounts, whichever is more."
    )
  })

  it("tells what the file says from what is a default, and from what holds for all assets", () => {
    const policy: Policy.Policy = {
      window: { after: "3 hours" },
      ambiguity: "assign",
      per: [{ asset: "BTC", window: { before: "2 minutes" }, late: "1 day" }]
    }
    assert.deepStrictEqual(
      ["window", "late", "per", "ambiguity", "per[0].window", "per[0].late", "per[0].tolerance"].map((setting) =>
        sourceOf(policy, setting)
      ),
      [
        "after from the file; before default",
        "default",
        "from the file",
        "mode from the file; ratio, rivals and residual defaults",
        "before from the file; after as for all assets",
        "from the file",
        "as for all assets"
      ]
    )
    assert.match(
      said(policy, "per[0].window"),
      /^BTC: A transfer may come up to 2 minutes before and up to 3 hours after/
    )
  })

  it("names a value that the file says although it is the default", () => {
    assert.strictEqual(sourceOf({ reference: "prefer" }, "reference"), "from the file")
    assert.strictEqual(sourceOf({}, "reference"), "default")
  })

  it("shows what strangers wrote without control characters", () => {
    const text = PolicyText.render(checked({ exclude: [{ id: "\u001b[31m\u202e\ud800", reason: "a\nb" }] }))
    assert.include(text, `Deposit and transfer "\\u001b[31m\\u{202e}\\ud800" are left out: "a\\nb".`)
    assert.notMatch(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}]/u)
  })

  it("fits the width that it is given, and does not tell again what `per` takes over", () => {
    const text = PolicyText.render(checked({ per: [{ asset: "BTC", late: 0 }] }), { width: 60 })
    assert.isTrue(text.split("\n").every((line) => line.length <= 60 || !line.startsWith("  ")))
    assert.include(text, "per[0].window (as for all assets)\nper[0].late (from the file)\n  BTC: Outside the window")
  })
})

describe("residuals in words", () => {
  it("are noise below a size, for all assets or for one, or decide nothing", () => {
    assert.match(said({}, "ambiguity"), / Amounts that differ decide nothing: no residual is taken for noise\. /)
    const policy: Policy.Policy = {
      ambiguity: { residual: "0.010" },
      per: [{ asset: "BTC", ambiguity: { residual: "0.00001" } }, { asset: "ETH" }]
    }
    assert.match(
      said(policy, "ambiguity"),
      / A residual below 0\.01 is noise: such a pair is stated by its amount when /
    )
    assert.match(said(policy, "per[0].ambiguity.residual"), /^BTC: A residual below 0\.00001 is noise: /)
    assert.strictEqual(sourceOf(policy, "per[0].ambiguity.residual"), "from the file")
    assert.strictEqual(sourceOf(policy, "per[1].ambiguity.residual"), "as for all assets")
    assert.strictEqual(sourceOf(policy, "ambiguity"), "residual from the file; mode, ratio and rivals defaults")
  })
})

describe("warnings of a policy", () => {
  const places = (policy: Policy.Policy) => PolicyText.warnings(checked(policy)).map(({ path }) => path)

  it("are not given without reason", () => {
    assert.deepStrictEqual(places({}), [])
    assert.deepStrictEqual(
      places({
        tolerance: { absolute: "5", relative: "0.02" },
        per: [{ asset: "BTC", network: "BTC" }, { asset: "BTC" }],
        window: { after: "3 days" },
        exclude: [{ id: "a", side: "deposit" }, { id: "a", side: "transfer" }],
        links: [{ deposits: ["e"], transfers: ["b"] }, { deposits: ["c"], transfers: ["d"] }],
        forbid: [{ deposit: "e", transfer: "d" }]
      }),
      []
    )
  })

  it("are found in one go, however many rules there are, and name the rule that stands before one that is never reached", () => {
    const MANY = 1000
    let looks = 0
    const watch = <A extends object>(rule: A): A =>
      new Proxy(rule, {
        get: (target, key): unknown => {
          looks++
          return Reflect.get(target, key)
        }
      })
    const rules = [
      ...Array.from({ length: MANY }, (_, n) => ({ asset: `A${n}` })),
      { asset: "A7", network: "N" },
      { asset: "X", network: "N" },
      { asset: "X", network: "N" }
    ]
    const issues = PolicyText.warnings({ ...checked({ per: rules }), per: rules.map(watch) }).map(({ message, path }) =>
      `${path}: ${message}`
    )
    assert.deepStrictEqual(issues, [
      `per[${MANY}]: it is never reached: per[7] names A7 before it`,
      `per[${MANY + 2}]: it is never reached: per[${MANY + 1}] names X before it`
    ])
    assert.isBelow(looks, 40 * MANY)
  })

  it("name shares that were probably meant as percent", () => {
    assert.deepStrictEqual(places({ tolerance: { relative: "1" }, fees: [{ rate: "0.5" }] }), [
      "tolerance.relative",
      "fees[0].rate"
    ])
    assert.deepStrictEqual(places({ per: [{ asset: "X", tolerance: { relative: "0.10" } }] }), [
      "per[0].tolerance.relative"
    ])
    assert.deepStrictEqual(places({ tolerance: { absolute: "1", maxShare: "1.0" } }), ["tolerance.maxShare"])
  })

  it("name a rule that is never reached", () => {
    assert.deepStrictEqual(places({ per: [{ asset: "BTC" }, { asset: "BTC", network: "LN" }] }), ["per[1]"])
  })

  it("name wide windows whose pairs are assigned", () => {
    assert.deepStrictEqual(places({ ambiguity: "assign", window: { after: "24 hours" } }), ["window"])
    assert.deepStrictEqual(places({ ambiguity: "assign", window: { before: 0, after: "24 hours" } }), [])
  })

  it("name residuals that are called noise without effect", () => {
    const residual = "0.01"
    assert.deepStrictEqual(places({ ambiguity: { residual }, tolerance: { absolute: "0.01" } }), [])
    assert.deepStrictEqual(
      places({ ambiguity: { residual }, per: [{ asset: "X", tolerance: { relative: "0.001" } }] }),
      []
    )
    assert.deepStrictEqual(places({ ambiguity: { residual } }), ["ambiguity.residual"])
    assert.deepStrictEqual(places({ ambiguity: { residual }, tolerance: { absolute: "0.009" } }), [
      "ambiguity.residual"
    ])
    assert.deepStrictEqual(places({ per: [{ asset: "X", ambiguity: { residual } }] }), ["per[0].ambiguity.residual"])
  })

  it("name what is decided twice, or otherwise than it seems", () => {
    assert.deepStrictEqual(
      places({
        exclude: [{ id: "a" }, { id: "a", side: "deposit" }],
        flows: [{ from: "*", to: "master", types: [] }],
        links: [{ deposits: ["x"], transfers: ["y", "z"] }],
        forbid: [{ deposit: "x", transfer: "z" }]
      }),
      ["flows[0].types", "exclude[1]", "forbid[0]"]
    )
  })
})

const optional = new Set(["asset", "network", "types", "side", "reason", "by"])

const words: Readonly<Record<string, ReadonlyArray<string>>> = {
  base: ["deposit", "transfer", "larger"],
  mode: ["report", "assign"],
  reference: ["prefer", "require", "only", "ignore"],
  side: ["deposit", "transfer"]
}

const amounts = new Set(["residual", "absolute", "relative", "maxShare", "flat", "rate"])

/** Other values for one leaf: `key` is its name, for words that come from a list. */
const others = (key: string, value: unknown): ReadonlyArray<unknown> => {
  if (typeof value === "boolean") return [!value]
  if (typeof value === "number") return [Math.abs(value) < 1e9 ? value + 1 : Math.trunc(value / 2)]
  if (typeof value !== "string") return []
  const list = words[key]
  if (list !== undefined) return list.filter((word) => word !== value)
  return [amounts.has(key) ? (value.includes(".") ? `${value}1` : `${value}.1`) : `${value}x`]
}

// Every value that differs from this one in one setting, or lacks one item of a list or one key that may be absent.
function* neighbours(value: unknown, key = "", path = ""): Generator<readonly [path: string, value: unknown], void> {
  if (Array.isArray(value)) {
    const items: ReadonlyArray<unknown> = value
    for (const [index, item] of items.entries()) {
      const place = `${path}[${index}]`
      if (key !== "pair") yield [`${place} removed`, items.toSpliced(index, 1)]
      for (const [where, other] of neighbours(item, key === "types" ? "pair" : key, place)) {
        yield [where, items.with(index, other)]
      }
    }
  } else if (typeof value === "object" && value !== null) {
    const isRecord = key === "minAmount"
    const entries: ReadonlyArray<[string, unknown]> = Object.entries(value)
    for (const [name, item] of entries) {
      const rest = entries.filter(([other]) => other !== name)
      const isOptional = isRecord || (optional.has(name) && !(name === "asset" && path.startsWith(".per")))
      if (isOptional) yield [`${path}.${name} removed`, Object.fromEntries(rest)]
      for (const [where, other] of neighbours(item, isRecord ? "flat" : name, `${path}.${name}`)) {
        yield [where, Object.fromEntries([...rest, [name, other]])]
      }
    }
  } else for (const other of others(key, value)) yield [path, other]
}

const decodeResolved = Schema.decodeUnknownOption(Policy.Resolved)

/** Made legal where a policy as written could not say so. */
const legal = (policy: Policy.Resolved): Policy.Resolved => {
  const rule = <R extends Policy.Rule>(rule: R): R => ({
    ...rule,
    late: Math.abs(rule.late),
    window: { before: rule.window.before, after: Math.max(rule.window.after, -rule.window.before) }
  })
  return { ...rule(policy), per: policy.per.map(rule), flows: [...policy.flows, { from: "*", to: "master" }] }
}

/** For the long run, whose cases are many. */
const LONG = 3_600_000

describe("every policy", () => {
  it.effect.prop("that can be written has a text for every setting", [Policy.Policy], ([policy]) =>
    Effect.sync(() => {
      const decoded = Policy.decode(policy)
      // Some contradict themselves.
      if (Result.isFailure(decoded)) return
      const statements = Statements.describe(decoded.success)
      assert.isTrue(statements.every(({ sources, text }) => text.length > 0 && sources.length > 0))
      const settings = statements.map(({ setting }) => setting.split(/[.[]/)[0])
      assert.sameMembers(Array.from(new Set(settings)), Object.keys(Policy.defaults))
    }), { arbitrary: { runs: cases(50), size: 12 }, timeout: LONG })

  it.effect.prop(
    "has a text that no policy has which differs in one setting",
    [Policy.Resolved],
    ([drawn]) =>
      Effect.sync(() => {
        const policy = legal(drawn)
        const text = all(policy)
        const found = Array.from(neighbours(policy)).flatMap(([path, neighbour]) => {
          // Some lists may not be empty.
          const other = Option.filter(decodeResolved(neighbour), ({ flows }) => flows.length > 0)
          return Option.isSome(other) ? [{ path, text: all(other.value) }] : []
        })
        assert.isAbove(found.length, 20)
        for (const neighbour of found) assert.notStrictEqual(neighbour.text, text, neighbour.path)
      }),
    { arbitrary: { runs: cases(30), size: 4 }, timeout: LONG }
  )

  it("that is shown with its defaults can be read again as a policy file", () => {
    const policy = Run.policy({
      window: { after: "3 hours" },
      fees: [{ flat: "1" }],
      per: [{ asset: "BTC", late: 0 }],
      minAmount: { USDT: "0.01" }
    })
    assert.deepStrictEqual(Policy.resolve(Result.getOrThrow(Policy.decode(policy))), policy)
  })
})
