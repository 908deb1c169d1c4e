/** Rules about which entries may belong together, and by what amounts. */
import { of } from "./Mutation.ts"

const rules = ["/accepted.", "/rules.", "/codes."]
const policies = ["/accepted.", "/rules.", "/codes.", "/policy.", "/policyRules."]
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
      "Math.max(Math.max(amount, most(amounts)) + rate, other)",
      "Math.max(amount, most(amounts), other)"
    ]
  ]),
  ...of("internal/matching/AmountRule.ts", ["/grouped.", "/groupedProperties."], [
    ["the flat part of a fee counts once a transfer", "* BigInt(transfers)", ""]
  ]),
  ...of("internal/policy/Rules.ts", policies, [
    [
      "a fee of the asset replaces the general one",
      "byAsset.get(asset) ?? byAsset.get(undefined)",
      "byAsset.get(undefined)"
    ],
    ["a fee of another asset does not count", "byAsset.get(undefined) ?? []", "policy.fees"],
    ["a rule may hold for one network", "per.network === undefined || per.network === network", "true"],
    [
      "a rule holds for one asset",
      "Map.groupBy(policy.per, ({ asset }) => asset)",
      "new Map([...policy.per].map(({ asset }) => [asset, policy.per]))"
    ]
  ]),
  ...of("Policy.ts", policies, [
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
  ...of("internal/matching/AmountAssignment.ts", ["/unlike.", ...words], [
    [
      "what weak evidence preferred leaves a doubt",
      "isDoubtful: reason !== undefined && weak.has(reason)",
      "isDoubtful: false"
    ],
    [
      "an equal amount is no proof where amounts may differ",
      "(deciders === \"amounts\" || fit.fee !== undefined)",
      "true"
    ],
    [
      "bearers of one reference are told apart where one of them is equal",
      "(deciders === \"amounts\" || fit.fee !== undefined)",
      "fit.fee !== undefined"
    ],
    ["what is exactly what a fee leaves is no proof", "new Set([\"equal\", ", "new Set(["],
    ["a residual at the size is no noise", "cost < amounts.noise(deposit)", "cost <= amounts.noise(deposit)"],
    [
      "candidates come in order of their residuals",
      "return Array.from(new Set(few.flat())).toSorted(order)",
      "return few.flat()"
    ],
    ["the nearest candidates of an entry are named", "if (last !== undefined && order(last, edge) <= 0) continue", ""]
  ]),
  ...of("internal/kernel/UnlikePairs.ts", ["/unlike.", ...words], [
    ["what every maximum matching holds is forced", "if (u8(best.everyMaximum, edge) === 1) return forced", ""],
    ["what not every best assignment holds is not stated", "if (u8(best.everyOptimum, edge) === 0) return 0", ""],
    ["what leaves no residual is paired as equal amounts are", "if (ofZeros().isForced(edge)) return equal", ""],
    ["time decides among what leaves no residual", "if (ofZeros().isByTime(edge)) return equalAndTime", ""],
    [
      "a residual that is no noise decides nothing",
      "let isOnly = u8(isNoise, edge) === 1",
      "let isOnly = u8(isNoise, edge) < 2"
    ],
    [
      "noise decides nothing against noise, nor against an equal residual",
      "isOnly = u8(isNoise, rival) === 0 && (residual[rival] ?? 0) > (residual[edge] ?? 0)",
      "isOnly = true"
    ],
    [
      "what time decides is in every pairing that is nearest in time",
      "Decisive.nearest(graph, lags, time, edge) !== undefined &&\n      u8(solved().everyOptimum, edge) === 1",
      "Decisive.nearest(graph, lags, time, edge) !== undefined"
    ],
    [
      "times do not tell bearers of one reference apart that differ alike",
      "secondary: rules === undefined ? new Float64Array(lag.length) : lag",
      "secondary: lag"
    ]
  ]),
  ...of("internal/kernel/Decisive.ts", ["/unlike.", ...words], [
    [
      "a rival in a list of pairs is too near at just the ratio",
      "f64(lags, rival) > ratio * f64(lags, edge)",
      "f64(lags, rival) >= ratio * f64(lags, edge)"
    ],
    [
      "as many rivals as allowed are allowed in a list of pairs",
      "isDecisive = count <= rivals",
      "isDecisive = count < rivals"
    ],
    [
      "too many rivals in a list of pairs decide nothing",
      "isDecisive = count <= rivals",
      "isDecisive = count <= Infinity"
    ]
  ]),
  ...of("internal/matching/tiers/Tolerant.ts", ["/unlike.", ...words], [
    [
      "equal amounts are decided among all candidates where an unlike one hangs together with them",
      "accept, isUnlike(run.ledger))",
      "accept, (some) => isUnlike(run.ledger)(some) && some.deposits.every((deposit) => some.transfers.every((transfer) => run.ledger.deposits.amountClass[deposit] !== run.ledger.transfers.amountClass[transfer])))"
    ],
    [
      "equal amounts that nothing unlike hangs together with are as without a tolerance",
      "accept, isUnlike(run.ledger))",
      "accept)"
    ]
  ]),
  ...of("internal/matching/tiers/Exact.ts", words, [
    ["a lone pair is within its window", "if (lag < -before || lag > after) return", ""],
    [
      "a class whose rules differ is no matter of one window",
      "if (window.after !== after || window.before !== before ||",
      "if ("
    ],
    ["a class with a forbidden pair is no matter of the window alone", "(filtered && isForbidding(deposit))", "false"]
  ])
]
