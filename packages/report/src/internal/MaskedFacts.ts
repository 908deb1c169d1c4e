/** Replaces the names in the facts of outcomes. */
import type * as Outcome from "@tallystick/reconcile/Outcome"

/** Says how each kind of text is hidden. */
export interface Masks {
  readonly id: (id: string) => string
  readonly account: (name: string) => string
  /** Hides a text that somebody wrote freely. */
  readonly text: (text: string) => string
}

const version = { kind: "masked" } as const

const named = <A extends { readonly id: string }>({ id }: Masks, one: A): A => ({ ...one, id: id(one.id) })

/** Masks where a policy moves every deposit: `master` is a word of policies, and no name. */
const destination = (account: Masks["account"], to: string): string => (to === "" || to === "master" ? to : account(to))

/** Masks the reason why an outcome was decided. */
export const because = (masks: Masks, facts: Outcome.Because): Outcome.Because => {
  const { account, id, text } = masks
  switch (facts.code) {
    case "other-account":
      return {
        ...facts,
        depositAccount: account(facts.depositAccount),
        transferAccount: account(facts.transferAccount)
      }
    case "account-not-listed":
      return {
        ...facts,
        account: account(facts.account),
        ...(facts.transfer === undefined ? {} : { transfer: { ...facts.transfer, id: id(facts.transfer.id) } })
      }
    case "no-counterpart":
      return facts.to === undefined ? facts : { ...facts, to: destination(account, facts.to) }
    case "contested-sum":
    case "sum-by-chance":
      return { ...facts, ids: facts.ids.map(id) }
    case "part-of-a-sum":
    case "matched-twin":
      return { ...facts, id: id(facts.id) }
    case "told-in-versions":
      return { ...facts, others: [version] }
    case "linked":
    case "excluded":
      return {
        ...facts,
        ...(facts.by === undefined ? {} : { by: id(facts.by) }),
        ...(facts.reason === undefined ? {} : { reason: text(facts.reason) })
      }
    case "linked-with-absent":
      return { ...facts, absent: facts.absent.map((one) => named(masks, one)) }
    default:
      return facts
  }
}

/** Masks the reason why an entry is a candidate. */
export const note = (masks: Masks, facts: Outcome.Note): Outcome.Note => {
  switch (facts.code) {
    case "fits-deposit":
      return { ...facts, deposit: masks.id(facts.deposit) }
    case "fits-but-taken":
    case "equal-but-taken":
    case "may-belong-here":
      return facts.by === undefined ? facts : { ...facts, by: named(masks, facts.by) }
    case "version":
      return { ...facts, version }
    default:
      return facts
  }
}
