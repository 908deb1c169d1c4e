/** Reads both sides of the books from the service itself, as slices of entries in order of time. */
import * as Broker from "@tallystick/core/Broker"
import * as BrokerError from "@tallystick/core/BrokerError"
import type * as Coverage from "@tallystick/core/Coverage"
import * as InvalidRange from "@tallystick/core/InvalidRange"
import type * as Slice from "@tallystick/core/Slice"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Accounts from "./Accounts.ts"
import type * as AddressBook from "./AddressBook.ts"
import * as DepositEntry from "./DepositEntry.ts"
import * as Entry from "./Entry.ts"
import * as Routes from "./internal/Routes.ts"
import * as TransferDays from "./internal/TransferDays.ts"
import type * as Policy from "./Policy.ts"
import * as TransferEntry from "./TransferEntry.ts"

/** What is read: the records of `[from, to)`. */
export interface Options extends TimeRange.Input {
  /** The policy by which statuses and times of entries are read. */
  readonly policy: Policy.Resolved
  /** The accounts whose records are read. */
  readonly accounts: Accounts.Accounts
  /** Names the sub-account of an address. */
  readonly account?: AddressBook.Lookup
  /** The latest end of coverage, Unix ms; it is the same for both sides and all queries. */
  readonly coverUntil?: number
}

type Entries = Stream.Stream<Slice.Slice<Entry.Entry>, BrokerError.RequestError, Broker.Broker>

/** The number of queries of one day that are read at once. They share the rate limit. */
const CONCURRENCY = 8

const within = ({ coverUntil, from, to }: Pick<Options, "from" | "to" | "coverUntil">) => ({
  from,
  to,
  ...(coverUntil === undefined ? {} : { coverUntil })
})

/**
 * Reads the service's deposits. It fails with `InvalidParameter` for an invalid range, or one that begins more than 96
 * hours ago.
 */
export const deposits = ({ account, policy, ...range }: Options): Entries =>
  Stream.unwrap(Broker.Broker.useSync((broker) => broker.scanSubAccountDeposits(within(range)))).pipe(
    Stream.mapEffect((slice) =>
      Effect.map(
        DepositEntry.fromDeposits(slice.records, account === undefined ? { policy } : { policy, account }),
        (records): Slice.Slice<Entry.Entry> => ({
          from: slice.from,
          to: slice.to,
          records: records.toSorted(Entry.compare),
          bad: slice.bad,
          coverage: slice.coverage
        })
      )
    )
  )

/** Makes the queries for a policy's flows and these accounts: one for each pair of accounts and pair of account types. */
export const queries = (
  policy: Policy.Resolved,
  accounts: Accounts.Accounts
): ReadonlyArray<Coverage.TransferQuery> => Routes.of(policy, accounts).map(({ query }) => query)

const nobodyToAsk = () =>
  BrokerError.BrokerError.of(
    "universalTransfers",
    new BrokerError.InvalidParameter({
      parameter: "accounts",
      actual: "an empty list",
      allowed: "the sub-accounts that the policy's flows speak of; the service must be asked for each of them"
    })
  )

const noRange = ({ from, message, to }: InvalidRange.InvalidRange) =>
  BrokerError.BrokerError.of(
    "universalTransfers",
    new BrokerError.InvalidParameter({
      parameter: "from",
      actual: `[${String(from)}, ${String(to)})`,
      allowed: `whole Unix milliseconds, the start before the end; ${message}`
    })
  )

/**
 * Reads the service's transfers of all flows, merged into one stream in order of time. It fails with `InvalidParameter` for
 * an invalid range, and for an empty list of accounts where the flows need one.
 */
export const transfers = (options: Options): Entries => {
  const { accounts, policy } = options
  const asked = queries(policy, accounts)
  if (asked.length === 0) return Stream.fail(nobodyToAsk())
  const invalid = InvalidRange.InvalidRange.of(options)
  if (invalid !== undefined) return Stream.fail(noRange(invalid))
  const range = { from: TimeRange.millis(options.from), to: TimeRange.millis(options.to) }

  const read = Effect.fnUntraced(function*(interval: Coverage.Interval) {
    const broker = yield* Broker.Broker
    const slices = yield* Effect.forEach(
      asked,
      (query) =>
        Stream.runCollect(
          broker.scanUniversalTransfers({ ...query, ...within(options), ...interval })
        ),
      { concurrency: CONCURRENCY }
    )
    const parts = slices.flat()
    return {
      ...interval,
      records: parts
        .flatMap(({ records }) => records.map((record) => TransferEntry.fromTransfer(record, { policy, accounts })))
        .toSorted(Entry.compare),
      bad: parts.flatMap(({ bad }) => bad),
      coverage: parts.flatMap(({ coverage }) => coverage)
    }
  })

  return Stream.unwrap(
    Effect.gen(function*() {
      const { serverTime } = yield* Broker.Broker
      return Stream.fromIterable(TransferDays.of(range, yield* serverTime))
    })
  ).pipe(Stream.mapEffect(read))
}
