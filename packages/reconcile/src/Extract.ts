/**
 * An extract carries some outcomes of a report, under the summary of all of them: its totals and counts stay those of the whole report.
 *
 * Its form is another one than that of a report: what it carries stands under `carried`, and `carries` says what that is and what is left
 * out. So no reader of reports takes it for a whole one.
 */
import * as Schema from "effect/Schema"
import * as Form from "./internal/report/Form.ts"
import * as Outcome from "./Outcome.ts"

/** Stands for the breaks that nobody accepted: the line `open` of the totals, and the state `open` of the books. */
const OPEN = "open"

/** Chooses outcomes: `open` those breaks that nobody accepted, a kind or a code all of its outcomes. */
export const Word = Schema.Literals([OPEN, ...Outcome.Kind.literals, ...Outcome.Code.literals])
export type Word = typeof Word.Type

/** Chooses everything that is no match. */
export const withoutMatches: ReadonlyArray<Word> = Outcome.Kind.literals.filter((kind) => kind !== "matched")

/** Says which outcomes an extract carries, and how many it leaves out. */
export class Carries extends Schema.Opaque<Carries>()(
  Schema.Struct({
    /** An outcome is carried if one of these words is for it: `open` (a break that nobody accepted), its kind, or its code. */
    only: Schema.Array(Word).annotateKey({
      description:
        "An outcome is carried if one of these words is for it: `open` (a break that nobody accepted), its kind, or its code."
    }),
    /** How many outcomes are left out, by code; those of other days count, too. */
    leftOut: Schema.Array(Schema.Struct({
      outcome: Outcome.Kind,
      code: Outcome.Code,
      outcomes: Schema.Int
    })).annotateKey({ description: "How many outcomes are left out, by code; those of other days count, too." })
  }).annotate({ identifier: "Carries" })
) {}

/** The end of a stream of outcomes of which some were left out. */
export class Ending extends Schema.Opaque<Ending>()(
  Schema.Struct({
    ...Form.Summary.fields,
    /** Which outcomes are carried, and how many are left out. */
    carries: Carries.annotateKey({ description: "Which outcomes are carried, and how many are left out." })
  }).annotate({
    identifier: "Ending",
    title: "Ending",
    description:
      "The summary of a report of which some outcomes are left out. Its numbers are those of the whole report."
  })
) {}

/** An extract: the summary of a report, and some of its outcomes. */
export class Extract extends Schema.Opaque<Extract>()(
  Schema.Struct({
    ...Ending.fields,
    /** The outcomes that are carried, in the order of the report. */
    carried: Schema.Array(Form.ReportOutcome).annotateKey({
      description: "The outcomes that are carried, in the order of the report."
    })
  }).annotate({
    identifier: "Extract",
    title: "Extract",
    description:
      "Some outcomes of a report. Its totals and counts are those of the whole report, and cannot be counted again from it."
  })
) {}

/** Whether one of the words is for the outcome. */
const isFor = (only: ReadonlyArray<Word>) => {
  const words = new Set<Word>(only)
  return ({ accepted, code, outcome }: Outcome.Outcome): boolean =>
    words.has(code) || words.has(outcome) ||
    (outcome === "discrepancy" && accepted === undefined && words.has(OPEN))
}

/** Lets outcomes through, one after the other, and counts those that it leaves out. */
export interface Sieve {
  /** Whether the outcome is carried; each outcome is asked for once. */
  readonly takes: (outcome: Outcome.Outcome) => boolean
  /** What was carried and left out so far. */
  readonly carries: () => Carries
}

/** Makes a sieve that carries the outcomes of these words. */
export const sieve = (only: ReadonlyArray<Word>): Sieve => {
  const isCarried = isFor(only)
  const leftOut = new Map<Outcome.Code, Carries["leftOut"][number]>()
  return {
    takes: (outcome) => {
      if (isCarried(outcome)) return true
      const { code, outcome: kind } = outcome
      leftOut.set(code, { outcome: kind, code, outcomes: (leftOut.get(code)?.outcomes ?? 0) + 1 })
      return false
    },
    carries: () => ({
      only,
      leftOut: Outcome.Code.literals.flatMap((code) => leftOut.get(code) ?? [])
    })
  }
}

/** Takes the outcomes of these words from a report. */
export const of = (report: Form.Report, only: ReadonlyArray<Word>): Extract => {
  const { outcomes, ...summary } = report
  const { carries, takes } = sieve(only)
  const carried = outcomes.filter(takes)
  return { ...summary, carries: carries(), carried }
}
