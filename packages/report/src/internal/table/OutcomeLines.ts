/** Shows one outcome: its entries, its sentence, and its candidates. */
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Explanation from "@tallystick/reconcile/Explanation"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import { entryLines } from "../../text/EntryLines.ts"
import type { Lines, Sheet } from "../../text/Sheet.ts"
import * as ShortId from "../../text/ShortId.ts"
import * as Text from "../../text/Text.ts"
import type * as Advice from "../content/Advice.ts"
import * as BreakFacts from "../content/BreakFacts.ts"
import type * as Stakes from "../content/Stakes.ts"

const INDENT = "    "
/** The largest number of entries of one side, and of candidates, that an outcome shows. */
const ENTRIES = 8
const CANDIDATES = 3

const more = (all: number, shown: number, what: string): Lines =>
  all > shown ? [`${INDENT}… and ${Text.count(all - shown)} more ${what}; --format json has all`] : []

/** Returns the explanation, with the ids of the entries above it shortened. */
const explained = ({ deposits, explanation, transfers }: Outcome.Outcome): string =>
  [...deposits, ...transfers].slice(0, 2 * ENTRIES)
    .reduce((text, { id }) => text.replaceAll(id, () => ShortId.of(id)), explanation)

const candidateLines = ({ id, reason, side }: Outcome.Candidate, { style, width }: Sheet): Lines =>
  Text.wrap(Text.plain(`not ${side} ${id}: ${reason}`), width - INDENT.length - 2)
    .map((line, index) => style.faint(`${INDENT}${index === 0 ? "" : "  "}${line}`))

/** Says what is missing or too much, what that is worth, and how it stands. */
const factsOf = (
  outcome: Outcome.Outcome,
  stake: Stakes.Stake,
  { asOf = null, at = Explanation.moments().at, currency, prices }: Sheet
): string =>
  BreakFacts.of(outcome, stake, Text.plain, { asOf, hasPrices: prices !== undefined, currency, at }).join(", ")

interface Break {
  readonly stake: Stakes.Stake
  /** What to do about it, to copy. */
  readonly commands: ReadonlyArray<Advice.Command>
}

/** Shows one outcome: its words, then its facts where it is a break, its entries, what was not taken, and what to do. */
export const outcomeLines = (outcome: Outcome.Outcome, sheet: Sheet, found?: Break): Lines => {
  const { style, width } = sheet
  const side = (entries: ReadonlyArray<Entry.Entry>): Lines => [
    ...entries.slice(0, ENTRIES).flatMap((entry) => entryLines(entry, INDENT, sheet)),
    ...more(entries.length, ENTRIES, entries[0]?.side === "deposit" ? "deposits" : "transfers")
  ]
  const own = new Set([...outcome.deposits, ...outcome.transfers].map(({ id, side }) => `${side} ${id}`))
  // The versions of a conflict stand above already.
  const others = outcome.candidates.filter(({ id, side }) =>
    outcome.code !== "source-conflict" || !own.has(`${side} ${id}`)
  )
  return [
    ...Text.paragraph("  - ", Text.plain(explained(outcome)), width),
    ...(found === undefined ? [] : Text.paragraph(INDENT, factsOf(outcome, found.stake, sheet), width)),
    ...side(outcome.deposits),
    ...side(outcome.transfers),
    ...others.slice(0, CANDIDATES).flatMap((candidate) => candidateLines(candidate, sheet)),
    ...more(others.length, CANDIDATES, "candidates").map(style.faint),
    ...(found?.commands ?? []).map(({ label, text }) => style.faint(`${INDENT}${label}: ${text}`))
  ]
}
