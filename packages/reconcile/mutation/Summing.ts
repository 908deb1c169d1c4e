/** Rules of the kernel that decide sets. */
import { of } from "./Mutation.ts"

const sets = ["kernel/CoveringSets"]
const groups = ["kernel/Groups"]

export const summing = [
  ...of("internal/kernel/CoveringSets.ts", sets, [
    [
      "one of several sets of a size is not the only one",
      "return found.count === 1 ? only",
      "return found.count >= 1 ? only"
    ],
    [
      "a pair is smaller than three",
      "for (let size = 2; size <= Math.min(maxSize, search.usable); size++)",
      "for (let size = 3; size <= Math.min(maxSize, search.usable); size++)"
    ],
    [
      "a subset does not stand where all that there is covers, too",
      "sweep.length === 0 || members.length === candidates",
      "members.length >= 0"
    ],
    [
      "a run with others of its size does not stand",
      "size === runs.size && found.count === 1",
      "size === runs.size"
    ],
    ["one candidate is no set", "count < 2 || count > Math.max(maxRun, maxSize)", "count > Math.max(maxRun, maxSize)"],
    [
      "all that there is may be too much for a run",
      "count < 2 || count > Math.max(maxRun, maxSize)",
      "count < 2"
    ],
    [
      "sets that are larger than the smallest are counted, too",
      "atLeast = Math.min(atLeast + found.count, Number.MAX_SAFE_INTEGER)",
      ""
    ],
    ["up to three sets are named", "&& smallest.length < 3", "&& smallest.length < 2"]
  ]),
  ...of("internal/kernel/SizeSearch.ts", sets, [
    [
      "a search that was cut short is not complete",
      "return { count, sets: smallest.sets(), isComplete }",
      "return { count, sets: smallest.sets(), isComplete: true }"
    ],
    [
      "what is too large to be searched is not known",
      "if (left > maxSize) return unknown",
      "if (left > maxSize) return nothing"
    ],
    ["sets of equal amounts count in all their ways", "count + Spread.ways(classes, cover)", "count + 1"],
    [
      "what a set leaves out is what the total lacks",
      "holds(members.length - count, exactTotal - sum)",
      "holds(members.length - count, sum)"
    ],
    ["a set is what is not left out", "sets: found.sets.map((set) => others(classes, set))", "sets: found.sets"]
  ]),
  ...of("internal/kernel/Runs.ts", sets, [
    ["a run is no longer than allowed", "Math.min(maxRun, values.length)", "values.length"],
    ["runs of the same length are counted", "to - from === size ? count + 1 : 1", "1"],
    ["a shorter run goes before a longer one", "longest = size\n", "\n"],
    [
      "rounded sums do not say that a run covers",
      "return precise === undefined || acceptance.holds === undefined ||",
      "return precise !== null ||"
    ]
  ]),
  ...of("internal/kernel/Budget.ts", sets, [
    ["what is over budget is not done", "wanted > left", "wanted > left + 9"]
  ]),
  ...of("internal/kernel/Halves.ts", sets, [
    [
      "a sum may reach the highest accepted",
      "f64(tails.sums, place) > range.high - sum",
      "f64(tails.sums, place) >= range.high - sum"
    ],
    ["no candidate is in both halves of a set", "i32(tails.firsts, place) <= last", "i32(tails.firsts, place) < last"],
    [
      "rounded sums do not say that a set covers",
      "!isExactly(size, cover) || report(cover)",
      "report(cover)"
    ],
    [
      "a head leaves room for the least that has to follow",
      "AmountClasses.least(classes, rest) > high",
      "AmountClasses.least(classes, rest) >= high"
    ],
    [
      "a head may need all that can follow",
      "f64(sums, begin + left) - f64(sums, begin)) < low",
      "f64(sums, begin + left) - f64(sums, begin)) <= low"
    ]
  ]),
  ...of("internal/kernel/Tails.ts", sets, []),
  ...of("internal/kernel/Addends.ts", sets, [
    [
      "rounding does not hide a set",
      "exact === undefined ? 0n : BigInt(count - 1)",
      "0n"
    ],
    ["sums beyond exact doubles are divided", "if (total <= Number.MAX_SAFE_INTEGER) return", "if (total > 0) return"]
  ]),
  ...of("internal/kernel/Spread.ts", sets, [
    ["fewer members go before more", "if (a.length !== b.length) return a.length - b.length", ""],
    [
      "what lies closer in time is named first",
      "spread(times, a) - spread(times, b)",
      "spread(times, b) - spread(times, a)"
    ],
    ["equal candidates can be chosen in several ways", "product *= binomial", "binomial"]
  ]),
  ...of("internal/kernel/Groups.ts", groups, [
    ["groups that share an entry do not stand", "uses.get(entry) !== 1", "uses.get(entry) === 0"],
    [
      "what was refused once is not asked again",
      "taken.has(target.entry) || contested.has(target.entry)",
      "taken.has(target.entry)"
    ],
    [
      "an entry of a group is no target any more",
      "taken.has(target.entry) || contested.has(target.entry)",
      "contested.has(target.entry)"
    ],
    [
      "an entry of a group is no candidate any more",
      "target.candidates.filter((entry) => !taken.has(entry))",
      "target.candidates"
    ],
    ["a target is an entry of its group", "=> [target, ...members]", "=> [...members]"],
    [
      "what was refused an earlier group, no later one gets",
      "uses.set(entry, (uses.get(entry) ?? 0) + 1)",
      "uses.set(entry, (contested.size > 0 ? 0 : uses.get(entry) ?? 0) + 1)"
    ]
  ]),
  ...of("internal/kernel/Shortfall.ts", groups, [
    ["a part is smaller than the whole", "if (amount >= whole) continue", "if (amount > whole) continue"],
    [
      "what may belong elsewhere is not known to have come",
      "if (u8(shared, candidate) !== 0) return undefined",
      ""
    ],
    ["what comes to the whole does not fall short", "sum < least(members.length)", "sum <= least(members.length)"],
    ["nothing that has come is no part", "members.length > 0 &&", "members.length >= 0 &&"]
  ])
]
