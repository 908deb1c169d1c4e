/** Makes the list of sub-accounts a stream, over any source that answers one page. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as BrokerError from "../../BrokerError.ts"
import type * as Conventions from "../../Conventions.ts"
import * as Span from "../../Span.ts"
import * as SubAccount from "../../SubAccount.ts"
import type * as Operations from "../operations/Operations.ts"
import * as ListReader from "../paging/ListReader.ts"

/**
 * Whether the service may end a list of this length there, however many records there are. Ends of lists are round numbers; nobody
 * could tell a list that is cut off at another number from a whole one.
 */
const looksCut =
  ({ default: usual, maximum }: Conventions.Conventions["subAccountPage"]) => (length: number): boolean =>
    length % 50 === 0 || length === usual || length === maximum

/** Gives what was seen of the list, and fails then where that is not proven to be all. */
export const subAccounts = (
  { subAccountPage }: Conventions.Conventions,
  page: (input: Operations.SubAccounts) => Effect.Effect<
    ReadonlyArray<SubAccount.SubAccount>,
    BrokerError.ApiKeysError
  >
): Stream.Stream<SubAccount.SubAccount, BrokerError.SubAccountsError> =>
  Stream.unwrap(
    Effect.map(
      ListReader.read({
        page: (number, limit) => page({ page: number, limit }),
        identity: SubAccount.identity,
        longest: subAccountPage.maximum,
        looksCut: looksCut(subAccountPage)
      }),
      ({ doubt, records }): Stream.Stream<SubAccount.SubAccount, BrokerError.SubAccountsError> =>
        doubt === undefined
          ? Stream.fromIterable(records)
          : Stream.concat(
            Stream.fromIterable(records),
            Stream.fail(BrokerError.BrokerError.of(
              "subAccounts",
              new BrokerError.IncompleteList({ detail: doubt, seen: records.length })
            ))
          )
    )
  ).pipe(Span.stream("Broker.subAccounts"))
