/** Books of which every query was read, and the same without one of them, or a part of it. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Accounts from "../../src/Accounts.ts"
import type * as Entry from "../../src/Entry.ts"
import type * as Policy from "../../src/Policy.ts"
import * as Crowd from "./Crowd.ts"
import type * as Generator from "./Generator.ts"
import * as Oracle from "./oracle/Books.ts"
import * as Pasts from "./Pasts.ts"
import * as Run from "./Run.ts"

type Query = Coverage.TransferQuery

export interface Books {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly policy: Policy.Policy
  readonly accounts: Accounts.Accounts
  readonly coverage: ReadonlyArray<Coverage.Coverage>
}

export interface Pair {
  readonly complete: Books
  readonly cut: Books
}

const list = ["a", "b", "c"]
const types = [["SPOT", "SPOT"], ["SPOT", "FUTURES"]] as const

const forth: ReadonlyArray<Query> = list.flatMap((fromAccount) =>
  types.map(([fromAccountType, toAccountType]) => ({ fromAccount, fromAccountType, toAccountType }))
)
const back: ReadonlyArray<Query> = forth.map(({ fromAccount = "", ...types }) => ({ ...types, toAccount: fromAccount }))

/** Whether the query brings the transfer; one that names no ends goes forth, and may be in those of both types. */
const brings = (query: Query, { account, from, fromType, to, toType }: Entry.Entry): boolean => {
  if (from === undefined || to === undefined) return account !== undefined && query.fromAccount === account
  return (from || undefined) === query.fromAccount && (to || undefined) === query.toAccount &&
    (fromType === undefined || (fromType === query.fromAccountType && toType === query.toAccountType))
}

const minute = (minutes: number): number => Run.T0 + minutes * Run.MINUTE

const always = { from: minute(-100_000), to: minute(100_000), readAt: minute(100_000) }

const entries = (random: Generator.Generator) => {
  const oracle = Oracle.make(random)
  if (random.chance(0.3)) return oracle
  const kind: Crowd.Kind = {
    ...Crowd.kindOf(random),
    most: random.pick([3, 6, 14, 30]),
    minutes: random.pick([60, 200, 1000]),
    amounts: random.pick([["10"], ["10", "11", "12"], ["5", "6", "11"], ["3", "4", "7", "100"]]),
    unsettled: random.pick([["settled"], ["failed", "pending", "unknown"]])
  }
  const [deposits, transfers] = [Crowd.entries(random, "deposit", kind), Crowd.entries(random, "transfer", kind)]
  return random.chance(0.2)
    ? { ...oracle, deposits: Pasts.some(random, deposits), transfers: Pasts.some(random, transfers) }
    : { ...oracle, deposits, transfers }
}

/** The coverage of one scope without `[from, to)`. */
const without = (
  random: Generator.Generator,
  coverage: Coverage.Coverage,
  { from, to }: Coverage.Interval
): ReadonlyArray<Coverage.Coverage> => {
  const part = { ...coverage, from, to }
  const gap = { code: "failed-page", detail: "HTTP 503" } as const
  return [
    { ...coverage, to: from },
    ...random.pick<ReadonlyArray<Coverage.Coverage>>([
      [],
      [{ ...part, state: "incomplete", gap }],
      [{ ...part, state: "open" }]
    ]),
    { ...coverage, from: to }
  ]
}

/** Without the coverage of the deposits, or of one transfer query; the records in it are gone as well, or they are not. */
export const make = (random: Generator.Generator): Pair => {
  const { deposits, law, transfers } = entries(random)
  const { after, before, forbid, late, noise, ratio, reference, rivals } = law
  const queries = random.chance(0.5) ? forth : [...forth, ...back]
  const scopes: ReadonlyArray<Query | undefined> = [undefined, ...queries]
  const asked = scopes.map((query): Coverage.Coverage =>
    query === undefined
      ? { operation: "deposits", ...always, state: "complete" }
      : { operation: "transfers", query, ...always, state: "complete" }
  )
  const complete: Books = {
    deposits,
    transfers: transfers.filter((transfer) =>
      queries.some((query) => brings(query, transfer)) || (transfer.from === undefined && !transfer.account)
    ),
    policy: {
      window: { before, after },
      late,
      tolerance: { absolute: String(law.absolute) },
      ambiguity: { ratio, rivals, residual: String(noise) },
      reference,
      forbid,
      grouping: { manyToOne: random.chance(0.5), oneToMany: random.chance(0.5) },
      fees: random.pick([[], [], [{ flat: "1" }]])
    },
    accounts: { list, complete: random.chance(0.7) },
    coverage: asked
  }
  const lost = random.int(0, asked.length - 1)
  const query = scopes[lost]
  const start = random.int(-60, 200)
  const hole = random.chance(0.5)
    ? { from: minute(-50_000), to: minute(50_000) }
    : { from: minute(start), to: minute(start + random.int(1, 100)) }
  // Who never asked for a way back never hears of one; so it is asked for, and not answered.
  const isNeverAsked = random.chance(0.2) && query?.fromAccount !== undefined
  const coverage = asked.flatMap((one, index) =>
    index !== lost ? [one] : isNeverAsked ? [] : without(random, one, hole)
  )
  const isKept = random.chance(0.5)
  const isLost = ({ at, ...entry }: Entry.Entry): boolean =>
    !isKept && (isNeverAsked || (at >= hole.from && at < hole.to)) &&
    (query === undefined ? entry.side === "deposit" : entry.side === "transfer" && brings(query, { at, ...entry }))
  return {
    complete,
    cut: {
      ...complete,
      deposits: complete.deposits.filter((entry) => !isLost(entry)),
      transfers: complete.transfers.filter((entry) => !isLost(entry)),
      coverage
    }
  }
}
