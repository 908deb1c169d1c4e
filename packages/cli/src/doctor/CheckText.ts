/** Checks for a person: a line each, and where something is not right, what to do. */
import * as Style from "@tallystick/report/text/Style"
import * as Text from "@tallystick/report/text/Text"
import type * as Check from "./Check.ts"

export interface Options {
  /** Cells of a line; at least 60. */
  readonly width: number
  readonly color: boolean
}

const STATUS = 9
const WHAT = 18

const paints: Readonly<Record<Check.Status, keyof Style.Style>> = {
  ok: "good",
  warning: "doubtful",
  failed: "bad",
  skipped: "faint"
}

const linesOf = (
  { advice, finding, status, what }: Check.Check,
  style: Style.Style,
  width: number
): ReadonlyArray<string> => {
  const label = Text.padEnd(status, STATUS)
  const [first = "", ...rest] = Text.paragraph(label + Text.padEnd(what, WHAT), Text.plain(finding), width)
  const indent = " ".repeat(STATUS + WHAT)
  return [
    style[paints[status]](label) + first.slice(label.length),
    ...rest,
    ...(advice === undefined ? [] : Text.paragraph(`${indent}> `, Text.plain(advice), width))
  ]
}

/** One text, ending in a line break. */
export const render = (checks: ReadonlyArray<Check.Check>, { color, width }: Options): string => {
  const style = color ? Style.colored : Style.none
  return checks.flatMap((check) => linesOf(check, style, Math.max(60, width))).map((line) => `${line}\n`).join("")
}
