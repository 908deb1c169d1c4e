/** Rules of the kernel that decide pairs. */
import { of } from "./Mutation.ts"

const equal = ["kernel/ExactClass", "kernel/LeastLag", "kernel/Agreement"]
const sparse = ["kernel/SparseAssignment", "kernel/Agreement"]

export const assigning = [
  ...of("internal/kernel/Staircase.ts", equal, [
    [
      "the window begins with its first ms",
      "f64(others, first) < time - before",
      "f64(others, first) <= time - before"
    ],
    ["the window ends with its last ms", "f64(others, end) <= time + after", "f64(others, end) < time + after"],
    [
      "transfers look back as far as deposits look ahead",
      "ranges(transfers, deposits, after, before)",
      "ranges(transfers, deposits, before, after)"
    ],
    [
      "the candidate behind the last is none",
      "other < i32(ranges.to, entry)",
      "other <= i32(ranges.to, entry)"
    ],
    [
      "an entry is taken once",
      "next = Math.max(next, i32(ranges.from, entry))",
      "next = i32(ranges.from, entry)"
    ],
    [
      "an entry whose first candidate is taken gets the next",
      "partner[entry] = next++",
      "partner[entry] = next, next = i32(ranges.to, entry)"
    ]
  ]),
  ...of("internal/kernel/Surplus.ts", equal, [
    ["who can take the place of a free entry is in surplus, too", "open[size++] = mate", "open[size] = mate"],
    ["who stays free is in surplus", "entries[entry] = 1", "entries[entry] = 0"]
  ]),
  ...of("internal/kernel/ExactClass.ts", equal, [
    [
      "no deposit is forced that may stay free",
      "depositSurplus.entries[deposit] === 1 || transferSurplus.others[deposit] === 1",
      "transferSurplus.others[deposit] === 1"
    ],
    [
      "no transfer is forced that may stay free",
      "depositSurplus.entries[deposit] === 1 || transferSurplus.others[deposit] === 1",
      "depositSurplus.entries[deposit] === 1"
    ],
    [
      "deposits are chosen by the window seen from transfers",
      "chooseIn(depositSurplus, deposits, transfers, after, before)",
      "chooseIn(depositSurplus, deposits, transfers, before, after)"
    ],
    [
      "transfers are chosen by the window seen from deposits",
      "chooseIn(transferSurplus, transfers, deposits, before, after)",
      "chooseIn(transferSurplus, transfers, deposits, after, before)"
    ],
    [
      "a window without the lag 0 is judged by swaps",
      "before >= 0 && after >= 0",
      "before >= Number.NEGATIVE_INFINITY"
    ],
    [
      "time decides nothing that not every optimum holds",
      "u8(certain, pair) === 0 || u8(decidedBy, deposit) !== 0",
      "u8(decidedBy, deposit) !== 0"
    ],
    [
      "a forced pair is not said to be decided by time",
      "u8(certain, pair) === 0 || u8(decidedBy, deposit) !== 0",
      "u8(certain, pair) === 0"
    ],
    ["as many rivals as allowed are allowed", "transfer) > input.rivals", "transfer) >= input.rivals"],
    ["a pair with too many rivals is not decisive", "transfer) > input.rivals", "transfer) > Infinity"],
    [
      "a rival at just the ratio is too near",
      "nearest.distance <= input.ratio",
      "nearest.distance < input.ratio"
    ],
    [
      "no pair is decisive beside a near rival",
      "nearest.distance <= input.ratio",
      "nearest.distance <= 0 * input.ratio"
    ]
  ]),
  ...of("internal/kernel/Certainty.ts", equal, [
    ["the former of two pairs that can be swapped is not forced", "flags[pair - 1] = 0", "flags[pair - 1] = 1"],
    ["the latter of two pairs that can be swapped is not forced", "flags[pair] = 0", "flags[pair] = 1"],
    [
      "a swap takes candidates on both sides",
      "i32(pairs.transfers, pair)) &&",
      "i32(pairs.transfers, pair)) ||"
    ],
    [
      "nothing is certain while some optimum has a deposit under way",
      "highest === 0 && lowest === 0",
      "lowest === 0"
    ],
    [
      "nothing is certain while some optimum has a transfer under way",
      "highest === 0 && lowest === 0",
      "highest === 0"
    ]
  ]),
  ...of("internal/kernel/Rivals.ts", equal, [
    ["a pair is no rival of itself", "i32(ofTransfer.from, transfer) - 2", "i32(ofTransfer.from, transfer) - 1"],
    [
      "of two rivals as near, the one for the deposit is named",
      "forTransfer < forDeposit",
      "forTransfer <= forDeposit"
    ],
    [
      "of two rivals of one entry as near, the earlier is named",
      "time - f64(others, earlier) <= f64(others, later) - time",
      "time - f64(others, earlier) < f64(others, later) - time"
    ],
    [
      "deposits are rivals as transfers are",
      "return forTransfer < forDeposit",
      "return forTransfer < 0"
    ]
  ]),
  ...of("internal/kernel/LeastLag.ts", equal, [
    [
      "an entry may be served at the last moment of its window",
      "f64(required, due) < time - after",
      "f64(required, due) <= time - after"
    ],
    [
      "an entry may be served at the first moment of its window",
      "f64(required, known) <= time + before",
      "f64(required, known) < time + before"
    ],
    ["every entry that must be served is served in time", "raiseLeast(due)", "raiseLeast(0)"],
    ["nothing is chosen that nobody can use", "lowerMost(known)", "lowerMost(count)"],
    ["a moment later costs as much as a moment earlier", "f64(slopes, cursor) + 2 * now", "f64(slopes, cursor) + now"],
    [
      "what was chosen too early costs",
      "f64(slopes, cursor) - 2 * now",
      "f64(slopes, cursor) - now"
    ],
    ["what costs nothing is in some optima only", "f64(slopes, first) < now", "f64(slopes, first) <= now"],
    [
      "the earliest optimum chooses as early as any",
      "walkBack(required.length, cheapestHigh)",
      "walkBack(required.length, cheapestLow )"
    ],
    [
      "the latest optimum chooses as late as any",
      "walkBack(required.length, cheapestLow)",
      "walkBack(required.length, cheapestHigh )"
    ]
  ]),
  ...of("internal/kernel/Regroup.ts", equal, [
    ["entries are in one class only if candidates connect them", "i32(from, entry) < end", "i32(from, entry) <= end"],
    [
      "a class has as many pairs as can be made of it",
      "i32(partner, i32(deposits, entry)) >= 0",
      "i32(partner, i32(deposits, entry)) >= -1"
    ]
  ]),
  ...of("internal/kernel/SparseAssignment.ts", sparse, [
    ["as many pairs as possible come before cheap ones", "Bipartite.within(whole, parts)", "whole"],
    ["what some optimum lacks is not in all", "if (isFixed(amongOptima, edge)) everyOptimum", "everyOptimum"],
    ["what some maximum matching lacks is not in all", "if (isFixed(amongMaxima, edge)) everyMaximum", "everyMaximum"],
    ["optima differ only in edges that cost no more", "isUsable: prices.isTight", "isUsable: () => true"],
    ["an entry that costs nothing to leave may be left", "isReleasable: prices.isZero", "isReleasable: () => false"],
    [
      "maximum matchings may be of any cost",
      "isUsable: () => true",
      "isUsable: prices.isTight"
    ],
    [
      "a free entry that other optima match wavers",
      "i32(amongOptima, vertex) === hub",
      "i32(amongOptima, vertex) === -2"
    ]
  ]),
  ...of("internal/kernel/Exchanges.ts", sparse, [
    [
      "an entry that is free may be matched instead of another",
      "return edge < 0 ? hub : opposite",
      "return edge < 0 ? -1 : opposite"
    ],
    [
      "a cycle is found however it is entered",
      "lowest[above] = Math.min(i32(lowest, above), i32(lowest, vertex))",
      "lowest[above] = i32(lowest, above)"
    ]
  ]),
  ...of("internal/kernel/MaximumMatching.ts", sparse, [
    ["pairs are exchanged until no more can be made", "while (layered()) {", "if (layered()) {"],
    [
      "what replaces a free entry may stay free itself",
      "open[size++] = behind",
      "open[size] = behind"
    ]
  ]),
  ...of("internal/kernel/LeastCost.ts", sparse, [
    ["a potential falls with the path that passed it", "prices.lower(reached, nearest, reached)", ""],
    ["the potential of a new pair rises with its path", "prices.raise(root, nearest, -1)", ""],
    [
      "at first, only the cheapest edge is taken",
      "i32(mate, i32(neighbour, slot)) >= 0 || !prices.isTight(edge)",
      "i32(mate, i32(neighbour, slot)) >= 0"
    ],
    [
      "a path ends at the nearest free entry",
      "if (nearest >= 0 && !prices.nearer(far, nearest)) continue",
      ""
    ]
  ]),
  ...of("internal/kernel/Phases.ts", sparse, [
    [
      "what a search does not reach moves as far as the last that it does",
      "u8(isSettled, far) === 1 ? far : last",
      "far"
    ]
  ]),
  ...of("internal/kernel/Prices.ts", sparse, [
    [
      "the second cost decides among equal first costs",
      "cost1 === now1 && cost2 >= f64(price2, vertex)",
      "cost1 === now1"
    ],
    [
      "the first cost goes before the second",
      "if (!first && new1 > now1) return false",
      ""
    ],
    [
      "an edge is tight in both costs",
      "f64(secondary, edge) === f64(price2, i32(deposit, edge)) + f64(price2, i32(transfer, edge)),",
      "true,"
    ],
    [
      "a distance is nearer by the second cost where the first is equal",
      "a1 < b1 || (a1 === b1 && f64(distance2, a) < f64(distance2, b))",
      "a1 < b1"
    ],
    [
      "sums beyond exact doubles are added as integers",
      "Math.max(bound(costs, primary), bound(costs, costs.secondary))",
      "bound(costs, costs.secondary)"
    ],
    [
      "no sum of second costs outweighs a first cost",
      "BigInt(largest) * BigInt(vertices) + 1n",
      "BigInt(largest) + 1n"
    ]
  ])
]
