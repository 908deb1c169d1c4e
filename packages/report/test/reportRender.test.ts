import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Report from "@tallystick/reconcile/Report"
import * as Html from "@tallystick/report/Html"
import * as Json from "@tallystick/report/Json"
import * as Markdown from "@tallystick/report/Markdown"
import * as Masking from "@tallystick/report/Masking"
import * as Table from "@tallystick/report/Table"
import * as Text from "@tallystick/report/text/Text"
import * as Times from "@tallystick/report/text/Times"
import * as Verdict from "@tallystick/report/Verdict"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Sample from "../../reconcile/test/reportSample.ts"

const report = Sample.report()
const again = (changes: Partial<Parameters<typeof Report.make>[0]>) =>
  Report.make({ ...report, accounts: Sample.accounts, addresses: [], range: undefined, ...changes })
const linesOf = (options: Table.Options) => Table.render(report, options).trimEnd().split("\n")
const escape = "\u001b"

describe("the terminal report", () => {
  it("begins with a sentence that names what is in doubt", () => {
    const [title, first = ""] = linesOf({ width: 500 })
    assert.strictEqual(title, "Thursday 19 November 2026, UTC")
    assert.match(first, /^The books do not agree: 1 unmatched deposit, 1 unmatched transfer/)
    assert.include(first, "in doubt: 1 record that could not be read")
    assert.include(first, "pending: 1 pending item whose window is open")
  })

  it("says that the books agree only when nothing is in doubt", () => {
    const matched = report.outcomes.filter(({ outcome }) => outcome === "matched")
    assert.match(Verdict.sentence(again({ outcomes: matched })), /^The books agree: /)
    const bad = report.outcomes.filter(({ code, outcome }) => outcome === "matched" || code === "bad-record")
    assert.match(Verdict.sentence(again({ outcomes: bad })), /^Whether the books agree is not decidable: 1 record/)
  })

  it("says that the accounts are proven, where the exchange's own list was, and not that somebody vouched for them", () => {
    const accounts = { ...Sample.accounts, complete: true }
    const proven = again({ accounts: { ...accounts, provenAt: Sample.START } })
    const masked = Masking.report(proven, accounts)
    assert.strictEqual(masked.accounts.provenAt, Sample.START)
    for (const text of [Table.render(proven), Markdown.render(proven), Table.render(masked)]) {
      assert.include(
        text.replaceAll(/\s+/g, " "),
        `as the exchange lists them, complete as it listed them at ${Times.make().bound(Sample.START)} (UTC; digest`
      )
      assert.match(text.replaceAll(/\s+/g, " "), /The list of sub-accounts is complete as the exchange gave it on \d/)
      assert.notMatch(text.replaceAll(/\s+/g, " "), /vouched (complete|to be all)/)
    }
    assert.match(Table.render(again({ accounts })), /given, confirmed complete/)
    // A list that is not taken for all is not proven, whatever else is said of it.
    const doubted = again({ accounts: { ...accounts, complete: false, provenAt: Sample.START } })
    assert.match(Table.render(doubted), /given, not confirmed complete/)
  })

  it("says of each side that was not read why", () => {
    const from = Sample.START
    const part = (operation: Coverage.Coverage["operation"], state: Coverage.Coverage["state"]): Coverage.Coverage => ({
      operation,
      from,
      to: from + Sample.HOUR,
      readAt: from + Sample.HOUR,
      state,
      ...(state === "incomplete" ? { gap: { code: "failed-page", detail: "HTTP 503" } } : {})
    })
    const sentence = (...coverage: ReadonlyArray<Coverage.Coverage>) =>
      Verdict.sentence(again({ coverage, outcomes: [], range: { from, to: from + Sample.HOUR } }))
    assert.include(sentence(), "deposits were not all read (nobody asked for all of it)")
    assert.include(
      sentence(part("deposits", "incomplete"), part("transfers", "complete")),
      "deposits were not all read (HTTP 503)"
    )
    assert.include(
      sentence(part("deposits", "complete"), part("transfers", "open")),
      "transfers were not all read (too young to be settled"
    )
    assert.include(sentence(part("deposits", "complete"), part("transfers", "complete")), "The books agree")
  })

  it("shows all statuses that the policy does not know in one place, and says what to do", () => {
    const unknown = report.outcomes.filter(({ code }) => code === "in-flight").flatMap((outcome) =>
      ["1", "2"].map((id) =>
        Object.assign(
          {},
          outcome,
          {
            id: outcome.id + id,
            outcome: "undetermined",
            code: "unknown-status",
            explanation: `Transfer ${id} has a status that the policy does not know.`
          } as const
        )
      )
    )
    assert.isAtLeast(unknown.length, 2)
    const doubtful = again({ outcomes: unknown })
    assert.match(Verdict.sentence(doubtful), /^Whether the books agree is not decidable: \d+ items of unknown status/)
    for (const text of [Table.render(doubtful, { width: 200 }), Markdown.render(doubtful)]) {
      assert.lengthOf(text.match(/waiting for a status that the policy does not know/g) ?? [], 1)
      assert.include(text.replaceAll("\\", ""), "add it to")
    }
  })

  it("says how many cases wait", () => {
    const waiting = report.outcomes.filter(({ code, outcome }) => outcome === "matched" || code === "in-flight")
    assert.match(Verdict.sentence(again({ outcomes: waiting })), /^The books agree: .*; pending: 1 pending item/)
  })

  it("says in every format what forced can mean where a tolerance is on", () => {
    const tolerant = again({ policy: Effect.runSync(Policy.make({ tolerance: { absolute: "0.5" } })) })
    const says = "is forced among the candidates: a counterpart outside the window or the tolerance"
    const formats = [Table.render(tolerant), Markdown.render(tolerant), Json.render(tolerant), ...Html.parts(tolerant)]
    assert.lengthOf(formats.filter((text) => text.replaceAll(/[\s\\]+/g, " ").includes(says)), 5)
  })

  it("counts what was not read by time and reason, of however many queries", () => {
    const detail = "the archive does not hold it: read it again, or restore a backup"
    const gap = { code: "damaged", detail } as const
    const unread = (query: string, from: number): Coverage.Coverage => ({
      operation: "transfers",
      query: { fromAccount: query, fromAccountType: "SPOT", toAccountType: "SPOT" },
      from,
      to: from + 1,
      readAt: 0,
      state: "incomplete",
      gap
    })
    const sentence = (...unread: ReadonlyArray<Coverage.Coverage>) => Verdict.sentence({ ...report, unread })
    assert.include(sentence(unread("a", 1), unread("b", 1)), `transfers were not all read (${detail})`)
    const three = [unread("a", 1), unread("b", 1), unread("a", 3), unread("b", 5)]
    assert.include(sentence(...three), `transfers were not all read (${detail}; and 2 more gaps)`)
  })

  it("shows every amount with all its digits", () => {
    assert.include(Table.render(report), "12.345678901234567890123456789 USDT")
    assert.include(Table.render(report), "649.945678901234567890123456789")
  })

  it("prints what missing means", () => {
    assert.include(Table.render(report, { width: 500 }), report.meaning)
  })

  it("keeps within the width wherever nothing would have to be cut", () => {
    const long = linesOf({ width: 80 }).filter((line) => Text.width(line) > 80)
    assert.isTrue(long.every((line) => /\d{20,}|deposits +sum/.test(line)), long.join("\n"))
  })

  it("colours only when told", () => {
    assert.notInclude(Table.render(report), escape)
    assert.include(Table.render(report, { color: true }), escape)
  })

  it("shows times in the zone that was asked for, with their offset", () => {
    const zone = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")
    const text = Table.render(report, { zone })
    assert.include(text, "2026-11-19 13:00:00.000+01:00  transfer")
    assert.include(text, "2026-11-19 01:00:00+01:00 to 2026-11-20 01:00:00+01:00")
    assert.include(text, "(Europe/Berlin)")
  })

  it("strips control and bidirectional characters from what strangers wrote", () => {
    const evil = "x\u001b[2J\u202etxt\u0007\u200b\r\nnext"
    const outcomes = report.outcomes.map((outcome) => ({
      ...outcome,
      explanation: evil,
      deposits: outcome.deposits.map((entry) => ({ ...entry, id: evil, account: evil, asset: evil })),
      candidates: [{ side: "transfer" as const, id: evil, reason: evil }]
    }))
    const text = Table.render(again({ outcomes, warnings: [evil] }))
    // oxlint-disable-next-line no-control-regex
    assert.notMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e]/)
    assert.include(text, "x[2Jtxt next")
  })

  it("shortens a long id in a sentence to its ends, whatever characters it has", () => {
    const found = report.outcomes.find(({ code }) => code === "missing-transfer")
    assert.isDefined(found)
    for (const pattern of ["$&", "$`", "$'", "$$"]) {
      const id = `tx${pattern}-0123456789-0123456789-abcdef`
      const deposits = found.deposits.map((entry) => Object.assign({}, entry, { id }))
      const explanation = `Deposit ${id} has no transfer.`
      const text = Table.render(
        again({ outcomes: [{ ...Struct.omit(found, ["because"]), deposits, explanation, candidates: [] }] })
      )
      assert.include(text, `Deposit ${id.slice(0, 8)}…${id.slice(-8)} has no transfer.`)
    }
  })

  it("limits each code and says where the rest is", () => {
    const one = report.outcomes.find(({ code }) => code === "missing-transfer")
    assert.isDefined(one)
    const text = Table.render(again({ outcomes: Array.from({ length: 25 }, () => one) }), { limit: 10 })
    assert.include(text, "25 unmatched deposits [missing-transfer]")
    assert.include(text, "… and 20 more; --format json has all")
    assert.strictEqual(text.match(/ {2}- /g)?.length, 5)
  })

  it("shows the most money first where prices are given, says what it is worth, and what has no price", () => {
    const orphan = report.outcomes.find(({ code }) => code === "missing-deposit")
    assert.isDefined(orphan)
    const [entry] = orphan.transfers
    assert.isDefined(entry)
    const of = (amount: string, asset: string): Outcome.Outcome => ({
      ...orphan,
      id: asset,
      transfers: [{ ...entry, amount, asset }]
    })
    const orphans = [of("5", "ADA"), of("2", "BTC"), of("700", "USDT")]
    const shown = again({ outcomes: orphans })
    const amounts = (text: string) => Array.from(text.matchAll(/transfer {2}([\d.]+ \w+) /g), ([, amount]) => amount)
    assert.deepStrictEqual(amounts(Table.render(shown)), ["5 ADA", "2 BTC", "700 USDT"])
    const text = Table.render(shown, { prices: new Map([["BTC", "65000.12"], ["USDT", "1"]]), width: 500 })
    assert.deepStrictEqual(amounts(text), ["2 BTC", "700 USDT", "5 ADA"])
    assert.include(text, "\n    2 BTC too much, worth 130000.24, ")
    assert.include(text, "\n    5 ADA too much, no price is given, ")
    assert.include(text, "no price for ADA: breaks without a worth come last")
  })

  it("names the gap that undetermined entries wait for, once for all of them", () => {
    const one = report.outcomes.find(({ code }) => code === "missing-transfer")
    assert.isDefined(one)
    const missing = {
      operation: "transfers" as const,
      query: { fromAccount: "sub00001", fromAccountType: "SPOT", toAccountType: "SPOT" },
      from: Sample.START,
      to: Sample.START + Sample.HOUR,
      readAt: Sample.START,
      state: "incomplete" as const,
      gap: { code: "failed-page" as const, detail: "HTTP 503" }
    }
    const gap = { ...one, outcome: "undetermined" as const, code: "coverage-gap" as const, missing }
    const text = Table.render(again({ outcomes: [gap, gap] }), { width: 500 })
    assert.include(
      text,
      "2 items waiting for transfers from sub00001 to master (SPOT to SPOT) between 2026-11-19 00:00:00 and 2026-11-19 01:00:00: HTTP 503"
    )
  })

  it("says first that no address book was given, and counts what waits for one as every other line does", () => {
    const one = report.outcomes.find(({ code }) => code === "missing-transfer")
    assert.isDefined(one)
    const missing = { ...report.coverage[0], operation: "transfers", state: "incomplete" } as const
    const waiting = (code: "unattributed" | "not-read", id: string): Outcome.Outcome =>
      Object.assign(
        {},
        one,
        {
          id,
          outcome: "undetermined",
          code: "coverage-gap",
          missing: { ...missing, from: 0, to: 1, readAt: 0, gap: { code, detail: code } }
        } as const
      )
    const outcomes = [waiting("unattributed", "a"), waiting("unattributed", "b"), waiting("not-read", "c")]
    const verdict = (outcomes: ReadonlyArray<Outcome.Outcome>) => Verdict.sentence(again({ outcomes }))
    assert.match(
      verdict(outcomes),
      /^No address book: 2 items are not decidable; give --addresses\. Whether the books agree is not decidable: 1 item that /
    )
    assert.match(verdict(outcomes.slice(0, 2)), /give --addresses\. Whether the books agree is not decidable[:.]/)
    assert.match(
      verdict([...report.outcomes, ...outcomes]),
      /^No address book: 2 items [^.]*\. The books do not agree: .*; in doubt: .*1 item that is not decidable/
    )
    const known = { ...again({ outcomes }), addresses: { count: 1, digest: "0" } }
    assert.match(Verdict.sentence(known), /^Whether the books agree is not decidable: 3 items that /)
    const text = Table.render(again({ outcomes }), { width: 500 })
    assert.include(text.split("\n")[1] ?? "", "No address book: 2 items are not decidable")
    assert.include(text, "  2 items waiting for an address book: ")
  })

  it("joins the coverage of many queries that say the same", () => {
    const coverage = ["a", "b", "c"].map((fromAccount) => ({
      operation: "transfers" as const,
      query: { fromAccount, fromAccountType: "SPOT", toAccountType: "SPOT" },
      from: Sample.START,
      to: Sample.START + Sample.HOUR,
      readAt: Sample.START,
      state: "complete" as const
    }))
    assert.include(Table.render(again({ coverage })), "transfers of 3 queries: complete from")
  })
})

describe("the JSON report", () => {
  const text = Json.render(report)
  const parsed = JSON.parse(text)

  it("is one object with each outcome on its own line", () => {
    assert.strictEqual(text.trimEnd().split("\n").length, report.outcomes.length + 2)
    assert.deepStrictEqual(Schema.decodeUnknownSync(Report.Report)(parsed), report)
  })

  it("writes an entry as id, asset, amount, at, account, reference, status, and whether it lies in the range", () => {
    const keys = new Set<string>(
      parsed.outcomes.flatMap(({ deposits, transfers }: { deposits: Array<object>; transfers: Array<object> }) =>
        [...deposits, ...transfers].flatMap((entry) => Object.keys(entry))
      )
    )
    assert.deepStrictEqual(keys, new Set(["account", "amount", "asset", "at", "id", "inRange", "status"]))
  })

  it("is valid also without outcomes", () => {
    assert.deepStrictEqual(JSON.parse(Json.render(again({ outcomes: [] }))).outcomes, [])
  })
})

describe("lengths of time", () => {
  it("show their two largest parts", () => {
    assert.strictEqual(Times.duration(0), "0 s")
    assert.strictEqual(Times.duration(90_061_000), "1 d 1 h")
    assert.strictEqual(Times.duration(-65_000), "-1 min 5 s")
    assert.strictEqual(Times.duration(450), "450 ms")
    assert.strictEqual(Times.duration(300_003), "5 min")
    assert.strictEqual(Times.duration(1503), "1 s 503 ms")
    // A bound is never told as less than it is.
    assert.strictEqual(Times.atMost(0), "0 s")
    assert.strictEqual(Times.atMost(3_600_000), "1 h")
    assert.strictEqual(Times.atMost(3_600_001), "1 h 1 min")
    assert.strictEqual(Times.atMost(7_199_999), "2 h")
    assert.strictEqual(Times.atMost(999), "999 ms")
    assert.strictEqual(Times.atMost(-108_000), "-1 min 48 s")
    assert.strictEqual(Times.atMost(-3_600_001), "-1 h")
    assert.strictEqual(Times.atMost(-7_199_999), "-1 h 59 min")
  })
})

describe("text of strangers", () => {
  it("takes as many cells as a terminal gives it", () => {
    assert.strictEqual(Text.width("abc"), 3)
    assert.strictEqual(Text.width("入金"), 4)
    assert.strictEqual(Text.width("e\u0301"), 1)
  })
})
