/**
 * Writes the verdict: one sentence that says whether the books agree, and names what is in doubt. What belongs to other days and
 * holds entries of the range is named apart, and keeps the books from agreeing all the same.
 */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as OtherDays from "./text/OtherDays.ts"
import * as Text from "./text/Text.ts"
import * as Titles from "./Titles.ts"

type Grade = "good" | "doubtful" | "bad"

/** Whether there are breaks that nobody accepted. */
const isBroken = (count: Report.Count): boolean =>
  count.outcome === "discrepancy" && Report.outcomesListed(Report.withoutAccepted(count)) > 0

/**
 * Grades a report. It is `bad` if there are breaks that nobody accepted, and `doubtful` if there are none, but not everything could be
 * decided or read.
 */
export const grade = ({ clean, counts }: Report.Summary): Grade =>
  clean ? "good" : counts.some(isBroken) ? "bad" : "doubtful"

/** Whether these numbers are of outcomes, and not of entries alone. */
const hasOutcomes = ({ outcomes }: Pick<Report.Count, "outcomes">): boolean => outcomes > 0

const phrases = (report: Report.Summary, matches: (count: Report.Count) => boolean): string =>
  Text.listed(
    report.counts.filter((count) => hasOutcomes(count) && matches(count))
      .map(({ code, outcomes }) => Titles.counted(code, outcomes))
  )

type OtherDay = Pick<Report.Count, "code" | "outcome" | "outcomes">

/** The outcomes of other days in which entries of the range are open or waiting. */
const ofOtherDays = ({ counts }: Report.Summary): ReadonlyArray<OtherDay> =>
  counts.flatMap(({ code, ofOtherDays, outcome }) =>
    ofOtherDays === undefined || !hasOutcomes(ofOtherDays) || outcome === "matched" || outcome === "set-aside"
      ? []
      : [{ code, outcome, outcomes: ofOtherDays.outcomes }]
  )

const ofKind = (kind: Outcome.Kind) => ({ outcome }: Report.Count): boolean => outcome === kind

/** Writes the unread time that has one reason, for any number of queries. */
const stretch = ({ from, gap, to }: Report.Summary["unread"][number]): string =>
  JSON.stringify([from, to, gap?.code, gap?.detail])

/** Says what was not read, with the first reason: `deposits were not all read (…)`. */
const unread = ({ unread }: Report.Summary): string =>
  Text.listed(
    (["deposits", "transfers"] as const).flatMap((operation) => {
      const gaps = unread.filter((gap) => gap.operation === operation)
      const [first] = gaps
      if (first === undefined) return []
      const others = new Set(gaps.map(stretch)).size - 1
      const more = others === 0 ? "" : `; and ${Text.counted(others, "more gap")}`
      return [`${operation} were not all read (${first.gap?.detail ?? "no reason given"}${more})`]
    })
  )

/** Says that decisions or lines of the policy were not followed; the warnings say which, and why. */
const undecided = ({ decisions }: Report.Summary): string => {
  const count = (of: "decision" | "policy"): number =>
    (decisions?.faults ?? []).filter((fault) => fault.of === of).length
  const [gone, lost] = [count("decision"), count("policy")]
  return Text.listed([
    ...(gone === 0 ? [] : [`${Text.counted(gone, "decision")} that could not be followed`]),
    ...(lost === 0
      ? []
      : [
        `${Text.counted(lost, "line", "lines")} of the policy that ${
          lost === 1 ? "contradicts" : "contradict"
        } a decision`
      ])
  ])
}

/** Names what people accepted, of the range and of other days together. */
const accepted = ({ counts }: Report.Summary): string =>
  Text.listed(counts.flatMap(({ accepted = 0, code, ofOtherDays }) => {
    const all = accepted + (ofOtherDays?.accepted ?? 0)
    return all === 0 ? [] : [Titles.counted(code, all)]
  }))

/** `isOpen`: whether there are doubts beside those that it names. */
const judgement = (given: Report.Summary, isOpen: boolean): string => {
  const report = { ...given, counts: given.counts.map(Report.withoutAccepted) }
  const breaks = phrases(report, ofKind("discrepancy"))
  const undetermined = phrases(report, ofKind("undetermined"))
  const bad = phrases(report, ({ code }) => code === "bad-record")
  const pending = phrases(report, ofKind("pending"))
  const doubts = Text.listed([undetermined, bad, unread(report), undecided(report)].filter((phrase) => phrase !== ""))
  const others = ofOtherDays(report)
  const isElsewhere = (kind: Outcome.Kind): boolean => others.some(({ outcome }) => outcome === kind)
  const named = (name: string, phrase: string): ReadonlyArray<string> => phrase === "" ? [] : [`${name}${phrase}`]
  const waiting = [
    ...named("pending: ", pending),
    ...named(
      `${OtherDays.SEVERAL}: `,
      Text.listed(others.map(({ code, outcomes }) => Titles.counted(code, outcomes)))
    ),
    ...named("accepted: ", accepted(given))
  ]
  if (breaks !== "" || isElsewhere("discrepancy")) {
    const parts = [...named("", breaks), ...named("in doubt: ", doubts), ...waiting]
    return `The books do not agree: ${parts.join("; ")}.`
  }
  if (doubts !== "" || isElsewhere("undetermined")) {
    return `Whether the books agree is not decidable: ${[...named("", doubts), ...waiting].join("; ")}.`
  }
  if (isOpen) return `Whether the books agree is not decidable${waiting.length === 0 ? "" : `; ${waiting.join("; ")}`}.`
  const { deposits, transfers } = report.matchRate
  return `The books agree: ${Text.count(deposits.matched)} of ${Text.counted(deposits.of, "deposit")} and ${
    Text.count(transfers.matched)
  } of ${Text.counted(transfers.of, "transfer")} are matched${
    waiting.length === 0 ? ", and nothing is open" : `; ${waiting.join("; ")}`
  }.`
}

/** The counts without the outcomes that only an address book can decide, of which the verdict speaks first. */
const others = ({ counts, unattributed = 0, unattributedOfOtherDays = 0 }: Report.Summary): Report.Summary["counts"] =>
  counts.map((count) => {
    const { code, ofOtherDays, outcomes } = count
    if (code !== "coverage-gap") return count
    return {
      ...count,
      outcomes: outcomes - unattributed,
      ...(ofOtherDays === undefined
        ? {}
        : { ofOtherDays: { ...ofOtherDays, outcomes: ofOtherDays.outcomes - unattributedOfOtherDays } })
    }
  })

/** Says `2 items`, `2 items and 1 of other days`, or `1 item of other days`. */
const cases = ({ unattributed = 0, unattributedOfOtherDays: others = 0 }: Report.Summary): string => {
  if (others === 0) return Text.counted(unattributed, "item")
  return unattributed === 0
    ? `${Text.counted(others, "item")} ${OtherDays.SEVERAL}`
    : `${Text.counted(unattributed, "item")} and ${Text.count(others)} ${OtherDays.SEVERAL}`
}

/** Returns the sentence, or two where no address book was given: `No address book: 388 items are not decidable; give --addresses. …`. */
export const sentence = (summary: Report.Summary): string => {
  const { addresses, unattributed = 0, unattributedOfOtherDays = 0 } = summary
  if (addresses.count > 0 || unattributed + unattributedOfOtherDays === 0) return judgement(summary, false)
  const said = `No address book: ${cases(summary)} ${
    (summary.unattributed ?? 0) + (summary.unattributedOfOtherDays ?? 0) === 1 ? "is" : "are"
  } not decidable; give --addresses.`
  return `${said} ${judgement({ ...summary, counts: others(summary) }, true)}`
}
