/**
 * Holds both sides as columns and marks the entries that are still open: the state that the tiers work on, one after the
 * other.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "../../../Entry.ts"
import type * as Policy from "../../../Policy.ts"
import * as DisjointSets from "../../kernel/DisjointSets.ts"
import * as Past from "../../Past.ts"
import * as Rules from "../../policy/Rules.ts"
import * as AmountRule from "./AmountRule.ts"
import { at, item } from "./Column.ts"
import * as Side from "./Side.ts"
import type { Terms } from "./Terms.ts"
import type * as Window from "./Window.ts"

export type { Side } from "./Side.ts"

export interface Ledger extends Window.Rules {
  readonly policy: Policy.Resolved
  readonly deposits: Side.Side
  readonly transfers: Side.Side
  readonly groups: number
  readonly amountClasses: number
  readonly references: number
  /** Account names by number. */
  readonly accounts: ReadonlyArray<string>
  /** The first name of every alias group, by number. */
  readonly assets: ReadonlyArray<string>
  /** Returns the fees that may explain a deposit of an asset. */
  readonly fees: (asset: string) => ReadonlyArray<Policy.Resolved["fees"][number]>
  /** The number of decimal places in the amounts and rates of the policy. */
  readonly digits: AmountRule.Digits
  /**
   * Returns how long after its own time the deposit was last seen unsettled before it settled, ms. It is the delay if that is
   * not known.
   */
  readonly unsettled: (deposit: number) => number
  /** The deposits that have such a delay. */
  readonly delayed: ReadonlyArray<number>
  /** Whether account, reference and `forbid` allow the pair. Asset, amount, window and direction are judged elsewhere. */
  readonly compatible: (deposit: number, transfer: number) => boolean
  /** Whether the two are of known accounts that differ, and reference and `forbid` allow the pair. */
  readonly isElsewhere: (deposit: number, transfer: number) => boolean
  /** Whether two entries that carry references are kept apart unless these are equal. */
  readonly requiresReference: boolean
  /** Gives for a deposit the transfers that `forbid` keeps from it. */
  readonly forbidden: ReadonlyMap<number, ReadonlySet<number>>
  /** Room to work in, over deposits and then transfers. A user of it leaves it as it was. */
  readonly scratch: { readonly sets: DisjointSets.DisjointSets; readonly local: Int32Array }
}

const interner = () => {
  const numbers = new Map<string, number>()
  return {
    numbers,
    of: (name: string): number => {
      const known = numbers.get(name)
      if (known !== undefined) return known
      numbers.set(name, numbers.size)
      return numbers.size - 1
    }
  }
}
type Interner = ReturnType<typeof interner>

interface Names {
  readonly groups: Interner
  readonly amountClasses: Interner
  readonly accounts: Interner
  readonly references: Interner
}

const columns = (
  side: Entry.Side,
  entries: ReadonlyArray<Entry.Entry>,
  names: Names,
  { accountOf, direction, groupOf }: Terms
): Side.Columns => {
  const size = entries.length
  const objections = new Map<number, Past.Objection>()
  const result: Side.Columns = {
    side,
    entries,
    at: new Float64Array(size),
    group: new Int32Array(size),
    amountClass: new Int32Array(size),
    account: new Int32Array(size).fill(-1),
    reference: new Int32Array(size).fill(-1),
    open: new Uint8Array(size).fill(1),
    inFlow: new Uint8Array(size),
    objections,
    eligible: new Uint8Array(size),
    against: new Uint8Array(size)
  }
  entries.forEach((entry, index) => {
    const group = names.groups.of(groupOf(entry.asset))
    const account = accountOf(entry)
    result.at[index] = entry.at
    result.group[index] = group
    result.amountClass[index] = names.amountClasses.of(`${group} ${Amount.canonical(entry.amount)}`)
    if (account !== undefined) result.account[index] = names.accounts.of(account)
    if (entry.reference !== undefined && entry.reference !== "") {
      result.reference[index] = names.references.of(entry.reference)
    }
    const counts = side === "deposit" || direction.counts(entry)
    result.inFlow[index] = counts ? 1 : 0
    const objection = entry.past === undefined ? undefined : Past.objection(entry.status, entry.past)
    if (objection !== undefined) objections.set(index, objection)
    const settled = entry.status === "settled" && objection === undefined
    result.eligible[index] = counts && settled ? 1 : 0
    result.against[index] = !counts && settled && direction.isAgainst(entry) ? 1 : 0
  })
  return result
}

export interface Input {
  readonly terms: Terms
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
}

export const make = ({ deposits, terms, transfers }: Input): Ledger => {
  const { policy, ruleOf } = terms
  const names: Names = { groups: interner(), amountClasses: interner(), accounts: interner(), references: interner() }

  const depositSide = columns(
    "deposit",
    deposits,
    names,
    terms
  )
  const transferSide = columns(
    "transfer",
    transfers,
    names,
    terms
  )

  const depositRules = policy.per.length === 0
    ? undefined
    : deposits.map(({ asset, network }) => ruleOf(asset, network))

  const delays = new Map<number, { readonly delay: number; readonly unsettled: number }>()
  if (policy.lagFrom === "settled") {
    deposits.forEach(({ at: time, past }, index) => {
      const delay = (past?.settledAt ?? time) - time
      if (!Number.isSafeInteger(delay) || delay <= 0 || depositSide.eligible[index] !== 1) return
      const unsettled = (past?.unsettledAt ?? time + delay) - time
      delays.set(index, {
        delay,
        unsettled: Number.isSafeInteger(unsettled) ? Math.min(Math.max(unsettled, 0), delay) : delay
      })
    })
  }

  const widest = Array.from(names.groups.numbers.keys(), terms.widest)

  const numberOf = (entries: ReadonlyArray<Entry.Entry>, ids: ReadonlyArray<string>): Map<string, number> => {
    const wanted = new Set(ids)
    const found = new Map<string, number>()
    if (wanted.size > 0) entries.forEach(({ id }, index) => wanted.has(id) && found.set(id, index))
    return found
  }
  const forbiddenDeposits = numberOf(deposits, policy.forbid.map(({ deposit }) => deposit))
  const forbiddenTransfers = numberOf(transfers, policy.forbid.map(({ transfer }) => transfer))
  const forbidden = new Map<number, Set<number>>()
  for (const { deposit, transfer } of policy.forbid) {
    const [left, right] = [forbiddenDeposits.get(deposit), forbiddenTransfers.get(transfer)]
    if (left === undefined || right === undefined) continue
    forbidden.set(left, (forbidden.get(left) ?? new Set()).add(right))
  }

  const requiresReference = policy.reference === "require" || policy.reference === "only"
  const allowed = (deposit: number, transfer: number): boolean => {
    if (requiresReference) {
      const [key, other] = [at(depositSide.reference, deposit), at(transferSide.reference, transfer)]
      if (key !== other && (policy.reference === "only" || (key >= 0 && other >= 0))) return false
      if (policy.reference === "only" && key < 0) return false
    }
    return forbidden.get(deposit)?.has(transfer) !== true
  }
  const areOfTwo = (deposit: number, transfer: number): boolean => {
    const [left, right] = [at(depositSide.account, deposit), at(transferSide.account, transfer)]
    return left >= 0 && right >= 0 && left !== right
  }
  const compatible = (deposit: number, transfer: number): boolean =>
    !areOfTwo(deposit, transfer) && allowed(deposit, transfer)

  const rules: Window.Rules = {
    rule: (deposit) => (depositRules === undefined ? policy : item(depositRules, deposit)),
    delay: (deposit) => delays.get(deposit)?.delay ?? 0,
    widest: (group) => item(widest, group)
  }
  return {
    policy,
    ...rules,
    ...Side.join(rules, depositSide, transferSide),
    groups: names.groups.numbers.size,
    amountClasses: names.amountClasses.numbers.size,
    references: names.references.numbers.size,
    accounts: Array.from(names.accounts.numbers.keys()),
    assets: Array.from(names.groups.numbers.keys()),
    fees: Rules.fees(policy),
    digits: AmountRule.digitsOf(policy),
    unsettled: (deposit) => delays.get(deposit)?.unsettled ?? 0,
    delayed: Array.from(delays.keys()),
    compatible,
    isElsewhere: (deposit, transfer) => areOfTwo(deposit, transfer) && allowed(deposit, transfer),
    requiresReference,
    forbidden,
    scratch: {
      sets: DisjointSets.make(deposits.length + transfers.length),
      local: new Int32Array(deposits.length + transfers.length)
    }
  }
}

/** Whether a `forbid` names two of these entries. */
export const forbidsAmong = ({ forbidden }: Ledger, { deposits, transfers }: Side.Members): boolean => {
  if (forbidden.size === 0) return false
  const named = deposits.flatMap((deposit) => Array.from(forbidden.get(deposit) ?? []))
  if (named.length === 0) return false
  const others = new Set(transfers)
  return named.some((transfer) => others.has(transfer))
}

/** Returns transfer time minus deposit time in ms. */
export const lag = ({ deposits, transfers }: Ledger, deposit: number, transfer: number): number =>
  at(transfers.at, transfer) - at(deposits.at, deposit)

/** Whether an entry still takes part in matching. */
export const isFree = (side: Side.Side, index: number): boolean => side.open[index] === 1 && side.eligible[index] === 1
