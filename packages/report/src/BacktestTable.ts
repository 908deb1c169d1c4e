/** A comparison of two policies for a terminal: what would change, the most important first. */
import type * as Backtest from "@tallystick/reconcile/Backtest"
import * as Sections from "./internal/backtest/Sections.ts"
import { outcomeLines } from "./internal/table/OutcomeLines.ts"
import type { Options } from "./Table.ts"
import { type Lines, section, type Sheet } from "./text/Sheet.ts"
import * as Style from "./text/Style.ts"
import * as Text from "./text/Text.ts"
import * as Times from "./text/Times.ts"

/** Counts the changes: `12 entries change, 88 stay.` */
export const sentence = ({ codes, entries: { changed, same } }: Backtest.Backtest): string => {
  const bad = codes.find(({ code }) => code === "bad-record")?.after ?? 0
  const doubt = bad === 0 ? "" : `; ${Text.counted(bad, "record")} among them could not be read`
  if (changed > 0) {
    return `${Text.counted(changed, "entry changes", "entries change")}, ${Text.count(same)} ${
      same === 1 ? "stays" : "stay"
    }${doubt}.`
  }
  return same === 1
    ? `Nothing changes: the one entry stays as it is${doubt}.`
    : `Nothing changes: all ${Text.count(same)} entries stay as they are${doubt}.`
}

const titles = {
  partners: "SAME CODE, OTHER PARTNERS",
  code: "ANOTHER CODE",
  figures: "SAME ENTRIES, OTHER FIGURES",
  accepted: "SAME OUTCOME, ACCEPTED OTHERWISE"
}

const change = ({ after, before }: Backtest.Change, sheet: Sheet): Lines => {
  const { style } = sheet
  const side = (label: string, outcomes: Backtest.Change["before"]): Lines =>
    outcomes.length === 0
      ? [style.strong(`${label}: no outcome, because nothing of it lies in the range`)]
      : outcomes.flatMap((outcome) => [[style.strong(`${label}: ${outcome.code}`)], outcomeLines(outcome, sheet)])
        .flat()
  return [...side("before", before), ...side("after", after)]
}

/** Shows the changes of one kind: all if they are at most `limit`, else half of `limit`. */
const changes = (backtest: Backtest.Backtest, kind: Backtest.Kind, sheet: Sheet): Lines => {
  const all = backtest.changes.filter((change) => change.kind === kind)
  const shown = all.slice(0, all.length > sheet.limit ? Math.ceil(sheet.limit / 2) : sheet.limit)
  const rest = all.length - shown.length
  const lines = shown.flatMap((one, index) => [index === 0 ? [] : [""], change(one, sheet)]).flat()
  return section(
    sheet,
    titles[kind],
    rest === 0
      ? lines
      : [...lines, sheet.style.faint(`… and ${Text.counted(rest, "more change")}; --format json has all`)]
  )
}

/** Returns the comparison as one text that ends in a line break. `limit` holds for the changes of each kind. */
export const render = (backtest: Backtest.Backtest, options: Options = {}): string => {
  const { color = false, limit = 10, width = 100, zone } = options
  const style = color ? Style.colored : Style.none
  const sheet: Sheet = { width: Math.max(60, width), style, times: Times.make(zone), limit }
  const paint = backtest.entries.changed === 0 ? style.good : style.doubtful
  const warnings = (["before", "after"] as const).flatMap((side) =>
    backtest.warnings[side].flatMap((warning) =>
      Text.paragraph(`Warning (${side})  `, Text.plain(warning), sheet.width).map(style.doubtful)
    )
  )
  const lines = [
    ...Text.wrap(sentence(backtest), sheet.width).map((line) => paint(style.strong(line))),
    ...warnings,
    ...Sections.settings(backtest, sheet),
    ...Sections.chance(backtest, sheet),
    ...Sections.codes(backtest, sheet),
    ...Sections.groups(backtest, sheet),
    ...Sections.totals(backtest, sheet),
    ...(["partners", "code", "figures", "accepted"] as const).flatMap((kind) => changes(backtest, kind, sheet))
  ]
  return `${lines.join("\n")}\n`
}
