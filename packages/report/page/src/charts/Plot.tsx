/** A chart on canvas that takes the width it is given. */
import { useLayoutEffect, useRef } from "preact/hooks"
import uPlot from "uplot"

export interface Props {
  readonly label: string
  readonly height: number
  readonly data: uPlot.AlignedData
  readonly options: Omit<uPlot.Options, "width" | "height">
  /** The width to draw for on paper. */
  readonly fixed?: number | undefined
}

export const Plot = ({ data, fixed, height, label, options }: Props) => {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const width = () => fixed ?? Math.max(200, element.clientWidth)
    const plot = new uPlot({ ...options, width: width(), height }, data, element)
    const observer = new ResizeObserver(() => {
      if (width() !== plot.width) plot.setSize({ width: width(), height })
    })
    if (fixed === undefined) observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [data, options, height, fixed])
  return <div ref={place} class="plot" role="img" aria-label={label} />
}
