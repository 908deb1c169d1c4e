/** Shows one outcome: its entries, its sentence, and its candidates. */
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import { entryLines } from "../../text/EntryLines.ts"
import type { Lines, Sheet } from "../../text/Sheet.ts"
import * as Text from "../../text/Text.ts"

const INDENT = "    "
/** The largest number of entries of one side, and of candidates, that an outcome shows. */
const ENTRIES = 8
const CANDIDATES = 3

const more = (all: number, shown: number, what: string): Lines =>
  all > shown ? [`${INDENT}… and ${Text.count(all - shown)} more ${what}; --format json has all`] : []

/** Longer ids are shortened where they appear in full nearby. */
const LONG = 24

const shortened = (id: string): string => (id.length > LONG ? `${id.slice(0, 8)}…${id.slice(-8)}` : id)

/** Returns the explanation, with the ids of the entries above it shortened. */
const explained = ({ deposits, explanation, transfers }: Outcome.Outcome): string =>
  [...deposits, ...transfers].slice(0, 2 * ENTRIES)
    .reduce((text, { id }) => text.replaceAll(id, () => shortened(id)), explanation)

const candidateLines = ({ id, reason, side }: Outcome.Candidate, { style, width }: Sheet): Lines =>
  Text.wrap(Text.plain(`not ${side} ${id}: ${reason}`), width - INDENT.length - 2)
    .map((line, index) => style.faint(`${INDENT}${index === 0 ? "" : "  "}${line}`))

/** Shows one outcome. `worth` is the worth of its stake: null without a price, and absent where no prices are given. */
export const outcomeLines = (outcome: Outcome.Outcome, sheet: Sheet, worth?: string | null): Lines => {
  const { style, width } = sheet
  const side = (entries: ReadonlyArray<Entry.Entry>): Lines => [
    ...entries.slice(0, ENTRIES).flatMap((entry, index) =>
      entryLines(entry, index === 0 && entry === first ? "  - " : INDENT, sheet)
    ),
    ...more(entries.length, ENTRIES, entries[0]?.side === "deposit" ? "deposits" : "transfers")
  ]
  const first = outcome.deposits[0] ?? outcome.transfers[0]
  const own = new Set([...outcome.deposits, ...outcome.transfers].map(({ id, side }) => `${side} ${id}`))
  // The versions of a conflict stand above already.
  const others = outcome.candidates.filter(({ id, side }) =>
    outcome.code !== "source-conflict" || !own.has(`${side} ${id}`)
  )
  return [
    ...side(outcome.deposits),
    ...side(outcome.transfers),
    ...Text.paragraph(first === undefined ? "  - " : INDENT, Text.plain(explained(outcome)), width),
    ...(worth === undefined ? [] : [`${INDENT}${worth === null ? "no price is given" : `worth ${worth}`}`]),
    ...others.slice(0, CANDIDATES).flatMap((candidate) => candidateLines(candidate, sheet)),
    ...more(others.length, CANDIDATES, "candidates").map(style.faint)
  ]
}
