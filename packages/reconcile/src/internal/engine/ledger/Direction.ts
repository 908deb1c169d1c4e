/** Decides which transfers count as movements, and whose money they move. */
import * as AccountType from "@tallystick/core/AccountType"
import * as Accounts from "../../../Accounts.ts"
import type * as Entry from "../../../Entry.ts"
import * as FlowIndex from "./FlowIndex.ts"

export const { MASTER } = FlowIndex

type Movement = Pick<Entry.Entry, "from" | "to" | "fromType" | "toType">

export interface Direction {
  /** The flows that count. */
  readonly flows: FlowIndex.FlowIndex
  /** Returns the one name of an account; every name of the master account becomes `MASTER`. */
  readonly canonical: (name: string) => string
  /** Returns the sub-account that a transfer concerns, which is its end other than the master account; nothing if unknown. */
  readonly accountOf: (transfer: Entry.Entry) => string | undefined
  /** Whether the transfer can be the counterpart of a deposit. Unknown ends or types contradict nothing. */
  readonly counts: (transfer: Movement) => boolean
  /** Whether the transfer goes against a flow. It is false if an end is unknown, or if the transfer counts. */
  readonly isAgainst: (transfer: Movement) => boolean
  /** Whether the transfer would count, if its account were on the list that somebody vouches for. */
  readonly isUnvouched: (transfer: Entry.Entry) => boolean
  /** Whether the account of a deposit is not on the list that somebody vouches for, and no flow names it. */
  readonly isUnlisted: (account: string) => boolean
}

/** The ends of a movement. Unknown types contradict nothing. */
interface Route {
  readonly from: string
  readonly to: string
  readonly fromType: string | undefined
  readonly toType: string | undefined
}

export const make = (flows: ReadonlyArray<FlowIndex.Flow>, accounts: Accounts.Accounts): Direction => {
  const listed = new Set(accounts.list)
  const canonical = (name: string): string => (Accounts.isMaster(accounts, name) ? MASTER : name)
  const index = FlowIndex.make(flows, canonical)

  const isVouched = accounts.complete && listed.size > 0
  const isAnybody = (name: string): boolean => name !== MASTER
  const isSomebody = (name: string): boolean => isAnybody(name) && (!isVouched || listed.has(name))
  const isType = ({ types }: FlowIndex.Flow, { fromType, toType }: Route): boolean =>
    types === undefined ||
    types.some(([from, to]) =>
      (fromType === undefined || AccountType.canonical(fromType) === AccountType.canonical(from)) &&
      (toType === undefined || AccountType.canonical(toType) === AccountType.canonical(to))
    )

  const isInFlow = (route: Route, isAny = isSomebody): boolean => {
    const ends = (name: string): ReadonlyArray<string> => isAny(name) ? [name, FlowIndex.ANY] : [name]
    return ends(route.from).some((from) =>
      ends(route.to).some((to) => index.between(from, to).some((flow) => isType(flow, route)))
    )
  }
  const routeOf = ({ from, fromType, to, toType }: Movement): Route | undefined =>
    from === undefined || to === undefined
      ? undefined
      : { from: canonical(from), to: canonical(to), fromType, toType }

  return {
    flows: index,
    canonical,
    accountOf: ({ account, from, to }) => {
      if (account !== undefined && account !== "") return canonical(account)
      if (from !== undefined && canonical(from) !== MASTER) return canonical(from)
      return to === undefined || (canonical(to) === MASTER && from === undefined) ? undefined : canonical(to)
    },
    counts: (transfer) => {
      const route = routeOf(transfer)
      return route === undefined || isInFlow(route)
    },
    isAgainst: (transfer) => {
      const route = routeOf(transfer)
      if (route === undefined || isInFlow(route)) return false
      const { from, fromType, to, toType } = route
      return isInFlow({ from: to, to: from, fromType: toType, toType: fromType })
    },
    isUnvouched: (transfer) => {
      const route = isVouched ? routeOf(transfer) : undefined
      return route !== undefined && !isInFlow(route) && isInFlow(route, isAnybody)
    },
    isUnlisted: (account) =>
      !isSomebody(account) && isAnybody(account) && index.names(FlowIndex.ANY) && !index.names(account)
  }
}
