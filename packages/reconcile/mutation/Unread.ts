/** Rules about what becomes of entries that something unread could explain. */
import { of } from "./Mutation.ts"

const tests = ["/unreadQuery."]

export const unread = [
  ...of("internal/matching/leftovers/Unread.ts", tests, [
    [
      "no deposit is missing while another account was not read",
      "onlyGap(Timeline.worst([reading.everyone(index), reading.backwards(index)]))",
      "onlyGap(reading.backwards(index))"
    ],
    [
      "no deposit is missing while a way back to its account was not read",
      "onlyGap(Timeline.worst([reading.everyone(index), reading.backwards(index)]))",
      "onlyGap(reading.everyone(index))"
    ],
    [
      "another account that is not over decides no code",
      "judgement.state === \"gap\" ? judgement : Timeline.complete",
      "judgement"
    ],
    [
      "nothing is missing beside an open one of its account that was not read",
      "postponement.state === \"complete\" ? nearby[side].ofOneAccount(index, 1) : []",
      "[]"
    ],
    [
      "one of another or of unknown account explains no part",
      "at(deposits.account, deposit) >= 0 && deposits.account[deposit] === transfers.account[transfer] &&\n    ",
      ""
    ],
    [
      "a gap explains a part, and what is not over does not",
      "windows(side.side, index).state === \"gap\"",
      "windows(side.side, index).state !== \"complete\""
    ],
    ["a late transfer that was not read is told of", ", reading.deposit(index, \"late\")]", "]"],
    ["a late deposit that was not read is told of", "[reading.transfer(index, \"late\"), ", "["],
    ["a way back that was not read is told of", ", reading.cancelling(index)]", "]"],
    ["a twin that was not read is told of", "        reading.twins(side, index)\n", ""],
    ["what an entry was left with is told of", "Timeline.worst([chain(side, index), ", "Timeline.worst(["],
    ["what is open beside an entry is told of", ", ...nearby[side].any(index, 1).map((one) => chain(other, one))", ""]
  ]),
  ...of("internal/matching/Postponed.ts", tests, [
    [
      "a deposit waits for what a rule could not say of it",
      "for (const deposit of deposits) known.deposit.set(deposit, Timeline.worst([of(\"deposit\", deposit), worst]))",
      ""
    ],
    [
      "a transfer waits for what a rule could not say of it",
      "for (const transfer of transfers) known.transfer.set(transfer, Timeline.worst([of(\"transfer\", transfer), worst]))",
      ""
    ]
  ]),
  ...of("internal/matching/Reading.ts", tests, [
    [
      "an account of the list counts, though nobody asked for it",
      "asked.size === 0 || listed.length === 0 ? [] : scopesOf(undefined)",
      "[]"
    ],
    [
      "a query outside of the flows is not waited for",
      "Array.from(routes.values()).flat().filter(isInFlow)",
      "Array.from(routes.values()).flat()"
    ]
  ])
]
