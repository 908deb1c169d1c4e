/** What the file holds: the facts, and every outcome as a row. */
import * as Report from "@tallystick/reconcile/Report"
import * as CountedRange from "../../src/internal/content/CountedRange.ts"
import * as LeftOut from "../../src/internal/content/LeftOut.ts"
import type { Facts } from "../../src/internal/html/Facts.ts"
import * as Rows from "../../src/internal/html/Rows.ts"

export interface Line extends Rows.Glance {
  /** Its place in the order of the file: what is to be looked at first. */
  readonly place: number
  /** Whether it belongs to the range of the report, and not to another day. */
  readonly isOfRange: boolean
}

export interface Book {
  readonly facts: Facts
  /** The range by which the report counts, Unix ms; null is everything. */
  readonly range: Report.Summary["range"]
  readonly lines: ReadonlyArray<Line>
  readonly reader: Rows.Reader
  readonly row: (line: Line) => Rows.OutcomeRow
}

const texts = (part: string): ReadonlyArray<string> =>
  Array.from(document.querySelectorAll(`script[data-part="${part}"]`), ({ textContent }) => textContent ?? "")

const only = (part: string): string => {
  const [text] = texts(part)
  if (text === undefined) throw new Error(`This file is not whole: it lacks its ${part}.`)
  return text
}

/** Reads the facts, which stand before all else in the file. */
export const readFacts = (): Facts => JSON.parse(only("facts"))

/** Reads the outcomes, once the whole file is there. */
export const read = (facts: Facts): Book => {
  const all: ReadonlyArray<string> = JSON.parse(only("texts"))
  const reader = Rows.reader(all)
  const rows = texts("outcomes").flatMap((text): ReadonlyArray<Rows.OutcomeRow> => JSON.parse(text))
  const leftOut = LeftOut.ofCode(facts.carries)
  const expected = facts.summary.counts.reduce(
    (sum, count) => sum + Report.outcomesListed(count) - leftOut(count.code),
    0
  )
  if (rows.length !== expected) {
    throw new Error(`This file is not whole: it holds ${rows.length} outcomes instead of ${expected}.`)
  }
  const range = CountedRange.of(facts.summary)
  const isInRange = Report.isInRange(range)
  const lines = rows.map((row, place): Line => {
    const glance = reader.glance(row)
    return Object.assign(glance, { place, isOfRange: glance.ofDay === null || isInRange({ at: glance.ofDay }) })
  })
  return {
    facts,
    range,
    lines,
    reader,
    row: ({ place }) => {
      const row = rows[place]
      if (row === undefined) throw new Error(`there is no outcome at ${place}`)
      return row
    }
  }
}
