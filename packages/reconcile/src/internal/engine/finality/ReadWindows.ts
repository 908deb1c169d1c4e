/** Judges whether the times were read in which something about an entry could be found. */
import * as AccountType from "@tallystick/core/AccountType"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Accounts from "../../../Accounts.ts"
import type * as Entry from "../../../Entry.ts"
import { at, item } from "../ledger/Column.ts"
import { type Direction, MASTER } from "../ledger/Direction.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import * as Window from "../ledger/Window.ts"
import * as Timeline from "./Timeline.ts"

export interface ReadWindows {
  /** Judges the interval in which the counterparts of the deposit would be. With `margin`, late and early ones are included. */
  readonly deposit: (deposit: number, margin?: "late") => Timeline.Judgement
  /** Judges the interval in which the counterparts of the transfer would be. */
  readonly transfer: (transfer: number, margin?: "late") => Timeline.Judgement
  /** Judges the window of a deposit for transfers in the flows of every account that is on the list or was asked for. */
  readonly everyone: (deposit: number) => Timeline.Judgement
  /** Judges the window of a deposit for transfers against the flows. If nobody asks for such transfers, none is expected. */
  readonly backwards: (deposit: number) => Timeline.Judgement
  /** Judges the time in which a transfer against the flows may cancel this one. */
  readonly cancelling: (transfer: number) => Timeline.Judgement
  /** Judges the time in which this transfer against the flows may find one that it cancels. */
  readonly cancelled: (transfer: number) => Timeline.Judgement
  /** Judges the time between a transfer and the one that cancels it, in both directions. */
  readonly between: (transfer: number, back: number) => Timeline.Judgement
  /** Judges the entry's own moment, on its own side. */
  readonly own: (side: Entry.Side, index: number) => Timeline.Judgement
  /** Judges the time in which a twin of the entry would be, on its own side. */
  readonly twins: (side: Entry.Side, index: number) => Timeline.Judgement
}

const unattributed = "its address is in no address book, and nobody vouches that the list of accounts is complete"

interface Scope {
  readonly from: string
  readonly to: string
  readonly types: readonly [from: string, to: string] | undefined
}

const routeOf = (from: string, to: string): string => `${from}\n${to}`

const keyOf = ({ from, to, types }: Scope): string => [from, to, ...(types ?? [])].join("\n")

export const make = (
  ledger: Ledger.Ledger,
  coverage: ReadonlyArray<Coverage.Coverage>,
  accounts: Accounts.Accounts,
  direction: Direction
): ReadWindows => {
  const { deposits, policy, transfers } = ledger
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
    const key = keyOf(scope)
    const known = timelines.get(key)
    if (known !== undefined) return known
    const [fromAccountType, toAccountType] = scope.types ?? ["", ""]
    const query = {
      ...(scope.from === MASTER ? {} : { fromAccount: scope.from }),
      ...(scope.to === MASTER ? {} : { toAccount: scope.to }),
      fromAccountType,
      toAccountType
    }
    const made = Timeline.make(
      { operation: "transfers", ...(scope.types === undefined ? {} : { query }) },
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
  const needed = new Map<string | undefined, Timeline.Timeline>()
  const neededBy = (account: string | undefined): Timeline.Timeline => {
    const known = needed.get(account)
    if (known !== undefined) return known
    const scopes = scopesOf(account)
    const made = scopes.length === 0 ? whole : Timeline.combine(scopes.map(timelineOf))
    needed.set(account, made)
    return made
  }
  /** The timeline of transfers from the master account to an account, or to any. It is undefined if nobody asked for them. */
  const outOfMaster = new Map<string | undefined, Timeline.Timeline | undefined>()
  const backTo = (account: string | undefined): Timeline.Timeline | undefined => {
    if (outOfMaster.has(account)) return outOfMaster.get(account)
    const scopes = account === undefined
      ? Array.from(routes.values()).flat().filter(({ from }) => from === MASTER)
      : routes.get(routeOf(MASTER, account)) ?? []
    const made = scopes.length > 0
      ? Timeline.combine(scopes.map(timelineOf))
      : everything.length > 0
      ? whole
      : undefined
    outOfMaster.set(account, made)
    return made
  }
  const judgeBack = (account: string | undefined, from: number, to: number): Timeline.Judgement => {
    const timeline = backTo(account)
    return timeline === undefined ? Timeline.complete : Timeline.judge(timeline, from, to)
  }
  const nameOf = (side: Ledger.Side, index: number): string | undefined => {
    const account = at(side.account, index)
    return account < 0 ? undefined : item(ledger.accounts, account)
  }
  const endsOf = (transfer: number): { readonly from: string; readonly to: string } | undefined => {
    const { from, to } = item(transfers.entries, transfer)
    return from === undefined || to === undefined
      ? undefined
      : { from: direction.canonical(from), to: direction.canonical(to) }
  }
  /** The timeline of the scope in which a transfer itself lies, whatever the account types. */
  const own = new Map<string, Timeline.Timeline>()
  const ownOf = (transfer: number): Timeline.Timeline => {
    const ends = endsOf(transfer)
    if (ends === undefined) {
      return everything.length > 0 || asked.size === 0 ? whole : neededBy(nameOf(transfers, transfer))
    }
    const route = routeOf(ends.from, ends.to)
    const known = own.get(route)
    if (known !== undefined) return known
    const scopes = routes.get(route) ?? []
    const made = scopes.length === 0 ? whole : Timeline.combine(scopes.map(timelineOf))
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
      all = scopes.length === 0 ? whole : Timeline.combine(Array.from(new Set(scopes.map(timelineOf))))
    }
    return all
  }
  const around = (side: Entry.Side, index: number, reach: number): Timeline.Judgement => {
    const time = at(ledger[`${side}s`].at, index)
    return Timeline.judge(side === "deposit" ? ofDeposits : ownOf(index), time - reach, time + reach)
  }

  const namesAny = policy.flows.some(({ from, to }) => from === "*" || to === "*")

  return {
    deposit: (deposit, margin) => {
      const [from, to] = margin === "late"
        ? deposits.horizonOf(deposit)
        : Window.around(at(deposits.at, deposit), Window.span(ledger, deposit))
      const account = at(deposits.account, deposit)
      if (account >= 0) return Timeline.judge(neededBy(item(ledger.accounts, account)), from, to)
      const anyone = Timeline.judge(whole, from, to)
      if (anyone.state !== "gap" || asked.size === 0) return anyone
      const listed = Timeline.judge(neededBy(undefined), from, to)
      if (accounts.complete || !namesAny || listed.state === "open") return listed
      // The transfer may have come from an account that nobody asked about.
      const { missing = { operation: "transfers", readAt: 0, state: "incomplete" } } = anyone
      return {
        state: "gap",
        missing: { ...missing, from, to: to + 1, gap: { code: "not-read", detail: unattributed } }
      }
    },
    transfer: (transfer, margin) =>
      Timeline.judge(
        ofDeposits,
        ...(margin === "late" ? transfers.horizonOf(transfer) : transfers.windowOf(transfer))
      ),
    everyone: (deposit) => Timeline.judge(everyScope(), ...deposits.windowOf(deposit)),
    backwards: (deposit) => judgeBack(nameOf(deposits, deposit), ...deposits.windowOf(deposit)),
    cancelling: (transfer) => {
      const ends = endsOf(transfer)
      if (ends === undefined || ends.to !== MASTER) return Timeline.complete
      const time = at(transfers.at, transfer)
      return judgeBack(ends.from, time, time + Window.reversal(ledger, transfer))
    },
    cancelled: (transfer) => {
      const ends = endsOf(transfer)
      if (ends === undefined || ends.from !== MASTER) return Timeline.complete
      const time = at(transfers.at, transfer)
      return Timeline.judge(neededBy(ends.to), time - Window.reversal(ledger, transfer), time)
    },
    between: (transfer, back) => {
      const [from, to] = [at(transfers.at, transfer), at(transfers.at, back)]
      return Timeline.worst([Timeline.judge(ownOf(transfer), from, to), Timeline.judge(ownOf(back), from, to)])
    },
    own: (side, index) => around(side, index, 0),
    twins: (side, index) => around(side, index, ledger[`${side}s`].twinsWithin(index))
  }
}
