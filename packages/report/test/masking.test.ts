import { assert, describe, it } from "@effect/vitest"
import * as Accounts from "@tallystick/reconcile/Accounts"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Matching from "@tallystick/reconcile/Matching"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as Generator from "../../reconcile/test/support/Generator.ts"
import * as Books from "../../reconcile/test/support/oracle/Books.ts"
import * as Run from "../../reconcile/test/support/Run.ts"
import * as Json from "../src/Json.ts"
import * as Masking from "../src/Masking.ts"
import * as Table from "../src/Table.ts"

/** Names as exchanges give them: words, addresses of people, numbers, with signs at either end. */
const names: Readonly<Record<string, ReadonlyArray<string>>> = {
  a: ["QXALPHA7", "qx.one@broker.test", "73910455", "qx sub (one)", "$QX-1$"],
  b: ["QXBETA8", "qx.two@broker.test", "73910456", "qx sub (one) b", "QX-1"],
  master: ["master", "QXMASTER", "qx-broker", "QX"],
  x: ["TQXWALLETONE"],
  y: ["TQXWALLETTWO:QXMEMO"]
}

const renamed = (seed: number) => {
  const given = (name: string): string => names[name]?.[seed % names[name].length] ?? name
  return (entry: Entry.Entry): Entry.Entry => {
    const at = (key: "account" | "address" | "from" | "to") =>
      entry[key] === undefined ? {} : { [key]: given(entry[key]) }
    const key = (text: string): string => (entry.account === "a" && seed % 3 === 0 ? `${given("a")}/${text}` : text)
    const { past } = entry
    return {
      ...entry,
      id: key(entry.id),
      ...at("account"),
      ...at("address"),
      ...at("from"),
      ...at("to"),
      ...(entry.reference && entry.account
        ? { reference: `${given(entry.account)} ${entry.reference}` }
        : {}),
      ...(entry.address === undefined ? {} : { memo: "QXMEMO" }),
      ...(past?.conflicts === undefined
        ? {}
        : { past: { ...past, conflicts: past.conflicts.map((text) => text.replace(/^\{/, `{"note":"QXNOTE",`)) } }),
      record: { note: "QXNOTE", account: given("a") }
    }
  }
}

const books = (seed: number) => {
  const rename = renamed(seed)
  const { deposits, law, transfers } = Books.make(Generator.make(seed))
  const master = names["master"]?.[seed % 4] ?? "master"
  const accounts: Accounts.Accounts = {
    master,
    list: seed % 2 === 0 ? [] : [names["a"]?.[seed % 5] ?? "", names["b"]?.[seed % 5] ?? ""],
    complete: false
  }
  const coverage = seed % 4 === 0
    ? Run.complete.map((one) =>
      Object.assign({}, one, {
        to: Run.T0 + 30 * Run.MINUTE,
        query: { fromAccount: names["a"]?.[seed % 5] ?? "", fromAccountType: "SPOT", toAccountType: "SPOT" }
      })
    )
    : Run.complete
  const policy = Run.policy({
    window: { before: law.before, after: law.after },
    late: law.late,
    reference: law.reference,
    flows: [{ from: "*", to: "master" }]
  })
  const bad = seed % 5 === 0
    ? [{
      side: "deposit" as const,
      source: "d.csv, line 7",
      path: "account",
      reason: `QXALPHA7 came`,
      raw: "QXALPHA7,1"
    }]
    : []
  return { deposits: deposits.map(rename), transfers: transfers.map(rename), bad, coverage, policy, accounts }
}

const reported = (seed: number): readonly [Report.Report, Accounts.Accounts] => {
  const input = books(seed)
  return [Report.make({ ...input, ...Matching.match(input) }), input.accounts]
}

const secrets = (seed: number): ReadonlyArray<string> =>
  [...Object.values(names).map((list) => list[seed % list.length] ?? ""), "QXMEMO", "QXNOTE"].filter((name) =>
    name !== "master"
  )

const shown = (report: Report.Report): string =>
  Json.render(report) + Table.render(report, { width: 200, color: false })

describe("a masked report", () => {
  it("names no account, address or memo, and quotes no record, in any text of it", () => {
    let hidden = 0
    for (let seed = 1; seed <= Generator.cases(1500); seed++) {
      const [report, accounts] = reported(seed)
      const text = shown(report)
      const masked = shown(Masking.report(report, accounts))
      for (const secret of secrets(seed)) {
        if (text.includes(secret)) hidden++
        if (masked.includes(secret)) {
          assert.fail(
            `seed ${seed}: ${masked.slice(Math.max(0, masked.indexOf(secret) - 300), masked.indexOf(secret) + 40)}`
          )
        }
      }
    }
    assert.isAbove(hidden, 1000)
  })

  it("has the same numbers", () => {
    for (let seed = 1; seed <= Generator.cases(300); seed++) {
      const [report, accounts] = reported(seed)
      const masked = Masking.report(report, accounts)
      const { ageing, clean, counts, lags, matchRate, totals } = report
      assert.deepInclude(masked, { ageing, clean, counts, lags, matchRate, totals })
      const numbers = ({ outcomes }: Report.Report) =>
        outcomes.map(({ code, deposits, final, id, lagMs, outcome, residual, transfers }) => [
          [code, final, id, lagMs, outcome, residual],
          [...deposits, ...transfers].map(({ amount, asset, at, status }) => [amount, asset, at, status])
        ])
      assert.deepStrictEqual(numbers(masked), numbers(report))
    }
  })

  it("tells accounts apart as the report does", () => {
    for (let seed = 1; seed <= Generator.cases(300); seed++) {
      const [report, accounts] = reported(seed)
      const pairs = Masking.report(report, accounts).outcomes.flatMap(({ deposits, transfers }, index) =>
        [...deposits, ...transfers].flatMap((entry, place) => {
          const { deposits, transfers } = report.outcomes[index] ?? { deposits: [], transfers: [] }
          const from = [...deposits, ...transfers][place]
          return [[from?.account, entry.account], [from?.from, entry.from], [from?.to, entry.to], [
            from?.address,
            entry.address
          ]]
            .map((pair) => JSON.stringify(pair))
        })
      )
      const distinct = Array.from(new Set(pairs), (pair): ReadonlyArray<string | null> => JSON.parse(pair))
      assert.strictEqual(new Set(distinct.map(([from]) => from)).size, distinct.length)
      assert.strictEqual(new Set(distinct.map(([, to]) => to)).size, distinct.length)
    }
  })

  it("is a report that can be read again", () => {
    for (let seed = 1; seed <= 50; seed++) {
      const [report, accounts] = reported(seed)
      const masked = Masking.report(report, accounts)
      assert.deepStrictEqual(
        Schema.decodeSync(Schema.fromJsonString(Report.Report))(Json.render(masked)),
        masked
      )
    }
  })

  it("leaves amounts alone although an account is called like one", () => {
    const accounts = { list: ["100", "2"], complete: true }
    const input = {
      deposits: [Run.deposit("d 1", 0, { amount: "100", account: "100" })],
      transfers: [Run.transfer("t 2", 2, { amount: "100", account: "2" })],
      bad: [],
      coverage: Run.complete,
      accounts,
      policy: Run.policy()
    }
    const report = Report.make({ ...input, ...Matching.match(input) })
    const [outcome] = Masking.report(report, accounts).outcomes
    assert.strictEqual(outcome?.code, "account-mismatch")
    assert.include(outcome?.explanation, "100 BTC arrived in account-1 on ")
    assert.include(outcome?.explanation, "was moved for account-2 2 min later")
    assert.include(outcome?.explanation, "account-1")
    assert.include(outcome?.explanation, "account-2")
    assert.notMatch(outcome?.explanation ?? "", /account (?:100|2)\b/)
  })

  it("changes no number of a sentence although accounts and ids are numbers", () => {
    const named = { a: "1", b: "20" } as const
    const numbered = (entry: Entry.Entry, index: number): Entry.Entry => {
      const at = (key: "account" | "from" | "to") => {
        const name = entry[key]
        return name === "a" || name === "b" ? { [key]: named[name] } : {}
      }
      return { ...entry, id: String(index + 1), ...at("account"), ...at("from"), ...at("to") }
    }
    const numbers = (text: string): ReadonlyArray<string> =>
      text.match(/-?[\d.]+ (?:BTC|USDT)|(?:by|is|leaves|sum to) -?[\d.]+/g) ?? []
    let texts = 0
    for (let seed = 1; seed <= Generator.cases(500); seed++) {
      const { deposits, law, transfers } = Books.make(Generator.make(seed))
      const accounts = { list: ["1", "20", "3", "-", "."], complete: true }
      const input = {
        deposits: deposits.map(numbered),
        transfers: transfers.map(numbered),
        bad: [],
        coverage: Run.complete,
        accounts,
        policy: Run.policy({
          window: { before: law.before, after: law.after },
          late: law.late,
          reference: law.reference
        })
      }
      const report = Report.make({ ...input, ...Matching.match(input) })
      Masking.report(report, accounts).outcomes.forEach(({ explanation }, index) => {
        const open = report.outcomes[index]?.explanation ?? ""
        if (explanation.includes("which are masked")) return
        texts++
        assert.deepStrictEqual(numbers(explanation), numbers(open), `seed ${seed}: ${open}`)
        assert.notMatch(explanation, /\d[\d.]*account|account-\d+\.\d/, `seed ${seed}`)
      })
    }
    assert.isAbove(texts, 1000)
  })

  it("replaces no word of a sentence although an account is called like one", () => {
    const accounts = { list: ["a", "that"], complete: true }
    const input = {
      deposits: [Run.deposit("d1", 0, { account: "a", status: "unknown" })],
      transfers: [Run.transfer("t1", 2, { account: "that", status: "unknown" })],
      bad: [],
      coverage: Run.complete,
      accounts,
      policy: Run.policy()
    }
    const report = Report.make({ ...input, ...Matching.match(input) })
    const explanations = (one: Report.Report): ReadonlyArray<string> =>
      one.outcomes.map(({ explanation }) => explanation)
    assert.deepStrictEqual(
      explanations(Masking.report(report, accounts)),
      explanations(report).map((text) =>
        text.replace(" in a ", " in account-1 ").replace(" for that ", " for account-2 ")
      )
    )
  })

  it("leaves out words that came without their facts, and loses no candidate", () => {
    const input = {
      deposits: [Run.deposit("d1", 0), Run.deposit("d2", 40)],
      transfers: [Run.transfer("t1", 41)],
      bad: [],
      coverage: Run.complete,
      accounts: Accounts.none,
      policy: Run.policy()
    }
    const report = Report.make({ ...input, ...Matching.match(input) })
    const told = report.outcomes.find(({ candidates }) => candidates.length > 0)
    assert.isDefined(told)
    const candidates = told?.candidates.map(({ id, side }) => ({ side, id, reason: `of ${id}` })) ?? []
    for (const outcome of [{ ...told, candidates }, Struct.omit({ ...told, candidates }, ["because"])]) {
      const [masked] = Masking.report({ ...report, outcomes: [outcome] }, Accounts.none).outcomes
      assert.strictEqual(masked?.explanation, "masked")
      assert.deepStrictEqual(masked?.candidates, candidates.map(({ id, side }) => ({ side, id, reason: "masked" })))
    }
  })

  it("hides numbers that name accounts in what it says of its scope, and names in reasons", () => {
    const accounts = { master: ["880011", "880022"], list: ["73910455"], complete: true } as const
    const report = Report.make({
      outcomes: [],
      coverage: [],
      warnings: [],
      accounts: { ...accounts, master: ["880011", "880022"] },
      policy: Run.policy({
        flows: [{ from: "73910455", to: "master" }],
        exclude: [{ id: "d1", reason: "asked by QXALPHA7" }, { id: "d2", reason: "QXALPHA7" }],
        links: [{ deposits: ["d"], transfers: ["t"], by: "QXALPHA7" }],
        forbid: []
      })
    })
    const masked = Json.render(
      Masking.report(report, { ...accounts, master: ["880011", "880022"], list: ["73910455", "QXALPHA7"] })
    )
    for (const name of ["73910455", "880011", "880022", "QXALPHA7"]) assert.notInclude(masked, name)
  })

  it("numbers accounts as they were given", () => {
    const accounts = { list: ["QXBETA8", "QXALPHA7"], complete: true }
    const report = Report.make({
      outcomes: [],
      coverage: [],
      warnings: [`The policy excludes entry "QXALPHA7/d1", which is not among the entries.`],
      accounts,
      policy: Run.policy({ flows: [{ from: "QXALPHA7", to: "master" }], exclude: [{ id: "QXALPHA7/d1" }] })
    })
    const masked = Masking.report(report, accounts)
    assert.deepStrictEqual(masked.flows, [{ from: "account-2", to: "master" }])
    assert.deepStrictEqual(masked.policy.exclude, [{ id: "account-2/d1" }])
    assert.deepStrictEqual(masked.warnings, [
      `The policy excludes entry "account-2/d1", which is not among the entries.`
    ])
    assert.include(masked.meaning, "account-2 to master")
    assert.strictEqual(masked.accounts.digest, "masked")
  })
})

describe("a masked stream of outcomes", () => {
  it.effect("says of given accounts what the masked report says", () =>
    Effect.gen(function*() {
      for (let seed = 1; seed <= 60; seed += 2) {
        const [report, accounts] = reported(seed)
        const { outcomes, ...summary } = report
        const events = yield* Stream.runCollect(Masking.events(
          Stream.fromIterable<Reconciliation.Event>([
            ...outcomes.map((outcome) => ({ _tag: "Outcome" as const, outcome })),
            { _tag: "Summary", summary }
          ]),
          accounts
        ))
        const text = JSON.stringify(events)
        for (const secret of secrets(seed)) assert.notInclude(text, secret, `seed ${seed}`)
        assert.strictEqual(events.length, outcomes.length + 1)
      }
    }))

  it.effect("names no account that nobody gave, of which something was not read", () =>
    Effect.gen(function*() {
      const interval = { from: Run.T0 + 3 * Run.HOUR, to: Run.T0 + 100 * Run.HOUR }
      const { outcomes } = Run.match({
        deposits: [Run.deposit("d1", 0, { account: "vault" })],
        transfers: [Run.transfer("t1", 5, { amount: "7" })],
        accounts: { list: ["vault"], complete: true },
        coverage: [Run.complete[0]!, {
          ...Run.complete[1]!,
          ...interval,
          query: { fromAccount: "vault", fromAccountType: "SPOT", toAccountType: "SPOT" }
        }]
      })
      const outcome = outcomes.find(({ code }) => code === "missing-deposit")
      assert.isDefined(outcome)
      assert.include(outcome.explanation, "vault")
      const [event] = yield* Stream.runCollect(
        Masking.events(Stream.succeed<Reconciliation.Event>({ _tag: "Outcome", outcome }), Accounts.none)
      )
      assert.notInclude(JSON.stringify(event), "vault")
    }))
})
