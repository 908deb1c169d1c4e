/**
 * Knows a part that is one deposit and one transfer of equal amount in the window, surrounded by what was read, when nothing
 * speaks against either. Nothing else can be compared with them, so they are a pair whatever the rules are.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "../../../Entry.ts"
import type * as Policy from "../../../Policy.ts"
import * as Past from "../../Past.ts"
import * as Finality from "../finality/Finality.ts"
import { MASTER } from "../ledger/Direction.ts"
import type { Terms } from "../ledger/Terms.ts"
import * as Window from "../ledger/Window.ts"

export interface Pair {
  readonly deposit: Entry.Entry
  readonly transfer: Entry.Entry
  /** What decides it: the equal amounts alone, or a reference that both carry. */
  readonly code: "exact" | "reference"
  /** Whether nothing unread can change it. */
  readonly final: boolean
}

const isBearer = ({ reference }: Entry.Entry): boolean => reference !== undefined && reference !== ""

/** Returns the pair, if the part is one. */
export type LonePair = (part: ReadonlyArray<Entry.Entry>) => Pair | undefined

/** The two entries of a part, and the accounts that they concern; nothing if unknown. */
interface Both {
  readonly deposit: Entry.Entry
  readonly transfer: Entry.Entry
  readonly accounts: Readonly<Record<Entry.Side, string | undefined>>
}

/** Says what decides a pair of equal amounts; nothing if the references may speak against it. */
const codeOf = (
  mode: Policy.Resolved["reference"],
  { reference: one = "" }: Entry.Entry,
  { reference: other = "" }: Entry.Entry
): Pair["code"] | undefined => {
  if (mode === "ignore") return "exact"
  if (one === other && one !== "") return "reference"
  return mode === "only" || (one !== "" && other !== "") ? undefined : "exact"
}

/**
 * Judges the times beyond the windows of a pair in which something could take one of the two away, and the moment of the transfer
 * itself, at which another version of it may lie.
 */
const beyond = (
  { direction, groupOf, policy, ruleOf, widest }: Terms,
  read: Finality.ReadScopes,
  { accounts, deposit, transfer }: Both
): Finality.Judgement => {
  const judgements = [Finality.judge(read.around(transfer, accounts.transfer), transfer.at, transfer.at)]
  const { after, before, late } = widest(groupOf(transfer.asset))
  if (policy.reference !== "ignore" && isBearer(deposit)) {
    const rule = ruleOf(deposit.asset, deposit.network)
    const reach = Window.wider(rule.window, rule.late)
    judgements.push(read.transfersOf(accounts.deposit, ...Window.around(deposit.at, reach)))
  }
  if (policy.reference !== "ignore" && isBearer(transfer)) {
    const reach = Window.wider({ before: after, after: before }, late)
    judgements.push(Finality.judge(read.deposits, ...Window.around(transfer.at, reach)))
  }
  const { at, from, to } = transfer
  if (from !== undefined && to !== undefined && direction.canonical(to) === MASTER) {
    judgements.push(read.backTo(direction.canonical(from), at, at + Math.max(after, 0) + late))
  }
  return Finality.worst(judgements)
}

/** Makes the test for a run, and then for what was read so far. */
export const make = (terms: Terms): (read: Finality.ReadScopes, ended: boolean) => LonePair => {
  const { accountOf, direction, groupOf, policy, ruleOf } = terms
  const reach = Math.max(
    ...[policy, ...policy.per].map(({ window }) => Math.abs(window.before) + Math.abs(window.after))
  )
  const bounded = new Set(Object.keys(policy.minAmount).map(groupOf))
  const named = new Set([
    ...policy.exclude.map(({ id }) => id),
    ...policy.forbid.flatMap(({ deposit, transfer }) => [deposit, transfer])
  ])
  const isPlain = ({ asset, at, id, past, side, status }: Entry.Entry): boolean => {
    if (status !== "settled" || bounded.has(groupOf(asset)) || named.has(id)) return false
    if (past === undefined) return true
    return Past.objection(status, past) === undefined &&
      (side === "transfer" || policy.lagFrom !== "settled" || (past.settledAt ?? at) <= at)
  }
  const isPair = ({ accounts, deposit, transfer }: Both): boolean => {
    if (!isPlain(deposit) || !isPlain(transfer) || !direction.counts(transfer)) return false
    // A reference joins entries of any amount to one part, and an id those of any asset.
    if (groupOf(deposit.asset) !== groupOf(transfer.asset)) return false
    if (Amount.canonical(deposit.amount) !== Amount.canonical(transfer.amount)) return false
    const { deposit: account, transfer: other } = accounts
    if (account !== other && account !== undefined && other !== undefined) return false
    const { after, before } = ruleOf(deposit.asset, deposit.network).window
    const lag = transfer.at - deposit.at
    return -before <= lag && lag <= after
  }

  return (read, ended) => {
    const isRead = ({ at }: Entry.Entry, account: string | undefined): boolean =>
      Finality.judge(read.deposits, at - reach, at + reach).state === "complete" &&
      read.transfersOf(account, at - reach, at + reach).state === "complete"
    return (part) => {
      const [one, other] = part
      if (part.length !== 2 || one === undefined || other === undefined || one.side === other.side) return undefined
      const [deposit, transfer] = one.side === "deposit" ? [one, other] : [other, one]
      const code = codeOf(policy.reference, deposit, transfer)
      if (code === undefined) return undefined
      const accounts = { deposit: accountOf(deposit), transfer: accountOf(transfer) }
      const both = { deposit, transfer, accounts }
      if (!isPair(both) || !isRead(deposit, accounts.deposit) || !isRead(transfer, accounts.deposit)) return undefined
      const { state } = beyond(terms, read, both)
      if (state === "complete") return { deposit, transfer, code, final: true }
      return state === "open" && !ended ? undefined : { deposit, transfer, code, final: false }
    }
  }
}
