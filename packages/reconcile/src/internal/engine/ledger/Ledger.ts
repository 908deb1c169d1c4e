/** Both sides as columns, and which entries are still open: the state that the tiers work on, one after the other. */
import * as Amount from "@tallystick/core/Amount"
import type * as AddressBook from "../../../AddressBook.ts"
import type * as Entry from "../../../Entry.ts"
import * as Past from "../../../Past.ts"
import * as Policy from "../../../Policy.ts"
import * as DisjointSets from "../../kernel/DisjointSets.ts"
import * as Rules from "../../policy/Rules.ts"
import * as AmountRule from "./AmountRule.ts"
import { at, item } from "./Column.ts"
import type { Direction } from "./Direction.ts"

/** One side, ordered by (at, id); everything else in the engine names its entries by position. */
export interface Side {
  readonly side: Entry.Side
  readonly entries: ReadonlyArray<Entry.Entry>
  readonly at: Float64Array
  /** The alias group: assets that count as equal. */
  readonly group: Int32Array
  /** Equal group and equal amount: one class, whatever the amount was written like. */
  readonly amountClass: Int32Array
  /** The sub-account, or -1 when unknown. */
  readonly account: Int32Array
  /** The reference, or -1 when there is none. */
  readonly reference: Int32Array
  /** 1 while the entry has no outcome. */
  readonly open: Uint8Array
  /** 1 for deposits, and for transfers that are in a flow. */
  readonly inFlow: Uint8Array
  /** Entries whose past speaks against them, by position in ascending order. */
  readonly objections: ReadonlyMap<number, Past.Objection>
  /** 1 when the entry may be matched: settled, in a flow, and nothing is to be objected. */
  readonly eligible: Uint8Array
  /** 1 for settled transfers that go the way of a flow, but backwards. */
  readonly against: Uint8Array
}

export interface Ledger {
  readonly policy: Policy.Resolved
  readonly deposits: Side
  readonly transfers: Side
  readonly groups: number
  readonly amountClasses: number
  readonly references: number
  /** Account names by number. */
  readonly accounts: ReadonlyArray<string>
  /** The first name of every alias group, by number. */
  readonly assets: ReadonlyArray<string>
  /** The rule of each deposit. */
  readonly rule: (deposit: number) => Policy.Rule
  /** The fees that may explain a deposit of an asset. */
  readonly fees: (asset: string) => ReadonlyArray<Policy.Resolved["fees"][number]>
  /** The digits behind the point of what the policy says of amounts. */
  readonly digits: AmountRule.Digits
  /** How long after its own time the lag of a deposit may count as well, because it was first seen settled then, ms; else 0. */
  readonly delay: (deposit: number) => number
  /** How long after its own time it was last seen unsettled before that, ms; not known: as the delay. */
  readonly unsettled: (deposit: number) => number
  /** The deposits that have such a delay. */
  readonly delayed: ReadonlyArray<number>
  /** The widest window and lateness that any deposit of the group may have: what a transfer has to look back over. */
  readonly widest: (group: number) => { readonly before: number; readonly after: number; readonly late: number }
  /** Whether account, reference and `forbid` allow the pair. Asset, amount, window and direction are judged elsewhere. */
  readonly compatible: (deposit: number, transfer: number) => boolean
  /** The same, whatever the accounts. */
  readonly allowed: (deposit: number, transfer: number) => boolean
  /** Whether `compatible` looks at more than the accounts. */
  readonly filtered: boolean
  /** Whether any `forbid` names the deposit. */
  readonly isForbidding: (deposit: number) => boolean
  /** Room to work in, over deposits and then transfers; whoever uses it leaves it as it was. */
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
  representative: (asset: string) => string,
  accountOf: (entry: Entry.Entry) => string | undefined,
  inFlow: (entry: Entry.Entry) => boolean,
  isAgainst: (entry: Entry.Entry) => boolean
): Side => {
  const size = entries.length
  const objections = new Map<number, Past.Objection>()
  const result: Side = {
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
    const group = names.groups.of(representative(entry.asset))
    const account = accountOf(entry)
    result.at[index] = entry.at
    result.group[index] = group
    result.amountClass[index] = names.amountClasses.of(`${group} ${Amount.canonical(entry.amount)}`)
    if (account !== undefined) result.account[index] = names.accounts.of(account)
    if (entry.reference !== undefined && entry.reference !== "") {
      result.reference[index] = names.references.of(entry.reference)
    }
    const counts = inFlow(entry)
    result.inFlow[index] = counts ? 1 : 0
    const objection = entry.past === undefined ? undefined : Past.objection(entry.status, entry.past)
    if (objection !== undefined) objections.set(index, objection)
    const settled = entry.status === "settled" && objection === undefined
    result.eligible[index] = counts && settled ? 1 : 0
    result.against[index] = !counts && settled && isAgainst(entry) ? 1 : 0
  })
  return result
}

export interface Input {
  readonly policy: Policy.Resolved
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly direction: Direction
  readonly addresses: AddressBook.Lookup
}

export const make = ({ addresses, deposits, direction, policy, transfers }: Input): Ledger => {
  const representative = Policy.aliasOf(policy)
  const names: Names = { groups: interner(), amountClasses: interner(), accounts: interner(), references: interner() }

  const depositSide = columns(
    "deposit",
    deposits,
    names,
    representative,
    ({ account, address, memo, network }) => {
      if (account !== undefined && account !== "") return direction.canonical(account)
      const found = address === undefined ? undefined : addresses(address, memo, network)
      return found === undefined ? undefined : direction.canonical(found)
    },
    () => true,
    () => false
  )
  const transferSide = columns(
    "transfer",
    transfers,
    names,
    representative,
    direction.accountOf,
    direction.counts,
    direction.isAgainst
  )

  const ruleOf = Rules.rules(policy)
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

  const ofGroup = Map.groupBy(policy.per, ({ asset }) => representative(asset))
  const widest = Array.from(names.groups.numbers.keys(), (group) => {
    const inForce: ReadonlyArray<Policy.Rule> = [
      policy,
      ...(ofGroup.get(group) ?? [])
    ]
    return {
      before: Math.max(...inForce.map(({ window }) => window.before)),
      after: Math.max(...inForce.map(({ window }) => window.after)),
      late: Math.max(...inForce.map(({ late }) => late))
    }
  })

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

  const allowed = (deposit: number, transfer: number): boolean => {
    if (policy.reference === "require" || policy.reference === "only") {
      const [key, other] = [at(depositSide.reference, deposit), at(transferSide.reference, transfer)]
      if (key !== other && (policy.reference === "only" || (key >= 0 && other >= 0))) return false
      if (policy.reference === "only" && key < 0) return false
    }
    return forbidden.size === 0 || forbidden.get(deposit)?.has(transfer) !== true
  }
  const compatible = (deposit: number, transfer: number): boolean => {
    const [left, right] = [at(depositSide.account, deposit), at(transferSide.account, transfer)]
    return !(left >= 0 && right >= 0 && left !== right) && allowed(deposit, transfer)
  }

  return {
    policy,
    deposits: depositSide,
    transfers: transferSide,
    groups: names.groups.numbers.size,
    amountClasses: names.amountClasses.numbers.size,
    references: names.references.numbers.size,
    accounts: Array.from(names.accounts.numbers.keys()),
    assets: Array.from(names.groups.numbers.keys()),
    rule: (deposit) => (depositRules === undefined ? policy : item(depositRules, deposit)),
    fees: Rules.fees(policy),
    digits: AmountRule.digitsOf(policy),
    delay: (deposit) => delays.get(deposit)?.delay ?? 0,
    unsettled: (deposit) => delays.get(deposit)?.unsettled ?? 0,
    delayed: Array.from(delays.keys()),
    widest: (group) => item(widest, group),
    compatible,
    allowed,
    filtered: forbidden.size > 0 || policy.reference === "require" || policy.reference === "only",
    isForbidding: (deposit) => forbidden.has(deposit),
    scratch: {
      sets: DisjointSets.make(deposits.length + transfers.length),
      local: new Int32Array(deposits.length + transfers.length)
    }
  }
}

/** Transfer time minus deposit time in ms. */
export const lag = ({ deposits, transfers }: Ledger, deposit: number, transfer: number): number =>
  at(transfers.at, transfer) - at(deposits.at, deposit)

/** The window of a deposit, ms; of one that was first seen settled later, up to the end of the window from then. */
export const span = (
  { delay, rule }: Pick<Ledger, "delay" | "rule">,
  deposit: number
): { readonly before: number; readonly after: number } => {
  const { after, before } = rule(deposit).window
  return { before, after: after + delay(deposit) }
}

/** How far before and after its own time a deposit's counterpart may come, late ones included, ms. */
export const horizon = (
  { delay, rule }: Ledger,
  deposit: number
): { readonly before: number; readonly after: number } => {
  const { late, window } = rule(deposit)
  return { before: window.before + late, after: window.after + delay(deposit) + late }
}

/** How far apart two entries of one side may lie and still be twins, in ms: as far as a counterpart may. */
export const reach = (ledger: Ledger, side: Entry.Side, index: number): number => {
  const { after, before } = side === "deposit"
    ? ledger.rule(index).window
    : ledger.widest(at(ledger.transfers.group, index))
  return Math.max(Math.abs(before), Math.abs(after))
}

/** How far back a transfer may cancel another one, in ms. */
export const reversal = (ledger: Ledger, transfer: number): number => {
  const { after, late } = ledger.widest(at(ledger.transfers.group, transfer))
  return Math.max(after, 0) + late
}

/** Whether an entry still takes part in matching. */
export const isFree = (side: Side, index: number): boolean => side.open[index] === 1 && side.eligible[index] === 1
