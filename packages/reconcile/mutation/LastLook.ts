/** Rules about what is not final because it may belong into another outcome. */
import { of } from "./Mutation.ts"

const looks = ["/lastLook.", "/rulesOracle."]

export const lastLook = [
  ...of("internal/matching/leftovers/LastLook.ts", looks, [
    ["nothing is final that may belong into another outcome", "finality: \"never\",", "finality: draft.finality,"],
    [
      "what may be late is looked for in every outcome",
      "    { parts: Unsettled.near(ledger, isDeposit, isForth), because: \"equal and within the horizon\" },\n",
      ""
    ],
    [
      "what went in the wrong direction is looked for in every outcome",
      "parts: Unsettled.equals(ledger, isDeposit, isBack)",
      "parts: []"
    ],
    [
      "what is of another account is looked for in every outcome",
      "parts: Unsettled.elsewhere(ledger, isDeposit, isForth)",
      "parts: []"
    ],
    [
      "what is in a pair is certain where nothing else is left",
      "mayBeFree(\"deposit\", deposit) || mayBeFree(\"transfer\", transfer)\n",
      "deposit >= 0 && transfer >= 0\n"
    ],
    [
      "what has its counterpart, whichever it is, is certain",
      "draft === undefined || draft[`${side}s`].length > (draft.matchedCount ?? 0)",
      "true"
    ],
    [
      "what shares a reference with its counterpart is certain",
      " &&\n      !(draft !== undefined && sharedOf(draft).has(at(reference, index)))",
      ""
    ]
  ]),
  ...of("internal/matching/Unsettled.ts", looks, [
    [
      "what is in a pair may fit as well from settling",
      "if (ledger.delayed.length === 0) return []",
      "if (ledger.delayed.length >= 0) return []"
    ],
    [
      "a transfer came after the deposit was last seen unsettled",
      "Math.max(ledger.unsettled(deposit) - before, after + 1)",
      "after + 1"
    ]
  ]),
  ...of("internal/matching/LonePairs.ts", ["/lastLook.", "/lonePairs."], [
    [
      "a deposit that settled later is near to what came then",
      "apart(other, node) > reach",
      "Math.abs(other.entry.at - node.entry.at) > reach"
    ],
    ["a deposit that settled later is in no lone pair", " && until === entry.at\n", "\n"]
  ])
]
