/** Text that strangers may write, and reports that are full of it. */
import type * as Entry from "../../src/Entry.ts"
import type * as Report from "../../src/Report.ts"
import type * as Generator from "./Generator.ts"

const pieces = [
  "=1+1",
  "=cmd|' /C calc'!A0",
  "@SUM(A1)",
  "+49",
  "-5",
  "＝1",
  "＠x",
  "﹢1",
  "\t=1",
  "\r\n-2+3",
  "; =HYPERLINK(\"http://x.test\")",
  ";'",
  "'",
  "\"",
  "\"\"=1",
  ",",
  " ",
  "|",
  "||a||",
  "\\",
  "\\|",
  "`",
  "``",
  "<script>alert(1)</script>",
  "<!-- ",
  " -->",
  "<b>",
  "&amp;",
  "&#64;",
  "[a](http://x.test)",
  "![a](http://x.test/i.png)",
  "http://x.test/",
  "www.x.test",
  "a@x.test",
  "@everyone",
  "#12",
  "GH-12",
  ":tada:",
  "*b*",
  "__b__",
  "~~s~~",
  "$x$",
  "# h",
  "- l",
  "1. n",
  "---",
  "> q",
  "\n\n",
  "\n```\n",
  "[^1]",
  "\u202e",
  "\u200b",
  "\u001b[2J",
  "\u0000",
  "\u2028",
  "入金",
  "é",
  "abc",
  "sub00001",
  "\ud800"
]

export const text = (random: Generator.Generator): string =>
  Array.from({ length: random.int(1, 4) }, () => random.pick(pieces)).join(random.pick(["", "", " "]))

/** The same report with other texts in every place where a stranger's may stand. */
export const report = (report: Report.Report, random: Generator.Generator): Report.Report => {
  const write = () => text(random)
  const entry = (entry: Entry.Entry): Entry.Entry => ({
    ...entry,
    id: write(),
    asset: write(),
    account: write(),
    reference: write(),
    network: write(),
    address: write(),
    memo: write(),
    from: write(),
    to: write(),
    fromType: write(),
    toType: write()
  })
  return {
    ...report,
    meaning: write(),
    warnings: [write(), write()],
    totals: report.totals.map((total) => ({ ...total, asset: write(), assets: [write(), write()] })),
    coverage: report.coverage.map((one) => ({
      ...one,
      query: { fromAccount: write(), toAccount: write(), fromAccountType: write(), toAccountType: write() },
      state: "incomplete",
      gap: { code: "failed-page", detail: write() }
    })),
    unread: report.coverage.map((one) => ({ ...one, gap: { code: "failed-page", detail: write() } })),
    outcomes: report.outcomes.map((outcome) => ({
      ...outcome,
      deposits: outcome.deposits.map(entry),
      transfers: outcome.transfers.map(entry),
      rule: write(),
      explanation: write(),
      candidates: [{ side: "transfer", id: write(), reason: write() }],
      ...(outcome.bad === undefined ? {} : { bad: { ...outcome.bad, source: write(), reason: write(), raw: write() } })
    }))
  }
}
