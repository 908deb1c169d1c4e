/** The numbers of a report as its forms for people print them, read back from there. */
import type * as Report from "@tallystick/reconcile/Report"
import * as Csv from "@tallystick/report/Csv"
import * as Markdown from "@tallystick/report/Markdown"
import * as Table from "@tallystick/report/Table"
import * as Times from "@tallystick/report/text/Times"
import * as Effect from "effect/Effect"
import * as Parser from "effect/encoding/Csv"
import * as Stream from "effect/Stream"
import { marked } from "marked"
import * as Recount from "./Recount.ts"

/** Wide and long enough that nothing is broken or left out. */
const everything = { width: 100_000, limit: 100_000 }

const number = (text = ""): number => Number(text.replaceAll(",", ""))

const lines = [
  ["in", "in", "total"],
  ["matched", "matched", "residual"],
  ["open", "open", "open"],
  ["pending", "pending", "pending"],
  ["not decidable", "undetermined", "undetermined"],
  ["set aside", "setAside", "setAside"]
] as const

const nameOf = ({ asset, assets }: Report.Total): string => {
  const others = assets.filter((name) => name !== asset)
  return assets.length < 2 ? asset : `${asset} (with ${others.join(", ")})`
}

/** The kinds in the words of the glossary. */
const KINDS: Readonly<Record<Report.Count["outcome"], string>> = {
  matched: "match",
  discrepancy: "break",
  pending: "pending",
  undetermined: "not decidable",
  "set-aside": "set aside"
}

/** The numbers of outcomes that belong to the range, and to other days. */
type Both = readonly [outcomes: number, ofOtherDays: number]

/** `3 unmatched deposits, and 1 of other days`, or `of other days: 1 unmatched deposit`. */
const bothIn = (title: string): Both => {
  const [, others] = /^of other days: ([\d,]+) /.exec(title) ?? []
  if (others !== undefined) return [0, number(others)]
  return [number(/^[\d,]+/.exec(title)?.[0]), number(/, and ([\d,]+) of other days$/.exec(title)?.[1] ?? "0")]
}

const bound = (ms: number): string => ({ 1: "1 h", 6: "6 h", 24: "1 d", 72: "3 d", 168: "7 d" })[ms / 3_600_000] ?? ""

const ageOf = ({ from, to }: Report.Age): string => {
  if (to === null) return `over ${bound(from)}`
  return from === 0 ? `under ${bound(to)}` : `${bound(from)} to ${bound(to)}`
}

/** `none`, or `12 of 345 (3.4 %)`, cut and not rounded. */
const rateOf = ({ matched, of }: Report.Report["matchRate"]["deposits"]): string => {
  if (of === 0) return "none"
  const [whole, tenth] = [Math.floor((matched * 100) / of), Math.floor((matched * 1000) / of) % 10]
  const grouped = (count: number): string => count.toLocaleString("en-US")
  return `${grouped(matched)} of ${grouped(of)} (${whole}.${tenth} %)`
}

const rateIn = (text: string) => /^.*Matched:? +(deposits .*)$/m.exec(text)?.[1] ?? ""

/** What both of them print. */
export const expected = ({ ageing, counts, lags, matchRate, outcomes, range, totals }: Report.Report) => ({
  totals: totals.flatMap((total) => {
    const { ofOtherDays } = total
    const rows = lines.flatMap(([label, line, difference]) => {
      const [left, right] = [total.deposits[line], total.transfers[line]]
      return left.count + right.count === 0
        ? []
        : [[nameOf(total), label, left.count, left.sum, right.count, right.sum, total.net[difference]]]
    })
    if (ofOtherDays === undefined) return rows
    const [left, right] = [ofOtherDays.deposits.in, ofOtherDays.transfers.in]
    const { total: net } = ofOtherDays.net
    return [...rows, [nameOf(total), "of other days", left.count, left.sum, right.count, right.sum, net]]
  }),
  counts: Object.fromEntries(
    counts.filter(({ outcome }) => outcome !== "undetermined")
      .map(({ code, ofOtherDays, outcomes }): readonly [string, Both] => [code, [outcomes, ofOtherDays?.outcomes ?? 0]])
  ),
  waiting: outcomes.filter(({ outcome }) => outcome === "undetermined")
    .reduce<Both>(
      ([inside, others], { deposits, transfers }) => {
        const at = Math.min(...(deposits.length > 0 ? deposits : transfers).map(({ at }) => at))
        return range === null || (at >= range.from && at < range.to) ? [inside + 1, others] : [inside, others + 1]
      },
      [0, 0]
    ),
  matchRate: `deposits ${rateOf(matchRate.deposits)}, transfers ${rateOf(matchRate.transfers)}`,
  ageing: ageing.filter(({ outcomes }) => outcomes > 0).map((age) => [ageOf(age), age.outcomes]),
  lags: lags === null
    ? undefined
    : [Times.duration(lags.p50), Times.atMost(lags.p90), Times.atMost(lags.max), lags.count]
})

const waitingIn = (text: string): Both =>
  Array.from(text.matchAll(/([\d,]+) items?(?: and ([\d,]+) of other days)?(?:: | waiting for | with a status )/g))
    .reduce<Both>(
      ([inside, outside], [, count, others]) => [inside + number(count), outside + number(others ?? "0")],
      [0, 0]
    )

const lagsIn = (text: string) => {
  const found = /median (.+?), 90 % within (.+?), slowest (.+?), of ([\d,]+) pairs?/.exec(text)
  return found === null ? undefined : [...found.slice(1, 4), number(found[4])]
}

export const inTable = (report: Report.Report, only?: Table.Options["only"]): ReturnType<typeof expected> => {
  const text = Table.render(report, { ...everything, only })
  const sections = text.split("\n\n")
  const section = (title: string) => sections.find((one) => one.startsWith(title))?.split("\n").slice(1) ?? []
  const row =
    /^ {2}(in|matched|open|pending|not decidable|set aside|of other days) +([\d,]+) +(\S+) +([\d,]+) +(\S+) +(\S+)$/
  let asset = ""
  return {
    totals: section("TOTALS").flatMap((line) => {
      if (!line.startsWith(" ")) asset = line
      const [, label = "", left, sum = "", right, other = "", difference = ""] = row.exec(line) ?? []
      return label === "" ? [] : [[asset, label, number(left), sum, number(right), other, difference]]
    }),
    counts: Object.fromEntries(
      Array.from(
        text.matchAll(/^ *((?:of other days: )?[\d,]+ .*) \[([a-z-]+)\]$/gm),
        ([, title = "", code = ""]) => [code, bothIn(title)]
      )
    ),
    waiting: waitingIn(text),
    matchRate: rateIn(text),
    ageing: section("AGEING OF BREAKS").flatMap((line) =>
      line.trim().split(",  ").map((part) => part.split(": "))
        .flatMap(([label = "", count = ""]) => count.includes("entr") ? [] : [[label, number(count)]])
    ),
    lags: lagsIn(text)
  }
}

/** The rows of the tables of a Markdown text, by their headings. */
const tablesOf = (markdown: string): ReadonlyMap<string, ReadonlyArray<ReadonlyArray<string>>> => {
  const tables = new Map<string, ReadonlyArray<ReadonlyArray<string>>>()
  let heading = ""
  for (const token of marked.lexer(markdown)) {
    if (token.type === "heading") heading = String(token.text)
    if (token.type === "table") {
      tables.set(
        heading.split(/[: ]/)[0] ?? "",
        token["rows"].map((cells: ReadonlyArray<{ readonly text: string }>) =>
          cells.map(({ text }) => text.replaceAll("`", ""))
        )
      )
    }
  }
  return tables
}

export const inMarkdown = (report: Report.Report, only?: Markdown.Options["only"]): ReturnType<typeof expected> => {
  const text = Markdown.render(report, { ...everything, only })
  const tables = tablesOf(text)
  const rows = (heading: string) => tables.get(heading) ?? []
  return {
    totals: rows("Control").map((
      [asset = "", label = "", left, sum = "", right, other = "", difference = ""]
    ) => [asset, label, number(left), sum, number(right), other, difference]),
    counts: Object.fromEntries(
      Array.from(
        Map.groupBy(rows("Outcomes").filter(([outcome]) => outcome !== "not decidable"), ([, code = ""]) => code),
        ([code, rows]): readonly [string, Both] => {
          const outcomes = (isOther: boolean) =>
            number(rows.find(([, , meaning = ""]) => meaning.endsWith(", of other days") === isOther)?.[3] ?? "0")
          return [code, [outcomes(false), outcomes(true)]]
        }
      )
    ),
    waiting: waitingIn(text),
    matchRate: rateIn(text),
    ageing: rows("Ageing").map(([label = "", outcomes]) => [label, number(outcomes)]).filter(([, count]) =>
      count !== 0
    ),
    lags: lagsIn(text)
  }
}

/** What only Markdown prints: entries by code and by age, and lags in ms. */
export const detailsInMarkdown = (report: Report.Report) => {
  const tables = tablesOf(Markdown.render(report, everything))
  return {
    counts: tables.get("Outcomes")?.map((
      [outcome, code, meaning = "", outcomes, deposits, transfers]
    ) => [
      outcome,
      code,
      meaning.endsWith(", of other days"),
      number(outcomes),
      number(deposits),
      number(transfers)
    ]) ?? [],
    ageing: tables.get("Ageing")?.map(([, , entries]) => number(entries)) ?? [],
    lags: tables.get("Time")?.map(([, , ms]) => number(ms))
  }
}

export const details = ({ ageing, counts, lags }: Report.Report): ReturnType<typeof detailsInMarkdown> => ({
  counts: counts.flatMap(({ code, deposits, ofOtherDays, outcome, outcomes, transfers }) => [
    [KINDS[outcome], code, false, outcomes, deposits, transfers],
    ...(ofOtherDays === undefined
      ? []
      : [[KINDS[outcome], code, true, ofOtherDays.outcomes, ofOtherDays.deposits, ofOtherDays.transfers]])
  ]),
  ageing: ageing.every(({ entries, outcomes }) => entries + outcomes === 0) ? [] : ageing.map(({ entries }) => entries),
  lags: lags === null ? undefined : [lags.min, lags.p50, lags.p90, lags.p99, lags.max]
})

const sides = [["deposit", "deposits"], ["transfer", "transfers"]] as const

/** What the rows of the CSV come to: `USDT deposit open` and so on, with count and sum, and how often each code occurs. */
export const inCsv = (report: Report.Report) =>
  Stream.fromIterable(Csv.parts(report)).pipe(
    Stream.pipeThroughChannel(Parser.decodeString({ headers: true })),
    Stream.runCollect,
    Effect.map((rows) => {
      const lines = new Map<string, ReadonlyArray<string>>()
      const codes = new Map<string, Set<string>>()
      const outside = new Set<string>()
      for (const { amount = "", code = "", in_range, outcome_id = "", side, totals_asset, totals_line } of rows) {
        codes.set(code, (codes.get(code) ?? new Set()).add(outcome_id))
        if (amount === "") continue
        const line = `${totals_asset} ${side} ${totals_line}`
        if (in_range !== "yes") outside.add(totals_line ?? "")
        lines.set(line, [...(lines.get(line) ?? []), amount])
      }
      return {
        totals: Object.fromEntries(
          Array.from(lines, ([line, amounts]) => [line, { count: amounts.length, sum: Recount.total(amounts) }])
        ),
        counts: Object.fromEntries(Array.from(codes, ([code, ids]) => [code, ids.size])),
        outside: Array.from(outside)
      }
    })
  )

export const ofRows = ({ counts, totals }: Report.Report) => ({
  totals: Object.fromEntries(
    totals.flatMap(({ asset, ofOtherDays, ...total }) =>
      sides.flatMap(([side, list]) => {
        const others = ofOtherDays?.[list].in
        const rows = lines.filter(([label]) => label !== "in")
          .map(([, line]) =>
            [`${asset} ${side} ${line === "setAside" ? "set-aside" : line}`, total[list][line]] as const
          )
        return [...rows, ...(others === undefined ? [] : [[`${asset} ${side} of-other-days`, others] as const])]
          .filter(([, { count }]) => count > 0)
      })
    )
  ),
  // An outcome of another day has rows too: it holds an entry of the range.
  counts: Object.fromEntries(
    counts.map(({ code, ofOtherDays, outcomes }) => [code, outcomes + (ofOtherDays?.outcomes ?? 0)])
  ),
  outside: totals.some(({ ofOtherDays }) => ofOtherDays !== undefined) ? ["of-other-days"] : []
})

const FIGURES = ["Open items", "Worth", "Match rate", "Oldest item", "Completeness"]

/** The values of the five figures, in their order. */
export const figuresInTable = (report: Report.Report): ReadonlyArray<string> => {
  const lines = Table.render(report, everything).split("\n")
  return FIGURES.map((label) => {
    const line = lines.find((one) => one.startsWith(`${label} `)) ?? ""
    return (line.slice(label.length).trim().split(": ")[0] ?? "").trim()
  })
}

export const figuresInMarkdown = (report: Report.Report): ReadonlyArray<string> => {
  const table = marked.lexer(Markdown.render(report, everything)).find(({ type }) => type === "table")
  const [values = []] = table === undefined || !("rows" in table) ? [] : table["rows"]
  return values.map(({ text }: { readonly text: string }) => text.replaceAll(/[*`]/g, ""))
}

/** Of each outcome in the CSV: its id, what is missing, what is too much, the difference, and the bound. */
export const differencesInCsv = (report: Report.Report) =>
  Stream.fromIterable(Csv.parts(report)).pipe(
    Stream.pipeThroughChannel(Parser.decodeString({ headers: true })),
    Stream.runCollect,
    Effect.map((rows) =>
      rows.filter(({ difference = "" }) => difference !== "")
        .map(({ difference = "", difference_bound = "", excess = "", missing = "", outcome_id = "" }) => ({
          id: outcome_id,
          missing,
          excess,
          difference,
          bound: difference_bound
        }))
    )
  )
