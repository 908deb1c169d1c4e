/** Which decisions hold after all that follow them: whether each was only proposed, approved, or revoked. */
import * as Decision from "../../Decision.ts"

interface Told {
  readonly id: string
  readonly body: Decision.Body
}

interface Holding {
  readonly decisions: ReadonlyArray<Decision.Decision>
  /** How decisions are made after the last of them. */
  readonly settings: Decision.Settings
}

const settingsOf = ({ approvals, authors }: Decision.Settings): Decision.Settings => ({ approvals, authors })

/**
 * Tells whether a decision is followed at once, or waits for another person while the archive asks for approvals. `target` is what a
 * revocation takes back: matching would follow anew from a ruling that holds, and hide what is a break now.
 */
export const waits = (
  { kind }: Pick<Decision.Body, "kind">,
  { approvals }: Decision.Settings,
  target: Decision.Decision | undefined
): boolean => {
  if (!approvals || kind === "note" || kind === "approve") return false
  return kind !== "revoke" || (target !== undefined && Decision.isRuling(target.body) && Decision.holds(target))
}

interface Holder {
  /** Takes the next decision of the ledger. An approval by the author of a decision is none. */
  readonly add: (told: Told) => void
  /** Gives the decisions so far as they came, in the order of their numbers. */
  readonly held: () => Holding
}

export const make = (): Holder => {
  const standing = new Map<number, Decision.Decision>()
  let settings = Decision.defaults
  const change = (number: number, changes: Partial<Decision.Decision>): void => {
    const known = standing.get(number)
    if (known !== undefined) standing.set(number, { ...known, ...changes })
  }
  /** A decision counts from now on. */
  const follow = (body: Decision.Body): void => {
    if (body.kind === "setting") settings = settingsOf(body)
    else if (body.kind === "revoke" && body.decision < body.number) {
      if (standing.get(body.decision)?.revokedBy === undefined) change(body.decision, { revokedBy: body.number })
    }
  }
  const add = ({ body, id }: Told): void => {
    const isProposed = waits(body, settings, body.kind === "revoke" ? standing.get(body.decision) : undefined)
    standing.set(body.number, isProposed ? { id, body, proposed: true } : { id, body })
    if (!isProposed) follow(body)
    if (body.kind !== "approve") return
    const target = standing.get(body.decision)
    if (target === undefined || !Decision.isProposed(target) || Decision.isSamePerson(target.body.by, body.by)) return
    change(body.decision, { approvedBy: body.number })
    follow(target.body)
  }
  return { add, held: () => ({ decisions: Array.from(standing.values()), settings }) }
}
