/** Rules about which entries may belong together, and by what amounts. */
import { of } from "./Mutation.ts"

const rules = ["/accepted.", "/rules.", "/codes."]
const policies = ["/accepted.", "/rules.", "/codes.", "/policy."]
const words = [
  "/rules.",
  "/codes.",
  "/discrepancies.",
  "/coverage.",
  "/properties.",
  "/accepted.",
  "/direction.",
  "/byHand.",
  "/edges.",
  "/doubt.",
  "/leftovers."
]

export const candidates = [
  ...of("internal/matching/AmountRule.ts", rules, [
    ["a strict tolerance excludes its own bound", "const strict = tolerance.inclusive ? 0n : 1n", "const strict = 0n"],
    [
      "a strict share excludes its own bound above",
      "tolerance.inclusive ? floor(over, under) : ceil(over, under) - 1n",
      "floor(over, under)"
    ],
    [
      "a strict share excludes its own bound below",
      "tolerance.inclusive ? ceil(over, under) : floor(over, under) + 1n",
      "ceil(over, under)"
    ],
    [
      "an absolute tolerance above is at most its share of the amount",
      "smaller(absolute - strict, most(net * share.over, share.under))",
      "(absolute - strict)"
    ],
    [
      "an absolute tolerance below is at most its share of the amount",
      "larger(net - absolute + strict, least(net * share.under, share.under + share.over))",
      "(net - absolute + strict)"
    ],
    ["the base may be the transfer", "tolerance.base === \"transfer\"", "tolerance.base === \"larger\""],
    ["the base may be the deposit", "if (tolerance.base === \"deposit\") {", "if (tolerance.base === \"larger\") {"],
    [
      "the larger of absolute and relative counts above",
      "larger(net, larger(absoluteHigh, relativeHigh))",
      "larger(net, absoluteHigh)"
    ],
    [
      "the larger of absolute and relative counts below",
      "smaller(absoluteLow, relativeLow)",
      "absoluteLow"
    ],
    ["equal amounts always pass", "larger(smaller(net, smaller(", "larger(smaller(net + 1n, smaller("],
    ["a fee leaves something over", "return net > 0n ? [{ net, fee }] : []", "return [{ net, fee }]"],
    ["a fee has a rate", "- (deposit * over) / under", ""],
    ["a fee has a flat part", "- Amount.units(fee.flat, scale) * BigInt(transfers)", ""],
    [
      "the smaller residual counts",
      "magnitude(residual) < magnitude(best.residual)",
      "magnitude(residual) > magnitude(best.residual)"
    ],
    [
      "of equal residuals the tolerance comes before the fee",
      "magnitude(residual) < magnitude(best.residual)",
      "magnitude(residual) <= magnitude(best.residual)"
    ],
    [
      "only what the tolerance accepts explains a residual",
      "nearest(fitting, transfer)",
      "nearest(expected, transfer)"
    ],
    [
      "a bound is as exact as rates and amounts together",
      "Math.max(amountDigits + rateDigits, otherDigits)",
      "Math.max(amountDigits, otherDigits)"
    ]
  ]),
  ...of("internal/matching/AmountRule.ts", ["/grouped.", "/groupedProperties."], [
    ["the flat part of a fee counts once a transfer", "* BigInt(transfers)", ""]
  ]),
  ...of("Policy.ts", policies, [
    ["a fee of the asset replaces the general one", "return own.length > 0 ? own : policy", "return policy"],
    ["a fee of another asset does not count", "policy.fees.filter((fee) => fee.asset === undefined)", "policy.fees"],
    ["a rule may hold for one network", "(per.network === undefined || per.network === network)", "true"],
    ["a rule holds for one asset", "per.asset === asset &&", ""],
    ["a status that nobody knows is never settled", "\"pending\" : \"unknown\"", "\"pending\" : \"settled\""]
  ]),
  ...of("internal/matching/Ledger.ts", words, [
    [
      "entries of known accounts match only within them",
      "!(left >= 0 && right >= 0 && left !== right) && allowed",
      "allowed"
    ],
    ["what is forbidden is matched in no tier", "forbidden.get(deposit)?.has(transfer) !== true", "true"],
    [
      "an entry without a reference contradicts nothing where references have to agree",
      "(policy.reference === \"only\" || (key >= 0 && other >= 0))",
      "true"
    ],
    ["an empty reference is none", " && entry.reference !== \"\"", ""],
    ["only what is settled can match", "counts && settled ? 1 : 0", "counts ? 1 : 0"],
    ["only what is in a flow can match", "counts && settled ? 1 : 0", "settled ? 1 : 0"],
    ["what did not settle went no way", "!counts && settled && isAgainst(entry)", "!counts && isAgainst(entry)"],
    [
      "amounts are equal however they are written",
      "Amount.canonical(entry.amount)",
      "entry.amount"
    ],
    [
      "assets that the policy calls equal are equal",
      "const representative = Policy.aliasOf(policy)",
      "const representative = (asset: string): string => asset"
    ],
    [
      "amounts are equal within one asset",
      "names.amountClasses.of(`${group} ",
      "names.amountClasses.of(`"
    ],
    [
      "an address in the book names the account",
      "found === undefined ? undefined : direction.canonical(found)",
      "undefined"
    ]
  ]),
  ...of("internal/matching/Ledger.ts", ["/certain."], [
    [
      "a transfer waits for the widest window that any deposit may have",
      "Math.max(...inForce.map(({ window }) => window.after))",
      "policy.window.after"
    ]
  ]),
  ...of("internal/matching/CandidateIndex.ts", words, [
    ["an unknown account is compatible with a known one", "return [...of(account), ...of(-1)]", "return of(account)"],
    [
      "the window begins with its first ms, whoever may be meant",
      "candidates.items, time - before)",
      "candidates.items, time - before + 1)"
    ],
    [
      "the window ends with its last ms, whoever may be meant",
      "candidates.items, time + after + 1)",
      "candidates.items, time + after)"
    ],
    [
      "where references have to agree, one without fits all",
      "return [...of(reference)(index), ...of(-1)(index)]",
      "return of(reference)(index)"
    ]
  ]),
  ...of("internal/matching/Direction.ts", words, [
    [
      "FUTURE and FUTURES are one account type",
      "AccountType.canonical(toType) === AccountType.canonical(to)",
      "toType === to"
    ],
    ["the star of a flow is not the master account", "boolean => name !== MASTER", "boolean => name !== \"\""],
    ["of a vouched list, the star is only who is listed", "accounts.complete && listed.size > 0", "listed.size > 0"],
    ["a flow may name account types", "types === undefined ||\n", "types !== null ||\n"],
    ["backwards, the types are turned around as well", "fromType: toType, toType: fromType", "fromType, toType"],
    [
      "unknown ends contradict nothing",
      "return route === undefined || isInFlow(route)",
      "return route !== undefined && isInFlow(route)"
    ]
  ]),
  ...of("internal/matching/SetAside.ts", words, [
    [
      "the least amount itself is looked at",
      "Amount.units(amount, scale) < Amount.units",
      "Amount.units(amount, scale) <= Amount.units"
    ],
    ["an exclusion may name a side", "only !== undefined && only !== side.side", "false"],
    ["the least amount holds for equal assets, too", "for (const name of names) least.set(name, shared)", ""],
    [
      "an own least amount goes before that of an equal asset",
      "for (const [asset, amount] of bounds) least.set(asset, amount)",
      ""
    ],
    [
      "what goes a flow's way backwards is left for later",
      "=== \"settled\" && side.against[index] !== 1",
      "=== \"settled\""
    ],
    ["what has not settled is out of no flow", "entry.status === \"settled\" && side", "side"]
  ]),
  ...of("internal/matching/Links.ts", words, [
    ["a link joins one asset", "groups.size > 1 || keys", "keys"],
    ["what a link names is not missing", "else partial.push({ deposits: left, transfers: right, absent })", ""]
  ]),
  ...of("internal/matching/tiers/Reference.ts", words, [
    ["references may be ignored", "policy.reference === \"ignore\"", "policy === undefined"],
    ["times do not tell bearers of one reference apart", "\"amounts\")", "\"amounts-and-time\")"]
  ]),
  ...of("internal/matching/tiers/Reference.ts", ["/leftovers."], [
    ["late bearers wait until both windows are read", "if (unread.length > 0) {", "if (unread.length > 99) {"],
    [
      "several late bearers of a reference are suspect",
      "if (deposits.length > 1 || transfers.length > 1) {",
      "if (deposits.length > 2) {"
    ]
  ]),
  ...of("internal/matching/AmountAssignment.ts", words, [
    ["a residual decides whatever the times", "if (isByAmount(edge)) return \"amount\"", ""],
    [
      "a rival at just the ratio is too near to tell amounts apart",
      "at(lags, other) > ratio * at(lags, edge)",
      "at(lags, other) >= ratio * at(lags, edge)"
    ],
    ["as many rivals as allowed are allowed for unlike amounts", "equals.length <= rivals", "equals.length < rivals"],
    [
      "what differs more is no rival in time",
      "rivalsOf(edge).filter((other) => item(costs, other) <= item(costs, edge))",
      "rivalsOf(edge)"
    ],
    ["what not every optimum holds is not stated", "if (result.everyOptimum[edge] === 1) {", "if (edge >= 0) {"],
    ["what every maximum matching holds is forced", "if (result.everyMaximum[edge] === 1) return \"forced\"", ""],
    [
      "what time alone preferred leaves a doubt",
      "isDoubtful: preferred !== undefined && item(costs, edge) <= item(costs, preferred)",
      "isDoubtful: false"
    ]
  ]),
  ...of("internal/matching/tiers/Exact.ts", words, [
    ["a lone pair is within its window", "if (lag < -before || lag > after) return", ""],
    [
      "too many rivals of several accounts decide nothing",
      "if (rivals.length > ambiguity.rivals) return undefined",
      ""
    ],
    [
      "a rival of another account at just the ratio is too near",
      "at(lags, rival) <= ambiguity.ratio * at(lags, edge)",
      "at(lags, rival) < ambiguity.ratio * at(lags, edge)"
    ],
    [
      "a class whose rules differ is no matter of one window",
      "if (window.after !== after || window.before !== before ||",
      "if ("
    ],
    ["a class with a forbidden pair is no matter of the window alone", "(filtered && isForbidding(deposit))", "false"]
  ])
]
