/** Rules about what may be told, and let go of, while more is still to come. */
import { of } from "./Mutation.ts"

const stream = ["/incremental."]

export const streaming = [
  ...of("internal/matching/Progress.ts", stream, [
    [
      "what is left waits longer than a match",
      "(isMatch ? verdict.isAtRest(side, index) : verdict.isSettled(side, index))",
      "verdict.isAtRest(side, index)"
    ]
  ]),
  ...of("internal/matching/LonePairs.ts", ["/lonePairs."], [
    ["a lone pair has no third of its amount near", "if (found !== undefined) return undefined", ""],
    ["both of a lone pair are alone", "if (neighbour(other) !== node) return undefined", ""],
    ["a lone pair is in its window", "return -before <= lag && lag <= after", "return true"],
    [
      "a lone pair is of one account",
      "if (deposit.account !== transfer.account && deposit.account && transfer.account) return false",
      ""
    ],
    ["a lone pair is settled", "entry.status === \"settled\" && isUntied(entry)", "isUntied(entry)"],
    ["what the policy names is no lone pair", "!named[entry.side].has(entry.id)", "true"],
    ["what may be too small is no lone pair", "isUntied(entry) && !bounded.has(group)", "isUntied(entry)"],
    ["what a reference ties is no lone pair", "isUntied(entry) && !bounded", "!bounded"],
    ["a lone pair is told when all around it has come", ": watermark - 2 * reach", ": watermark"],
    ["what was told still stands near what comes", "node.until >= cut - reach", "node.entry.at >= cut"],
    [
      "a lone pair may be spelled differently",
      "Amount.canonical(entry.amount)",
      "entry.amount"
    ],
    [
      "a lone pair may be of assets that are called equal",
      "const representative = Policy.aliasOf(policy)",
      "const representative = (asset: string): string => asset"
    ],
    ["no pair is lone where amounts may differ", " || AmountRule.areUnlike(policy)", ""],
    ["a lone pair is told when all around it was read", "!isRead(entry.at) || !isRead(other.entry.at)", "false"]
  ]),
  ...of("internal/matching/Keeping.ts", stream, [
    ["what is left near the undecided is kept", "(matched[side][index] === 0 && isNear(side, index)) ||", ""],
    [
      "what is not final in the horizon of the undecided is kept",
      "(final[side][index] === 0 && isInHorizon(side, index))",
      "false"
    ]
  ]),
  ...of("internal/matching/Withheld.ts", stream, [
    [
      "what is missing waits for all that could be its counterpart",
      "watermark > entryOf(side, index).at + reach && ",
      ""
    ],
    [
      "what is missing waits for what is not decided around it",
      " && undecidedAround(side, index).length === 0",
      ""
    ],
    [
      "what names another waits for all that could be that one's counterpart",
      "if (one !== undefined && !isOver(other, one)) return",
      ""
    ],
    ["what is told is kept for what it hinders", "      2 * reach\n", "      reach\n"],
    ["what is told is kept for what may name it", "if (!isNearUntold(side, index)) ", ""]
  ]),
  ...of("internal/matching/Incremental.ts", stream, [
    ["what a link names waits for the rest of it", " || (draft.code !== \"linked\" && isLinked(draft))", ""],
    [
      "what is told is told once",
      "if (!members.some((member) => told[member[0]].has(idOf(member)))) {",
      "if (members.length > 0) {"
    ]
  ]),
  ...of("TimeOrder.ts", ["/timeOrder."], [
    [
      "so many as the limit may come in any order",
      "release(state, state.held.length - limit)",
      "release(state, state.held.length - limit + 1)"
    ],
    ["what comes at the time that has come is not late", "first.at < watermark", "first.at <= watermark"],
    ["what comes after its place has gone is late", "first.at < watermark", "first.at < 0"],
    ["what is out of order is put in order", "isSorted(held) ? held : held.toSorted(byTime)", "held"]
  ])
]
