/**
 * An author who got no answer sends the same again, and does not know whether it was written. What this author wrote behind the row
 * that was the last one seen, and what still stands, is the answer then: nothing is written twice. Where it was undone since, nobody
 * can tell a repetition from a change of mind: the author has to look first.
 */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Decision from "../../Decision.ts"
import * as DecisionError from "../../DecisionError.ts"
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

/** A decision that says the same. */
interface Found {
  readonly decision: Decision.Decision
  /** What undid it since, which the author has not seen; nothing where it stands. */
  readonly undone?: DecisionError.Outdated
}

interface Repetition {
  readonly add: (decision: Decision.Decision) => void
  /** Gives the decision that says the same; nothing where there is none. `of` tells how a decision stands now. */
  readonly find: (asked: Asked, of: (number: number) => Decision.Decision | undefined) => Found | undefined
}

/** The row from which on a setting holds that was made, or approved. */
const since = ({ approvedBy, body }: Decision.Decision): number => approvedBy ?? body.number

/** The decisions behind the row that an author saw last; none is a repetition for one who is taken to know everything. */
export const make = (decisions: ReadonlyArray<Decision.Decision>, seen: number | undefined): Repetition => {
  const said = new Map<string, number>()
  const settings: Array<number> = []
  const add = ({ body }: Decision.Decision): void => {
    if (body.kind === "setting") settings.push(body.number)
    if (seen !== undefined && body.number > seen) said.set(textOf(body), body.number)
  }
  for (const decision of decisions) add(decision)

  /** What revoked a decision, or set otherwise what a setting says that held. */
  const undone = (
    decision: Decision.Decision,
    of: (number: number) => Decision.Decision | undefined
  ): DecisionError.Outdated | undefined => {
    const { body, revokedBy } = decision
    if (revokedBy !== undefined) {
      return new DecisionError.Outdated({ decision: revokedBy, says: `revokes decision ${body.number}` })
    }
    if (body.kind !== "setting" || !Decision.holds(decision)) return undefined
    const last = Math.max(
      ...settings.flatMap((number) => {
        const setting = of(number)
        return setting !== undefined && Decision.holds(setting) ? since(setting) : []
      })
    )
    return last > since(decision)
      ? new DecisionError.Outdated({ decision: last, says: "sets otherwise how decisions are made" })
      : undefined
  }

  return {
    add,
    find: (asked, of) => {
      const decision = of(said.get(textOf(asked.said)) ?? 0)
      if (decision === undefined) return undefined
      const outdated = undone(decision, of)
      if (outdated !== undefined) return { decision, undone: outdated }
      const { body } = decision
      if (body.kind === "approve" && of(body.decision)?.revokedBy !== undefined) return undefined
      const isOther = body.kind === "accept" && asked.outcome?.outcome === "discrepancy" &&
        Facts.difference(body, Facts.of(asked.outcome)) !== undefined
      return isOther ? undefined : { decision }
    }
  }
}
