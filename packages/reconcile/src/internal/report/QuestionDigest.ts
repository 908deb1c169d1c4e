/** Tells apart what the parts of runs were asked, so that those of two runs are not added. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Schema from "effect/Schema"
import * as Accounts from "../../Accounts.ts"
import type * as AddressBook from "../../AddressBook.ts"
import type * as Partition from "../../Partition.ts"
import * as Policy from "../../Policy.ts"
import type * as InRange from "../InRange.ts"
import * as Digest from "./Digest.ts"
import * as Sums from "./Sums.ts"

/** What parts are asked, their assets aside. */
export interface Question {
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly addresses?: AddressBook.AddressBook | undefined
  readonly range?: InRange.Range
}

const encodePolicy = Schema.encodeSync(Schema.fromJsonString(Policy.Resolved))

const rulesOf = ({ accounts, policy }: Pick<Question, "accounts" | "policy">): ReadonlyArray<string> => [
  `policy ${encodePolicy(policy)}`,
  `accounts ${JSON.stringify([Accounts.masterNames(accounts), accounts.list, accounts.complete])}`
]

/** Returns 16 hex digits of what the families of a run follow from, its entries aside. */
export const ofRules = (rules: Pick<Question, "accounts" | "policy">): string => Digest.ofTexts(rulesOf(rules))

/** Returns 16 hex digits. */
export const of = ({ addresses = [], range, ...rules }: Question, whole: Partition.Whole): string => {
  const { bad, coverage, families } = whole
  return Digest.ofTexts([
    `version ${Sums.VERSION}`,
    ...rulesOf(rules),
    `addresses ${
      JSON.stringify(addresses.map(({ account, address, memo, network }) => [address, memo, network, account]))
    }`,
    `range ${JSON.stringify([range?.from, range?.to])}`,
    `coverage ${
      JSON.stringify(
        coverage.map((
          { from, gap, operation, query, readAt, state, to }
        ) => [operation, Coverage.keyOf(query), from, to, readAt, state, gap?.code, gap?.detail])
      )
    }`,
    `families ${
      JSON.stringify(families.map(({ assets, stretches }) => [
        assets,
        stretches.map(({ entries, from, to }) => [from, to, entries])
      ]))
    }`,
    `bad ${JSON.stringify([bad.deposit, bad.transfer])}`
  ])
}
