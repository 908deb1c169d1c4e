/** Text that strangers may write and reports that are full of it; and values that no type promises. */
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

const trap = (): never => {
  throw new Error("a trap")
}

const cycle: { self?: unknown } = {}
cycle.self = cycle

/** Whatever a program may hand over where a field of an entry was promised. */
export const values: ReadonlyArray<unknown> = [
  undefined,
  null,
  true,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  1.5,
  -1,
  0,
  7,
  2 ** 53,
  7n,
  "",
  " ",
  "0",
  "7",
  "1e3",
  "settled",
  "deposit",
  "transfer",
  "__proto__",
  "constructor",
  "\ud800",
  Symbol("s"),
  trap,
  {},
  { toString: trap, valueOf: trap },
  { toJSON: trap },
  { statuses: [], vanishedAt: "1" },
  [],
  ["1"],
  Object.create(null),
  Object("7"),
  new Map([["a", 1n]]),
  new Date(Number.NaN),
  cycle,
  new Proxy({}, { get: trap, has: trap, ownKeys: trap, getOwnPropertyDescriptor: trap, getPrototypeOf: trap })
]

/** The fields of an entry. */
export const fields = [
  "side",
  "id",
  "asset",
  "amount",
  "at",
  "status",
  "account",
  "reference",
  "network",
  "address",
  "memo",
  "from",
  "to",
  "fromType",
  "toType",
  "past",
  "record"
] as const satisfies ReadonlyArray<keyof Entry.Entry>
