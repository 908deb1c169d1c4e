/** How old the breaks are. */
import type * as Report from "@tallystick/reconcile/Report"
import { useContext, useMemo } from "preact/hooks"
import type uPlot from "uplot"
import type { Facts } from "../../../src/internal/html/Facts.ts"
import * as Text from "../../../src/text/Text.ts"
import { duration } from "../../../src/text/Times.ts"
import { Clock } from "../Clock.ts"
import type { Medium } from "../Look.ts"
import { axes } from "./Axes.ts"
import * as Bars from "./Bars.ts"
import { Figure } from "./Figure.tsx"
import { Plot } from "./Plot.tsx"

export const ageText = ({ from, to }: Pick<Report.Age, "from" | "to">): string => {
  if (to === null) return `over ${duration(from)}`
  return from === 0 ? `under ${duration(to)}` : `${duration(from)} to ${duration(to)}`
}

export const AgeingChart = ({ facts, medium }: { readonly facts: Facts; readonly medium: Medium }) => {
  const times = useContext(Clock)
  const { ageing, asOf } = facts.summary
  const { look, printing } = medium
  const { data, options } = useMemo(() => {
    const bars = Bars.make({ size: [0.6, 70] })
    return {
      data: [ageing.map((_, index) => index), ageing.map(({ outcomes }) => outcomes)] satisfies uPlot.AlignedData,
      options: {
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: [-0.6, ageing.length - 0.4] as [number, number] },
          y: { range: (_: uPlot, __: number, max: number) => [0, Math.max(1, max * 1.05)] as [number, number] }
        },
        axes: axes.words(look, ageing.map(ageText)),
        series: [{}, {
          fill: look.open,
          stroke: look.open,
          width: 0,
          points: { show: false },
          paths: bars
        }]
      } satisfies Omit<uPlot.Options, "width" | "height">
    }
  }, [ageing, look])
  const title = `Ageing of breaks${asOf === null ? "" : ` at ${times.bound(asOf)}`}`
  const all = ageing.reduce((sum, { outcomes }) => sum + outcomes, 0)
  return (
    <Figure
      title={title}
      columns={["Age", "breaks", "open entries"]}
      rows={ageing.map((age) => [ageText(age), Text.count(age.outcomes), Text.count(age.entries)])}
    >
      <Plot
        label={`${title}: ${Text.counted(all, "break", "breaks")}. The numbers follow as a table.`}
        height={200}
        data={data}
        options={options}
        fixed={printing ? 300 : undefined}
      />
    </Figure>
  )
}
