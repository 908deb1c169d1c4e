/** Which transfers are movements that count, and whose money they move. */
import * as AccountType from "@tallystick/core/AccountType"
import * as Accounts from "../../Accounts.ts"
import type * as Entry from "../../Entry.ts"
import type * as Policy from "../../Policy.ts"

/** The one name of the master account inside the engine; no account can have it. */
export const MASTER = "\u0000master"

type Movement = Pick<Entry.Entry, "from" | "to" | "fromType" | "toType">

export interface Direction {
  /** The account's one name: all names of the master account are `MASTER`. */
  readonly canonical: (name: string) => string
  /** The sub-account a transfer concerns: its end that is not the master account; nothing when unknown. */
  readonly accountOf: (transfer: Entry.Entry) => string | undefined
  /** Whether the transfer can be the counterpart of a deposit. Unknown ends or types contradict nothing. */
  readonly counts: (transfer: Movement) => boolean
  /** Whether the transfer goes the way of a flow, but backwards. Never when an end is unknown, or when it counts. */
  readonly isAgainst: (transfer: Entry.Entry) => boolean
  /** Whether it counts for nothing but that an account is not on the list that somebody vouches for. */
  readonly isUnvouched: (transfer: Entry.Entry) => boolean
  /** Whether the list that somebody vouches for lacks the account of a deposit, and no flow names it. */
  readonly isUnlisted: (account: string) => boolean
}

/** The ends of a movement; unknown types contradict nothing. */
interface Route {
  readonly from: string
  readonly to: string
  readonly fromType: string | undefined
  readonly toType: string | undefined
}

type Flow = Policy.Resolved["flows"][number]

export const make = (flows: ReadonlyArray<Flow>, accounts: Accounts.Accounts): Direction => {
  const listed = new Set(accounts.list)
  const canonical = (name: string): string => (Accounts.isMaster(accounts, name) ? MASTER : name)
  const end = (wanted: string): string => (wanted === "master" ? MASTER : canonical(wanted))

  const isVouched = accounts.complete && listed.size > 0
  const isAnybody = (name: string): boolean => name !== MASTER
  const isSomebody = (name: string): boolean => isAnybody(name) && (!isVouched || listed.has(name))
  const isType = ({ types }: Flow, { fromType, toType }: Route): boolean =>
    types === undefined ||
    types.some(([from, to]) =>
      (fromType === undefined || AccountType.canonical(fromType) === AccountType.canonical(from)) &&
      (toType === undefined || AccountType.canonical(toType) === AccountType.canonical(to))
    )

  const isInFlow = (route: Route, isAny = isSomebody): boolean => {
    const isEnd = (wanted: string, name: string): boolean => wanted === "*" ? isAny(name) : end(wanted) === name
    return flows.some((flow) => isEnd(flow.from, route.from) && isEnd(flow.to, route.to) && isType(flow, route))
  }
  const routeOf = ({ from, fromType, to, toType }: Movement): Route | undefined =>
    from === undefined || to === undefined
      ? undefined
      : { from: canonical(from), to: canonical(to), fromType, toType }

  return {
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
      !isSomebody(account) && isAnybody(account) && flows.some(({ from, to }) => from === "*" || to === "*") &&
      !flows.some(({ from, to }) => [from, to].some((name) => name !== "*" && end(name) === account))
  }
}
