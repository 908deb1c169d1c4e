/** The page from top to bottom: the first screen says what matters, and tabs hold the rest. */
import { useMemo } from "preact/hooks"
import * as CountedRange from "../../src/internal/content/CountedRange.ts"
import type { Facts } from "../../src/internal/html/Facts.ts"
import * as OtherDays from "../../src/text/OtherDays.ts"
import { Asked } from "./Asked.ts"
import type { Book, Line } from "./Book.ts"
import { Breaks } from "./breaks/Breaks.tsx"
import { inGroup } from "./breaks/Filtering.ts"
import * as ClockModule from "./Clock.ts"
import { spaced } from "./components/CountText.tsx"
import { type Tab, Tabs } from "./components/Tabs.tsx"
import { Bridge } from "./heading/Bridge.tsx"
import { FigureRow } from "./heading/FigureRow.tsx"
import { Judgement } from "./heading/Judgement.tsx"
import { Masthead } from "./heading/Masthead.tsx"
import { type Medium, useMedium } from "./Look.ts"
import { Books } from "./panels/Books.tsx"
import * as OverTime from "./panels/OverTime.tsx"
import { Scope } from "./panels/Scope.tsx"
import { Totals } from "./panels/Totals.tsx"

interface PartsProps {
  readonly book: Book
  readonly medium: Medium
}

/** Counts as the figures do: what belongs to other days stands apart. */
const counted = (lines: ReadonlyArray<Line>): string => {
  const others = lines.filter(({ isOfRange }) => !isOfRange).length
  return `${spaced(lines.length - others)}${others === 0 ? "" : ` and ${spaced(others)} ${OtherDays.SEVERAL}`}`
}

const Parts = ({ book, medium }: PartsProps) => {
  const { facts } = book
  const { asOf, books } = facts.summary
  const attention = useMemo(() => book.lines.filter((line) => inGroup(line, "attention")), [book])
  const tabs: ReadonlyArray<Tab> = [
    {
      id: "breaks",
      title: "Breaks",
      count: counted(attention),
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
      panel: () => <Scope facts={facts} medium={medium} />
    }
  ]
  return <Tabs label="Parts of the report" tabs={tabs} all={medium.printing} />
}

interface Props {
  readonly facts: Facts
  /** Undefined while the file is still read. */
  readonly book: Book | undefined
}

export const App = ({ book, facts }: Props) => {
  const medium = useMedium()
  const times = useMemo(() => ClockModule.make(facts.zone), [facts])
  const range = useMemo(() => CountedRange.of(facts.summary), [facts])
  const { books } = facts.summary
  return (
    <ClockModule.Clock.Provider value={times}>
      <Asked.Provider value={range}>
        <a class="skip" href="#breaks">Skip to what needs attention</a>
        <header>
          <Masthead facts={facts} />
          <Judgement summary={facts.summary} />
          <FigureRow facts={facts} />
          {books === undefined ? null : <Bridge books={books} />}
        </header>
        <main>
          {book === undefined
            ? <p class="empty" role="status">The outcomes are being read.</p>
            : <Parts book={book} medium={medium} />}
        </main>
      </Asked.Provider>
    </ClockModule.Clock.Provider>
  )
}
