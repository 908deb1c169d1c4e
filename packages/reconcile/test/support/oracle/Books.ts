/** Few entries that compete, of every kind that the oracle knows, and a policy. */
import type * as Entry from "../../../src/Entry.ts"
import * as Crowd from "../Crowd.ts"
import type * as Generator from "../Generator.ts"
import * as Pasts from "../Pasts.ts"
import * as Run from "../Run.ts"
import type * as Desk from "./Desk.ts"

export interface Books {
  readonly law: Desk.Law
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
}

const law = (random: Generator.Generator): Desk.Law => ({
  before: random.pick([0, 10, -5]) * Run.MINUTE,
  after: random.pick([10, 40]) * Run.MINUTE,
  late: random.pick([0, 30, 120]) * Run.MINUTE,
  absolute: random.pick([0n, 0n, 1n, 2n]),
  noise: random.pick([0n, 0n, 2n]),
  ratio: 2,
  rivals: random.pick([0, 5]),
  reference: random.pick(["prefer", "prefer", "require", "only", "ignore"]),
  forbid: random.chance(0.2) ? [{ deposit: "d0", transfer: "t0" }] : []
})

/** Amounts of which no group can be made. */
const amounts = [["10"], ["10", "11", "12"], ["10", "11", "100"], ["10", "11", "12", "13", "100"]] as const

/** One entry in ten says what it leaves out, or leaves out what its other fields say. */
const reworded = (random: Generator.Generator, entry: Entry.Entry): Entry.Entry => {
  if (!random.chance(0.1)) return entry
  const { account, ...rest } = entry
  if (account === undefined) return { ...rest, account: "" }
  if (entry.from !== undefined && entry.to !== undefined) return rest
  return entry.reference === undefined ? { ...entry, reference: "" } : entry
}

/** A transfer that may well be meant for the deposit, but for one thing or another. */
const answering = (random: Generator.Generator, transfer: Entry.Entry, deposit: Entry.Entry): Entry.Entry => {
  const isSame = () => random.chance(0.8)
  const { reference, ...rest } = transfer
  const carried = isSame() ? deposit.reference : reference
  return {
    ...rest,
    asset: isSame() ? deposit.asset : transfer.asset,
    amount: isSame() ? deposit.amount : transfer.amount,
    at: deposit.at + random.int(-20, 60) * Run.MINUTE,
    ...(carried === undefined ? {} : { reference: carried })
  }
}

const betweenOthers = (entry: Entry.Entry): Entry.Entry => ({ ...entry, from: "a", to: "b" })

export const make = (random: Generator.Generator): Books => {
  const list = random.pick(amounts)
  const kind: Crowd.Kind = {
    ...Crowd.kindOf(random),
    amounts: list,
    most: random.pick([2, 3, 5, list.length === 1 ? 6 : 8]),
    minutes: random.pick([20, 60, 200]),
    unsettled: random.pick([["settled"], ["failed"], ["failed", "pending", "unknown"]])
  }
  const elsewhere = kind.routed && random.chance(0.2)
  const addresses = random.pick([[undefined], [undefined], ["x", "y"]])
  const deposits = Crowd.entries(random, "deposit", kind).map((entry): Entry.Entry => {
    const address = random.pick(addresses)
    return reworded(random, address === undefined ? entry : { ...entry, address })
  })
  const isAnswering = random.chance(0.5)
  const transfers = Crowd.entries(random, "transfer", kind).map((entry): Entry.Entry => {
    if (elsewhere && entry.account === "a" && random.chance(0.3)) return betweenOthers(entry)
    return reworded(random, isAnswering ? answering(random, entry, random.pick(deposits)) : entry)
  })
  const books = { law: law(random), deposits, transfers }
  return random.chance(0.5)
    ? { ...books, deposits: Pasts.some(random, deposits), transfers: Pasts.some(random, transfers) }
    : books
}
