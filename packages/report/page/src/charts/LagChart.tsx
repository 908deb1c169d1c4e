/** How long after their deposits the transfers came, with the policy's window drawn in. */
import { useMemo } from "preact/hooks"
import type uPlot from "uplot"
import type { Facts } from "../../../src/internal/html/Facts.ts"
import type { Bin } from "../../../src/internal/html/LagBins.ts"
import * as Text from "../../../src/text/Text.ts"
import { duration } from "../../../src/text/Times.ts"
import type { Medium } from "../Look.ts"
import { axes } from "./Axes.ts"
import * as Bars from "./Bars.ts"
import { Figure } from "./Figure.tsx"
import { Plot } from "./Plot.tsx"

/** The border that a reader thinks of: a bin from 1 h and 1 ms on begins at 1 h. */
const border = (ms: number): string => duration(ms % 1000 === 1 || ms % 1000 === -999 ? ms - 1 : ms)
const upper = (ms: number): string => duration(ms % 1000 === -1 || ms % 1000 === 999 ? ms + 1 : ms)
const span = ({ from, to }: Bin): string => `${border(from)} to ${upper(to)}`

export const LagChart = ({ facts, medium }: { readonly facts: Facts; readonly medium: Medium }) => {
  const { lags: bins } = facts
  const { per, window } = facts.summary.policy
  const { look, printing } = medium
  const { data, options } = useMemo(() => {
    const places = bins.map((_, index) => index)
    const inside = places.filter((place) => bins[place]?.inside === true)
    const [first = 0, last = -1] = [inside[0], inside.at(-1)]
    const bars = Bars.make({ size: [0.82, 60] })
    const series = (color: string): uPlot.Series => ({
      fill: color,
      stroke: color,
      width: 0,
      points: { show: false },
      paths: bars
    })
    const drawWindow = (plot: uPlot): void => {
      if (inside.length === 0) return
      const { ctx } = plot
      const [left, right] = [first - 0.5, last + 0.5].map((at) => plot.valToPos(at, "x", true))
      if (left === undefined || right === undefined) return
      const { height, top } = plot.bbox
      ctx.save()
      ctx.fillStyle = look.band
      ctx.fillRect(left, top, right - left, height)
      ctx.strokeStyle = look.edge
      ctx.lineWidth = devicePixelRatio
      ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio])
      for (const at of [left, right]) {
        ctx.beginPath()
        ctx.moveTo(at, top)
        ctx.lineTo(at, top + height)
        ctx.stroke()
      }
      ctx.restore()
    }
    return {
      data: [
        places,
        bins.map(({ matched, open }) => matched + open),
        bins.map(({ matched }) => matched)
      ] satisfies uPlot.AlignedData,
      options: {
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: [-0.6, bins.length - 0.4] as [number, number] },
          y: { range: (_: uPlot, __: number, max: number) => [0, Math.max(1, max * 1.05)] as [number, number] }
        },
        axes: axes.words(look, bins.map(({ to }) => `≤ ${upper(to)}`)),
        series: [{}, series(look.open), series(look.matched)],
        hooks: { drawClear: [drawWindow] }
      } satisfies Omit<uPlot.Options, "width" | "height">
    }
  }, [bins, look])
  const title = "Time to sweep"
  const windowText = `${duration(-window.before)} to ${duration(window.after)}`
  const others = per.map((rule) =>
    `${Text.plain(rule.asset)}${rule.network === undefined ? "" : ` on ${Text.plain(rule.network)}`} ${
      duration(-rule.window.before)
    } to ${duration(rule.window.after)}`
  )
  const count = (kind: "matched" | "open"): number => bins.reduce((sum, bin) => sum + bin[kind], 0)
  return (
    <Figure
      title={title}
      keys={[
        { color: look.matched, label: "stated pairs" },
        { color: look.open, label: "pairs in breaks" },
        { color: look.band, label: `window ${windowText}` }
      ]}
      note={others.length === 0 ? undefined : `Own windows: ${others.join("; ")}.`}
      columns={["Time to sweep", "stated pairs", "pairs in breaks", "in the window"]}
      rows={bins.map((bin) => [span(bin), Text.count(bin.matched), Text.count(bin.open), bin.inside ? "yes" : "no"])}
    >
      <Plot
        label={`${title}: ${Text.counted(count("matched"), "stated pair")}, ${
          Text.count(count("open"))
        } in breaks, window ${windowText}. The numbers follow as a table.`}
        height={200}
        data={data}
        options={options}
        fixed={printing ? 300 : undefined}
      />
    </Figure>
  )
}
