/** Rules about what a report counts, and about the pairs that columns give. */
import { of } from "./Mutation.ts"

const report = ["/report.", "/shares."]
const columns = ["/columns."]

export const reporting = [
  ...of("internal/report/Totals.ts", report, [
    ["what is left open is a part of the difference", "+ left(\"open\")", ""],
    ["what was set aside is a part of the difference", " + left(\"setAside\")", ""],
    ["sums of unlike scales are refined", "tally.units *= factor", "tally.units *= 1n"],
    [
      "amounts count in the scale of their sum",
      "Amount.units(amount, group.scale)",
      "Amount.units(amount, Amount.scale(amount))"
    ],
    [
      "a residual is deposits less transfers",
      "deposits[bucket].units - transfers[bucket].units",
      "transfers[bucket].units - deposits[bucket].units"
    ],
    ["assets that the policy calls equal have one total", "const name = alias(asset)", "const name = asset"],
    ["every entry counts", "tally.count++", "tally.count = 1"]
  ]),
  ...of("internal/report/Buckets.ts", report, [
    ["the pairs of a class are matched", "&& code !== \"ambiguous\" ? matchedCount : 0", "&& false ? 1 : 0"],
    ["unlike pairs that nobody can tell are not matched", "&& code !== \"ambiguous\" ?", "?"],
    ["failed attempts moved nothing", "outcome.code === \"failed-attempt\" && failed ? \"setAside\" :", ""],
    [
      "a deposit whose attempts failed is open",
      "outcome.code === \"failed-attempt\" && failed",
      "outcome.code === \"failed-attempt\""
    ]
  ]),
  ...of("internal/report/Statistics.ts", report, [
    ["what was set aside does not lower the rate", " - total[side].setAside.count", ""],
    ["an age begins with its first ms", "from <= asOf - time", "from < asOf - time"],
    ["only discrepancies age", "if (outcome.outcome !== \"discrepancy\") return", ""],
    ["an outcome is as old as its earliest entry", "Math.min(deposit, transfer)", "Math.max(deposit, transfer)"]
  ]),
  ...of("internal/report/Lags.ts", report, [
    ["pairs that are shown by convention have no lag", " || code === \"class-balanced\"", ""],
    [
      "a percentile is a lag that occurred, by the nearest rank",
      "Math.max(Math.ceil(share * count), 1)",
      "Math.max(Math.floor(share * count), 1)"
    ]
  ]),
  ...of("internal/columns/Exact.ts", columns, [
    ["a lone pair is within the window at both ends", "lag >= -before && lag <= after", "lag > -before && lag < after"],
    ["a lone pair outside the window is none", "lag >= -before && lag <= after", "lag >= -before"]
  ]),
  ...of("internal/columns/Streaks.ts", columns, [
    [
      "what is just within reach follows",
      "if (f64(keys, 4 * room + 1) < time) {",
      "if (f64(keys, 4 * room + 1) <= time) {"
    ],
    [
      "a streak is of one amount",
      "f64(keys, 4 * room) === amount && i32(marks, 8 * room + 4) === asset",
      "i32(marks, 8 * room + 4) === asset"
    ],
    [
      "a streak is of one asset",
      "f64(keys, 4 * room) === amount && i32(marks, 8 * room + 4) === asset",
      "f64(keys, 4 * room) === amount"
    ],
    [
      "a streak goes on as long as any entry of it may have a candidate",
      "Math.max(f64(keys, 4 * room + 1), until)",
      "until"
    ],
    ["a pair is alone only until a third entry comes", "number(state, count)", ""]
  ]),
  ...of("internal/columns/Batch.ts", columns, [
    [
      "streaks on one line are farther apart than the window",
      "Math.max(Math.abs(rules.window.after), Math.abs(rules.window.before)) + 1",
      "Math.max(Math.abs(rules.window.after), Math.abs(rules.window.before))"
    ],
    ["a class is balanced when all belong together", "2 * matched === some.length + others.length", "matched >= 0"],
    ["what is only assigned is not said to be decided", "known < 0 ? Pairs.assigned :", ""]
  ]),
  ...of("internal/columns/Decisions.ts", columns, [
    [
      "columns hold a residual at the size for no noise",
      "f64(residuals, edge) < noise",
      "f64(residuals, edge) <= noise"
    ],
    [
      "columns leave what is undecided ambiguous",
      "if (ambiguity.mode === \"report\") remain(pairs, component, closed, paired)",
      ""
    ],
    ["columns close both entries of a pair", "closed[deposits.length + other] = 1", ""]
  ]),
  ...of("internal/columns/Acceptance.ts", columns, [
    [
      "columns look for all that may be accepted below",
      "amount - absolute - amount * relative",
      "amount - amount * relative"
    ],
    ["columns look for all that may be accepted above", "(above + absolute) * (1 + 1e-9)", "above * (1 + 1e-9)"],
    [
      "columns hold for certain no more than is accepted",
      "amount * relative / (1 + relative)",
      "2 * amount * relative"
    ],
    [
      "columns hold a share for certain only as far as it goes",
      "Math.min(absolute, amount * share / (1 + share))",
      "absolute"
    ]
  ]),
  ...of("internal/columns/Candidates.ts", columns, [
    ["columns end the window with its last ms", "time + after + 1", "time + after"],
    [
      "columns decide equal amounts by themselves only where nothing unlike hangs together with them",
      "isOf(amount, pairs.deposits.amount, deposits, some) &&",
      ""
    ],
    ["columns count every candidate", "sizes[deposit] = f64(sizes, deposit) + to - from", "sizes[deposit] = 1"]
  ]),
  ...of("internal/columns/Pairs.ts", columns, [
    [
      "what columns state is given in the order of the input",
      "right === undefined || transfer < 0 ? transfer : i32(right, transfer)",
      "transfer"
    ],
    ["what columns state is taken", "pairs.taken.transfers[transfer] = 1", ""]
  ])
]
