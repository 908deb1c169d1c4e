/** Reads what a run is asked about, and decides a part of it, over the archive of this process. */
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Archive from "../../Archive.ts"
import type { SlicesError } from "../../ArchiveError.ts"
import * as ArchiveSource from "../../ArchiveSource.ts"
import * as Decision from "../../Decision.ts"
import * as Accepting from "../ledger/Accepting.ts"
import type * as Order from "./Order.ts"

/** Learns how far the matching has come. */
export type Tell = NonNullable<Reconciliation.Asked["onProgress"]>

/** Gives both sides, or of both sides some assets alone. */
export const sides = ({ accounts, addresses, policy, reading }: Order.Asked, assets?: ReadonlyArray<string>) => {
  const source = {
    ...reading,
    policy,
    accounts,
    ...(addresses === undefined ? {} : { account: AddressBook.lookup(addresses) }),
    ...(assets === undefined ? {} : { assets })
  }
  return { deposits: ArchiveSource.deposits(source), transfers: ArchiveSource.transfers(source) }
}

/** Gives the options of the engine. What is accepted marks an outcome by itself, whichever outcomes were seen before. */
export const options = ({ accepted, accounts, addresses, asOf, policy, range }: Order.Asked, tell?: Tell) => ({
  policy,
  accounts,
  range,
  ...(addresses === undefined ? {} : { addresses }),
  ...(asOf === undefined ? {} : { asOf }),
  ...(accepted.length === 0
    ? {}
    : { accepted: Accepting.make(accepted.filter(Decision.isAcceptance), range).accepted }),
  ...(tell === undefined ? {} : { onProgress: tell })
})

/** Decides a part. It gives nothing where the archive does not hold what it held when the run was surveyed. */
export const decide = (
  order: Order.Order,
  tell?: Tell
): Effect.Effect<Option.Option<Report.Part>, SlicesError, Archive.Archive> =>
  Effect.gen(function*() {
    const { state } = yield* Archive.Archive
    if ((yield* state) !== order.state) return Option.none()
    const { assets, whole } = order
    const { deposits, transfers } = sides(order, assets)
    return Option.some(
      yield* Reconciliation.part(deposits, transfers, { ...options(order, tell), assets, whole })
    )
  }).pipe(
    // The survey read the same with the same options, and failed with none of these.
    Effect.catchTag(["InvalidRange", "InvalidSlice", "NotParts", "PolicyError"], Effect.die)
  )
