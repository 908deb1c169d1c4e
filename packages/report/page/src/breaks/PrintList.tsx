/** The outcomes on paper: all that the filter lets through, up to a limit that is stated. */
import * as DifferenceText from "../../../src/text/DifferenceText.ts"
import * as OtherDays from "../../../src/text/OtherDays.ts"
import * as Text from "../../../src/text/Text.ts"
import * as Titles from "../../../src/Titles.ts"
import type { Book, Line } from "../Book.ts"
import { CountText } from "../components/CountText.tsx"
import { Act } from "./Act.tsx"
import { Evidence } from "./Evidence.tsx"
import { PrintedEntries } from "./PrintedEntries.tsx"
import { Unreadable } from "./Unreadable.tsx"

/** About two hundred sheets. */
const MOST = 1000

const Sheet = ({ book, line }: { readonly book: Book; readonly line: Line }) => {
  const outcome = book.reader.outcome(book.row(line))
  return (
    <>
      <h3>
        <span class={`dot ${line.kind}`} aria-hidden="true" />
        <span class="title">
          {line.isOfRange ? "" : `${OtherDays.ONE}: `}
          {Titles.title(line.code, 1)}
        </span>
        <span class="stake">{DifferenceText.of(line, Text.plain)}</span>
      </h3>
      <p class="explanation">
        <bdi>{Text.plain(line.explanation)}</bdi>
      </p>
      {outcome.bad === undefined
        ? <PrintedEntries deposits={outcome.deposits} transfers={outcome.transfers} />
        : <Unreadable bad={outcome.bad} />}
      <Act outcome={outcome} summary={book.facts.summary} />
      <Evidence outcome={outcome} worth={line.worth} all />
    </>
  )
}

export const PrintList = ({ book, lines }: { readonly book: Book; readonly lines: ReadonlyArray<Line> }) => {
  const rest = lines.length - MOST
  return (
    <div class="paper">
      {lines.slice(0, MOST).map((line) => (
        <article key={line.id}>
          <Sheet book={book} line={line} />
        </article>
      ))}
      <p class="note">The service's own records stand in the file, and are not printed.</p>
      {rest > 0
        ? (
          <p>
            <strong>
              <CountText text={`${Text.counted(rest, "more outcome")} not printed:`} />
            </strong>{" "}
            filter the list to print them.
          </p>
        )
        : null}
    </div>
  )
}
