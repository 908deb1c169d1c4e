/** Books in which anything may happen, and their reports. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as DepositEntry from "@tallystick/reconcile/DepositEntry"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Matching from "@tallystick/reconcile/Matching"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Report from "@tallystick/reconcile/Report"
import * as TransferEntry from "@tallystick/reconcile/TransferEntry"
import * as History from "@tallystick/sandbox/History"
import * as HistoryOptions from "@tallystick/sandbox/HistoryOptions"
import * as Effect from "effect/Effect"
import * as Generator from "../../../packages/reconcile/test/support/Generator.ts"

const TO = 1_700_000_000_000
const MINUTE = 60_000

/** Whatever a source may say of an entry. */
const entry = (side: Entry.Side, random: Generator.Generator) => (_: unknown, index: number): Entry.Entry => {
  const at = TO - random.int(0, 600) * MINUTE
  const maybe = <A>(value: A, key: string) => (random.chance(0.3) ? { [key]: value } : {})
  return {
    side,
    id: `${side}-${index}`,
    asset: random.pick(["BTC", "USDT", "USDT-TRX", "usdt"]),
    amount: random.pick(["1", "1.0", "2.5", "0.00000001", "123456789012345678901234567890.12"]),
    at,
    status: random.pick(["settled", "settled", "settled", "pending", "failed", "unknown"]),
    ...maybe(random.pick(["sub00001", "sub00002"]), "account"),
    ...maybe(random.pick(["r1", "r2", ""]), "reference"),
    ...maybe("TRX", "network"),
    ...maybe({ any: ["thing", null, 1] }, "record"),
    ...maybe(
      {
        statuses: [{ status: random.pick(["settled", "pending"]), seenAt: at }],
        ...maybe(at + MINUTE, "vanishedAt"),
        ...maybe(["{}"], "conflicts")
      },
      "past"
    )
  }
}

const coverage = (random: Generator.Generator): ReadonlyArray<Coverage.Coverage> =>
  (["deposits", "transfers"] as const).flatMap((operation) => {
    const cut = TO - random.int(0, 600) * MINUTE
    const query = { fromAccount: "sub00001", fromAccountType: "SPOT", toAccountType: "SPOT" }
    const scope = { operation, readAt: TO, ...(operation === "transfers" && random.chance(0.5) ? { query } : {}) }
    return [
      { ...scope, from: TO - 700 * MINUTE, to: cut, state: "complete" },
      random.chance(0.5)
        ? { ...scope, from: cut, to: TO, state: "open" }
        : {
          ...scope,
          from: cut,
          to: TO,
          state: "incomplete",
          gap: { code: "unproven", detail: "The pages disagreed." }
        }
    ]
  })

const bad: ReadonlyArray<BadRecord.BadRecord> = [
  { side: "transfer", source: "transfers.csv, line 3", path: "amount", reason: "no amount", raw: "\u202e,1e3" }
]

/** A report on books that chance made. */
export const random = (seed: number): Report.Report => {
  const random = Generator.make(seed)
  const policy = Effect.runSync(Policy.make({
    ambiguity: random.pick(["report", "assign"]),
    reference: random.pick(["prefer", "require", "ignore"]),
    fees: random.chance(0.5) ? [{ flat: "0.5" }] : [],
    per: [{ asset: "BTC", late: "2 days" }],
    links: [{ deposits: ["deposit-0"], transfers: ["transfer-0"], by: "a desk" }]
  }))
  const input = {
    deposits: Array.from({ length: 30 }, entry("deposit", random)),
    transfers: Array.from({ length: 30 }, entry("transfer", random)),
    bad: random.chance(0.5) ? bad : [],
    coverage: coverage(random),
    policy,
    accounts: { list: ["sub00001", "sub00002"], complete: random.chance(0.5) }
  }
  const range = random.chance(0.5) ? { range: { from: TO - 500 * MINUTE, to: TO } } : {}
  return Report.make({ ...input, ...range, ...Matching.match(input) })
}

/** A report on the service's own records, with every kind of break planted. */
export const generated = Effect.fnUntraced(function*(seed: number) {
  const kinds = [...HistoryOptions.kinds, ...HistoryOptions.outward] as const
  const { addressBook, deposits, options, subAccounts, transfers } = History.generate({
    seed,
    deposits: 1000,
    kinds,
    to: TO
  })
  const policy = Policy.defaults
  const accounts: Accounts.Accounts = { master: options.master, list: subAccounts, complete: true }
  const input = {
    deposits: yield* DepositEntry.fromDeposits(deposits, { policy, account: AddressBook.lookup(addressBook) }),
    transfers: transfers.map((transfer) => TransferEntry.fromTransfer(transfer, { policy, accounts })),
    bad: [],
    coverage: (["deposits", "transfers"] as const).map((operation): Coverage.Coverage => ({
      operation,
      from: 0,
      to: TO - MINUTE,
      readAt: TO,
      state: "complete"
    })),
    policy,
    accounts,
    addresses: addressBook
  }
  return Report.make({ ...input, ...Matching.match(input) })
})
