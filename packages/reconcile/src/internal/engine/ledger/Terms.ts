/** What a run is about, and what follows from it for every entry. It is made once for all decisions of a run. */
import type * as Accounts from "../../../Accounts.ts"
import * as AddressBook from "../../../AddressBook.ts"
import type * as Entry from "../../../Entry.ts"
import * as Policy from "../../../Policy.ts"
import * as Rules from "../../policy/Rules.ts"
import * as Direction from "./Direction.ts"
import type * as Window from "./Window.ts"

export interface About {
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly addresses?: AddressBook.AddressBook | undefined
}

export interface Terms {
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly direction: Direction.Direction
  /** Returns the sub-account that an entry concerns; nothing if it is unknown. */
  readonly accountOf: (entry: Entry.Entry) => string | undefined
  /** Returns the first name of the alias group of an asset. */
  readonly groupOf: (asset: string) => string
  /** Returns the rule for deposits of an asset and a network. */
  readonly ruleOf: (asset: string, network: string | undefined) => Policy.Rule
  /** Returns the widest window and lateness of any deposit of an alias group, which is given by its first name. */
  readonly widest: (group: string) => Window.Reach & { readonly late: number }
}

export const make = ({ accounts, addresses = [], policy }: About): Terms => {
  const direction = Direction.make(policy.flows, accounts)
  const lookup = AddressBook.lookup(addresses)
  const groupOf = Policy.aliasOf(policy)
  const ofGroup = Map.groupBy(policy.per, ({ asset }) => groupOf(asset))
  return {
    policy,
    accounts,
    direction,
    accountOf: (entry) => {
      if (entry.side === "transfer") return direction.accountOf(entry)
      const { account, address, memo, network } = entry
      if (account !== undefined && account !== "") return direction.canonical(account)
      const found = address === undefined ? undefined : lookup(address, memo, network)
      return found === undefined ? undefined : direction.canonical(found)
    },
    groupOf,
    ruleOf: Rules.rules(policy),
    widest: (group) => {
      const rules: ReadonlyArray<Policy.Rule> = [policy, ...ofGroup.get(group) ?? []]
      return {
        before: Math.max(...rules.map(({ window }) => window.before)),
        after: Math.max(...rules.map(({ window }) => window.after)),
        late: Math.max(...rules.map(({ late }) => late))
      }
    }
  }
}
