/** A report of 100,000 outcomes, opened from disk, against the JSON report of the same run. */
import { afterAll, afterEach, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Difference from "@tallystick/reconcile/Difference"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import * as Html from "@tallystick/report/Html"
import * as Json from "@tallystick/report/Json"
import * as Priority from "@tallystick/report/Priority"
import * as Text from "@tallystick/report/text/Text"
import * as Verdict from "@tallystick/report/Verdict"
import * as BigReport from "./support/BigReport.ts"
import * as Browser from "./support/Browser.ts"
import * as Shown from "./support/Shown.ts"

interface WrittenEntry {
  readonly id: string
  readonly asset: string
  readonly amount: string
  readonly at: number
  readonly account?: string
}

interface WrittenOutcome {
  readonly missing?: { readonly operation: string; readonly gap?: { readonly code: string } }
  readonly openSum?: string
  readonly id: string
  readonly outcome: string
  readonly code: string
  readonly deposits: ReadonlyArray<WrittenEntry>
  readonly transfers: ReadonlyArray<WrittenEntry>
  readonly explanation: string
  readonly candidates: ReadonlyArray<{ readonly id: string; readonly reason: string }>
}

let browser: Browser.Browser
let shown: Browser.Opened
let report: Report.Report
/** All outcomes in the order in which they are to be looked at. */
let sorted: ReadonlyArray<Outcome.Outcome>
const differences = new Map<string, Difference.Difference | undefined>()
let json: Omit<Report.Report, "outcomes"> & { readonly outcomes: ReadonlyArray<WrittenOutcome> }

beforeAll(async () => {
  report = BigReport.make(100_000, 0.97)
  json = JSON.parse(Array.from(Json.parts(report)).join(""))
  sorted = Priority.sorted(report.outcomes, { policy: report.policy }).map(({ outcome }) => outcome)
  for (const outcome of report.outcomes) differences.set(outcome.id, Difference.of(outcome))
  browser = await Browser.launch()
  shown = await browser.open(Html.parts(report))
}, 300_000)

afterAll(async () => {
  await browser?.close()
})

afterEach(async () => {
  assert.deepStrictEqual(shown.complaints, [])
  await shown.page.emulateMedia({ media: "screen", colorScheme: "light" })
  await Shown.tab(shown.page, /^Breaks/)
  const reset = shown.page.getByRole("button", { name: "Reset" })
  if (await reset.isEnabled()) await reset.click()
})

type Sum = Report.Total["deposits"]["in"]

/** The row that the keyboard speaks to. */
const active = ".line.active"

const entriesOf = ({ deposits, transfers }: WrittenOutcome): ReadonlyArray<WrittenEntry> => [...deposits, ...transfers]

const attention = ({ code, outcome }: WrittenOutcome): boolean =>
  outcome === "discrepancy" || outcome === "undetermined" || code === "bad-record"

/** An amount as so many quintillionths, for amounts of at most 18 digits behind the point. */
const units = (amount: string): bigint => {
  const [before = "", after = ""] = amount.split(".")
  return BigInt(before + after.padEnd(18, "0"))
}

const earliest = (outcome: WrittenOutcome): number => Math.min(...entriesOf(outcome).map(({ at }) => at))

/** As every format has them. */
const inOrder = (outcomes: ReadonlyArray<WrittenOutcome>): ReadonlyArray<WrittenOutcome> => {
  const chosen = new Map(outcomes.map((outcome) => [outcome.id, outcome]))
  return sorted.flatMap(({ id }) => chosen.get(id) ?? [])
}

/** What is undetermined for one reason stands in one row, where the first of it would stand. */
const folded = (outcomes: ReadonlyArray<WrittenOutcome>): ReadonlyArray<ReadonlyArray<WrittenOutcome>> => {
  const rows = Map.groupBy(
    outcomes,
    ({ id, missing, outcome }) =>
      outcome === "undetermined" && missing !== undefined ? JSON.stringify([missing.operation, missing.gap]) : id
  )
  return Array.from(rows.values())
}

const expectShown = async (expected: ReadonlyArray<WrittenOutcome>): Promise<void> => {
  const { page } = shown
  const grid = page.getByRole("treegrid")
  assert.match(await Shown.statusOf(page), new RegExp(`^${Text.count(expected.length)} of `))
  const lines = folded(expected)
  assert.strictEqual(await grid.getAttribute("aria-rowcount"), String(lines.length + 1))
  const at = async (key: "Home" | "End"): Promise<void> => {
    await grid.focus()
    await page.keyboard.press(key)
    const number = key === "Home" ? 2 : lines.length + 1
    await page.locator(`${active}[aria-rowindex='${number}']`).waitFor()
    const rows = await Shown.rowsOf(page)
    assert.isAbove(rows.length, Math.min(lines.length, 5) - 1)
    assert.isBelow(rows.length, 100)
    for (const { cells, number } of rows) {
      const [outcome, ...others] = lines[number - 2] ?? []
      assert.isDefined(outcome)
      if (outcome === undefined) continue
      if (others.length > 0) {
        assert.match(cells["title"] ?? "", new RegExp(`^${Text.count(others.length + 1)} `))
        continue
      }
      assert.strictEqual(cells["explanation"], inReport(outcome.explanation))
      const [entry] = entriesOf(outcome)
      if (entry === undefined) continue
      assert.strictEqual(cells["asset"], entry.asset)
      const difference = differences.get(outcome.id)
      const parts = [[difference?.missing, "missing"], [difference?.excess, "too much"]].filter(([amount]) =>
        amount !== "0"
      )
      const bound = difference?.bound === "exact" ? "" : `${difference?.bound}, `
      assert.strictEqual(
        cells["difference"],
        parts.length === 0 ? "no difference" : parts.map(([amount, words]) => `${amount}${bound}${words}`).join("")
      )
      assert.strictEqual(cells["account"], entry.account)
    }
  }
  await at("End")
  await at("Home")
}

/** Writes the times of a sentence as a report does that names year and zone once. */
const inReport = (sentence: string): string => sentence.replaceAll(/ 20\d\d (\d\d:\d\d)/g, " $1").replaceAll(" UTC", "")

describe("a report of 100,000 outcomes", () => {
  it("begins with the sentence that says whether the books agree", async () => {
    assert.isAtLeast(json.outcomes.length, 100_000)
    const heading = await shown.page.getByRole("heading", { level: 1 }).textContent()
    assert.strictEqual(heading, Verdict.sentence(report))
    const text = await shown.page.locator("header").innerText()
    assert.include(text, json.meaning)
    assert.include(text, "19 to 21 November 2026, UTC")
    for (const warning of json.warnings) assert.include(text, warning)
  })

  it("shows every control total of the JSON report, and leaves out the lines that are zero", async () => {
    await Shown.tab(shown.page, /totals/)
    const lines = [
      ["in", "in", "total"],
      ["matched", "matched", "residual"],
      ["open", "open", "open"],
      ["pending", "pending", "pending"],
      ["not decidable", "undetermined", "undetermined"],
      ["set aside", "setAside", "setAside"]
    ] as const
    const row = (label: string, left: Sum, right: Sum, difference: string) =>
      left.count + right.count === 0
        ? []
        : [[label, Text.count(left.count), left.sum, Text.count(right.count), right.sum, difference]]
    for (const { asset, deposits, net, ofOtherDays: others, transfers } of json.totals) {
      const rows = await shown.page.locator(`tbody[data-asset='${asset}'] tr`).evaluateAll((rows) =>
        rows.map((row) => Array.from(row.querySelectorAll("th[scope=row], td"), ({ textContent }) => textContent))
      )
      const expected = [
        ...lines.flatMap(([label, line, difference]) => row(label, deposits[line], transfers[line], net[difference])),
        ...(others === undefined
          ? []
          : row("of other days", others.deposits.in, others.transfers.in, others.net.total))
      ]
      assert.deepStrictEqual(rows, expected)
    }
  })

  it("gives the numbers of its charts as tables", async () => {
    const { page } = shown
    await Shown.tab(page, /time/)
    const ages = await Shown.tableOf(page, "figure[aria-label^='Ageing of breaks']")
    assert.deepStrictEqual(
      ages.map((line) => line.slice(1)),
      json.ageing.map(({ entries, outcomes }) => [Text.count(outcomes), Text.count(entries)])
    )
    const number = (text: string | undefined): number => Number((text ?? "").replaceAll(",", ""))
    const lags = await Shown.tableOf(page, "figure[aria-label='Time to sweep']")
    assert.strictEqual(lags.reduce((all, [, stated]) => all + number(stated), 0), json.lags?.count)
    const flows = await Shown.tableOf(page, "figure[aria-label^='Entries per hour']")
    const counted = flows.reduce((all, [, ...cells]) => all + cells.reduce((some, cell) => some + number(cell), 0), 0)
    assert.strictEqual(
      counted,
      json.totals.flatMap((total) => total.ofOtherDays === undefined ? [total] : [total, total.ofOtherDays])
        .reduce((all, { deposits, transfers }) => all + deposits.in.count + transfers.in.count, 0)
    )
    await Shown.tab(page, /^Scope/)
    const coverage = await Shown.tableOf(page, "figure[aria-label='What was read']")
    assert.deepInclude(coverage, [
      "transfers",
      "2026-11-20 06:00:00",
      "2026-11-20 09:00:00",
      "not proven complete",
      "page 3 could not be read: HTTP 503"
    ])
  })

  it("shows first what needs attention, by asset and difference", async () => {
    await expectShown(inOrder(json.outcomes.filter(attention)))
  })

  it("shows everything when asked, and only what is in view is in the page", async () => {
    await shown.page.getByLabel("Show").selectOption("all")
    await expectShown(inOrder(json.outcomes))
  })

  it("filters by code, asset, account and age", async () => {
    const { page } = shown
    await page.getByLabel("Code").selectOption("missing-transfer")
    await page.getByLabel("Asset").selectOption("ETH")
    const missing = json.outcomes.filter(({ code, deposits }) =>
      code === "missing-transfer" && deposits.some(({ asset }) => asset === "ETH")
    )
    await expectShown(inOrder(missing))
    const age = json.ageing.findIndex(({ to }) => to === 24 * 3_600_000)
    await page.getByRole("combobox", { name: "Age", exact: true }).selectOption(String(age))
    const { from, to } = json.ageing[age] ?? { from: 0, to: 0 }
    const old = missing.filter((outcome) => {
      const years = (json.asOf ?? 0) - earliest(outcome)
      return years >= from && years < (to ?? 0)
    })
    await expectShown(inOrder(old))
    const account = old[0]?.deposits[0]?.account ?? ""
    await page.getByRole("combobox", { name: "Account" }).fill(account)
    await expectShown(inOrder(old.filter(({ deposits }) => deposits.some((entry) => entry.account === account))))
  })

  it("sorts by difference exactly, either way", async () => {
    const { page } = shown
    await page.getByLabel("Asset").selectOption("ETH")
    const outcomes = inOrder(
      json.outcomes.filter((outcome) => attention(outcome) && entriesOf(outcome)[0]?.asset === "ETH")
    )
    const title = page.getByRole("columnheader", { name: "Difference" })
    const size = ({ id }: WrittenOutcome): bigint => units(differences.get(id)?.size ?? "0")
    const bySize = (sign: 1 | -1) =>
      outcomes.toSorted((a, b) => (size(a) === size(b) ? 0 : size(a) < size(b) ? -sign : sign))
    await title.getByRole("button").click()
    assert.strictEqual(await title.getAttribute("aria-sort"), "descending")
    await expectShown(bySize(-1))
    await title.getByRole("button").click()
    assert.strictEqual(await title.getAttribute("aria-sort"), "ascending")
    await expectShown(bySize(1))
    await title.getByRole("button").click()
    assert.strictEqual(await title.getAttribute("aria-sort"), "none")
  })

  it("finds an outcome by what is known of it, and opens it to its entries, explanation and candidates", async () => {
    const { page } = shown
    const outcome = json.outcomes.find(({ candidates, code }) => code === "late" && candidates.length >= 0)
    assert.isDefined(outcome)
    if (outcome === undefined) return
    const [deposit, transfer] = entriesOf(outcome)
    await page.getByLabel("Search").fill(`${deposit?.id.toUpperCase()} ${deposit?.account}`)
    await expectShown([outcome])
    const row = page.locator("[role=row].line")
    assert.include(await row.innerText(), inReport(outcome.explanation))
    await row.click()
    const details = page.locator(".details")
    await details.waitFor()
    const sides = await details.locator(".side").allTextContents()
    assert.lengthOf(sides, 2)
    for (const [index, entry] of [deposit, transfer].entries()) {
      assert.include(sides[index], entry?.id)
      assert.include(sides[index], `${entry?.amount} ${entry?.asset}`)
    }
    const text = await details.innerText()
    for (const { reason } of outcome.candidates) assert.include(text, reason)
    assert.strictEqual(await page.locator("[role=row].line").getAttribute("aria-expanded"), "true")
  })

  it("can be walked with the keyboard alone", async () => {
    const { page } = shown
    const activeNumber = async () => Number(await page.locator(active).getAttribute("aria-rowindex"))
    const grid = page.locator("[role=treegrid]:focus")
    await page.getByLabel("Search").focus()
    for (let step = 0; step < 20 && await grid.count() === 0; step++) await page.keyboard.press("Tab")
    assert.strictEqual(await grid.count(), 1)
    assert.strictEqual(await activeNumber(), 2)
    for (const key of ["ArrowDown", "ArrowDown", "PageDown", "ArrowUp"]) await page.keyboard.press(key)
    const number = await activeNumber()
    assert.isAbove(number, 5)
    assert.strictEqual(
      await grid.getAttribute("aria-activedescendant"),
      await page.locator(`.line[aria-rowindex='${number}']`).getAttribute("id")
    )
    await page.keyboard.press("Enter")
    await page.locator(".details").waitFor()
    assert.strictEqual(await page.locator(active).getAttribute("aria-expanded"), "true")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Escape")
    await page.locator(".details").waitFor({ state: "detached" })
    assert.strictEqual(await grid.count(), 1)
    assert.strictEqual(await activeNumber(), number)
    await page.keyboard.press("End")
    await page.locator(`${active}[aria-rowindex='${folded(json.outcomes.filter(attention)).length + 1}']`).waitFor()
  })

  it("copies amounts without the gaps that are shown", async () => {
    const { page } = shown
    await page.getByLabel("Asset").selectOption("ETH")
    await page.getByLabel("Code").selectOption("missing-transfer")
    const amount = page.locator(".line .c-difference .amount").first()
    const exact = await amount.textContent()
    assert.match(exact ?? "", /^\d{5,}\.\d{4,}$/)
    await amount.evaluate((element) => getSelection()?.selectAllChildren(element))
    await page.keyboard.press("ControlOrMeta+c")
    await page.getByLabel("Search").focus()
    await page.keyboard.press("ControlOrMeta+v")
    assert.strictEqual(await page.getByLabel("Search").inputValue(), exact)
  })

  it("prints all that the filter lets through, without controls, and says where it stops", async () => {
    const { page } = shown
    const bad = json.outcomes.filter(({ code }) => code === "split-incomplete")
    await page.getByLabel("Code").selectOption("split-incomplete")
    await page.emulateMedia({ media: "print" })
    const articles = page.locator("article")
    await articles.first().waitFor()
    assert.strictEqual(await articles.count(), bad.length)
    const text = await page.locator("main").innerText()
    for (const { explanation } of bad) assert.include(text, inReport(explanation))
    assert.isFalse(await page.getByLabel("Search").isVisible())
    await page.emulateMedia({ media: "screen" })
    await page.getByRole("treegrid").waitFor()
    await page.getByLabel("Code").selectOption("missing-transfer")
    await page.emulateMedia({ media: "print" })
    await articles.first().waitFor()
    assert.strictEqual(await articles.count(), 1000)
    const rest = json.outcomes.filter(({ code }) => code === "missing-transfer").length - 1000
    assert.include(await page.locator("main").innerText(), `${Text.count(rest)} more outcomes not printed`)
  })
})
