/** Rules about when an outcome is certain, and when it may be told. */
import { of } from "./Mutation.ts"

const final = ["/released.", "/certain.", "/coverage.", "/discrepancies.", "/rules.", "/leftovers.", "ownGap"]

export const finality = [
  ...of("internal/matching/Timeline.ts", final, [
    ["a window that ends when coverage ends is open", "if (segment.from > to) break", "if (segment.from >= to) break"],
    [
      "what was read ends before its end",
      "coverage.from <= time && time < coverage.to",
      "coverage.from <= time && time <= coverage.to"
    ],
    ["what is behind everything that was read is open", "from >= end || here.some", "here.some"],
    [
      "of several scopes the worst counts",
      "weight[segment.state] > weight[worst.state]",
      "weight[segment.state] < weight[worst.state]"
    ],
    [
      "the worst that is known counts for all that hangs together",
      "weight[judgement.state] > weight[found.state]",
      "weight[judgement.state] < weight[found.state]"
    ],
    ["what is open in a window makes it open", "if (weight[segment.state] > weight[state]) state = segment.state", ""]
  ]),
  ...of("internal/matching/Reading.ts", final, [
    [
      "a deposit of unknown account is decided only by a vouched list",
      "accounts.complete || !namesAny || listed.state === \"open\"",
      "ofTransfers.length > 0"
    ],
    [
      "a transfer looks back as far as a deposit looks ahead",
      "time - after - wider, time + before + wider",
      "time - before - wider, time + after + wider"
    ],
    [
      "account types are read by one name",
      "[AccountType.canonical(query.fromAccountType), AccountType.canonical(query.toAccountType)]",
      "[query.fromAccountType, query.toAccountType]"
    ],
    [
      "only transfers to the master account are cancelled",
      "if (ends === undefined || ends.to !== MASTER) return Timeline.complete",
      "if (ends === undefined) return Timeline.complete"
    ],
    [
      "late is looked for farther",
      "const { late, window } = ledger.rule(deposit)\n      const wider = margin === \"late\" ? late : 0",
      "const { window } = ledger.rule(deposit)\n      const wider = margin === \"late\" ? 0 : 0"
    ]
  ]),
  ...of("internal/matching/Finish.ts", final, [
    [
      "a match is final when nothing unread could join it",
      "finality === \"closed\" ? closure.isAtRest : closure.isSettled",
      "() => true"
    ],
    [
      "what is left is final only when it could not turn up late",
      "finality === \"closed\" ? closure.isAtRest : closure.isSettled",
      "closure.isAtRest"
    ],
    [
      "an outcome is final for all of its transfers",
      " && transfers.every((transfer) => is(\"transfer\", transfer))",
      ""
    ]
  ]),
  ...of("internal/matching/Settled.ts", final, [
    [
      "what is settled has no equal within the horizon that may be released",
      "from - late, to + late + delay) &&",
      "from, to) &&"
    ],
    [
      "what is settled has no unlike counterpart that may be released",
      "(!mayBeUnlike || inGroup(group, account, from, to))",
      "true"
    ],
    [
      "groups and tolerances may join unlike amounts",
      "const mayBeUnlike = isUnlike || account >= 0",
      "const mayBeUnlike = account >= 0"
    ],
    ["a mismatch of one account may join unlike amounts", "isUnlike || account >= 0 ||", "isUnlike ||"],
    ["what is left has no twin that may be released", "twins(key, account, time - reach, time + reach)", "true"],
    [
      "what is left has no equal of another account that may be released",
      "return inClass(key, -1, from, to) &&",
      "return"
    ],
    [
      "what is left has no look-alike that may be released",
      "(ofAlike === undefined || alike < 0 || ofAlike(alike, account, from, to))",
      "true"
    ],
    [
      "what is in the window up to its last ms counts",
      "firstNotBefore(side.at, indices, to + 1)",
      "firstNotBefore(side.at, indices, to)"
    ],
    ["entries of unknown account may be released to any", "&& areClosed(byAccount.get(-1), from, to)", ""],
    [
      "a better amount may be released from an equal one",
      "return others[name].inGroup(group, account, from, to)",
      "return true"
    ]
  ]),
  ...of("internal/matching/Closure.ts", final, [
    [
      "an entry with a reference waits for a late bearer",
      "isBearer ? reading.deposit(index, \"late\") : judgement",
      "judgement"
    ],
    [
      "a transfer with a reference waits for a late bearer",
      "isBearer ? reading.transfer(index, \"late\") : judgement",
      "judgement"
    ],
    ["a match waits for what may cancel its transfer", "isComplete(late) ? reading.cancelling(index) : late", "late"],
    ["what was left is settled with all near it in time", " && !nearness(side, index)", ""],
    [
      "an entry in a gap of its own side may be told otherwise itself",
      "    isComplete(reading.own(side, index)) &&\n    isComplete(side",
      "    isComplete(side"
    ],
    ["what is left waits for its twins", " && isComplete(reading.twins(side, index)) &&", " &&"],
    [
      "what is left waits for transfers of other accounts",
      "(at(deposits.account, index) < 0 || isComplete(reading.everyone(index)))",
      "index >= 0"
    ],
    [
      "what is left waits until it can no longer be late",
      "isComplete(side === \"deposit\" ? reading.deposit(index, \"late\") : reading.transfer(index, \"late\"))",
      "index >= 0"
    ],
    [
      "what a reference holds may be released",
      "(side, index, judgement) => worsen(known, nodeOf(side, index), judgement)",
      "() => undefined"
    ],
    [
      "a group waits for what may be released to it",
      "if (!isQuiet) worsen(all, index, { state: \"open\", missing: undefined })",
      ""
    ]
  ]),
  ...of("internal/matching/Held.ts", final, [
    [
      "what a reference holds may be released to unlike amounts where amounts may differ",
      "AmountRule.areUnlike(ledger.policy)",
      "AmountRule.areUnlike({ ...ledger.policy, fees: [], per: [], tolerance: { ...ledger.policy.tolerance, absolute: \"0\", relative: \"0\" } })"
    ]
  ])
]
