/** This module ends a run: it tells the verdict and one line for logs, and sets the exit code. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Verdict from "@tallystick/report/Verdict"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Failure from "../Failure.ts"
import { END_OF_TIME } from "../files/FileCoverage.ts"
import * as FailOn from "../flags/FailOn.ts"
import * as Stderr from "../terminal/Stderr.ts"

export interface Options {
  /** The findings that `--fail-on` names; undefined without the flag. */
  readonly failOn: ReadonlySet<FailOn.Word> | undefined
  /** The id of the run, where the archive recorded it. */
  readonly run?: string | undefined
}

/** Judges the run. It fails, whatever `--fail-on` says, where nothing of the deposits or of the transfers is proven complete. */
const judge = (report: Report.Summary, { failOn }: Options): FailOn.Judgement =>
  FailOn.judge(
    report,
    failOn === undefined || Report.operationsUnread(report).length === 0 ? failOn : new Set([...failOn, FailOn.UNREAD])
  )

type Result = "clean" | "waived" | "not-clean" | "unread"

const exitCodes: Readonly<Record<Result, number>> = {
  clean: 0,
  waived: 0,
  "not-clean": Failure.exitCodes.notClean,
  unread: Failure.exitCodes.unfinished
}

const resultOf = (report: Report.Summary, { failing, waived }: FailOn.Judgement): Result => {
  if (Report.operationsUnread(report).length > 0) return "unread"
  if (failing.length > 0) return "not-clean"
  return waived.length > 0 ? "waived" : "clean"
}

const list = (found: ReadonlyArray<FailOn.Found>): string =>
  found.length === 0 ? "none" : found.map(({ count, word }) => `${word}:${count}`).join(",")

/** Writes the range as `2026-11-19T00:00:00.000Z/2026-11-20T00:00:00.000Z`. An open end is `..`, and a run without a range is `all`. */
const interval = ({ range }: Report.Summary): string => {
  if (range === null) return "all"
  const { from, to } = range
  const iso = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms))
  return `${from <= 0 ? ".." : iso(from)}/${to >= END_OF_TIME ? ".." : iso(to)}`
}

/**
 * `tallystick summary result=not-clean exit=1 …`: the same keys in the same order in every run, no spaces in a value. What a person
 * accepted counts in no number of outcomes.
 */
export const line = (report: Report.Summary, options: Options): string => {
  const judgement = judge(report, options)
  const result = resultOf(report, judgement)
  const { matchRate: { deposits, transfers }, unread } = report
  const counts = report.counts.map(Report.withoutAccepted)
  const others = counts.flatMap(({ code, ofOtherDays }): ReadonlyArray<FailOn.Found> =>
    ofOtherDays === undefined || ofOtherDays.outcomes === 0 ? [] : [{ word: code, count: ofOtherDays.outcomes }]
  )
  const outcomes = (matches: (count: Report.Count) => boolean): number =>
    counts.filter(matches).reduce((sum, { outcomes }) => sum + outcomes, 0)
  const ofKind = (kind: Outcome.Kind): number => outcomes(({ outcome }) => outcome === kind)
  const values = {
    result,
    exit: exitCodes[result],
    discrepancies: ofKind("discrepancy"),
    undetermined: ofKind("undetermined"),
    bad_records: outcomes(({ code }) => code === "bad-record"),
    unread: unread.length,
    pending: ofKind("pending"),
    matched: ofKind("matched"),
    of_other_days: list(others),
    deposits: `${deposits.matched}/${deposits.of}`,
    transfers: `${transfers.matched}/${transfers.of}`,
    failing: list(judgement.failing),
    waived: list(judgement.waived),
    range: interval(report),
    run: options.run ?? "none"
  }
  return `tallystick summary ${Object.entries(values).map(([key, value]) => `${key}=${value}`).join(" ")}`
}

const endings = {
  clean: undefined,
  waived: undefined,
  "not-clean": Failure.notClean,
  unread: Failure.unfinished
}

/** Says how the run ended; fails where its exit code is not 0. */
export const end = Effect.fnUntraced(function*(report: Report.Summary, options: Options) {
  const result = resultOf(report, judge(report, options))
  const sentence = Verdict.sentence(report)
  const told = [
    result === "waived" ? `${sentence} Nothing of this is in --fail-on.` : sentence,
    line(report, options)
  ] as const
  const ending = endings[result]
  return ending === undefined ? yield* Stderr.tell(...told) : yield* ending(...told)
})
