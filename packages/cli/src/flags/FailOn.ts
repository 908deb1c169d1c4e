/** `--fail-on CODE,…`: which outcomes make a run fail. Without it, every one that keeps the books from agreeing. */
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Failure from "../Failure.ts"
import * as OutcomeWords from "./OutcomeWords.ts"

/** A part of the range that was not read: no outcome tells of it. */
export const UNREAD = "unread"

/** What people decided and the run could not follow, or a line of the policy that a decision contradicts. */
export const DECISIONS = "decisions"

/** What no outcome tells of. */
const others = [UNREAD, DECISIONS] as const

const kinds = Outcome.Kind.literals

const codes = Outcome.Code.literals

/** A code, all codes of a kind, `unread` or `decisions`. */
export type Word = Outcome.Kind | Outcome.Code | typeof others[number]

/** Everything that can be said, the kinds first. */
export const words: ReadonlyArray<Word> = [...kinds, ...others, ...codes]

/** The words of `--fail-on`; undefined where the flag is absent, and everything that keeps the books from agreeing counts. */
export const parse = (text: Option.Option<string>): Effect.Effect<ReadonlySet<Word> | undefined, Failure.Failure> =>
  Option.match(text, {
    onNone: () => Effect.undefined,
    onSome: (text) => Effect.map(OutcomeWords.parse("--fail-on", text, words, others), (words) => new Set<Word>(words))
  })

/** Something that was found, and how often. */
export interface Found {
  readonly word: Outcome.Code | typeof others[number]
  readonly count: number
}

export interface Judgement {
  /** The run fails on these. */
  readonly failing: ReadonlyArray<Found>
  /** These keep the books from agreeing, but the run does not fail on them. */
  readonly waived: ReadonlyArray<Found>
}

const isDoubt = ({ code, outcome }: Report.Count): boolean =>
  outcome === "discrepancy" || outcome === "undetermined" || code === "bad-record"

/**
 * Divides the outcomes of a run, but for those that a person accepted, into those that it fails on and those that are waived. Outcomes of other days count too: an entry of
 * the range stands in each of them.
 */
export const judge = (
  { counts, decisions, unread }: Pick<Report.Summary, "counts" | "decisions" | "unread">,
  asked: ReadonlySet<Word> | undefined
): Judgement => {
  const found = [
    ...counts.map((count) => ({
      word: count.code,
      count: Report.outcomesListed(Report.withoutAccepted(count)),
      isDoubt: isDoubt(count),
      isAsked: asked?.has(count.code) === true || asked?.has(count.outcome) === true
    })),
    ...others.map((word) => ({
      word,
      count: word === UNREAD ? unread.length : decisions?.faults.length ?? 0,
      isDoubt: true,
      isAsked: asked?.has(word) === true
    }))
  ].filter(({ count }) => count > 0)
  const fails = asked === undefined
    ? ({ isDoubt }: typeof found[number]) => isDoubt
    : ({ isAsked }: typeof found[number]) => isAsked
  const told = ({ count, word }: typeof found[number]): Found => ({ word, count })
  return {
    failing: found.filter(fails).map(told),
    waived: found.filter((one) => one.isDoubt && !fails(one)).map(told)
  }
}
