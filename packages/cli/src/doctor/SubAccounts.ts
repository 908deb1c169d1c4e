/** Whether the exchange lists its sub-accounts, and all of them, where `--accounts service` relies on that. */
import type * as Broker from "@tallystick/core/Broker"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import type * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as ServiceAccounts from "../network/ServiceAccounts.ts"
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
