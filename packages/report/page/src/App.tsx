/** The page from top to bottom: the first screen says what matters, and tabs hold the rest. */
import { useMemo } from "preact/hooks"
import { Asked } from "./Asked.ts"
import type { Book } from "./Book.ts"
import { Breaks } from "./breaks/Breaks.tsx"
import { inGroup } from "./breaks/Filtering.ts"
import * as ClockModule from "./Clock.ts"
import { spaced } from "./components/CountText.tsx"
import { type Tab, Tabs } from "./components/Tabs.tsx"
import { Bridge } from "./heading/Bridge.tsx"
import { Judgement } from "./heading/Judgement.tsx"
import { Masthead } from "./heading/Masthead.tsx"
import { useMedium } from "./Look.ts"
import { Books } from "./panels/Books.tsx"
import * as OverTime from "./panels/OverTime.tsx"
import { Scope } from "./panels/Scope.tsx"
import { Totals } from "./panels/Totals.tsx"

export const App = ({ book }: { readonly book: Book }) => {
  const { facts, range } = book
  const medium = useMedium()
  const times = useMemo(() => ClockModule.make(facts.zone), [facts])
  const { asOf, books } = facts.summary
  const attention = useMemo(() => book.lines.filter((line) => inGroup(line, "attention")).length, [book])
  const tabs: ReadonlyArray<Tab> = [
    {
      id: "breaks",
      title: "Breaks",
      count: spaced(attention),
      keeps: true,
      panel: () => <Breaks book={book} medium={medium} />
    },
    { id: "totals", title: "Control totals", panel: () => <Totals facts={facts} /> },
    ...(books === undefined
      ? []
      : [{ id: "books", title: "Books", panel: () => <Books asOf={asOf} books={books} /> }]),
    ...(OverTime.isAny(facts)
      ? [{ id: "charts", title: "Over time", panel: () => <OverTime.OverTime facts={facts} medium={medium} /> }]
      : []),
    {
      id: "scope",
      title: "Scope and policy",
      panel: () => <Scope facts={facts} printing={medium.printing} />
    }
  ]
  return (
    <ClockModule.Clock.Provider value={times}>
      <Asked.Provider value={range}>
        <a class="skip" href="#breaks">Skip to what needs attention</a>
        <header>
          <Masthead facts={facts} />
          <Judgement summary={facts.summary} />
          {books === undefined ? null : <Bridge books={books} />}
        </header>
        <main>
          <Tabs label="Parts of the report" tabs={tabs} all={medium.printing} />
        </main>
      </Asked.Provider>
    </ClockModule.Clock.Provider>
  )
}
