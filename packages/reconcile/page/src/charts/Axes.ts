/** Axes that read calmly: few lines, whole numbers, times of the report's zone. */
import type uPlot from "uplot"
import type { Times } from "../../../src/render/Times.ts"
import { spaced } from "../CountText.tsx"
import type { Look } from "../Look.ts"

const font = "11px system-ui, sans-serif"

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

/** The date where a day begins, else the time of day. */
const moment = (times: Times, seconds: number): string => {
  const text = times.instant(seconds * 1000)
  return text.slice(11, 16) === "00:00" ? text.slice(5, 10) : text.slice(11, 16)
}

/** The offset of the zone at a moment, s. */
const offset = (times: Times, seconds: number): number => {
  const found = /([+-])(\d\d):(\d\d)$/.exec(times.instant(seconds * 1000))
  if (found === null) return 0
  const [, sign, hours, minutes] = found
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}

const HOUR = 3600
const steps = [
  ...[1, 5, 15, 30].map((step) => step * 60),
  ...[1, 2, 3, 6, 12].map((step) => step * HOUR),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((step) => step * 24 * HOUR)
]

/** Round moments of the zone from `from` to `to`, s, at most about so many. */
export const moments = (times: Times, from: number, to: number, most: number): ReadonlyArray<number> => {
  const step = steps.find((length) => (to - from) / length <= most) ?? steps.at(-1) ?? HOUR
  const shift = offset(times, from)
  const first = Math.ceil((from + shift) / step) * step - shift
  return Array.from({ length: Math.max(0, Math.floor((to - first) / step) + 1) }, (_, index) => first + index * step)
}

export const momentText = (times: Times, seconds: number, from: number, to: number): string =>
  to - from > 20 * 24 * HOUR ? times.instant(seconds * 1000).slice(0, 10) : moment(times, seconds)

export const axes = {
  time: (look: Look, times: Times): Array<uPlot.Axis> => [
    {
      stroke: look.faint,
      font,
      size: 28,
      grid: { show: false },
      ticks: { stroke: look.grid, size: 4 },
      splits: (plot, _axis, from, to) => [...moments(times, from, to, Math.max(2, Math.floor(plot.width / 75)))],
      values: (plot, splits) => {
        const { max = 0, min = 0 } = plot.scales["x"] ?? {}
        return splits.map((split) => momentText(times, split, min ?? 0, max ?? 0))
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
