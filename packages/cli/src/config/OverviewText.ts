/** What is configured, as a table for people. */
import * as Style from "@tallystick/reconcile/render/Style"
import * as Text from "@tallystick/reconcile/render/Text"
import type * as Look from "../Look.ts"
import type * as Overview from "./Overview.ts"

const who = ({ from, origin }: Overview.Row): string => from ?? (origin === "default" ? "default" : "")

/** One text, ending in a line break. */
export const render = ({ file, problems, proxy, settings, unread }: Overview.Overview, look: Look.Look): string => {
  const style = look.color ? Style.colored : Style.none
  const head = { setting: "SETTING", from: "FROM", value: "VALUE" }
  const cells = settings.map((row) => ({
    setting: row.setting,
    from: who(row),
    value: row.value ?? (row.problem === null ? "-" : "(not valid)"),
    row
  }))
  const width = (name: "setting" | "from") =>
    Math.max(...[head, ...cells].map((cell) => Text.width(Text.plain(cell[name])))) + 2
  const [first, second] = [width("setting"), width("from")]
  const line = (cell: typeof head) => [
    Text.padEnd(cell.setting, first),
    Text.padEnd(Text.plain(cell.from), second),
    Text.plain(cell.value)
  ]
  const table = cells.flatMap(({ row, ...cell }) => {
    const [setting = "", from = "", value = ""] = line(cell)
    const isSaid = row.origin !== "default" && row.origin !== "unset"
    return [
      `${isSaid ? style.strong(setting) : setting}${style.faint(from)}${value}`,
      ...(row.problem === null
        ? []
        : Text.paragraph(" ".repeat(first), `${row.setting} ${Text.plain(row.problem)}`, look.width).map(style.bad))
    ]
  })
  const notes = [
    file === null ? "No configuration file: tallystick.json is not in this folder." : `Configuration file: ${file}`,
    ...problems.map((problem) => `${file ?? ""}: ${problem}`),
    ...unread.map((name) => `Nothing reads ${name}.`),
    ...(proxy === null ? [] : [`Requests go ${proxy}.`])
  ]
  return [
    style.strong(line(head).join("")),
    ...table,
    "",
    ...notes.flatMap((note) => Text.wrap(Text.plain(note), look.width))
  ].map((text) => `${text.trimEnd()}\n`).join("")
}
