/** Decides a part of a run, and puts the report together from the parts. A run that is not split is one part. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../Entry.ts"
import { NotParts } from "../NotParts.ts"
import type * as Outcome from "../Outcome.ts"
import * as Partition from "../Partition.ts"
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
import * as Seen from "./report/Seen.ts"
import type * as Sums from "./report/Sums.ts"
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

/** Says that there are other numbers of something than there should be; nothing where they agree. */
const unlike = (
  reason: "entries" | "bad",
  what: string,
  came: Readonly<Record<Entry.Side, number>>,
  wanted: Readonly<Record<Entry.Side, number>>
): NotParts | undefined =>
  sides.every((side) => came[side] === wanted[side])
    ? undefined
    : new NotParts({ reason, detail: `${what} ${counted(came)} came, and the run has ${counted(wanted)}` })

const RECORDS = "of records that could not be used,"

/** Finds assets in several parts that may be compared with each other, as far as their names tell. */
const torn = (sums: ReadonlyArray<Report.Sums>, policy: Policy.Resolved): NotParts | undefined => {
  const named = sums.flatMap(({ assets }, part) => assets.map((asset) => ({ asset, entries: 0, part })))
  const byAsset = Map.groupBy(named, ({ asset }) => asset)
  for (const { assets } of Partition.families(named, policy)) {
    const holders = new Set(assets.flatMap((asset) => (byAsset.get(asset) ?? []).map(({ part }) => part)))
    if (holders.size < 2) continue
    const names = assets.map((asset) => JSON.stringify(asset)).join(", ")
    return new NotParts({ reason: "family", detail: `${holders.size} of them have the family of ${names}` })
  }
  return undefined
}

export const countOf = (bad: ReadonlyArray<BadRecord.BadRecord>): Readonly<Record<Entry.Side, number>> => ({
  deposit: bad.filter(({ side }) => side === "deposit").length,
  transfer: bad.filter(({ side }) => side === "transfer").length
})

/** Returns the error of a part that reads more bad records than its run has; `undefined` where it does not. */
export const unforeseen = (
  bad: ReadonlyArray<BadRecord.BadRecord>,
  whole: Partition.Whole
): NotParts | undefined => {
  const came = countOf(bad)
  return sides.every((side) => came[side] <= whole.bad[side]) ? undefined : unlike("bad", RECORDS, came, whole.bad)
}

/** Returns the error of parts that do not make the run of this question, or of links between different assets in it. */
export const invalid = (
  sums: ReadonlyArray<Report.Sums>,
  question: string,
  { policy }: About,
  { bad, whole }: { readonly bad: ReadonlyArray<BadRecord.BadRecord>; readonly whole: Partition.Whole }
): NotParts | PolicyError | undefined => {
  const other = sums.find((one) => one.question !== question)
  if (other !== undefined) {
    const detail = `a part was asked what has the digest ${other.question}, and the merge what has ${question}`
    return new NotParts({ reason: "question", detail })
  }
  const { deposit, transfer } = Seen.merge(sums.map(({ entries }) => entries))
  const issues = Links.issues(policy, deposit.linked, transfer.linked)
  return unlike("bad", RECORDS, countOf(bad), whole.bad) ??
    torn(sums, policy) ??
    unlike("entries", "of entries,", { deposit: deposit.entries, transfer: transfer.entries }, whole.entries) ??
    (issues.length === 0 ? undefined : new PolicyError({ issues }))
}
