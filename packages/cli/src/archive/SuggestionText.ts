/** Suggestions for the policy, in words and as JSON. */
import type * as PolicySuggestions from "@tallystick/archive/PolicySuggestions"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Suggestion from "@tallystick/reconcile/Suggestion"
import * as BacktestTable from "@tallystick/report/BacktestTable"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Text from "@tallystick/report/text/Text"
import * as Times from "@tallystick/report/text/Times"

/** So many decisions, and so many outcomes, are named; the JSON has all. */
const NAMED = 10

const some = (parts: ReadonlyArray<string>): string =>
  Text.listed(
    parts.length > NAMED ? [...parts.slice(0, NAMED), `${Text.count(parts.length - NAMED)} more`] : parts
  )

const of = (asset: string | undefined, network?: string): string =>
  asset === undefined ? "" : ` of ${asset}${network === undefined ? "" : ` on ${network}`}`

/** Says what the links have in common, as the rest of a sentence. */
const shape = (found: Suggestion.Shape): string => {
  switch (found.code) {
    case "fee":
      return `each transfer is less than its deposit${of(found.asset)} by ${found.flat}`
    case "share":
      return `each transfer is less than its deposit${of(found.asset)} by the share ${found.rate}${
        found.rounding === "0" ? "" : `, but for a rounding of ${found.rounding} at most`
      }`
    case "difference":
      return `the amounts of transfers and of their deposits${
        of(found.asset, found.network)
      } differ by ${found.absolute} at most`
    case "late":
      return `the transfers come behind the window of their deposits${of(found.asset, found.network)}, ${
        Times.spelled(found.after)
      } after them at most`
    case "early":
      return `the transfers come before the window of their deposits${of(found.asset, found.network)} begins, ${
        Times.spelled(found.before)
      } ${found.before < 0 ? "after" : "before"} them at ${found.before < 0 ? "least" : "most"}`
    default:
      return `the names ${Text.listed(found.names)} are linked as one asset`
  }
}

const begun = (sentence: string): string => `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`

const counted = (links: ReadonlyArray<Suggestion.Link>): string =>
  `${Text.counted(links.length, "link")} (${links.length === 1 ? "decision" : "decisions"} ${
    some(links.map(({ decision }) => String(decision)))
  })`

const named = ({ amount, asset, id, side }: Entry.Entry): string =>
  `${side} ${id.length > 28 ? `${id.slice(0, 8)}…${id.slice(-8)}` : id} (${amount} ${asset})`

const outcome = ({ code, deposits, transfers }: Outcome.Outcome): string =>
  `${code}: ${some([...deposits, ...transfers].map(named))}`

const listed = (title: string, outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<string> => {
  if (outcomes.length === 0) return []
  const more = outcomes.length - NAMED
  return [
    `${title}:`,
    ...outcomes.slice(0, NAMED).map((one) => `  ${outcome(one)}`),
    ...(more > 0 ? [`  … and ${Text.count(more)} more; --format json has all`] : [])
  ]
}

const others = ({ besides, undone }: PolicySuggestions.Effects): ReadonlyArray<string> =>
  besides.length + undone.length === 0 ? ["Nothing else would be matched by it, and no other match undone."] : [
    ...listed(
      Text.counted(besides.length, "other outcome would be a match", "other outcomes would be matches"),
      besides
    ),
    ...listed(
      Text.counted(undone.length, "match of now would be none", "matches of now would be none"),
      undone
    )
  ]

/** Says where the line goes: a key that the policy has already gets another value. */
const place = (policy: object, line: object): string => {
  const known = Object.keys(line).filter((key) => key in policy)
  return known.length === 0 ? "" : `, in place of what it says of ${Text.listed(known)}`
}

/** The line of a suggestion, and what reports would say with it. */
const effects = (one: PolicySuggestions.Effects, line: object): ReadonlyArray<string> => [
  "",
  `  ${SafeJson.stringify(line)}`,
  "",
  BacktestTable.sentence(one.backtest),
  ...one.backtest.groups.map(({ after, before, count }) =>
    `  ${Text.counted(count, "entry", "entries")}: ${before ?? "out of range"} → ${after ?? "out of range"}`
  ),
  ...others(one)
]

const tried = (one: PolicySuggestions.Tried, policy: object): ReadonlyArray<string> => {
  const { line, links, shape: found } = one.suggestion
  return [
    `${begun(shape(found))} ${counted(links)} would not be needed with this in the policy${place(policy, line)}:`,
    ...effects(one, line)
  ]
}

/** Of two suggestions that have one key, the second would take the place of the first: this line has them all. */
const together = (one: PolicySuggestions.Together, count: number, policy: object): ReadonlyArray<string> => {
  const { needed, suggestion: { line, links } } = one
  const whose = needed.length === 1 ? "its" : "their"
  const all = count === 2 ? "Both suggestions" : `All ${Text.count(count)} suggestions`
  if (links.length === 0) {
    return [
      `${all} together: with them in one policy, all of these links would go on to be needed. This was tried with all of them taken ` +
      "back at once, and with those of one suggestion after the other."
    ]
  }
  return [
    `${all} together: ${counted(links)} would not be needed with this in the policy${place(policy, line)}:`,
    ...effects(one, line),
    ...(needed.length === 0
      ? []
      : [
        `Of the links above, ${
          counted(needed)
        } would go on to be needed: something else may be ${whose} counterpart then.`
      ])
  ]
}

/** The suggestions, and all of them together at the end, empty lines between two of them. `policy`: as its file writes it. */
export const text = (found: PolicySuggestions.Suggested, policy: object): string => {
  const { suggestions, together: all } = found
  const parts = [
    ...suggestions.map((one) => tried(one, policy)),
    ...(all === undefined ? [] : [together(all, suggestions.length, policy)])
  ]
  return `${parts.map((part) => part.map(Text.plain).join("\n")).join("\n\n\n")}\n`
}

const ids = (entries: ReadonlyArray<Entry.Entry>): ReadonlyArray<string> => entries.map(({ id }) => id)

const outcomeJson = ({ code, deposits, id, transfers }: Outcome.Outcome) => ({
  id,
  code,
  deposits: ids(deposits),
  transfers: ids(transfers)
})

const numbers = (links: ReadonlyArray<Suggestion.Link>): ReadonlyArray<number> => links.map(({ decision }) => decision)

const effectsJson = ({ backtest: { codes, entries, groups }, besides, undone }: PolicySuggestions.Effects) => ({
  backtest: { entries, codes, groups },
  besides: besides.map(outcomeJson),
  undone: undone.map(outcomeJson)
})

const togetherJson = (one: PolicySuggestions.Together) => ({
  line: one.suggestion.line,
  decisions: numbers(one.suggestion.links),
  needed: numbers(one.needed),
  ...effectsJson(one)
})

/** The same for programs: each suggestion with the numbers of its backtest, and with the matches that it would make besides or undo. */
export const json = ({ dropped, links, pairs, suggestions, together }: PolicySuggestions.Suggested): string =>
  `${
    SafeJson.stringify(
      {
        version: 1,
        links,
        pairs,
        suggestions: suggestions.map((one) => ({
          shape: one.suggestion.shape,
          line: one.suggestion.line,
          decisions: numbers(one.suggestion.links),
          ...effectsJson(one)
        })),
        ...(together === undefined ? {} : { together: togetherJson(together) }),
        dropped: dropped.map(({ suggestion: { links, shape }, unmatched }) => ({
          shape,
          decisions: numbers(links),
          unmatched
        }))
      },
      2
    )
  }\n`

/** Says what links have in common that the policy could not say well enough. */
const lost = ({ suggestion: { links, shape: found }, unmatched }: PolicySuggestions.Dropped): string =>
  `${counted(links)} have something in common (${shape(found)}), but the engine would not match ${
    unmatched === links.length ? "any" : Text.count(unmatched)
  } of them by itself: something else may be their counterpart`

/** Says what was looked at, whether anything was found, and what was dropped again. */
export const sentences = (
  { dropped, links, pairs, suggestions }: PolicySuggestions.Suggested
): ReadonlyArray<string> => {
  if (links === 0) return ["no link holds in this time: there is nothing that the policy could say in place of one"]
  const left = links - pairs
  const looked = `${Text.counted(links, "link holds", "links hold")}${
    left === 0 ? "" : `, ${Text.count(left)} of them of several deposits or transfers, which were not looked at`
  }`
  const none = dropped.length > 0
    ? "no suggestion"
    : "no three of them have something in common that the policy could say"
  return [
    suggestions.length === 0
      ? `${looked}; ${none}`
      : `${looked}; ${Text.counted(suggestions.length, "suggestion")}; nothing was changed`,
    ...dropped.map(lost)
  ]
}
