/** What had to be read before anything may be said about an entry, and whether it was. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Accounts from "../../Accounts.ts"
import { at, item } from "./Column.ts"
import { accountType, type Direction, MASTER } from "./Direction.ts"
import type { Ledger } from "./Ledger.ts"
import * as Timeline from "./Timeline.ts"

export interface Reading {
  /** Judges the interval in which the counterparts of the deposit would be, `margin` ms wider on both sides. */
  readonly deposit: (deposit: number, margin?: "late") => Timeline.Judgement
  /** The same for a transfer. */
  readonly transfer: (transfer: number, margin?: "late") => Timeline.Judgement
}

const unattributed = "its address is in no address book, and nobody vouches that the list of accounts is complete"

interface Scope {
  readonly from: string
  readonly to: string
  readonly types: readonly [from: string, to: string] | undefined
}

const keyOf = ({ from, to, types }: Scope): string => [from, to, ...(types ?? [])].join("\n")

export const make = (
  ledger: Ledger,
  coverage: ReadonlyArray<Coverage.Coverage>,
  accounts: Accounts.Accounts,
  direction: Direction
): Reading => {
  const { deposits, policy, transfers } = ledger
  const ofDeposits = Timeline.make(
    { operation: "deposits" },
    coverage.filter(({ operation }) => operation === "deposits")
  )
  const ofTransfers = coverage.filter(({ operation }) => operation === "transfers")
  const everything = ofTransfers.filter(({ query }) => query === undefined)
  const whole = Timeline.make({ operation: "transfers" }, everything)

  const asked = new Map<string, Array<Coverage.Coverage>>()
  const askedTypes = new Map<string, readonly [string, string]>()
  for (const one of ofTransfers) {
    const { query } = one
    if (query === undefined) continue
    const types = [accountType(query.fromAccountType), accountType(query.toAccountType)] as const
    const from = direction.canonical(query.fromAccount ?? "")
    const key = keyOf({ from, to: direction.canonical(query.toAccount ?? ""), types })
    askedTypes.set(types.join("\n"), types)
    const known = asked.get(key)
    if (known === undefined) asked.set(key, [one])
    else known.push(one)
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

  /** The scopes in which the transfer of a deposit to `account` would be; without an account, to any of the list. */
  const scopesOf = (account: string | undefined): ReadonlyArray<Scope> => {
    const any = Array.from(new Set(account === undefined || account === MASTER ? listed : [...listed, account]))
    return policy.flows.flatMap((flow) => {
      const froms = flow.from === "*" ? (flow.to === "*" && account !== undefined ? [account] : any) : [end(flow.from)]
      const tos = flow.to === "*" ? any : [end(flow.to)]
      const types = flow.types?.map(([from, to]) => [accountType(from), accountType(to)] as const) ??
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
  const namesAny = policy.flows.some(({ from, to }) => from === "*" || to === "*")

  return {
    deposit: (deposit, margin) => {
      const { late, window } = ledger.rule(deposit)
      const wider = margin === "late" ? late : 0
      const time = at(deposits.at, deposit)
      const [from, to] = [time - window.before - wider, time + window.after + wider]
      const account = at(deposits.account, deposit)
      if (account >= 0) return Timeline.judge(neededBy(item(ledger.accounts, account)), from, to)
      const anyone = Timeline.judge(whole, from, to)
      if (anyone.state !== "gap" || asked.size === 0) return anyone
      const listed = Timeline.judge(neededBy(undefined), from, to)
      if (accounts.complete || !namesAny || listed.state === "open") return listed
      // Its transfer may have been from an account that nobody asked about.
      const { missing = { operation: "transfers", readAt: 0, state: "incomplete" } } = anyone
      return {
        state: "gap",
        missing: { ...missing, from, to: to + 1, gap: { code: "not-read", detail: unattributed } }
      }
    },
    transfer: (transfer, margin) => {
      const { after, before, late } = ledger.widest(at(transfers.group, transfer))
      const wider = margin === "late" ? late : 0
      const time = at(transfers.at, transfer)
      return Timeline.judge(ofDeposits, time - after - wider, time + before + wider)
    }
  }
}
