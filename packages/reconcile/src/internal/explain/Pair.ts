/** Says in words why a deposit and a transfer are stated to belong together, or would be but for one thing. */
import * as Amount from "@tallystick/core/Amount"
import type * as Because from "./Because.ts"
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

/** Writes the residual, as the middle of the sentence. */
export const difference = (residual: string): string =>
  residual === "0" ? "the same amount" : residual.startsWith("-") ? `${residual.slice(1)} less` : `${residual} more`

/** Writes a fee: `fee of 1 plus 0.1 %`. */
export const feeText = ({ flat, rate }: Because.Fee): string => {
  const percent = Amount.format(Amount.units(rate, Amount.scale(rate)) * 100n, Amount.scale(rate))
  const parts = [...(Amount.isZero(flat) ? [] : [flat]), ...(Amount.isZero(rate) ? [] : [`${percent} %`])]
  return `fee of ${parts.join(" plus ") || "0"}`
}

/** Says how a transfer compares to what a fee leaves of its deposit: `4 less than the 99 that a fee of 1 leaves`. */
const afterFee = (transfer: string, residual: string, fee: Because.Fee): string => {
  const size = residual.replace("-", "")
  const scale = Math.max(Amount.scale(transfer), Amount.scale(size))
  const [amount, off] = [Amount.units(transfer, scale), Amount.units(size, scale)]
  const left = Amount.format(residual.startsWith("-") ? amount + off : amount - off, scale)
  return residual === "0"
    ? `exactly what a ${feeText(fee)} leaves`
    : `${difference(residual)} than the ${left} that a ${feeText(fee)} leaves`
}

const reasons = {
  "nearest-in-time": "every other candidate is much further away in time",
  "asked-for": "other pairings are as possible, and the policy asks for one of them",
  "in-every-pairing": "whenever as many entries as possible are paired, these two are a pair",
  "in-every-pairing-without-difference":
    "whenever as many entries as possible are paired without a difference, these two are a pair",
  "nearest-without-difference": "others without a difference are much further away in time",
  "within-noise": "the policy takes that for noise, and the difference of no other candidate",
  "same-reference": "both carry the same reference"
} as const

/** Says how the amounts compare, as the middle of the sentence. */
const amounts = ({ code, residual }: Unexplained, fee: Because.Fee | undefined): string => {
  const written = residual ?? "0"
  if (code === "exact") return "the amounts are equal"
  if (fee === undefined) return `that is ${difference(written)}${code === "tolerant" ? ", within the tolerance" : ""}`
  if (code === "reference") return `after a ${feeText(fee)} that is ${difference(written)}`
  return `after a ${feeText(fee)} that is ${
    written === "0" ? "exactly what was expected" : `${difference(written)} than expected`
  }`
}

/** Says how the amounts of a pair compare whose time does not fit, as the end of the sentence; nothing where they are equal. */
const though = ({ residual, transfers }: Unexplained, fee: Because.Fee | undefined): string => {
  const written = residual ?? "0"
  if (fee === undefined) return written === "0" ? "" : `, though the amounts differ by ${written.replace("-", "")}`
  return `, ${written === "0" ? "and" : "though"} the transfer is ${
    afterFee(Words.only(transfers).amount, written, fee)
  }`
}

/** Says that the amounts of a pair differ by more than the policy allows, between the two entries and the reason. */
const mismatch = ({ code, residual, transfers }: Unexplained, because: Why): string => {
  if (code !== "amount-mismatch") return ""
  const written = residual ?? "0"
  return "fee" in because && because.fee !== undefined
    ? ` and is ${
      afterFee(Words.only(transfers).amount, written, because.fee)
    }, a larger difference than the policy allows`
    : ` and differs by ${written.replace("-", "")}, more than the policy allows`
}

/** The codes that say why two entries belong together. */
type Why = Exclude<OfPair, { code: "other-account" | "other-direction" | "look-alike-asset" | "nearer-elsewhere" }>

/** Says why the two belong together, as the end of the sentence. */
const why = (told: Unexplained, because: Why): string => {
  switch (because.code) {
    case "in-every-equal-pairing":
      return "the amounts are equal, and whenever as many equal amounts as possible are paired, these two are a pair"
    case "same-reference-alone":
      return "both belong to the same reference, and neither has another candidate"
    case "same-account-alone":
      return "both belong to the same account, and neither has another candidate"
    case "equal-alone":
      return "the amounts are equal, and no other candidate of either is left"
    case "asked-for":
      return `${amounts(told, because.fee)}${told.code === "exact" ? ";" : ", and"} ${reasons[because.code]}`
    case "same-reference":
      if (told.code === "amount-mismatch") return reasons[because.code]
      if (because.excessMs !== undefined) return `${reasons[because.code]}${though(told, because.fee)}`
      if (because.unsettledMs !== undefined && because.fee === undefined) return reasons[because.code]
      return `${amounts(told, because.fee)}, and ${reasons[because.code]}`
    default:
      return `${amounts(told, because.fee)}, and ${reasons[because.code]}`
  }
}

const holder = (account: string): string => (account === "" ? Words.account("") : `account ${account}`)

/** Says what the time has to do with it, between the two entries and the reason; nothing where it lies in the window. */
const time = (code: Unexplained["code"], because: Why, lagMs: number): string => {
  if (because.code !== "same-reference" && because.code !== "equal-alone") return ""
  const { delayMs = 0, excessMs, unsettledMs } = because
  if (unsettledMs !== undefined) {
    const since = lagMs < delayMs ? `last seen unsettled ${Words.duration(unsettledMs)} and ` : ""
    return `, which was ${since}first seen settled ${Words.duration(delayMs)} after its own time: ${
      Words.lag(lagMs - delayMs)
    } that`
  }
  if (excessMs === undefined) return ""
  const settled = delayMs === 0 ? "" : ` (it was first seen settled ${Words.duration(delayMs)} after its own time)`
  return `, ${Words.duration(excessMs)} ${
    code === "early" ? "before the window opened" : "after the window closed"
  }${settled}`
}

export const sentence = (told: Unexplained, because: OfPair): string => {
  const [deposit, transfer] = [Words.only(told.deposits), Words.only(told.transfers)]
  const lagMs = transfer.at - deposit.at
  const came = `${Words.named(transfer)} came ${Words.lag(lagMs)} deposit ${deposit.id} of ${Words.money(deposit)}`
  switch (because.code) {
    case "other-account":
      return `${came}, but belongs to ${holder(because.transferAccount)} and the deposit to ${
        holder(because.depositAccount)
      }; neither has another candidate in the window.`
    case "other-direction":
      return `${came}, but went from ${Words.account(transfer.from)} to ${
        Words.account(transfer.to)
      } instead of the other way; neither has another candidate in the window.`
    case "look-alike-asset":
      return `${came}, and only the assets differ; if they are the same, add ["${deposit.asset}", "${transfer.asset}"] to ` +
        "the policy's assets.aliases."
    case "nearer-elsewhere":
      return `${
        Words.named(transfer)
      } may be the ${because.as} one of deposit ${deposit.id}, but another that fits one of them went to an entry that is ` +
        "nearer; it may be the other way round."
    default:
      return `${came}${time(told.code, because, lagMs)}${mismatch(told, because)}; ${why(told, because)}.`
  }
}
