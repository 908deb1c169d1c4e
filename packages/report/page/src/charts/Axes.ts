/** Axes that read calmly: few lines, whole numbers, times of the report's zone. */
import type uPlot from "uplot"
import type { Times } from "../../../src/text/Times.ts"
import { spaced } from "../components/CountText.tsx"
import type { Look } from "../Look.ts"
import * as Moments from "./Moments.ts"

const font =
  "11px -apple-system, \"Segoe UI\", Roboto, \"Helvetica Neue\", \"Noto Sans\", \"Liberation Sans\", Arial, sans-serif"

const counts = (look: Look): uPlot.Axis => ({
  stroke: look.faint,
  font,
  size: 54,
  incrs: [1, 2, 5].flatMap((step) => [0, 1, 2, 3, 4, 5, 6, 7, 8].map((zeros) => step * 10 ** zeros)).toSorted((a, b) =>
    a - b
  ),
  grid: { stroke: look.grid, width: 1 },
  ticks: { show: false },
  values: (_, splits) => splits.map((split) => spaced(Math.abs(split)))
})

export const axes = {
  time: (look: Look, times: Times): Array<uPlot.Axis> => [
    {
      stroke: look.faint,
      font,
      size: 28,
      grid: { show: false },
      ticks: { stroke: look.grid, size: 4 },
      splits: (
        plot,
        _axis,
        from,
        to
      ) => [...Moments.moments(times, from, to, Math.max(2, Math.floor(plot.width / 75)))],
      values: (plot, splits) => {
        const { max = 0, min = 0 } = plot.scales["x"] ?? {}
        return [...Moments.labels(times, splits, min ?? 0, max ?? 0)]
      }
    },
    counts(look)
  ],
  /** Bars side by side, each with a word below, as far as they fit. */
  words: (look: Look, words: ReadonlyArray<string>): Array<uPlot.Axis> => [
    {
      stroke: look.faint,
      font,
      size: 28,
      grid: { show: false },
      ticks: { show: false },
      splits: (plot) => {
        const longest = Math.max(1, ...words.map((word) => word.length))
        const step = Math.max(1, Math.ceil((words.length * (longest * 6.2 + 10)) / Math.max(1, plot.width - 60)))
        return words.map((_, index) => index).filter((index) => index % step === 0)
      },
      values: (_, splits) => splits.map((split) => words[split] ?? "")
    },
    counts(look)
  ]
}
