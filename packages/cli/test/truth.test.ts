import { assert, describe, it } from "@effect/vitest"
import * as Comparison from "@tallystick/cli/demo/Comparison"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as DepositEntry from "@tallystick/reconcile/DepositEntry"
import * as Matching from "@tallystick/reconcile/Matching"
import * as Policy from "@tallystick/reconcile/Policy"
import * as TransferEntry from "@tallystick/reconcile/TransferEntry"
import * as History from "@tallystick/sandbox/History"
import * as HistoryOptions from "@tallystick/sandbox/HistoryOptions"
import * as Effect from "effect/Effect"

const TO = 1_700_000_000_000

/** Everything there is, as from two complete files: also what a client of the service does not ask for. */
const compare = Effect.fnUntraced(function*(changes: Partial<HistoryOptions.HistoryOptions>) {
  const { addressBook, deposits, options, subAccounts, transfers, truth } = History.generate({ ...changes, to: TO })
  const policy = Policy.defaults
  const accounts: Accounts.Accounts = { master: options.master, list: subAccounts, complete: true }
  const { outcomes } = Matching.match({
    deposits: yield* DepositEntry.fromDeposits(deposits, { policy, account: AddressBook.lookup(addressBook) }),
    transfers: transfers.map((transfer) => TransferEntry.fromTransfer(transfer, { policy, accounts })),
    bad: [],
    coverage: (["deposits", "transfers"] as const).map((operation) => ({
      operation,
      from: 0,
      to: TO - 60_000,
      readAt: TO,
      state: "complete"
    })),
    policy,
    accounts,
    addresses: addressBook
  })
  return Comparison.compare(outcomes, truth)
})

describe("a report on a generated history", () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    it.effect(`says what is true, and nothing else: seed ${seed}`, () =>
      Effect.gen(function*() {
        const kinds = [...HistoryOptions.kinds, ...HistoryOptions.outward] as const
        const { differences, groups, kinds: found } = yield* compare({ seed, deposits: 3000, kinds })
        assert.deepStrictEqual(differences, [])
        assert.deepStrictEqual(groups, { planted: 30, found: 30 })
        assert.deepStrictEqual(new Set(found.map(({ kind }) => kind)), new Set([...kinds, "in-flight"]))
      }))
  }
})
