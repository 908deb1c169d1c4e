/** Entries that compete, of kinds that bring about every discrepancy there is. */
import type * as Entry from "../../src/Entry.ts"
import type * as Generator from "./Generator.ts"
import * as Run from "./Run.ts"

/** What the entries of a run are like. */
export interface Kind {
  readonly accounts: ReadonlyArray<string | undefined>
  readonly assets: ReadonlyArray<string>
  readonly references: ReadonlyArray<string | undefined>
  /** Whether transfers name both ends, so that some go backwards. */
  readonly routed: boolean
  /** How many entries a side has at most; 14 if left out. */
  readonly most?: number
  /** Over how many minutes they lie; 200 if left out. */
  readonly minutes?: number
  /** What they may amount to; 10 to 12 if left out. */
  readonly amounts?: ReadonlyArray<string>
  /** What entries that are not settled may be; failed or pending if left out. */
  readonly unsettled?: ReadonlyArray<Entry.Status>
}

const plain: Kind = { accounts: [undefined], assets: ["BTC"], references: [undefined], routed: false }

export const kindOf = (random: Generator.Generator): Kind => ({
  accounts: random.pick([[undefined], ["a", "b"], [undefined, "a"], ["a", "b", "c"]]),
  assets: random.pick([["BTC"], ["USDT", "USDT-TRX"], ["USDT", "usdt", "USDT"]]),
  references: random.pick([[undefined], [undefined], [undefined, undefined, "r", "s", "u"]]),
  routed: random.chance(0.5)
})

const routeOf = (random: Generator.Generator, account: string | undefined, known: boolean): Partial<Entry.Entry> => {
  if (account === undefined) return {}
  const [from, to] = random.chance(0.7) ? [account, ""] : ["", account]
  const types = random.pick([known ? ["SPOT", "SPOT"] : undefined, ["SPOT", "SPOT"], ["SPOT", "FUTURES"]])
  return { from, to, ...(types === undefined ? {} : { fromType: types[0]!, toType: types[1]! }) }
}

/** Entries over a few hours, crowded enough to compete. */
export const entries = (
  random: Generator.Generator,
  side: Entry.Side,
  kind: Kind = plain
): ReadonlyArray<Entry.Entry> => {
  const accounts = kind === plain ? random.pick([[undefined], ["a", "b"], [undefined, "a"]]) : kind.accounts
  return Array.from({ length: random.int(1, kind.most ?? 14) }, (_, index): Entry.Entry => {
    const account = random.pick(accounts)
    const reference = random.pick(kind.references)
    return {
      side,
      id: `${side[0]}${index}`,
      asset: random.pick(kind.assets),
      amount: random.pick(kind.amounts ?? ["10", "11", "12"]),
      at: Run.T0 + random.int(0, kind.minutes ?? 200) * Run.MINUTE,
      status: random.chance(0.9) ? "settled" : random.pick(kind.unsettled ?? ["failed", "pending"]),
      ...(account === undefined ? {} : { account }),
      ...(reference === undefined ? {} : { reference }),
      ...(kind.routed && side === "transfer" ? routeOf(random, account, !accounts.includes(undefined)) : {})
    }
  })
}
