/** Numbers entries of equal amount whose assets may be look-alikes. It returns nothing if there are no such assets. */
import * as Amount from "@tallystick/core/Amount"
import { at, item } from "./Column.ts"
import type { Ledger, Side } from "./Ledger.ts"
import { stem } from "./LookAlike.ts"

export interface LookAlikes {
  readonly count: number
  /** A number for each deposit, the same for equal amounts of assets of one stem. It is -1 if no other asset has that stem. */
  readonly deposits: Int32Array
  readonly transfers: Int32Array
}

/** Finds the stems of every alias group that another group has as well. */
const shared = ({ assets, policy }: Ledger): ReadonlyMap<number, ReadonlySet<string>> => {
  const stems = assets.map((first) => {
    const names = policy.assets.aliases.find(([name]) => name === first) ?? [first]
    return new Set(names.map(stem))
  })
  const counts = new Map<string, number>()
  for (const own of stems) for (const one of own) counts.set(one, (counts.get(one) ?? 0) + 1)
  const found = new Map<number, ReadonlySet<string>>()
  stems.forEach((own, group) => {
    const common = new Set(Array.from(own).filter((one) => (counts.get(one) ?? 0) > 1))
    if (common.size > 0) found.set(group, common)
  })
  return found
}

export const make = (ledger: Ledger): LookAlikes | undefined => {
  const stems = shared(ledger)
  if (stems.size === 0) return undefined
  const numbers = new Map<string, number>()
  const column = ({ entries, group }: Side): Int32Array =>
    Int32Array.from(entries, (_, index) => {
      const entry = item(entries, index)
      const own = stem(entry.asset)
      if (stems.get(at(group, index))?.has(own) !== true) return -1
      const key = `${own} ${Amount.canonical(entry.amount)}`
      const known = numbers.get(key) ?? numbers.size
      numbers.set(key, known)
      return known
    })
  const [deposits, transfers] = [column(ledger.deposits), column(ledger.transfers)]
  return { count: numbers.size, deposits, transfers }
}
