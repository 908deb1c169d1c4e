/** The overview of the configuration as a table for people. */
import * as Style from "@tallystick/report/text/Style"
import * as Text from "@tallystick/report/text/Text"
import type * as TerminalStyle from "../terminal/TerminalStyle.ts"
import type * as Overview from "./Overview.ts"

export interface Options extends TerminalStyle.TerminalStyle {
  /** Cells of a row of the table; a longer one has its value on a line of its own, to be copied. */
  readonly tableWidth: number
}

interface Cells {
  readonly setting: string
  readonly from: string
  readonly value: string
}

const HEAD: Cells = { setting: "SETTING", from: "FROM", value: "VALUE" }

const GAP = 2

const cellsOf = ({ from, origin, problem, setting, value }: Overview.Row): Cells => ({
  setting,
  from: Text.plain(from ?? (origin === "default" ? "default" : "")),
  value: Text.plain(value ?? (problem === null ? "-" : "(not valid)"))
})

/** Of what is set, or would count by default, and does not. */
const unused = ({ overruledBy }: Overview.Row): string =>
  overruledBy === null ? "" : `  (not used: ${overruledBy} counts)`

const table = (
  settings: ReadonlyArray<Overview.Row>,
  { color, tableWidth, width }: Options
): ReadonlyArray<string> => {
  const style = color ? Style.colored : Style.none
  const all = [HEAD, ...settings.map(cellsOf)]
  const widest = (name: keyof Cells): number => Math.max(...all.map((cells) => Text.width(cells[name]))) + GAP
  const [first, second] = [widest("setting"), widest("from")]
  const line = (
    { from, setting, value }: Cells,
    paint: (text: string) => string,
    note = ""
  ): ReadonlyArray<string> => {
    const begin = paint(Text.padEnd(setting, first)) + style.faint(Text.padEnd(from, second))
    const end = value + (note === "" ? "" : style.faint(note))
    return first + second + Text.width(value + note) <= tableWidth ? [begin + end] : [begin, " ".repeat(GAP) + end]
  }
  const rows = settings.flatMap((row) => {
    const isSaid = row.origin !== "default" && row.origin !== "unset"
    const note = (isSaid || row.value !== null) && row.problem === null ? unused(row) : ""
    const own = line(cellsOf(row), isSaid ? style.strong : (text) => text, note)
    if (row.problem === null) return own
    const problem = `${row.setting} ${Text.plain(row.problem)}`
    return [...own, ...Text.paragraph(" ".repeat(first), problem, width).map(style.bad)]
  })
  return [...line(HEAD, style.strong), ...rows]
}

/** One text, ending in a line break. */
export const render = (
  { file, problems, proxy, settings, unread }: Overview.Overview,
  look: Options
): string => {
  const notes = [
    file === null ? "No configuration file: tallystick.json is not in this folder." : `Configuration file: ${file}`,
    ...problems.map((problem) => `${file ?? ""}: ${problem}`),
    ...unread.map((name) => `Nothing reads ${name}.`),
    ...(proxy === null ? [] : [`Requests go ${proxy}.`])
  ]
  return [...table(settings, look), "", ...notes.flatMap((note) => Text.wrap(Text.plain(note), look.width))]
    .map((line) => `${line.trimEnd()}\n`).join("")
}
