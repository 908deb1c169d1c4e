/** The comparison as the demo prints it: every difference, and the numbers. */
import * as Grid from "@tallystick/report/text/Grid"
import * as Text from "@tallystick/report/text/Text"
import type * as Comparison from "./Comparison.ts"

const columns: ReadonlyArray<Grid.Column> = [
  { title: "  planted break", align: "left" },
  { title: "planted", align: "right" },
  { title: "found", align: "right" }
]

/** `planted 412 breaks, found 412, invented 0; …`. */
export const summary = (comparison: Comparison.Comparison): string => {
  const { classes, groups, invented, kinds, pairs, statedGroups, wrongClasses, wrongGroups, wrongPairs } = comparison
  const planted = kinds.reduce((sum, kind) => sum + kind.planted, 0)
  const found = kinds.reduce((sum, kind) => sum + kind.found, 0)
  return [
    `planted ${Text.counted(planted, "break")}, found ${Text.count(found)}, invented ${Text.count(invented)}`,
    `stated ${Text.counted(pairs, "pair")}, wrong ${Text.count(wrongPairs)}`,
    `planted ${Text.counted(groups.planted, "group")}, found ${Text.count(groups.found)}, ` +
    `stated ${Text.count(statedGroups)}, wrong ${Text.count(wrongGroups)}`,
    `${Text.counted(classes, "balanced class", "balanced classes")}, wrong ${Text.count(wrongClasses)}`
  ].join("; ")
}

/** `width`: cells of a line. */
export const render = (comparison: Comparison.Comparison, width: number): string => {
  const grid = Grid.lines(
    columns,
    comparison.kinds.map(({ found, kind, planted }) => [`  ${kind}`, Text.count(planted), Text.count(found)])
  )
  return [
    "",
    "COMPARISON WITH THE PLANTED TRUTH",
    grid.header,
    ...grid.rows,
    ...comparison.differences.flatMap(({ detail, what }) =>
      Text.paragraph("  ", `${what}: ${Text.plain(detail)}`, width)
    ),
    "",
    ...Text.wrap(summary(comparison), width),
    ""
  ].join("\n")
}
