/** The share of a deposit by which its transfer is less, as an exact decimal, where the transfer may have been rounded. */
import * as Amount from "@tallystick/core/Amount"
import type { Link } from "./Linked.ts"
import { FEWEST } from "./Shape.ts"

/** A rate has at most so many digits. */
const MOST_DIGITS = 12

/** A difference of so many of the last digit's units is large enough that a rounding of the last digit says nothing of it. */
const CLEAR = 10n

/** `over / 10^digits`. */
interface Rate {
  readonly over: bigint
  readonly digits: number
}

interface Measured {
  readonly link: Link
  readonly deposit: bigint
  readonly difference: bigint
  /** A rate fits where it leaves less than this of the transfer, in the same units; 0 where it must leave nothing. */
  readonly rounding: bigint
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

/** Puts amounts of several links into units of one scale, of which the last digit of the transfers has `unit`. */
const measured = (links: ReadonlyArray<Link>): ReadonlyArray<Measured> => {
  const scaleOf = (amounts: ReadonlyArray<string>): number =>
    amounts.reduce((most, amount) => Math.max(most, Amount.scale(amount)), 0)
  const last = scaleOf(links.map(({ transfer }) => transfer.amount))
  const scale = Math.max(last, scaleOf(links.map(({ deposit }) => deposit.amount)))
  const unit = 10n ** BigInt(scale - last)
  return links.flatMap((link) => {
    const deposit = Amount.units(link.deposit.amount, scale)
    const difference = deposit - Amount.units(link.transfer.amount, scale)
    const rounding = difference >= CLEAR * unit ? unit : 0n
    return difference > 0n ? [{ link, deposit, difference, rounding }] : []
  })
}

const fits = ({ deposit, difference, rounding }: Measured, { digits, over }: Rate): boolean => {
  const power = 10n ** BigInt(digits)
  const left = magnitude(over * deposit - difference * power)
  return left === 0n || left < rounding * power
}

/** The shortest rate that fits one pair. */
const shortest = (one: Measured): ReadonlyArray<Rate> => {
  for (let digits = 1; digits <= MOST_DIGITS; digits++) {
    const power = 10n ** BigInt(digits)
    const rate = { digits, over: (2n * one.difference * power + one.deposit) / (2n * one.deposit) }
    if (rate.over > 0n && rate.over < power && fits(one, rate)) return [rate]
  }
  return []
}

interface Shared {
  /** Decimal text below 1. */
  readonly rate: string
  readonly links: ReadonlyArray<Link>
}

/** Finds the rates that enough pairs share, the one of most pairs first. Each pair has one. */
export const find = (links: ReadonlyArray<Link>): ReadonlyArray<Shared> => {
  let left = measured(links)
  const found: Array<Shared> = []
  while (left.length >= FEWEST) {
    const rates = new Map(left.flatMap(shortest).map((rate) => [Amount.format(rate.over, rate.digits), rate]))
    const best = Array.from(rates, ([rate, parts]) => ({
      rate,
      members: left.filter((one) => fits(one, parts))
    })).toSorted((a, b) => b.members.length - a.members.length || a.rate.length - b.rate.length)[0]
    if (best === undefined || best.members.length < FEWEST) return found
    const taken = new Set(best.members)
    found.push({ rate: best.rate, links: best.members.map(({ link }) => link) })
    left = left.filter((one) => !taken.has(one))
  }
  return found
}
