/** A route leads from one account to another. The flows of a policy name those whose transfers have to be read. */
import * as AccountType from "@tallystick/core/AccountType"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Accounts from "../../Accounts.ts"
import type * as Policy from "../../Policy.ts"

/** What was read of one route. */
export interface Scope {
  /** A query that would ask for it; absent where there is but one scope. */
  readonly query: Coverage.TransferQuery | undefined
  readonly coverage: ReadonlyArray<Coverage.Coverage>
}

/** The account types that are asked for where a flow names none. */
export const SPOT = ["SPOT", "SPOT"] as const

/** The two ends by name; the master account has none. */
type Ends = Pick<Coverage.TransferQuery, "fromAccount" | "toAccount">

const keyOf = ({ fromAccount = "", toAccount = "" }: Ends): string => JSON.stringify([fromAccount, toAccount])

const typesOf = ({ fromAccountType, toAccountType }: Coverage.TransferQuery): string =>
  JSON.stringify([AccountType.canonical(fromAccountType), AccountType.canonical(toAccountType)])

/** The same ends by the one name of each account. */
const ends = (accounts: Accounts.Accounts, { fromAccount, toAccount }: Ends): Ends => ({
  ...(fromAccount === undefined || Accounts.isMaster(accounts, fromAccount) ? {} : { fromAccount }),
  ...(toAccount === undefined || Accounts.isMaster(accounts, toAccount) ? {} : { toAccount })
})

/** Splits the coverage of transfers by the routes of the flows. Coverage without a query speaks of every route. */
export const scopes = (
  { flows }: Pick<Policy.Resolved, "flows">,
  accounts: Accounts.Accounts,
  coverage: ReadonlyArray<Coverage.Coverage>
): ReadonlyArray<Scope> => {
  const everything = coverage.filter(({ query }) => query === undefined)
  const byEnds = Map.groupBy(
    coverage.flatMap(({ query, ...part }) => query === undefined ? [] : [{ ...part, query }]),
    ({ query }) => keyOf(ends(accounts, query))
  )
  const listed = accounts.list.filter((name) => !Accounts.isMaster(accounts, name))
  const named = (name: string): ReadonlyArray<string> => name === "*" ? listed : [name === "master" ? "" : name]
  const found = new Map<string, Scope>()
  for (const flow of flows) {
    for (const from of named(flow.from)) {
      for (const to of named(flow.to)) {
        const route = ends(accounts, {
          ...(from === "" ? {} : { fromAccount: from }),
          ...(to === "" ? {} : { toAccount: to })
        })
        if (route.fromAccount === route.toAccount) continue
        const known = byEnds.get(keyOf(route)) ?? []
        // A flow that names no types holds transfers of those that were asked for.
        for (const [fromAccountType, toAccountType] of flow.types ?? [SPOT]) {
          const query = { ...route, fromAccountType, toAccountType }
          const own = flow.types === undefined ? known : known.filter((part) => typesOf(part.query) === typesOf(query))
          found.set(`${keyOf(route)} ${typesOf(query)}`, { query, coverage: [...everything, ...own] })
        }
      }
    }
  }
  return found.size === 0 ? [{ query: undefined, coverage }] : Array.from(found.values())
}
