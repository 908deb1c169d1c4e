/**
 * What the policy could say so that links in the ledger would not have been needed, tried over what the archive keeps. It changes
 * neither the policy nor the ledger.
 */
import * as Amount from "@tallystick/core/Amount"
import type { InvalidRange } from "@tallystick/core/InvalidRange"
import * as Backtest from "@tallystick/reconcile/Backtest"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Policy from "@tallystick/reconcile/Policy"
import type { PolicyError } from "@tallystick/reconcile/PolicyError"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import * as Suggestion from "@tallystick/reconcile/Suggestion"
import * as Effect from "effect/Effect"
import type * as Archive from "./Archive.ts"
import type { SlicesError } from "./ArchiveError.ts"
import * as ArchiveReconciliation from "./ArchiveReconciliation.ts"
import * as Decision from "./Decision.ts"
import * as Decisions from "./Decisions.ts"

/** The policy as its file writes it, and the time, Unix ms, in which the links must lie and over which suggestions are tried. */
export interface Options extends Omit<Reconciliation.Asked, "policy"> {
  readonly policy: Policy.Decoded
}

/** What reports would say with a line in the policy. */
export interface Effects {
  /** Reports as they are, against those with the line and without the links that it covers. */
  readonly backtest: Backtest.Backtest
  /** What it would match besides: outcomes that are no match now, or one of other entries. */
  readonly besides: ReadonlyArray<Outcome.Outcome>
  /** Matches of now that it would undo. */
  readonly undone: ReadonlyArray<Outcome.Outcome>
}

/** A suggestion, and what reports would say with it. */
export interface Tried extends Effects {
  readonly suggestion: Suggestion.Suggestion
}

/** All suggestions in one policy, and what reports would say with it. */
export interface Together extends Effects {
  /** Its links are those that would not be needed. */
  readonly suggestion: Suggestion.Together
  /**
   * Links that one suggestion covers, and all of them together do not, because something else may be their counterpart then. The
   * backtest has them. Which of two links that exclude each other is needed is a choice: the one of the first suggestion is covered.
   */
  readonly needed: ReadonlyArray<Suggestion.Link>
}

/** Links have something in common, and the line that allows them does not make the engine match three of them. */
export interface Dropped {
  readonly suggestion: Suggestion.Suggestion
  /** So many of its links the engine would not match by itself, because something else may be their counterpart too. */
  readonly unmatched: number
}

export interface Suggested {
  /** So many links hold whose entries were all read. */
  readonly links: number
  /** So many of them are of one deposit and one transfer: the others were not looked at. */
  readonly pairs: number
  readonly suggestions: ReadonlyArray<Tried>
  /** All of them in one policy, where there are several. */
  readonly together?: Together
  /** These were found, and are no suggestions. */
  readonly dropped: ReadonlyArray<Dropped>
}

const keyOf = ({ id, side }: Pick<Entry.Entry, "id" | "side">): string => `${side} ${id}`

const membersOf = ({ deposits, transfers }: Outcome.Outcome): string =>
  [...deposits, ...transfers].map(keyOf).toSorted().join("\n")

const isSame = (entry: Entry.Entry, was: Decision.Subject): boolean =>
  entry.asset === was.asset && Amount.canonical(entry.amount) === Amount.canonical(was.amount)

/** Gives the links that hold and whose entries a report has, as they were when they were linked; each as a list of entries. */
const held = (decisions: ReadonlyArray<Decision.Decision>, { outcomes }: Report.Report) => {
  const known = new Map(
    outcomes.flatMap(({ deposits, transfers }) =>
      [...deposits, ...transfers].map((entry) => [keyOf(entry), entry] as const)
    )
  )
  return decisions.flatMap((decision) => {
    const { body } = decision
    if (body.kind !== "link" || !Decision.holds(decision)) return []
    const entries = body.entries.flatMap((was) => {
      const entry = known.get(keyOf(was))
      return entry !== undefined && isSame(entry, was) ? [entry] : []
    })
    return entries.length === body.entries.length ? [{ decision: body.number, entries }] : []
  })
}

const pairs = (links: ReturnType<typeof held>): ReadonlyArray<Suggestion.Link> =>
  links.flatMap(({ decision, entries }) => {
    const [deposits, transfers] = [
      entries.filter(({ side }) => side === "deposit"),
      entries.filter(({ side }) => side === "transfer")
    ]
    const [deposit, transfer] = [deposits[0], transfers[0]]
    return deposit === undefined || transfer === undefined || entries.length > 2
      ? []
      : [{ decision, deposit, transfer }]
  })

/** The revocations of links, as the ledger would have them. They are tried, and never written. */
const revoked = (links: ReadonlyArray<Suggestion.Link>): ReadonlyArray<Decision.Body> =>
  links.map(({ decision }) => ({
    kind: "revoke",
    decision,
    words: "tried without it",
    by: "policy suggest",
    identity: "claimed",
    at: 0,
    number: decision,
    previous: ""
  }))

type Result = Pick<Suggested, "dropped" | "suggestions">

const matches = ({ outcomes }: Report.Report): ReadonlyMap<string, Outcome.Outcome> =>
  new Map(outcomes.flatMap((outcome) => outcome.outcome === "matched" ? [[membersOf(outcome), outcome] as const] : []))

const pairOf = ({ deposit, transfer }: Suggestion.Link): string => [deposit, transfer].map(keyOf).toSorted().join("\n")

/** Runs with a line in the policy and without the links that it covers, and tells which of these the engine makes by itself. */
const trial = Effect.fnUntraced(function*(
  options: Options,
  before: Report.Report,
  { links, policy }: Suggestion.Together
) {
  const after = yield* ArchiveReconciliation.run({
    ...options,
    policy: Policy.resolve(policy),
    proposed: revoked(links)
  })
  const [matched, known] = [matches(after), matches(before)]
  const isMatched = (link: Suggestion.Link): boolean => matched.has(pairOf(link))
  const asked = new Set(links.map(pairOf))
  const effects: Effects = {
    backtest: Backtest.compare(before, after),
    besides: Array.from(matched).flatMap(([members, outcome]) =>
      known.has(members) || asked.has(members) ? [] : [outcome]
    ),
    undone: Array.from(known).flatMap(([members, outcome]) => matched.has(members) ? [] : [outcome])
  }
  return { covered: links.filter(isMatched), left: links.filter((link) => !isMatched(link)), effects }
})

/**
 * Tries a suggestion. Where the engine does not match one of the links by itself (something else may be its counterpart as well),
 * the suggestion is made anew for the others; it is dropped where nothing is left to suggest.
 */
const tried = (
  options: Options,
  before: Report.Report,
  suggestion: Suggestion.Suggestion
): Effect.Effect<Result, SlicesError | InvalidRange | PolicyError, Archive.Archive> =>
  Effect.gen(function*() {
    const { covered, effects, left } = yield* trial(options, before, suggestion)
    if (left.length === 0) return { suggestions: [{ suggestion, ...effects }], dropped: [] }
    const others = Suggestion.find(options.policy, covered)
    const suggestions = (yield* Effect.forEach(others, (other) => tried(options, before, other)))
      .flatMap(({ suggestions }) => suggestions)
    return { suggestions, dropped: suggestions.length === 0 ? [{ suggestion, unmatched: left.length }] : [] }
  })

/**
 * Tries all suggestions in one policy: first with all links taken back, then with those that the engine matched and those of one
 * suggestion after the other, because of two links the engine may match each while the other holds, and none without both. The links
 * that it does not match are left in the ledger.
 */
const together = Effect.fnUntraced(function*(
  options: Options,
  before: Report.Report,
  suggestions: ReadonlyArray<Tried>
): Effect.fn.Return<Together, SlicesError | InvalidRange | PolicyError, Archive.Archive> {
  const all = yield* Effect.fromResult(
    Suggestion.together(options.policy, suggestions.map(({ suggestion }) => suggestion))
  )
  const without = (links: ReadonlyArray<Suggestion.Link>) =>
    trial(options, before, Object.assign({}, all, { links: all.links.filter((link) => links.includes(link)) }))
  let found: Effect.Success<ReturnType<typeof without>> | undefined
  for (const links of [all.links, ...suggestions.map(({ suggestion }) => suggestion.links)]) {
    const covered = found?.covered ?? []
    let more = links.filter((link) => !covered.includes(link))
    while (more.length > 0) {
      const next = yield* without([...covered, ...more])
      if (next.left.length === 0) {
        found = next
        break
      }
      const matched = more.filter((link) => next.covered.includes(link))
      if (matched.length === more.length) break
      more = matched
    }
  }
  const { covered, effects } = found ?? (yield* without([]))
  const needed = all.links.filter((link) => !covered.includes(link))
  return { suggestion: Object.assign({}, all, { links: covered }), needed, ...effects }
})

/** Looks for what links of the ledger have in common, and tries each suggestion over the range, and all of them together. */
export const suggest = Effect.fnUntraced(function*(
  options: Options
): Effect.fn.Return<
  Suggested,
  SlicesError | InvalidRange | PolicyError,
  Archive.Archive | Decisions.Decisions
> {
  const decisions = yield* Decisions.Decisions.use(({ all }) => all)
  const before = yield* ArchiveReconciliation.run({ ...options, policy: Policy.resolve(options.policy) })
  const links = held(decisions, before)
  const single = pairs(links)
  const found = Suggestion.find(options.policy, single)
  const results = yield* Effect.forEach(found, (suggestion) => tried(options, before, suggestion))
  const suggestions = results.flatMap(({ suggestions }) => suggestions)
  return {
    links: links.length,
    pairs: single.length,
    suggestions,
    ...(suggestions.length < 2 ? {} : { together: yield* together(options, before, suggestions) }),
    dropped: results.flatMap(({ dropped }) => dropped)
  }
})
