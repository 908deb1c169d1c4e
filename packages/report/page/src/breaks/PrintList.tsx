/** The outcomes on paper: all that the filter lets through, up to a limit that is stated. */
import { useContext } from "preact/hooks"
import * as OtherDays from "../../../src/text/OtherDays.ts"
import * as Text from "../../../src/text/Text.ts"
import * as Titles from "../../../src/Titles.ts"
import type { Book, Line } from "../Book.ts"
import { Clock } from "../Clock.ts"
import { AmountText } from "../components/AmountText.tsx"
import { CountText } from "../components/CountText.tsx"
import { Details } from "./Details.tsx"

/** About two hundred sheets. */
const MOST = 1000

export const PrintList = ({ book, lines }: { readonly book: Book; readonly lines: ReadonlyArray<Line> }) => {
  const times = useContext(Clock)
  const rest = lines.length - MOST
  return (
    <div class="paper">
      {lines.slice(0, MOST).map((line) => (
        <article key={line.id}>
          <h3>
            {line.isOfRange ? "" : `${OtherDays.ONE}: `}
            {Titles.title(line.code, 1)}
            {line.deposits + line.transfers === 0 ? null : (
              <>
                : <AmountText amount={line.amount} /> {Text.plain(line.asset)}
              </>
            )}
            {line.at === null ? "" : `, ${times.instant(line.at)}`}
          </h3>
          <Details outcome={book.reader.outcome(book.row(line))} worth={line.worth} all />
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
