/** A route leads from one account to another. The flows of a policy name those whose transfers have to be read. */
import * as AccountType from "@tallystick/core/AccountType"
import * as Coverage from "@tallystick/core/Coverage"
import * as Accounts from "../Accounts.ts"
import type * as Policy from "../Policy.ts"

/** A query of transfers that the flows of a policy ask for. */
export interface Route {
  readonly query: Coverage.TransferQuery
  /** The flow names no account types, so that transfers of any pair of types count. */
  readonly isOfAnyTypes: boolean
}

/** The account types that are asked for where a flow names none. */
const SPOT = ["SPOT", "SPOT"] as const

/** Gives the routes of a policy's flows between these accounts. The master account has no name in a query. */
export const of = (
  { flows }: Pick<Policy.Resolved, "flows">,
  accounts: Accounts.Accounts
): ReadonlyArray<Route> => {
  const listed = accounts.list.filter((name) => !Accounts.isMaster(accounts, name))
  const named = (name: string): ReadonlyArray<string | undefined> => {
    if (name === "*") return listed
    return name === "master" || Accounts.isMaster(accounts, name) ? [undefined] : [name]
  }
  const found = new Map<string, Route>()
  for (const { from, to, types } of flows) {
    for (const fromAccount of named(from)) {
      for (const toAccount of named(to)) {
        if (fromAccount === toAccount) continue
        for (const [fromAccountType, toAccountType] of types ?? [SPOT]) {
          const query: Coverage.TransferQuery = {
            ...(fromAccount === undefined ? {} : { fromAccount }),
            ...(toAccount === undefined ? {} : { toAccount }),
            fromAccountType,
            toAccountType
          }
          const key = Coverage.keyOf(query)
          found.set(key, { query, isOfAnyTypes: types === undefined || found.get(key)?.isOfAnyTypes === true })
        }
      }
    }
  }
  return Array.from(found.values())
}

/** What was read of one route. */
export interface Scope {
  /** The query that asks for it; absent where there is but one scope. */
  readonly query: Coverage.TransferQuery | undefined
  readonly coverage: ReadonlyArray<Coverage.Coverage>
}

const endsOf = (accounts: Accounts.Accounts, { fromAccount = "", toAccount = "" }: Coverage.TransferQuery): string =>
  JSON.stringify([fromAccount, toAccount].map((name) => Accounts.isMaster(accounts, name) ? "" : name))

const typesOf = ({ fromAccountType, toAccountType }: Coverage.TransferQuery): string =>
  JSON.stringify([AccountType.canonical(fromAccountType), AccountType.canonical(toAccountType)])

/** Splits the coverage of transfers by the routes of the flows. Coverage without a query speaks of every route. */
export const scopes = (
  policy: Pick<Policy.Resolved, "flows">,
  accounts: Accounts.Accounts,
  coverage: ReadonlyArray<Coverage.Coverage>
): ReadonlyArray<Scope> => {
  const everything = coverage.filter(({ query }) => query === undefined)
  const byEnds = Map.groupBy(
    coverage.flatMap(({ query, ...part }) => query === undefined ? [] : [{ ...part, query }]),
    ({ query }) => endsOf(accounts, query)
  )
  const routes = of(policy, accounts)
  return routes.length === 0
    ? [{ query: undefined, coverage }]
    : routes.map(({ isOfAnyTypes, query }) => {
      const known = byEnds.get(endsOf(accounts, query)) ?? []
      const own = isOfAnyTypes ? known : known.filter((part) => typesOf(part.query) === typesOf(query))
      return { query, coverage: [...everything, ...own] }
    })
}
