/**
 * An author who got no answer sends the same again, and does not know whether it was written. What this author wrote behind the row
 * that was the last one seen, and what still stands, is the answer then: nothing is written twice.
 */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Decision from "../../Decision.ts"
import * as Canonical from "./Canonical.ts"
import * as Facts from "./Facts.ts"

/** These say where and when a decision was written. */
const PLACE = ["number", "previous", "at"]

/** An acceptance is named by its outcome; its facts are compared as such. */
const FACTS = ["code", "residual", "openCount", "openSum", "entries", "provisional"]

/** What an author says, and of which kind it is. */
type Said = Pick<Decision.Body, "kind">

/** The same text is the same decision. */
const textOf = (said: Said): string => {
  const left = new Set(said.kind === "accept" ? [...PLACE, ...FACTS] : PLACE)
  return Canonical.stringify(Object.fromEntries(Object.entries(said).filter(([key]) => !left.has(key))))
}

interface Asked {
  /** The kind, and what the ledger would keep of it but for its place. */
  readonly said: Said
  /** What the books tell now of the outcome that is to be accepted. */
  readonly outcome: Outcome.Outcome | undefined
}

interface Repetition {
  readonly add: (decision: Decision.Decision) => void
  /** Gives the number of the decision that says the same; nothing where there is none. `of` tells how a decision stands now. */
  readonly find: (
    asked: Asked,
    of: (number: number) => Decision.Decision | undefined
  ) => Decision.Decision | undefined
}

/** The decisions behind the row that an author saw last; none is a repetition for one who is taken to know everything. */
export const make = (decisions: ReadonlyArray<Decision.Decision>, seen: number | undefined): Repetition => {
  const said = new Map<string, number>()
  let setting = 0
  const add = ({ body }: Decision.Decision): void => {
    if (seen === undefined || body.number <= seen) return
    if (body.kind === "setting") setting = body.number
    said.set(textOf(body), body.number)
  }
  for (const decision of decisions) add(decision)
  return {
    add,
    find: (asked, of) => {
      const found = of(said.get(textOf(asked.said)) ?? 0)
      if (found === undefined || found.revokedBy !== undefined) return undefined
      const { body } = found
      // Somebody may have set it otherwise in between.
      if (body.kind === "setting" && body.number !== setting) return undefined
      if (body.kind === "approve" && of(body.decision)?.revokedBy !== undefined) return undefined
      const isOther = body.kind === "accept" && asked.outcome?.outcome === "discrepancy" &&
        Facts.difference(body, Facts.of(asked.outcome)) !== undefined
      return isOther ? undefined : found
    }
  }
}
