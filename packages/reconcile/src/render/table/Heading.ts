/** The verdict, and what it speaks of. */
import type * as Report from "../../Report.ts"
import * as Text from "../Text.ts"
import { duration } from "../Times.ts"
import * as Verdict from "../Verdict.ts"
import type { Lines, Sheet } from "./Sheet.ts"

const LABEL = 11

const percent = ({ matched, of }: { readonly matched: number; readonly of: number }): string => {
  if (of === 0) return "none"
  const tenths = Math.floor((matched * 1000) / of)
  return `${Text.count(matched)} of ${Text.count(of)} (${Math.floor(tenths / 10)}.${tenths % 10} %)`
}

const accountsOf = ({ complete, count, digest }: Report.Report["accounts"]): string =>
  count === 0
    ? `none given${complete ? ", vouched complete" : ""}`
    : `${Text.count(count)} given, ${complete ? "vouched complete" : "not vouched complete"} (digest ${digest})`

export const heading = (report: Report.Report, sheet: Sheet): Lines => {
  const { style, times, width } = sheet
  const { accounts, addresses, lags, matchRate, range } = report
  const paint = style[Verdict.grade(report)]
  const fact = (label: string, text: string): Lines =>
    Text.paragraph(Text.padEnd(label, LABEL), Text.plain(text), width)
  return [
    ...Text.wrap(Text.plain(Verdict.sentence(report)), width).map((line) => paint(style.strong(line))),
    "",
    ...fact(
      "Range",
      range === null
        ? `everything that was read (times in ${times.zone})`
        : `${times.bound(range.from)} to ${times.bound(range.to)}, end excluded (${times.zone})`
    ),
    ...fact("Flows", report.meaning),
    ...fact(
      "Accounts",
      `${accountsOf(accounts)}; ` +
        `${addresses.count === 1 ? "1 address" : `${Text.count(addresses.count)} addresses`} known${
          addresses.count === 0 ? "" : ` (digest ${addresses.digest})`
        }`
    ),
    ...fact("Matched", `deposits ${percent(matchRate.deposits)}, transfers ${percent(matchRate.transfers)}`),
    ...(lags === null ? [] : fact(
      "Lag",
      `half of ${Text.counted(lags.count, "stated pair")} within ${duration(lags.p50)}, 90 % ${duration(lags.p90)}, ` +
        `99 % ${duration(lags.p99)}, longest ${duration(lags.max)}`
    )),
    ...report.warnings.flatMap((warning) => fact("Warning", warning).map(style.doubtful))
  ]
}
