/**
 * The exchange's list of sub-accounts: whether it can be relied on, where `--accounts service` does, and whether a file that
 * names them agrees with it.
 */
import type * as Broker from "@tallystick/core/Broker"
import * as Accounts from "@tallystick/reconcile/Accounts"
import type * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as ServiceAccounts from "../network/ServiceAccounts.ts"
import * as Names from "../text/Names.ts"
import * as Check from "./Check.ts"

const FILE =
  "Name the sub-accounts in a file (--accounts FILE); where it names all of them, vouch for that with \"complete\": true."

interface Given extends Pick<Accounts.Accounts, "master"> {
  readonly addresses: AddressBook.AddressBook | undefined
}

/** `stop` says why nobody is asked. */
export const look = (
  given: Given,
  stop: string | undefined
): Effect.Effect<ReadonlyArray<Check.Check>, never, Broker.Broker> =>
  stop !== undefined
    ? Effect.succeed([Check.skipped("sub-accounts", stop)])
    : ServiceAccounts.read(given, given.addresses).pipe(
      Effect.match({
        onFailure: ({ message }) => Check.failed("sub-accounts", message, FILE),
        onSuccess: ({ accounts: { list }, doubt }) => {
          const listed = `the exchange lists ${Text.counted(list.length, "sub-account")}`
          return doubt === undefined
            ? Check.ok("sub-accounts", `${listed}, proven to be all that it lists`)
            : Check.warning("sub-accounts", `${listed}; ${ServiceAccounts.doubtful(doubt)}`, FILE)
        }
      }),
      Effect.map((check) => [check])
    )

/** The accounts of a file. */
export interface Named {
  readonly file: string
  readonly accounts: Accounts.Accounts
}

/** Which accounts only one of both names. Of a list that is not proven, none is said to be lacking. */
const differences = ({ accounts, file }: Named, { doubt, subAccounts }: ServiceAccounts.Listed) => {
  const listed = subAccounts.map(({ subAccount }) => subAccount)
  const [ofFile, ofService] = [new Set(accounts.list), new Set(listed)]
  const isOfMaster = (name: string): boolean => Accounts.isMaster(accounts, name)
  const strange = accounts.list.filter((name) => !ofService.has(name) && !isOfMaster(name))
  const unnamed = listed.filter((name) => !ofFile.has(name) && !isOfMaster(name))
  return [
    ...(strange.length === 0 || doubt !== undefined ? [] : [Check.warning(
      "sub-accounts",
      `${file} names ${Text.counted(strange.length, "account")} that the exchange does not list: ${
        Names.some(strange)
      }`,
      "Look for misspelt names; an account that the exchange lists no more may stay in the file."
    )]),
    ...(unnamed.length === 0 ? [] : [Check.warning(
      "sub-accounts",
      `the exchange lists ${Text.counted(unnamed.length, "account")} that ${file} does not name: ${
        Names.some(unnamed)
      }`,
      "Add them to the file: their transfers are not asked for."
    )])
  ]
}

const notCompared = ({ file }: Named, why: string): Check.Check =>
  Check.skipped("sub-accounts", `${file} was not held against the exchange's list: ${why}`)

/**
 * Holds the accounts of a file against the exchange's list. An exchange that does not offer the list is no finding; `stop` says
 * why nobody is asked.
 */
export const compare = (
  named: Named,
  stop: string | undefined
): Effect.Effect<ReadonlyArray<Check.Check>, never, Broker.Broker> =>
  stop !== undefined ? Effect.succeed([]) : Effect.match(ServiceAccounts.list, {
    onFailure: ({ message, reason }) =>
      reason._tag === "NotOffered"
        ? []
        : [notCompared(named, message)],
    onSuccess: (listed) => {
      const doubt = listed.subAccounts.length === 0 ? "it is empty" : listed.doubt
      const found = differences(named, { ...listed, doubt })
      if (found.length > 0) return found
      return doubt === undefined
        ? [Check.ok("sub-accounts", `${named.file} names the accounts that the exchange lists, and no other`)]
        : [notCompared(named, ServiceAccounts.doubtful(doubt))]
    }
  })
