/** Who takes part: each is given both sides in order of time, and says which belong together. */
import * as Accounts from "@tallystick/reconcile/Accounts"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Matching from "@tallystick/reconcile/Matching"
import * as Bridge from "./Bridge.ts"

/** Ids of entries that belong together: one of each side is a pair, more are a class of equal amounts that comes out even. */
export interface Stated {
  readonly deposits: ReadonlyArray<string>
  readonly transfers: ReadonlyArray<string>
}

type Matcher = (deposits: ReadonlyArray<Entry.Entry>, transfers: ReadonlyArray<Entry.Entry>) => ReadonlyArray<Stated>

const ids = (entries: ReadonlyArray<Entry.Entry>): ReadonlyArray<string> => entries.map(({ id }) => id)

const policy = Bridge.policy()
const { after, before } = policy.window

const tallystick: Matcher = (deposits, transfers) =>
  Matching.match({
    deposits,
    transfers,
    bad: [],
    coverage: (["deposits", "transfers"] as const).map((operation) => ({
      operation,
      from: Number.MIN_SAFE_INTEGER,
      to: Number.MAX_SAFE_INTEGER,
      readAt: Number.MAX_SAFE_INTEGER,
      state: "complete"
    })),
    policy,
    accounts: Accounts.none
  }).outcomes
    .filter(({ outcome }) => outcome === "matched")
    .map(({ deposits, transfers }) => ({ deposits: ids(deposits), transfers: ids(transfers) }))

/** First come, first served: the transfers of one asset and amount wait in a line, and each deposit takes the first in its window. */
const greedy: Matcher = (deposits, transfers) => {
  const key = ({ amount, asset }: Entry.Entry): string => `${asset} ${amount}`
  const lines = Map.groupBy(transfers, key)
  return deposits.flatMap((deposit) => {
    const line = lines.get(key(deposit)) ?? []
    const place = line.findIndex(({ at }) => at >= deposit.at - before)
    const first = line[place]
    if (first === undefined || first.at > deposit.at + after) return []
    line.splice(place, 1)
    return [{ deposits: [deposit.id], transfers: [first.id] }]
  })
}

/** What one writes first: for each deposit the transfers of its window one by one, the first free one that fits. */
const nestedLoop: Matcher = (deposits, transfers) => {
  const used = new Set<string>()
  const stated: Array<Stated> = []
  let from = 0
  for (const deposit of deposits) {
    while ((transfers[from]?.at ?? Infinity) < deposit.at - before) from++
    for (let index = from; index < transfers.length; index++) {
      const transfer = transfers[index]
      if (transfer === undefined || transfer.at > deposit.at + after) break
      if (transfer.asset !== deposit.asset || transfer.amount !== deposit.amount || used.has(transfer.id)) continue
      used.add(transfer.id)
      stated.push({ deposits: [deposit.id], transfers: [transfer.id] })
      break
    }
  }
  return stated
}

export const matchers = { tallystick, greedy, "nested loop": nestedLoop } satisfies Readonly<Record<string, Matcher>>

export type Name = keyof typeof matchers
