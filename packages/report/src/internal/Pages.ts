/** Cuts a report's outcomes into pages. A page begins where the one before it ended, in the same report. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import * as Option from "effect/Option"

/** The outcomes of a page at most. */
export const MOST = 1000

/** The outcomes of a page of which nothing else is said. */
export const USUAL = 100

/** Every `next` is of this form: the report, and the place in it. */
export const PLACE = /^[^.\s]{1,100}\.\d{1,15}$/

interface Whole {
  readonly id: string
  readonly report: Report.Report
}

export interface Query {
  readonly code?: ReadonlyArray<Outcome.Code>
  readonly outcome?: ReadonlyArray<Outcome.Kind>
  readonly final?: boolean
  readonly after?: string
  readonly limit: number
}

export interface Page {
  readonly report: string
  readonly next: string | null
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
}

/** Returns where a page begins, or none if the text is not of a page of this report. */
const begin = ({ id, report }: Whole, after: string | undefined): Option.Option<number> => {
  if (after === undefined) return Option.some(0)
  const digits = after.startsWith(`${id}.`) ? after.slice(id.length + 1) : ""
  return digits !== "" && Number(digits) < report.outcomes.length
    ? Option.some(Number(digits))
    : Option.none()
}

/** Returns the page, or none if `after` is not of this report. */
export const of = (published: Whole, { after, code, final, limit, outcome }: Query): Option.Option<Page> =>
  Option.map(begin(published, after), (from) => {
    const { id, report } = published
    const isWanted = (one: Outcome.Outcome): boolean =>
      (code === undefined || code.includes(one.code)) &&
      (outcome === undefined || outcome.includes(one.outcome)) &&
      (final === undefined || final === one.final)
    const outcomes: Array<Outcome.Outcome> = []
    for (let index = from; index < report.outcomes.length; index++) {
      const one = report.outcomes[index]
      if (one === undefined || !isWanted(one)) continue
      if (outcomes.length === limit) return { report: id, next: `${id}.${index}`, outcomes }
      outcomes.push(one)
    }
    return { report: id, next: null, outcomes }
  })
