/** The matcher alone, over entries in memory: what an embedder calls. Making the entries is not timed. */
import * as Amount from "@tallystick/core/Amount"
import * as Accounts from "@tallystick/reconcile/Accounts"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Matching from "@tallystick/reconcile/Matching"
import * as Policy from "@tallystick/reconcile/Policy"
import type { Contender } from "../Contender.ts"
import { relative, type Side, window } from "../History.ts"
import * as HistoryFile from "../HistoryFile.ts"

const entries = (side: Entry.Side, { amount, asset, at }: Side): ReadonlyArray<Entry.Entry> =>
  Array.from(at, (time, index) => ({
    side,
    id: String(index),
    asset: `A${asset[index]}`,
    amount: Amount.format(BigInt(amount[index] ?? 0), 8),
    at: time,
    status: "settled"
  }))

export const tallystick: Contender = {
  prepare: (directory) => {
    const sides = HistoryFile.readSides(directory)
    const input: Matching.Input = {
      deposits: entries("deposit", sides.deposits),
      transfers: entries("transfer", sides.transfers),
      bad: [],
      coverage: (["deposits", "transfers"] as const).map((operation) => ({
        operation,
        from: Number.MIN_SAFE_INTEGER,
        to: Number.MAX_SAFE_INTEGER,
        readAt: Number.MAX_SAFE_INTEGER,
        state: "complete"
      })),
      policy: Policy.resolve({ window, tolerance: { relative: String(relative) } }),
      accounts: Accounts.none
    }
    let output: Matching.Output | undefined
    return {
      run: () => {
        output = Matching.match(input)
      },
      pairs: () => {
        const transferOf = new Int32Array(sides.deposits.at.length).fill(-1)
        for (const { deposits, outcome, transfers } of output?.outcomes ?? []) {
          const [deposit, transfer] = [deposits[0], transfers[0]]
          const isPair = outcome === "matched" && deposits.length === 1 && transfers.length === 1
          if (isPair && deposit !== undefined && transfer !== undefined) {
            transferOf[Number(deposit.id)] = Number(transfer.id)
          }
        }
        return transferOf
      }
    }
  }
}
