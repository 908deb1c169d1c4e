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

/** Tells whether a decision is followed at once, or waits for another person while the archive asks for approvals. */
export const waits = ({ kind }: Pick<Decision.Body, "kind">, { approvals }: Decision.Settings): boolean =>
  approvals && kind !== "note" && kind !== "revoke" && kind !== "approve"

/** Gives the decisions as they came, in the order of their numbers. An approval by the author of a decision is none. */
export const of = (rows: ReadonlyArray<Told>): Holding => {
  const standing = new Map<number, Decision.Decision>()
  let settings = Decision.defaults
  const change = (number: number, changes: Partial<Decision.Decision>): void => {
    const known = standing.get(number)
    if (known !== undefined) standing.set(number, { ...known, ...changes })
  }
  for (const { body, id } of rows) {
    if (body.kind === "revoke") change(body.decision, { revokedBy: body.number })
    const proposed = waits(body, settings)
    standing.set(body.number, proposed ? { id, body, proposed } : { id, body })
    if (body.kind === "setting" && !proposed) settings = settingsOf(body)
    if (body.kind !== "approve") continue
    const target = standing.get(body.decision)
    if (target === undefined || !Decision.isProposed(target) || target.body.by === body.by) continue
    change(body.decision, { approvedBy: body.number })
    if (target.body.kind === "setting") settings = settingsOf(target.body)
  }
  return { decisions: Array.from(standing.values()), settings }
}
