/** Entries, lags and ages as charts, each with its numbers as a table. */
import * as Ages from "../../../src/internal/content/Ages.ts"
import * as CountedRange from "../../../src/internal/content/CountedRange.ts"
import type { Facts } from "../../../src/internal/html/Facts.ts"
import { AgeingChart } from "../charts/AgeingChart.tsx"
import { FlowsChart } from "../charts/FlowsChart.tsx"
import { LagChart } from "../charts/LagChart.tsx"
import type { Medium } from "../Look.ts"

/** Whether there is anything to draw. */
export const isAny = ({ flows, lags, summary }: Facts): boolean =>
  flows !== null || lags.length > 0 || summary.ageing.some(Ages.isAny)

export const OverTime = ({ facts, medium }: { readonly facts: Facts; readonly medium: Medium }) => (
  <section aria-labelledby="charts">
    <h2 id="charts">Over time</h2>
    <div class="figures">
      {facts.flows === null
        ? null
        : <FlowsChart flows={facts.flows} range={CountedRange.of(facts.summary)} medium={medium} />}
      {facts.lags.length === 0 ? null : <LagChart facts={facts} medium={medium} />}
      {facts.summary.ageing.some(Ages.isAny) ? <AgeingChart facts={facts} medium={medium} /> : null}
    </div>
  </section>
)
