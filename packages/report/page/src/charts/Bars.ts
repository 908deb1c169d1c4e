/** Bars, as the library draws them. */
import uPlot from "uplot"

export const make = (options: uPlot.Series.BarsPathBuilderOpts): uPlot.Series.PathBuilder => {
  const { bars } = uPlot.paths
  if (bars === undefined) throw new Error("uPlot was built without bars")
  return bars(options)
}
