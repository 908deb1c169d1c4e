/** Decides a part of a run, and puts the report together from the parts. A run that is not split is one part. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import * as DateTime from "effect/DateTime"
import type * as Entry from "../Entry.ts"
import { NotParts } from "../NotParts.ts"
import type * as Outcome from "../Outcome.ts"
import type * as Partition from "../Partition.ts"
import type * as Policy from "../Policy.ts"
import { PolicyError } from "../PolicyError.ts"
import type * as Report from "../Report.ts"
import * as Accepting from "./Accepting.ts"
import * as Asides from "./engine/outcomes/Asides.ts"
import * as Outcomes from "./engine/outcomes/Outcomes.ts"
import * as Whole from "./engine/stream/Whole.ts"
import type * as Work from "./engine/stream/Work.ts"
import * as Links from "./engine/tiers/Links.ts"
import * as Words from "./explain/Words.ts"
import * as Collector from "./report/Collector.ts"
import * as QuestionDigest from "./report/QuestionDigest.ts"
import * as Seen from "./report/Seen.ts"
import * as Statistics from "./report/Statistics.ts"
import type * as Sums from "./report/Sums.ts"
import * as Share from "./Share.ts"
import * as Steps from "./Steps.ts"

/** What a run is about, whichever part of it. */
export interface About extends Collector.About {
  readonly asOf?: number | undefined
  readonly accepted?: Accepting.Accepting | undefined
}

/** The entries of a part, and what it has to know of the whole. */
export interface Part {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  readonly bad: Readonly<Record<Entry.Side, number>>
}

/** What became of a part. */
export interface Decided {
  readonly sums: Sums.Summed
  /** Ordered by (earliest time, id). */
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
}

// Decides the entries of a part, and sums up their outcomes.
export const decide = function*(
  { bad, ...part }: Part,
  { accepted, ...about }: About,
  work: Work.Work
): Steps.Steps<Decided> {
  const unusable = { deposit: bad.deposit > 0, transfer: bad.transfer > 0 }
  const { outcomes: decided, repeated } = yield* Whole.match({ ...about, ...part, unusable }, work)
  const outcomes = Accepting.marked(decided, accepted)
  const collector = Collector.make(about)
  yield* Steps.forEach(outcomes, (outcome) => {
    collector.add(outcome)
    work.finish("summed", outcome.deposits.length + outcome.transfers.length)
  })
  return { sums: { outcomes: collector.sums(), entries: Seen.of({ ...about, ...part }, repeated) }, outcomes }
}

/** What is known of a run beside its parts. */
interface Run {
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
}

/** Adds up the parts of a run. The outcomes are those of its bad records, which are in no part. */
export const summed = (sums: ReadonlyArray<Sums.Summed>, about: About, { bad, coverage }: Run) => {
  const outcomes = Accepting.marked(Asides.ofBad(bad), about.accepted)
  const collector = Collector.make(about)
  for (const outcome of outcomes) collector.add(outcome)
  const seen = Seen.merge(sums.map(({ entries }) => entries))
  const summary = Collector.summary([...sums.map((part) => part.outcomes), collector.sums()], {
    ...about,
    coverage,
    warnings: Seen.warnings(about.policy, seen, bad.length)
  })
  return { summary, outcomes }
}

/** Puts the report of a run together from its parts. */
export const report = (parts: ReadonlyArray<Decided>, about: About, run: Run): Report.Report => {
  const { outcomes: ofBad, summary } = summed(parts.map(({ sums }) => sums), about, run)
  const outcomes = Outcomes.inOrder(parts.flatMap((part) => part.outcomes))
  return { ...summary, outcomes: [...outcomes, ...ofBad] }
}

const sides = ["deposit", "transfer"] as const

const counted = (counts: Readonly<Record<Entry.Side, number>>): string =>
  `${Words.count(counts.deposit, "deposit")} and ${Words.count(counts.transfer, "transfer")}`

/** Says that there are other numbers of unusable records than there should be; nothing where they agree. */
const unlike = (
  came: Readonly<Record<Entry.Side, number>>,
  wanted: Readonly<Record<Entry.Side, number>>
): NotParts | undefined =>
  sides.every((side) => came[side] === wanted[side]) ? undefined : new NotParts({
    reason: "bad",
    detail: `of records that could not be used, ${counted(came)} came, and the run has ${counted(wanted)}`
  })

const named = (assets: ReadonlyArray<string>): string => assets.map((asset) => JSON.stringify(asset)).join(", ")

const written = (time: number): string => DateTime.formatIso(DateTime.makeUnsafe(time))

const spanned = ({ from, to }: Partition.Times): string =>
  from !== undefined && to !== undefined
    ? ` from ${written(from)} to ${written(to)}`
    : from !== undefined
    ? ` from ${written(from)} on`
    : to !== undefined
    ? ` before ${written(to)}`
    : ""

/** Names assets, and the times where these are not all. */
const shared = ({ assets, times }: Share.Share): string => `${named(assets)}${spanned(times)}`

/** Finds a stretch of a family that is not in one part, and in one part alone, with all of the family's assets. */
const torn = (sums: ReadonlyArray<Share.Share>, { families }: Partition.Whole): NotParts | undefined => {
  const owns = sums.map(({ assets, times }) => ({ own: new Set(assets), times }))
  for (const { assets, stretches } of families) {
    const ofFamily = owns.filter(({ own }) => assets.some((asset) => own.has(asset)))
    for (const times of stretches) {
      const holders = ofFamily.filter((part) => Share.meet(part.times, times))
      const [first] = holders
      const isWhole = first !== undefined && assets.every((asset) => first.own.has(asset)) &&
        Share.spans(first.times, times)
      if (isWhole && holders.length === 1) continue
      const stretch = `the family of ${shared({ assets, times })}`
      const detail = first === undefined
        ? `none of them has ${stretch}`
        : holders.length === 1
        ? `one of them has some of ${stretch}, and not all`
        : `${holders.length} of them have some of ${stretch}`
      return new NotParts({ reason: "family", detail })
    }
  }
  return undefined
}

/** Finds a part that has more or fewer entries than the stretches of its families. */
const lacking = (sums: ReadonlyArray<Report.Sums>, { families }: Partition.Whole): NotParts | undefined => {
  for (const part of sums) {
    const own = new Set(part.assets)
    const wanted = families
      .filter(({ assets }) => assets.some((asset) => own.has(asset)))
      .flatMap(({ stretches }) => stretches.filter((stretch) => Share.meet(part.times, stretch)))
      .reduce((sum, { entries }) => sum + entries, 0)
    const { deposit, transfer } = part.entries
    const came = deposit.entries + transfer.entries
    if (came === wanted) continue
    const detail = `${Words.count(came, "entry", "entries")} of ${shared(part)} came, and the run has ${wanted}`
    return new NotParts({ reason: "entries", detail })
  }
  return undefined
}

/** Finds a part whose outcomes are not those that its sums count. */
export const foreign = (parts: ReadonlyArray<Report.Part>): NotParts | undefined => {
  for (const { outcomes, sums } of parts) {
    const isOwn = Share.holds(sums)
    const counted = sums.outcomes.counts.reduce((sum, count) => sum + Statistics.outcomesListed(count), 0)
    const isWhole = outcomes.length === counted &&
      outcomes.every(({ deposits, transfers }) => deposits.every(isOwn) && transfers.every(isOwn))
    if (isWhole) continue
    const detail = `a part of ${shared(sums)} has ${
      Words.count(outcomes.length, "outcome")
    }, and its sums count ${counted} of these entries`
    return new NotParts({ reason: "outcomes", detail })
  }
  return undefined
}

export const countOf = (bad: ReadonlyArray<BadRecord.BadRecord>): Readonly<Record<Entry.Side, number>> => ({
  deposit: bad.filter(({ side }) => side === "deposit").length,
  transfer: bad.filter(({ side }) => side === "transfer").length
})

/** Returns the error of a run that was surveyed by another policy or for other accounts; `undefined` where it was not. */
export const surveyedOtherwise = (
  about: Pick<About, "accounts" | "policy">,
  { rules }: Partition.Whole
): NotParts | undefined => {
  const own = QuestionDigest.ofRules(about)
  if (own === rules) return undefined
  const detail = `the run was surveyed with a policy and accounts that have the digest ${rules}, and these have ${own}`
  return new NotParts({ reason: "question", detail })
}

/** Returns the error of a part that reads more bad records than its run has; `undefined` where it does not. */
export const unforeseen = (
  bad: ReadonlyArray<BadRecord.BadRecord>,
  whole: Partition.Whole
): NotParts | undefined => {
  const came = countOf(bad)
  return sides.every((side) => came[side] <= whole.bad[side]) ? undefined : unlike(came, whole.bad)
}

/** Returns the error of parts that do not make the run of this question, or of links between different assets in it. */
export const invalid = (
  sums: ReadonlyArray<Report.Sums>,
  question: string,
  policy: Policy.Resolved,
  { bad, whole }: { readonly bad: ReadonlyArray<BadRecord.BadRecord>; readonly whole: Partition.Whole }
): NotParts | PolicyError | undefined => {
  const other = sums.find((one) => one.question !== question)
  if (other !== undefined) {
    const detail = `a part was asked what has the digest ${other.question}, and the merge what has ${question}`
    return new NotParts({ reason: "question", detail })
  }
  const { deposit, transfer } = Seen.merge(sums.map(({ entries }) => entries))
  const issues = Links.issues(policy, deposit.linked, transfer.linked)
  return unlike(countOf(bad), whole.bad) ??
    torn(sums, whole) ??
    lacking(sums, whole) ??
    (issues.length === 0 ? undefined : new PolicyError({ issues }))
}
