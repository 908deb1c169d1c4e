/** Knows what was read of each account's transfers and of the deposits. It is made once for each reading, and for all entries. */
import * as AccountType from "@tallystick/core/AccountType"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../../Entry.ts"
import { MASTER } from "../ledger/Direction.ts"
import type { Terms } from "../ledger/Terms.ts"
import * as Timeline from "./Timeline.ts"

/** Judges the interval `[from, to]`, Unix ms, both ends inclusive. An account is `undefined` if it is unknown. */
type OfAccount = (account: string | undefined, from: number, to: number) => Timeline.Judgement

export interface ReadScopes {
  readonly deposits: Timeline.Timeline
  /** Judges the transfers in which the counterpart of a deposit of this account would be. */
  readonly transfersOf: OfAccount
  /** Judges the transfers in the flows of every account that is on the list or was asked for. */
  readonly everyone: (from: number, to: number) => Timeline.Judgement
  /** Judges the transfers against the flows of an account. If nobody asks for such transfers, none is expected. */
  readonly against: OfAccount
  /** Judges the transfers from the master account to an account. If nobody asks for such transfers, none is expected. */
  readonly backTo: (account: string, from: number, to: number) => Timeline.Judgement
  /** Returns the timeline of the scope in which a transfer itself lies, whatever the account types. */
  readonly around: (transfer: Entry.Entry, account: string | undefined) => Timeline.Timeline
}

const unattributed = "its address is in no address book, and nobody vouches that the list of accounts is complete"

interface Scope {
  readonly from: string
  readonly to: string
  readonly types: readonly [from: string, to: string] | undefined
}

const routeOf = (from: string, to: string): string => `${from}\n${to}`

const keyOf = ({ from, to, types }: Scope): string => [from, to, ...(types ?? [])].join("\n")

/** Returns the two ends of a transfer by their one names; nothing if one is unknown. */
export const endsOf = (
  { canonical }: Terms["direction"],
  { from, to }: Entry.Entry
): { readonly from: string; readonly to: string } | undefined =>
  from === undefined || to === undefined ? undefined : { from: canonical(from), to: canonical(to) }

export const make = (
  { accounts, direction, policy }: Terms,
  coverage: ReadonlyArray<Coverage.Coverage>
): ReadScopes => {
  const ofDeposits = Timeline.make(
    { operation: "deposits" },
    coverage.filter(({ operation }) => operation === "deposits")
  )
  const ofTransfers = coverage.filter(({ operation }) => operation === "transfers")
  const everything = ofTransfers.filter(({ query }) => query === undefined)
  const whole = Timeline.make({ operation: "transfers" }, everything)

  const asked = new Map<string, Array<Coverage.Coverage>>()
  /** The scopes that were asked for, by the ends that they connect. */
  const routes = new Map<string, Array<Scope>>()
  const askedTypes = new Map<string, readonly [string, string]>()
  for (const one of ofTransfers) {
    const { query } = one
    if (query === undefined) continue
    const types = [AccountType.canonical(query.fromAccountType), AccountType.canonical(query.toAccountType)] as const
    const from = direction.canonical(query.fromAccount ?? "")
    const scope = { from, to: direction.canonical(query.toAccount ?? ""), types }
    const key = keyOf(scope)
    askedTypes.set(types.join("\n"), types)
    const known = asked.get(key)
    if (known === undefined) {
      asked.set(key, [one])
      const route = routeOf(scope.from, scope.to)
      routes.set(route, [...(routes.get(route) ?? []), scope])
    } else known.push(one)
  }

  const timelines = new Map<string, Timeline.Timeline>()
  const timelineOf = (scope: Scope): Timeline.Timeline => {
    // A query names account types, so nobody asked for a scope without them.
    if (scope.types === undefined) return whole
    const key = keyOf(scope)
    const known = timelines.get(key)
    if (known !== undefined) return known
    const [fromAccountType, toAccountType] = scope.types
    const query = {
      ...(scope.from === MASTER ? {} : { fromAccount: scope.from }),
      ...(scope.to === MASTER ? {} : { toAccount: scope.to }),
      fromAccountType,
      toAccountType
    }
    const made = Timeline.make(
      { operation: "transfers", query },
      [...everything, ...(asked.get(key) ?? [])]
    )
    timelines.set(key, made)
    return made
  }

  const end = (name: string): string => (name === "master" ? MASTER : direction.canonical(name))
  const listed = accounts.list.map(direction.canonical).filter((name) => name !== MASTER)

  /**
   * Lists the scopes in which the transfer of a deposit to `account` would be. Without an account, all accounts of the list
   * count.
   */
  const scopesOf = (account: string | undefined): ReadonlyArray<Scope> => {
    let known: ReadonlyArray<string> | undefined
    const any = (): ReadonlyArray<string> =>
      known ??= Array.from(new Set(account === undefined || account === MASTER ? listed : [...listed, account]))
    return (account === undefined ? policy.flows : direction.flows.concerning(account)).flatMap((flow) => {
      const froms = flow.from === "*" ? (account === undefined ? any() : [account]) : [end(flow.from)]
      const isOwn = account !== undefined && froms[0] === MASTER
      const tos = flow.to === "*" ? (isOwn ? [account] : any()) : [end(flow.to)]
      const types = flow.types?.map(([from, to]) =>
        [AccountType.canonical(from), AccountType.canonical(to)] as const
      ) ??
        (askedTypes.size === 0 ? [undefined] : Array.from(askedTypes.values()))
      return froms.flatMap((from) =>
        tos
          .filter((to) => from !== to && (account === undefined || (from === MASTER ? to : from) === account))
          .flatMap((to) => types.map((pair) => ({ from, to, types: pair })))
      )
    })
  }
  /** Combines the timelines of scopes that are all needed. Where nobody asked for one of them, all are one timeline. */
  const together = (scopes: ReadonlyArray<Scope>): Timeline.Timeline => {
    const distinct = Array.from(new Set(scopes.map(timelineOf)))
    return distinct.length > 1 ? Timeline.combine(distinct) : distinct[0] ?? whole
  }
  const needed = new Map<string | undefined, Timeline.Timeline>()
  const neededBy = (account: string | undefined): Timeline.Timeline => {
    const known = needed.get(account)
    if (known !== undefined) return known
    const made = together(scopesOf(account))
    needed.set(account, made)
    return made
  }
  /** Makes the judgement of scopes in which transfers are expected only if somebody asked for them. */
  const ifAsked = <Account>(scopesOf: (account: Account) => ReadonlyArray<Scope>) => {
    const made = new Map<Account, Timeline.Timeline | undefined>()
    return (account: Account, from: number, to: number): Timeline.Judgement => {
      if (!made.has(account)) {
        const scopes = scopesOf(account)
        const read = everything.length > 0 ? whole : undefined
        made.set(account, scopes.length > 0 ? together(scopes) : read)
      }
      const timeline = made.get(account)
      return timeline === undefined ? Timeline.complete : Timeline.judge(timeline, from, to)
    }
  }
  const isAgainst = ({ from, to, types: [fromType, toType] = ["", ""] }: Scope): boolean =>
    direction.isAgainst({ from, fromType, to, toType })
  let opposed: ReadonlyMap<string | undefined, ReadonlyArray<Scope>> | undefined
  /** Lists the scopes that were asked for against the flows of an account, or of any. */
  const scopesAgainst = (account: string | undefined): ReadonlyArray<Scope> => {
    if (opposed === undefined) {
      const every = Array.from(routes.values()).flat().filter(isAgainst)
      const byAccount = Map.groupBy(every, ({ from, to }): string | undefined => (from === MASTER ? to : from))
      opposed = byAccount.set(undefined, every)
    }
    return opposed.get(account) ?? []
  }
  const own = new Map<string, Timeline.Timeline>()
  const around: ReadScopes["around"] = (transfer, account) => {
    if (asked.size === 0) return whole
    const ends = endsOf(direction, transfer)
    if (ends === undefined) return everything.length > 0 ? whole : neededBy(account)
    const route = routeOf(ends.from, ends.to)
    const known = own.get(route)
    if (known !== undefined) return known
    const made = together(routes.get(route) ?? [])
    own.set(route, made)
    return made
  }
  const isInFlow = ({ from, to, types: [fromType, toType] = ["", ""] }: Scope): boolean =>
    direction.counts({ from, fromType, to, toType })
  let all: Timeline.Timeline | undefined
  const everyScope = (): Timeline.Timeline => {
    if (all === undefined) {
      const scopes = [
        ...Array.from(routes.values()).flat().filter(isInFlow),
        ...(asked.size === 0 || listed.length === 0 ? [] : scopesOf(undefined))
      ]
      all = together(scopes)
    }
    return all
  }

  const namesAny = policy.flows.some(({ from, to }) => from === "*" || to === "*")

  return {
    deposits: ofDeposits,
    transfersOf: (account, from, to) => {
      if (account !== undefined) return Timeline.judge(neededBy(account), from, to)
      const anyone = Timeline.judge(whole, from, to)
      if (anyone.state !== "gap" || asked.size === 0) return anyone
      const listed = Timeline.judge(neededBy(undefined), from, to)
      if (accounts.complete || !namesAny || listed.state === "open") return listed
      // The transfer may have come from an account that nobody asked about.
      const { missing = { operation: "transfers", readAt: 0, state: "incomplete" } } = anyone
      const code = listed.state === "complete" ? "unattributed" : "not-read"
      return { state: "gap", missing: { ...missing, from, to: to + 1, gap: { code, detail: unattributed } } }
    },
    everyone: (from, to) => Timeline.judge(everyScope(), from, to),
    against: ifAsked(scopesAgainst),
    backTo: ifAsked((account) => routes.get(routeOf(MASTER, account)) ?? []),
    around
  }
}
