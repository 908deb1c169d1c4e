/** The facts that the page gets beside the outcomes. */
import type * as Extract from "@tallystick/reconcile/Extract"
import type * as Report from "@tallystick/reconcile/Report"
import type * as Figures from "../content/Figures.ts"
import type { Lane } from "./CoverageLanes.ts"
import type { Flows } from "./Flows.ts"
import type { Bin } from "./LagBins.ts"

export interface Facts {
  readonly summary: Report.Summary
  /** What the page leaves out; absent where it has every outcome. */
  readonly carries?: Extract.Carries
  /** The zone, as an IANA name or an offset; null is UTC. */
  readonly zone: string | null
  /** The prices by asset; null if no prices are given. */
  readonly prices: ReadonlyArray<readonly [asset: string, price: string]> | null
  /** The name of their currency; null if nobody said it. */
  readonly currency: string | null
  /** The title of the report. A stranger's text may stand in it. */
  readonly title: string
  /** The figures of the first screen, of the whole report. */
  readonly figures: Figures.Figures
  readonly flows: Flows | null
  readonly lags: ReadonlyArray<Bin>
  readonly lanes: ReadonlyArray<Lane>
}
