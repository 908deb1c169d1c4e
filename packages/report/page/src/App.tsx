/** The page from top to bottom. */
import { useMemo } from "preact/hooks"
import * as Ages from "../../src/internal/content/Ages.ts"
import * as CountedRange from "../../src/internal/content/CountedRange.ts"
import * as Text from "../../src/text/Text.ts"
import { Asked } from "./Asked.ts"
import type { Book } from "./Book.ts"
import { Books } from "./Books.tsx"
import { Breaks } from "./breaks/Breaks.tsx"
import { AgeingChart } from "./charts/AgeingChart.tsx"
import { CoverageChart } from "./charts/CoverageChart.tsx"
import { FlowsChart } from "./charts/FlowsChart.tsx"
import { LagChart } from "./charts/LagChart.tsx"
import * as ClockModule from "./Clock.ts"
import { Heading } from "./Heading.tsx"
import { useMedium } from "./Look.ts"
import { Totals } from "./Totals.tsx"

const sections = [
  ["books", "Books"],
  ["totals", "Control totals"],
  ["charts", "Over time"],
  ["breaks", "What needs attention"],
  ["policy", "Policy"]
] as const

export const App = ({ book }: { readonly book: Book }) => {
  const { facts } = book
  const medium = useMedium()
  const times = useMemo(() => ClockModule.make(facts.zone), [facts])
  const { ageing, asOf, books, policy } = facts.summary
  const range = CountedRange.of(facts.summary)
  const hasAges = ageing.some(Ages.isAny)
  const hasCharts = hasAges || facts.flows !== null || facts.lags.length > 0 || facts.lanes.length > 0
  const isShown = (id: typeof sections[number][0]): boolean =>
    id === "books" ? books !== undefined : hasCharts || id !== "charts"
  return (
    <ClockModule.Clock.Provider value={times}>
      <a class="skip" href="#breaks">Skip to what needs attention</a>
      <Heading facts={facts} />
      <nav aria-label="On this page">
        <ul class="contents">
          {sections.filter(([id]) => isShown(id)).map(([id, title]) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <main>
        {books === undefined ? null : <Books asOf={asOf} books={books} />}
        <Totals facts={facts} />
        {hasCharts ?
          (
            <section aria-labelledby="charts">
              <h2 id="charts">Over time</h2>
              <div class="figures">
                {facts.flows === null
                  ? null
                  : <FlowsChart flows={facts.flows} range={range} medium={medium} />}
                {facts.lags.length === 0 ? null : <LagChart facts={facts} medium={medium} />}
                {hasAges ? <AgeingChart facts={facts} medium={medium} /> : null}
                {facts.lanes.length === 0 ? null : <CoverageChart lanes={facts.lanes} />}
              </div>
            </section>
          ) :
          null}
        <Asked.Provider value={range}>
          <Breaks book={book} medium={medium} />
        </Asked.Provider>
        <section aria-labelledby="policy">
          <h2 id="policy">Policy</h2>
          <details open={medium.printing}>
            <summary>What may belong together, with every default</summary>
            <pre
              tabIndex={0}
            >{JSON.stringify(policy, undefined, 2).split("\n").map((line) => Text.plain(line)).join("\n")}</pre>
          </details>
        </section>
      </main>
    </ClockModule.Clock.Provider>
  )
}
