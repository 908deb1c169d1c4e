/** Tells what a format leaves out of a report, where only some outcomes were asked for. */
import * as Extract from "@tallystick/reconcile/Extract"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import * as Text from "../../text/Text.ts"

/** Chooses the outcomes that a format shows; default all. */
export interface Options {
  /** The words that choose outcomes, as `Extract` has them; without them all are shown. Totals and counts are always of all. */
  readonly only?: ReadonlyArray<Extract.Word> | undefined
}

/** What a format shows. */
interface Shown {
  /** The report with the outcomes that are shown; every number of it is that of the whole report. */
  readonly report: Report.Report
  /** What is left out; absent where all outcomes are shown. */
  readonly carries: Extract.Carries | undefined
}

/** Returns what is shown of a report. */
export const shown = (report: Report.Report, { only }: Options): Shown => {
  if (only === undefined) return { report, carries: undefined }
  const { carried, carries } = Extract.of(report, only)
  return { report: { ...report, outcomes: carried }, carries }
}

/** How many outcomes of a kind there are, in words. */
const counted: Readonly<Record<Outcome.Kind, (count: number) => string>> = {
  matched: (count) => Text.counted(count, "match", "matches"),
  discrepancy: (count) => Text.counted(count, "break"),
  pending: (count) => Text.counted(count, "pending outcome"),
  undetermined: (count) => Text.counted(count, "outcome that is not decidable", "outcomes that are not decidable"),
  "set-aside": (count) => Text.counted(count, "outcome that is set aside", "outcomes that are set aside")
}

const kinds: ReadonlyArray<Outcome.Kind> = ["discrepancy", "undetermined", "pending", "set-aside", "matched"]

/** Returns what is left out as a fact of the report; none where nothing was to be. */
export const facts = (carries: Extract.Carries | undefined): ReadonlyArray<{ label: string; text: string }> => {
  if (carries === undefined) return []
  const found = kinds.flatMap((kind) => {
    const outcomes = carries.leftOut.reduce((sum, count) => sum + (count.outcome === kind ? count.outcomes : 0), 0)
    return outcomes === 0 ? [] : [counted[kind](outcomes)]
  })
  return [{
    label: "Left out",
    text: found.length === 0
      ? "nothing: all outcomes are among those that were asked for"
      : `${Text.listed(found)}; totals and counts include them`
  }]
}

/** Returns how many outcomes of a code are left out. */
export const ofCode = (carries: Extract.Carries | undefined) => {
  const counts = new Map(carries?.leftOut.map(({ code, outcomes }) => [code, outcomes]))
  return (code: Outcome.Code): number => counts.get(code) ?? 0
}
