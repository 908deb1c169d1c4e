/** Rules about entries whose past speaks against them. */
import { of } from "./Mutation.ts"

const past = ["/past."]

export const pasts = [
  ...of("Past.ts", past, [
    [
      "a conflict is graver than anything",
      "if (past.conflicts !== undefined && past.conflicts.length > 0) return \"source-conflict\"",
      ""
    ],
    [
      "no conflict is none",
      "past.conflicts !== undefined && past.conflicts.length > 0",
      "past.conflicts !== undefined"
    ],
    ["what vanished is in doubt", "if (past.vanishedAt !== undefined) return \"vanished\"", ""],
    ["what is settled now is matched, whatever it was", "if (status === \"settled\") return undefined", ""],
    ["what was settled does not go back", "wasBefore(past, \"settled\") ||", ""],
    [
      "what failed is not waiting again",
      "(status !== \"failed\" && wasBefore(past, \"failed\"))",
      "false"
    ],
    [
      "what failed may stay so",
      "(status !== \"failed\" && wasBefore(past, \"failed\"))",
      "wasBefore(past, \"failed\")"
    ]
  ]),
  ...of("EntryReader.ts", ["/entryReader."], [
    ["nobody's file knows a past", "if (claimsPast(row.value)) return refuse(problem(\"past\", PAST))", ""]
  ]),
  ...of("internal/report/EntryJson.ts", past, [
    ["a report keeps the past", "if (past !== undefined) whole.past = past", ""]
  ]),
  ...of("internal/matching/Intake.ts", past, [
    ["of two pasts the graver counts", "of(a) - of(b) ||", "of(b) - of(a) ||"]
  ]),
  ...of("internal/matching/LonePairs.ts", ["/lonePairs."], [
    [
      "a lone pair has no past that speaks against it",
      " && Past.objection(entry.status, entry.past) === undefined",
      ""
    ]
  ]),
  ...of("internal/matching/Ledger.ts", past, [
    ["what is in doubt is not matched", " && objection === undefined", ""]
  ]),
  ...of("internal/matching/SetAside.ts", past, [
    ["what is in doubt is not out of the flows", "!side.objections.has(index)", "index >= 0"]
  ]),
  ...of("internal/matching/Decision.ts", past, [
    [
      "what vanished comes before a failed attempt",
      "  objections(run, drafts, contents)\n  failedAttempt(run)",
      "  failedAttempt(run)\n  objections(run, drafts, contents)"
    ],
    [
      "who is short beside what is in dispute says so",
      "besideDisputed(ledger, disputed, lastLook(run, drafts))",
      "lastLook(run, drafts)"
    ]
  ]),
  ...of("internal/matching/Unsettled.ts", past, [
    [
      "what moved outside the flows is nobody's counterpart",
      " && open[index] === 1 && inFlow[index] === 1\n",
      " && open[index] === 1\n"
    ],
    [
      "what vanished takes its counterpart with it",
      "equals(ledger, (deposit) => Ledger.isFree(ledger.deposits, deposit), objected(ledger.transfers, code))",
      "[]"
    ],
    [
      "a deposit that vanished takes its counterpart with it",
      "equals(ledger, objected(ledger.deposits, code), (transfer) => Ledger.isFree(ledger.transfers, transfer))",
      "[]"
    ]
  ]),
  ...of("internal/matching/leftovers/Objections.ts", [...past, "/growth.", "/incremental."], [
    [
      "what vanished comes before what went back",
      "[\"vanished\", \"status-regressed\"] as const",
      "[\"status-regressed\", \"vanished\"] as const"
    ],
    [
      "what is in doubt says where its counterparts went",
      "wentTo(side, index)))",
      "[]))"
    ]
  ]),
  ...of("internal/matching/leftovers/Disputed.ts", past, [
    ["what the policy names is not in dispute", "open[index] !== 1 || ", ""],
    [
      "a version of another account is no counterpart",
      "account === undefined || version.account === undefined || account === version.account",
      "true"
    ],
    [
      "what is forbidden is no counterpart in dispute",
      "return ledger.compatible(deposit, transfer) && Mismatch",
      "return Mismatch"
    ],
    [
      "every content of a conflict may be what is missing",
      "for (const other of others) if (other.entry !== undefined) add(other.entry, reason, true, index, false)",
      ""
    ]
  ]),
  ...of("internal/matching/leftovers/BesideDisputed.ts", past, [
    [
      "nothing lacking is final beside a conflict",
      "finality: isConflict ? \"never\" : draft.finality",
      "finality: draft.finality"
    ],
    [
      "what is in dispute may be the counterpart instead",
      "...(Lacking.short.has(draft.code) || Lacking.instead.has(draft.code)",
      "...(Lacking.short.has(draft.code)"
    ],
    ["what is its own is not beside it", ".filter((candidate) => !members.has(key(candidate)))", ""]
  ])
]
