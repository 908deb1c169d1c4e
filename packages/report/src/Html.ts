/**
 * Writes the report as one HTML file that needs nothing else: no network, no server, no other file.
 *
 * The page is opened from disk, and its content security policy allows only its own script and style. It holds every outcome that is asked for;
 * of matches it leaves out the service's own records, and says so. It takes some 600 bytes an outcome and stays quick to read
 * up to some hundred thousand of them.
 */
import type * as Extract from "@tallystick/reconcile/Extract"
import * as Report from "@tallystick/reconcile/Report"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as Identity from "./Identity.ts"
import * as CountedRange from "./internal/content/CountedRange.ts"
import * as Figures from "./internal/content/Figures.ts"
import * as HtmlText from "./internal/content/HtmlText.ts"
import * as LeftOut from "./internal/content/LeftOut.ts"
import * as Sentences from "./internal/content/Sentences.ts"
import * as CoverageLanes from "./internal/html/CoverageLanes.ts"
import * as Embedded from "./internal/html/Embedded.ts"
import type { Facts } from "./internal/html/Facts.ts"
import * as Flows from "./internal/html/Flows.ts"
import * as LagBins from "./internal/html/LagBins.ts"
import * as Page from "./internal/html/Page.generated.ts"
import * as Rows from "./internal/html/Rows.ts"
import * as Texts from "./internal/html/Texts.ts"
import * as Prices from "./Prices.ts"
import * as Priority from "./Priority.ts"
import * as Text from "./text/Text.ts"
import * as Verdict from "./Verdict.ts"

/** These options say how the page is written. */
export interface Options extends LeftOut.Options {
  /** The zone of all times; default UTC. */
  readonly zone?: DateTime.TimeZone | undefined
  /** The price of one unit of an asset: with prices the most money comes first. */
  readonly prices?: Prices.Prices | undefined
  /** The name of the currency of the prices, as in USD. */
  readonly currency?: string | undefined
}

/** The number of outcomes in one element of the page, so that no text becomes too long for a browser. */
const CHUNK = 2000

const encodeSummary = Schema.encodeSync(Schema.toType(Report.Summary))

/** Returns the interval that coverage is shown over: the range, else the time of the entries. */
const shown = ({ range }: Report.Report, flows: Flows.Flows | null) => {
  if (range !== null) return range
  const [from, to] = [flows?.edges[0], flows?.edges.at(-1)]
  return from === undefined || to === undefined ? undefined : { from, to }
}

/** Charts and numbers are those of the whole report. */
const factsOf = (
  report: Report.Report,
  { currency, prices, zone }: Options,
  carries: Extract.Carries | undefined
): Facts => {
  const { outcomes, ...summary } = report
  const range = CountedRange.of(report)
  const flows = Flows.make(outcomes, { range, zone })
  const interval = shown(report, flows)
  return {
    summary: encodeSummary(summary),
    ...(carries === undefined ? {} : { carries }),
    zone: zone === undefined ? null : DateTime.zoneToString(zone),
    prices: prices === undefined ? null : Array.from(Prices.resolve(prices, report.policy.assets.aliases)),
    flows,
    lags: LagBins.make(outcomes.filter(Report.isOfRange(range)), report.policy.window),
    lanes: interval === undefined ? [] : CoverageLanes.make(report.coverage, interval),
    currency: currency ?? null,
    title: Identity.title(report, zone),
    figures: Figures.of(report, prices)
  }
}

const securityPolicy = [
  "default-src 'none'",
  `script-src '${Page.scriptHash}'`,
  `style-src '${Page.styleHash}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

/** The title of the window, under which a browser saves the page: its name as a file, and the verdict. */
const titleOf = (report: Report.Report, zone: DateTime.TimeZone | undefined): string => {
  const [verdict = ""] = Verdict.sentence(report).split(":")
  return `${Identity.title(report, zone)}: ${verdict}`
}

const head = (report: Report.Report, zone: DateTime.TimeZone | undefined): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${securityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${HtmlText.escaped(Text.plain(titleOf(report, zone)))}</title>
<style>${Page.style}</style>
</head>
<body>
<noscript><h1>${HtmlText.escaped(Text.plain(Verdict.sentence(report)))}</h1><p>${
    HtmlText.escaped(Text.plain(report.meaning))
  }</p><p>Totals, charts and breaks need the script of this page, which this browser does not run.</p></noscript>
<div id="page"></div>
`

const data = (name: string, value: unknown): string =>
  `<script type="application/json" data-part="${name}">${Embedded.json(value)}</script>\n`

const write = function*(report: Report.Report, options: Options): Generator<string, void> {
  yield head(report, options.zone)
  const { carries, report: { outcomes } } = LeftOut.shown(report, options)
  yield data("facts", factsOf(report, options, carries))
  // It shows the facts while the outcomes behind it are still read.
  yield `<script>${Page.script}</script>\n`
  const texts = Texts.make()
  const rowOf = Rows.writer(texts, Sentences.momentsOf(report, options.zone).at)
  const read = Sentences.ofReport(report, options.zone)
  const sorted = Priority.sorted(outcomes, { policy: report.policy, prices: options.prices })
  for (let at = 0; at < sorted.length; at += CHUNK) {
    yield data("outcomes", sorted.slice(at, at + CHUNK).map(({ outcome, stake }) => rowOf(read(outcome), stake)))
  }
  yield data("texts", texts.all())
  yield `${Page.notices}</body>\n</html>\n`
}

/** Returns the text of the file in parts, so that no report is too long for a string. */
export const parts = (report: Report.Report, options: Options = {}): Iterable<string> => ({
  [Symbol.iterator]: () => write(report, options)
})
