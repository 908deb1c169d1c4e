/** Rules about what becomes of what no tier matched. */
import { of } from "./Mutation.ts"

const words = [
  "/waiting.",
  "/settledLater.",
  "/rules.",
  "/codes.",
  "/discrepancies.",
  "/leftovers.",
  "/doubt.",
  "/lone.",
  "/edges.",
  "/direction.",
  "/byHand."
]
const read = [...words, "/coverage.", "/unread.", "/released."]

export const leftovers = [
  ...of("internal/matching/Decision.ts", words, [
    [
      "a failed attempt comes before the wrong direction",
      "  failedAttempt(run)\n  waiting(run)\n  settledLater(run, drafts)\n  wrongDirection(run)",
      "  wrongDirection(run)\n  failedAttempt(run)\n  waiting(run)\n  settledLater(run, drafts)"
    ],
    [
      "the wrong direction comes before another account",
      "  wrongDirection(run)\n  accountMismatch(run)",
      "  accountMismatch(run)\n  wrongDirection(run)"
    ],
    [
      "another account comes before late",
      "  accountMismatch(run)\n  late(run, drafts)",
      "  late(run, drafts)\n  accountMismatch(run)"
    ],
    [
      "late comes before another amount",
      "  late(run, drafts)\n  settledUnlike(run)\n  amountMismatch(run)",
      "  amountMismatch(run)\n  late(run, drafts)\n  settledUnlike(run)"
    ],
    [
      "what waits comes before the wrong direction",
      "  waiting(run)\n  settledLater(run, drafts)\n  wrongDirection(run)",
      "  settledLater(run, drafts)\n  wrongDirection(run)\n  waiting(run)"
    ],
    ["what is a sum from settling is not missing for certain", "  settledSums(run)\n", ""],
    ["what fits from settling is not missing", "  settledUnlike(run)\n", ""],
    ["what waits explains others", "  waiting(run)\n", ""],
    ["what came after settling goes before another account", "  settledLater(run, drafts)\n", ""],
    ["what waits is not missing", "  pending(run)\n", ""]
  ]),
  ...of("internal/matching/Class.ts", read, [
    [
      "a class is short of transfers only by more than its open windows could bring",
      "openDeposits > lateDeposits.count + near.deposits.count",
      "openDeposits > near.deposits.count"
    ],
    [
      "a class is short of deposits only by more than its open windows could bring",
      "openTransfers > lateTransfers.count + near.transfers.count",
      "openTransfers > near.transfers.count"
    ],
    [
      "a class is not short of what pairs beside it may release",
      "openDeposits > lateDeposits.count + near.deposits.count",
      "openDeposits > lateDeposits.count"
    ],
    [
      "a class whose windows were not read is a gap",
      "code: missing === undefined ? \"in-flight\" : \"coverage-gap\"",
      "code: \"in-flight\""
    ]
  ]),
  ...of("internal/matching/leftovers/Missing.ts", read, [
    [
      "what was not read comes before missing",
      "if (state === \"gap\") settle",
      "if (state === \"gap\" && index < 0) settle"
    ],
    [
      "what is not over comes before missing",
      "else if (state === \"open\") {",
      "else if (state === \"open\" && index < 0) {"
    ],
    [
      "what lost its counterpart by time alone is not missing",
      "mayDoubt && (went.isDoubtful || notes.isDoubtful(entry.side, index))",
      "index < 0"
    ],
    [
      "what lost an unlike counterpart by nearness alone is not missing",
      "went.isDoubtful || notes.isDoubtful(entry.side, index)",
      "went.isDoubtful"
    ],
    [
      "nothing is final beside a conflict",
      "finality: isConflict ? \"never\" : \"horizon\"",
      "finality: \"horizon\""
    ]
  ]),
  ...of("internal/matching/Asides.ts", read, [
    [
      "nothing is missing for certain beside bad records of the other side",
      "return unusable[other] === 0 ? outcome",
      "return unusable !== undefined ? outcome"
    ],
    [
      "bad records of the own side hide no counterpart",
      "code === \"missing-transfer\" ? \"transfer\" : \"deposit\"",
      "code === \"missing-transfer\" ? \"deposit\" : \"transfer\""
    ],
    [
      "what lacks something is not final beside bad records",
      "return sides.length === 0 ? outcome : {",
      "return sides.length >= 0 ? outcome : {"
    ]
  ]),
  ...of("internal/matching/Intake.ts", words, [
    ["an identity with two contents takes no part", ".filter((entry) => !versions.has(entry.id))", ""],
    ["the same record twice counts once", "if (same !== undefined) repeated++", ""]
  ]),
  ...of("internal/matching/Admission.ts", [...words, "/hostile."], [
    ["amounts are above zero", "if (Amount.isZero(amount)) return", "if (amount === side) return"],
    ["a time is a whole number", "if (!Number.isSafeInteger(at)) return", "if (at === side) return"],
    ["an amount is a text", "typeof amount !== \"string\" || !Amount", "typeof amount === \"string\" && !Amount"],
    ["an entry is of the side that it came with", "if (own !== side) return", "if (own === null) return"],
    ["nothing is vouched for beside a list that is none", "lost.length === 0 ? known :", "lost.length >= 0 ? known :"]
  ]),
  ...of("internal/matching/leftovers/AmountMismatch.ts", [...words, "/coverage."], [
    ["a difference of just a tenth is a mismatch", "* 10n <= (from < to", "* 10n < (from < to"],
    ["a tenth is of the smaller amount", "(from < to ? from : to)", "(from < to ? to : from)"],
    [
      "a difference without a common account or reference is none",
      "close && (sameAccount || sameReference) && read",
      "close && read"
    ],
    ["unknown accounts are not the same", "at(deposits.account, deposit) >= 0 && deposits.account", "deposits.account"],
    [
      "a mismatch is not said before all is read",
      "(sameAccount || sameReference) && read",
      "(sameAccount || sameReference)"
    ],
    ["two candidates make no mismatch", "deposits.length === 1 && transfers.length === 1", "deposits.length >= 1"]
  ]),
  ...of("internal/matching/leftovers/AccountMismatch.ts", words, [
    ["another account is not said before all is read", "if (!isRead) {", "if (!isRead && deposit < 0) {"],
    ["what is forbidden is no matter of accounts", " && allowed(deposit, transfer)", ""]
  ]),
  ...of("internal/matching/leftovers/Lone.ts", words, [
    ["who has two candidates is alone with none", "if (found !== undefined) return undefined", ""],
    ["both are alone with each other", "if (other === deposit) found.push", "if (deposit >= 0) found.push"],
    ["who is alone is so in the window", "lag >= -before && lag <= after && accept", "accept"]
  ]),
  ...of("internal/matching/leftovers/LookAlike.ts", words, [
    [
      "assets of two networks are not alike",
      "(one.toUpperCase() === shared || other.toUpperCase() === shared)",
      "shared !== \"\""
    ],
    ["an asset is not like itself", "if (one === other) return false", ""],
    ["without a mark, only token standards are networks", "/\\d$/.test(one) && ", ""],
    ["too little is left of some names", "name.length >= SHORTEST + one.length", "name.length > one.length"],
    ["a network may stand before the name", "networks.has(left) ? right : name", "name"]
  ]),
  ...of("internal/matching/leftovers/AssetMismatch.ts", words, [
    ["accounts tell assets that look alike apart", "ledger.compatible(deposit, transfer)", "deposit >= 0"],
    [
      "another asset is not said before all is read",
      "if (!postponed.isRead(members, [closure.ofDeposit(deposit), closure.ofTransfer(transfer)])) {",
      "if (deposit < 0) {"
    ]
  ]),
  ...of("internal/matching/leftovers/DuplicateSuspect.ts", words, [
    ["twins have one address, memo and type", "...texts.map((field) => entry[field] ?? \"\")", "null"],
    ["twins have one account", "`${amount} ${at(account, index)} ${", "`${amount} ${"],
    ["twins have the same ends", "[entry.from ?? null, entry.to ?? null, ", "[null, null, "],
    ["a twin is matched", "code !== undefined && Finish.kindOf(code) === \"matched\"", "code !== undefined"],
    ["a duplicate is not said before all is read", "if (state !== \"complete\") continue", ""],
    ["a twin lies no farther than a counterpart", "[-1, reach + 1]", "[-1, 99 * reach]"]
  ]),
  ...of("internal/matching/Ledger.ts", [...words, "/coverage.", "/past."], [
    ["late is no later than allowed", "+ delay(deposit) + late }", "+ delay(deposit) + late + 1 }"],
    [
      "what failed may have failed after settling",
      "return { before, after: after + delay(deposit) }",
      "return { before, after }"
    ],
    ["late may be as late as allowed", "+ delay(deposit) + late }", "+ delay(deposit) + late - 1 }"],
    ["early may be as early as allowed", "before: window.before + late,", "before: window.before + late - 1,"],
    ["early is no earlier than allowed", "before: window.before + late,", "before: window.before + late + 1,"],
    ["lateness counts from settling as well", "+ delay(deposit) + late }", "+ late }"]
  ]),
  ...of("internal/matching/Settling.ts", [...words, "/past."], [
    [
      "a match after settling comes in the window",
      "lag >= ledger.unsettled(deposit) - before && lag <= delay + after",
      "lag <= delay + after"
    ],
    ["and no later", " && lag <= delay + after", ""],
    ["a match after settling may come before that was seen", "ledger.unsettled(deposit) - before", "delay - before"]
  ]),
  ...of("internal/matching/leftovers/FarCounterpart.ts", ["/leftovers.", "/rulesOracle."], [
    ["none is named beside another", "return more.length > 0 ? undefined : one", "return one"],
    ["none is named that another could belong to", " || only(other[side], one) !== index", ""],
    [
      "only one of equal account is named",
      "isBeyond && deposits.account[deposit] === transfers.account[transfer]",
      "isBeyond"
    ],
    ["none is named that lies farther than twice the horizon", "const TIMES = 2", "const TIMES = 3"],
    ["the rule of the deposit says how far", "<= reachOf(ledger.rule(deposit))", "<= farthest"],
    ["none is named that the policy forbids", "    ledger.compatible(deposit, transfer) &&\n", ""]
  ]),
  ...of("internal/matching/leftovers/Late.ts", [...words, "/coverage.", "/unreadQuery."], [
    ["late is in doubt where time gave another away", "if (!isDoubtful || ", "if (isDoubtful || !isDoubtful || "],
    [
      "late is not said before all is read",
      "    if (!postponed.isRead(",
      "    if (deposits.length < 0 && !postponed.isRead("
    ],
    [
      "what is not decided is not said to be",
      "=> closure.ofDeposit(deposit).state === \"complete\")",
      "=> deposit >= 0)"
    ]
  ]),
  ...of("internal/matching/leftovers/Reversed.ts", words, [
    [
      "a transfer may be cancelled as late as allowed",
      "at(time, transfer) < at(time, back) - Ledger",
      "at(time, transfer) <= at(time, back) - Ledger"
    ],
    [
      "a transfer is cancelled no later than allowed",
      "at(time, transfer) < at(time, back) - Ledger.reversal(ledger, back)",
      "transfer < 0"
    ],
    [
      "only what is earlier is cancelled",
      "at(time, waiting[0] ?? index) < at(time, index)",
      "at(time, waiting[0] ?? index) <= at(time, index)"
    ],
    [
      "the latest is cancelled first",
      "(pile.transfers.at(-1) ?? -1) > (latest.transfers.at(-1) ?? -1)",
      "(pile.transfers.at(-1) ?? -1) < (latest.transfers.at(-1) ?? -1)"
    ],
    ["what is cancelled is cancelled once", "latest.transfers.pop()", ""],
    [
      "types that are told have to agree",
      "one === undefined || other === undefined || AccountType.canonical(one) === AccountType.canonical(other)",
      "one !== null || AccountType.canonical(one) === AccountType.canonical(other ?? one)"
    ],
    [
      "only movements out of the master account cancel",
      " && canonical(item(entries, index).from ?? \"\") === MASTER\n",
      "\n"
    ]
  ]),
  ...of("internal/matching/leftovers/WrongDirection.ts", words, [
    [
      "the wrong direction is not said before all is read",
      "size === 1 && isRead(run, deposit, transfer)",
      "size === 1"
    ],
    ["the wrong direction is that of a lone pair", "if (size === 1 && isRead", "if (isRead"]
  ]),
  ...of("internal/matching/leftovers/SplitIncomplete.ts", ["/lone.", "/grouped."], [
    [
      "all that is alone with a target is a part of it",
      "found === undefined || found.members.length < parts.length",
      "found === undefined"
    ],
    [
      "an incomplete split is not said before all is read",
      "if (!isRead) return",
      "if (!isRead && parts.length === 0) return"
    ],
    ["one deposit may not be split where the policy says so", "if (grouping.oneToMany && deposits", "if (deposits"],
    [
      "one transfer may not be collected where the policy says so",
      "if (grouping.manyToOne && transfers",
      "if (transfers"
    ],
    ["a lone pair is no split", "deposits.length === 1 && transfers.length > 1", "deposits.length === 1"]
  ]),
  ...of("internal/matching/leftovers/Disputed.ts", [...words, "/past."], [
    [
      "a version in a later window is no counterpart",
      "if (version.entry.at > entry.at + ahead) break",
      ""
    ],
    [
      "a version in an earlier window is no counterpart",
      "firstFrom(equal, entry.at - back)",
      "firstFrom(equal, -Infinity)"
    ],
    ["a version that failed is no counterpart", "if (entry.status === \"failed\" && isConflict) return", ""]
  ]),
  ...of("internal/matching/leftovers/NearMisses.ts", words, [
    ["the nearest miss is named first", ".toSorted((a, b) => (a.off < b.off ? -1 : a.off > b.off ? 1 : 0))", ""],
    [
      "a near miss differs by at most a tenth",
      "AmountRule.magnitude(residual) * SHARE > (from < to ? from : to)",
      "from < 0n"
    ]
  ]),
  ...of("internal/matching/leftovers/FailedAttempt.ts", words, [
    [
      "what failed is not repeated while another try waits",
      "if (other !== undefined) {",
      "if (other === null) {"
    ],
    [
      "what failed is not repeated where another came late",
      "withLateTransfer(ledger)",
      "new Set<number>()"
    ]
  ]),
  ...of("internal/matching/Unsettled.ts", words, [
    ["a transfer that waits is not missing", "    ...connect(ledger, isFree(deposits), isWaiting(transfers)),\n", ""],
    [
      "a deposit that waits is not missing",
      "    ...connect(ledger, isFree(deposits), isWaiting(transfers)),\n    ...connect(ledger, isWaiting(deposits), isFree(transfers))\n",
      "    ...connect(ledger, isFree(deposits), isWaiting(transfers))\n"
    ],
    [
      "what waits may differ in amount",
      "if (!AmountRule.areUnlike(ledger.policy)) return",
      "if (ledger.groups > 0) return"
    ]
  ]),
  ...of("internal/matching/leftovers/Waiting.ts", words, [
    ["what waits may come late", "[...matches, ...Unsettled.waitingLate(ledger)]", "matches"],
    ["what would be late for what waits is not missing", "if (isMarked) mark(marked, part)", ""],
    ["nothing that no tier took is final near what waits", "  waitBeside(run)\n", ""],
    [
      "nothing is final that is in doubt with what waits",
      "for (const index of marked[side]) run.closure.wait(side, index)",
      ""
    ]
  ]),
  ...of("internal/matching/Closure.ts", words, [
    [
      "nothing is final beside what waits",
      "verdict.isSettled(side, index) && !isWaiting(side, index)",
      "verdict.isSettled(side, index)"
    ]
  ]),
  ...of("internal/matching/leftovers/SettledUnlike.ts", [...words, "/lastLook."], [
    ["what is not equal is ambiguous from settling, where it fits", "if (!postponed.isRead(", "if (postponed.isRead("],
    [
      "all that may be parts of a sum from settling are not missing for certain",
      "if (order(deposit, at(items, place)) < 0) wait(deposit, at(items, place))",
      ""
    ]
  ]),
  ...of("internal/matching/leftovers/WaitingSums.ts", words, [
    ["several deposits may wait for one transfer", "(manyToOne && order < 0) || ", ""],
    ["one deposit may wait for several transfers", " || (oneToMany && order > 0)", ""]
  ]),
  ...of("internal/matching/leftovers/Pending.ts", words, [
    [
      "what failed is not waited for",
      "finality: entry.status === \"failed\" ? \"horizon\" : \"never\"",
      "finality: \"never\""
    ]
  ]),
  ...of("internal/matching/leftovers/Unvouched.ts", ["/vouched.", "/incremental."], [
    ["a deposit of an account that a vouched list lacks is not missing", "direction.isUnlisted(name)", "false"],
    ["one of nobody knows whom waits for the window", "at(transfers.at, first) <= time + after", "true"],
    ["a transfer that failed refutes no list", "entry.status !== \"failed\" && ", ""]
  ])
]
