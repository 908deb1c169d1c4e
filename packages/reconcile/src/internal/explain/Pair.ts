/** Says in words why a deposit and a transfer are stated to belong together, or would be but for one thing. */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "../../Entry.ts"
import type * as Because from "./Because.ts"
import type { Moments } from "./Moments.ts"
import type { Unexplained } from "./Unexplained.ts"
import * as Words from "./Words.ts"

type OfPair = Extract<Because.Because, {
  code:
    | "in-every-equal-pairing"
    | "nearest-in-time"
    | "asked-for"
    | "in-every-pairing"
    | "in-every-pairing-without-difference"
    | "nearest-without-difference"
    | "within-noise"
    | "same-reference"
    | "same-reference-alone"
    | "same-account-alone"
    | "equal-alone"
    | "other-account"
    | "other-direction"
    | "look-alike-asset"
    | "nearer-elsewhere"
}>

/** Says how what was moved compares, as the middle of a sentence: `4 less`. */
export const difference = (residual: string): string =>
  residual === "0" ? "the same amount" : residual.startsWith("-") ? `${residual.slice(1)} less` : `${residual} more`

/** Writes a fee: `fee of 1 plus 0.1 %`. */
export const feeText = ({ flat, rate }: Because.Fee): string => {
  const percent = Amount.format(Amount.units(rate, Amount.scale(rate)) * 100n, Amount.scale(rate))
  const parts = [...(Amount.isZero(flat) ? [] : [flat]), ...(Amount.isZero(rate) ? [] : [`${percent} %`])]
  return `fee of ${parts.join(" plus ") || "0"}`
}

/** Returns what a fee leaves of the deposit of a transfer that is off by the residual. */
const leftBy = (transfer: string, residual: string): string => {
  const size = residual.replace("-", "")
  const scale = Math.max(Amount.scale(transfer), Amount.scale(size))
  const [amount, off] = [Amount.units(transfer, scale), Amount.units(size, scale)]
  return Amount.format(residual.startsWith("-") ? amount + off : amount - off, scale)
}

/** Says how a transfer compares to what a fee leaves of its deposit: `4 less than the 99 that a fee of 1 leaves`. */
const afterFee = (transfer: string, residual: string, fee: Because.Fee): string =>
  residual === "0"
    ? `exactly what a ${feeText(fee)} leaves`
    : `${difference(residual)} than the ${leftBy(transfer, residual)} that a ${feeText(fee)} leaves`

const reasons = {
  "nearest-in-time": "Every other candidate is much further away in time.",
  "asked-for": "Other pairings are as possible, and the policy asks for one of them.",
  "in-every-pairing": "Every way to pair as many entries as possible pairs these two.",
  "in-every-pairing-without-difference":
    "Every way to pair as many entries as possible without a difference pairs these two.",
  "nearest-without-difference": "Others without a difference are much further away in time.",
  "same-reference": "Both carry the same reference."
} as const

/** Says how the amounts compare, as a sentence; nothing where what happened says it already. */
const amounts = (told: Told, fee: Because.Fee | undefined): string => {
  const { code, residual } = told
  if (fee !== undefined) {
    return `After a ${feeText(fee)} that is ${
      residual === "0" ? "exactly what was expected" : `${difference(residual)} than expected`
    }. `
  }
  if (residual === "0") return isSame(told) ? "" : "The amounts are equal. "
  return `That is ${difference(residual)}${code === "tolerant" ? ", within the tolerance" : ""}. `
}

/** The codes that say why two entries belong together. */
type Why = Exclude<OfPair, { code: "other-account" | "other-direction" | "look-alike-asset" | "nearer-elsewhere" }>

/** The two entries of a pair, and what is told of them. */
interface Told {
  readonly code: Unexplained["code"]
  readonly residual: string
  readonly deposit: Entry.Entry
  readonly transfer: Entry.Entry
}

/** Whether both entries show the same money. */
const isSame = ({ deposit, transfer }: Pick<Told, "deposit" | "transfer">): boolean =>
  deposit.amount === transfer.amount && deposit.asset === transfer.asset

/** Says where the transfer went. Its beginning is left out where that is where the deposit arrived. */
const route = ({ deposit, transfer }: Pick<Told, "deposit" | "transfer">): string =>
  deposit.account === undefined || deposit.account === "" || deposit.account !== (transfer.from ?? transfer.account)
    ? Words.route(transfer)
    : transfer.to === undefined
    ? ""
    : ` to ${Words.account(transfer.to)}`

/** Says what came before a comma about a pair that is late or early, or was first seen settled long after its own time. */
const time = ({ code, deposit, transfer }: Told, because: Why): string => {
  if (because.code !== "same-reference" && because.code !== "equal-alone") return ""
  const { delayMs = 0, excessMs, unsettledMs } = because
  const lagMs = transfer.at - deposit.at
  if (unsettledMs !== undefined) {
    return lagMs < delayMs
      ? ` (the deposit was last seen unsettled ${Words.duration(unsettledMs)} and first seen settled ${
        Words.duration(delayMs)
      } after it arrived)`
      : `, ${Words.duration(lagMs - delayMs)} after the deposit was first seen settled`
  }
  if (excessMs === undefined) return ""
  return `, ${Words.duration(excessMs)} ${code === "early" ? "earlier" : "later"} than the policy allows${
    delayMs === 0 ? "" : ` (the deposit was first seen settled ${Words.duration(delayMs)} after it arrived)`
  }`
}

/** Says what arrived and what was moved, as one clause: `5 USDT arrived in sub1 on … and was moved to master 5 min later`. */
const moved = (told: Pick<Told, "deposit" | "transfer">, moments: Moments): string => {
  const { deposit, transfer } = told
  const what = isSame(told) ? " and" : `; ${Words.money(transfer)}`
  return `${Words.happened(deposit, moments)}${what} was moved${route(told)} ${Words.apart(transfer.at - deposit.at)}`
}

/** Says by how much the amounts of a pair differ, first of all. */
const mismatch = (told: Told, because: Why, moments: Moments): string => {
  const { deposit, residual, transfer } = told
  const fee = "fee" in because ? because.fee : undefined
  const isShort = residual.startsWith("-")
  const off = residual.replace("-", "")
  const [arrived, sent] = deposit.asset === transfer.asset
    ? [deposit.amount, transfer.amount]
    : [Words.money(deposit), Words.money(transfer)]
  const place = Words.happened(deposit, moments).slice(Words.money(deposit).length)
  const left = fee === undefined ? "" : ` A ${feeText(fee)} would leave ${leftBy(transfer.amount, residual)}.`
  return `Moved ${off} ${transfer.asset} too ${isShort ? "little" : "much"}: ${arrived}${place}, ${sent} was moved${
    route(told)
  } ${Words.apart(transfer.at - deposit.at)}.${left} The policy does not allow this difference.`
}

/** Says how the amounts of a pair compare whose time does not fit; nothing where they are equal. */
const though = ({ residual, transfer }: Told, fee: Because.Fee | undefined): string => {
  if (fee === undefined) return residual === "0" ? "" : `, though the amounts differ by ${residual.replace("-", "")}`
  return `, ${residual === "0" ? "and" : "though"} what was moved is ${afterFee(transfer.amount, residual, fee)}`
}

/** Says why the two belong together, as a sentence of its own. */
const why = (told: Told, because: Why): string => {
  switch (because.code) {
    case "in-every-equal-pairing":
      return `${amounts(told, undefined)}Every way to pair as many equal amounts as possible pairs these two.`
    case "same-reference-alone":
      return "Both belong to the same reference, and nothing else fits."
    case "same-account-alone":
      return "Both belong to the same account, and nothing else fits."
    case "equal-alone":
      return `${amounts(told, undefined)}Nothing else fits.`
    case "same-reference":
      if (told.code === "amount-mismatch") return reasons[because.code]
      if (because.excessMs !== undefined) return `Both carry the same reference${though(told, because.fee)}.`
      return `${amounts(told, because.fee)}${reasons[because.code]}`
    case "within-noise":
      return `${amounts(told, because.fee)}The policy takes ${
        told.residual === "0"
          ? "the difference of no other candidate for noise."
          : "this difference for noise, and that of no other candidate."
      }`
    default:
      return `${amounts(told, because.fee)}${reasons[because.code]}`
  }
}

const ALONE = "Nothing else in the window fits."

export const sentence = (
  { code, deposits, residual, transfers }: Unexplained,
  because: OfPair,
  moments: Moments
): string => {
  const [deposit, transfer] = [Words.only(deposits), Words.only(transfers)]
  const told = { code, deposit, transfer, residual: residual ?? "0" }
  const apart = Words.apart(transfer.at - deposit.at)
  switch (because.code) {
    case "other-account":
      return `${Words.money(deposit)} arrived in ${Words.account(because.depositAccount)} on ${
        moments.at(deposit.at)
      }, but ${isSame(told) ? "the same amount" : Words.money(transfer)} was moved${
        Words.route(transfer)
      } ${apart}. The accounts differ. ${ALONE}`
    case "other-direction":
      return `${Words.happened(deposit, moments)}, but ${
        isSame(told) ? "the same amount" : Words.money(transfer)
      } was moved in the wrong direction${Words.route(transfer)} ${apart}. ${ALONE}`
    case "look-alike-asset":
      return `${
        moved(told, moments)
      }. Only the assets differ. If they are the same, add ["${deposit.asset}", "${transfer.asset}"] ` +
        "to the policy's assets.aliases."
    case "nearer-elsewhere":
      return `${Words.happened(deposit, moments)}, and ${
        isSame(told) ? "the same amount" : Words.money(transfer)
      } was moved${
        route(told)
      } ${apart}. That may be the ${because.as} one for it, but another entry that fits one of the two ` +
        "went to one that is nearer. It may be the other way round."
    default:
      return code === "amount-mismatch"
        ? `${mismatch(told, because, moments)} ${why(told, because)}`
        : `${moved(told, moments)}${time(told, because)}. ${why(told, because)}`
  }
}
