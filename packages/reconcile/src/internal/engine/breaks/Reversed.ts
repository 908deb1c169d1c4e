/** Finds transfers out of the master account that cancel an earlier transfer: the money was moved, and moved back. */
import * as AccountType from "@tallystick/core/AccountType"
import { at, item } from "../ledger/Column.ts"
import { type Direction, MASTER } from "../ledger/Direction.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import * as Window from "../ledger/Window.ts"
import type { Workbench } from "../Workbench.ts"

/** The account types of a movement, read in the direction of the first transfer. An unknown type contradicts nothing. */
interface Types {
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Transfers of one class and account that are not cancelled yet, by account types. The latest is the last. */
interface Pile {
  readonly types: Types
  readonly transfers: Array<number>
}

const isLike = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || AccountType.canonical(one) === AccountType.canonical(other)

/** Takes the latest transfer with fitting types from the piles, if it lies within reach. */
const take = (ledger: Ledger.Ledger, piles: Iterable<Pile>, back: number, types: Types): number | undefined => {
  let latest: Pile | undefined
  for (const pile of piles) {
    if (pile.transfers.length === 0) continue
    if (!isLike(pile.types.from, types.from) || !isLike(pile.types.to, types.to)) continue
    if (latest === undefined || (pile.transfers.at(-1) ?? -1) > (latest.transfers.at(-1) ?? -1)) latest = pile
  }
  const transfer = latest?.transfers.at(-1)
  if (latest === undefined || transfer === undefined) return undefined
  const { at: time } = ledger.transfers
  if (at(time, transfer) < at(time, back) - Window.reversal(ledger, back)) return undefined
  latest.transfers.pop()
  return transfer
}

const settlePair = ({ finality, settle }: Workbench, transfer: number, back: number): void => {
  const isRead = finality.cancel(transfer, back)
  settle({
    code: "reversed",
    deposits: [],
    transfers: [transfer, back],
    finality: isRead ? "always" : "never",
    because: { code: "moved-back" }
  })
}

/**
 * Pairs transfers like brackets: each transfer back cancels the latest earlier one that is not cancelled yet. Entries are
 * walked in order of time. At one moment those that go back come first, because only an earlier transfer can be cancelled.
 */
export const reversed = (bench: Workbench, { canonical }: Direction): void => {
  const { ledger } = bench
  const { against, amountClass, at: time, eligible, entries, open } = ledger.transfers
  const isBack = (index: number): boolean =>
    against[index] === 1 && open[index] === 1 && canonical(item(entries, index).from ?? "") === MASTER
  const classes = new Set<number>()
  entries.forEach((_, index) => isBack(index) && classes.add(at(amountClass, index)))
  if (classes.size === 0) return

  const piles = new Map<string, Map<string, Pile>>()
  const keyOf = (index: number, account: string | undefined): string =>
    `${at(amountClass, index)} ${canonical(account ?? "")}`
  const put = (index: number): void => {
    const { from, fromType, to, toType } = item(entries, index)
    if (from === undefined || to === undefined || canonical(to) !== MASTER) return
    const key = keyOf(index, from)
    const ofAccount = piles.get(key) ?? new Map<string, Pile>()
    piles.set(key, ofAccount)
    const name = JSON.stringify([fromType, toType])
    const pile = ofAccount.get(name) ?? { types: { from: fromType, to: toType }, transfers: [] }
    ofAccount.set(name, pile)
    pile.transfers.push(index)
  }
  let waiting: Array<number> = []
  for (let index = 0; index < entries.length; index++) {
    if (!classes.has(at(amountClass, index)) || open[index] !== 1) continue
    if (waiting.length > 0 && at(time, waiting[0] ?? index) < at(time, index)) {
      waiting.forEach(put)
      waiting = []
    }
    if (isBack(index)) {
      const { fromType, to, toType } = item(entries, index)
      const transfer = take(ledger, piles.get(keyOf(index, to))?.values() ?? [], index, { from: toType, to: fromType })
      if (transfer !== undefined) settlePair(bench, transfer, index)
    } else if (eligible[index] === 1) waiting.push(index)
  }
}
