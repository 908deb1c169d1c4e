/** Deposits above the line and transfers below it, by what became of them. */
import type * as Report from "@tallystick/reconcile/Report"
import { useContext, useMemo } from "preact/hooks"
import type uPlot from "uplot"
import { type Counts, type Flows, lines } from "../../../src/internal/html/Flows.ts"
import * as OtherDays from "../../../src/text/OtherDays.ts"
import * as Text from "../../../src/text/Text.ts"
import { Clock } from "../Clock.ts"
import type { Medium } from "../Look.ts"
import { axes } from "./Axes.ts"
import * as Bars from "./Bars.ts"
import { Figure } from "./Figure.tsx"
import { Plot } from "./Plot.tsx"

const names = {
  matched: "matched",
  setAside: "set aside",
  pending: "pending",
  undetermined: "not decidable",
  open: "open",
  ofOtherDays: OtherDays.SEVERAL
} as const

/** Each line on top of those before it. */
const stacked = (counts: Counts, sign: 1 | -1): Array<Array<number>> => {
  const sums = (counts[0] ?? []).map(() => 0)
  return counts.map((line) =>
    line.map((count, index) => {
      sums[index] = (sums[index] ?? 0) + count
      return sign * (sums[index] ?? 0)
    })
  )
}

const total = (counts: Counts): number => counts.flat().reduce((sum, count) => sum + count, 0)

interface Props {
  readonly flows: Flows
  readonly range: Report.Summary["range"]
  readonly medium: Medium
}

export const FlowsChart = ({ flows, medium, range }: Props) => {
  const times = useContext(Clock)
  const { look, printing } = medium
  const title = `Entries per ${flows.unit}, deposits above and transfers below the line`
  const shown = lines.filter((_, place) =>
    [flows.deposits, flows.transfers].some((side) => (side[place] ?? []).some((count) => count > 0))
  )
  const { data, options } = useMemo(() => {
    const starts = flows.edges.slice(0, -1).map((edge) => edge / 1000)
    const order = lines.map((_, place) => place).toReversed()
    const up = stacked(flows.deposits, 1)
    const down = stacked(flows.transfers, -1)
    const bars = Bars.make({ align: 1, size: [0.86, 48] })
    const series = [...order, ...order].map((place): uPlot.Series => {
      const color = look[lines[place] ?? "matched"]
      return {
        fill: color,
        stroke: color,
        width: 0,
        points: { show: false },
        paths: bars
      }
    })
    const drawRange = (plot: uPlot): void => {
      if (range === null || flows.outside === 0) return
      const { ctx } = plot
      const { height, left, top, width } = plot.bbox
      const [begin = left, end = left + width] = [range.from, range.to].map((at) =>
        Math.min(left + width, Math.max(left, plot.valToPos(at / 1000, "x", true)))
      )
      ctx.save()
      ctx.fillStyle = look.band
      ctx.fillRect(begin, top, end - begin, height)
      ctx.restore()
    }
    const [from = 0, to = 0] = [flows.edges[0], flows.edges.at(-1)].map((edge) => (edge ?? 0) / 1000)
    return {
      data: [
        starts,
        ...order.map((place) => up[place] ?? []),
        ...order.map((place) => down[place] ?? [])
      ] satisfies uPlot.AlignedData,
      options: {
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: true, range: [from, to] as [number, number] } },
        axes: axes.time(look, times),
        series: [{}, ...series],
        hooks: { drawClear: [drawRange] }
      } satisfies Omit<uPlot.Options, "width" | "height">
    }
  }, [flows, look, range, times])
  return (
    <Figure
      wide
      title={title}
      keys={[
        ...shown.map((line) => ({ color: look[line], label: names[line] })),
        ...(flows.outside === 0 ? [] : [{ color: look.band, label: "the range" }])
      ]}
      note={flows.outside === 0
        ? undefined
        : `${
          Text.counted(flows.outside, "entry", "entries")
        } ${OtherDays.SEVERAL}, outside the range: they stand in one outcome with entries inside it.`}
      columns={["From", ...shown.flatMap((line) => [`deposits ${names[line]}`, `transfers ${names[line]}`])]}
      rows={flows.edges.slice(0, -1).map((edge, index) =>
        [times.bound(edge)].concat(shown.flatMap((line) => {
          const place = lines.indexOf(line)
          return [flows.deposits[place]?.[index] ?? 0, flows.transfers[place]?.[index] ?? 0].map(Text.count)
        }))
      )}
    >
      <Plot
        label={`${title}: ${Text.counted(total(flows.deposits), "deposit")}, ${
          Text.counted(total(flows.transfers), "transfer")
        }. The numbers follow as a table.`}
        height={220}
        data={data}
        options={options}
        fixed={printing ? 640 : undefined}
      />
    </Figure>
  )
}
