/** Writes the sentence of an outcome from its facts, for an accountant. */
import { absurd } from "effect/Function"
import type * as Because from "./Because.ts"
import * as Open from "./Open.ts"
import * as Pair from "./Pair.ts"
import * as Sum from "./Sum.ts"
import type { Unexplained } from "./Unexplained.ts"
import * as Versions from "./Versions.ts"
import * as Words from "./Words.ts"

const entry = (told: Unexplained) => Words.only([...told.deposits, ...told.transfers])

/** Counts the members: `2 deposits and 1 transfer`. */
const members = ({ deposits, transfers }: Unexplained): string =>
  `${Words.count(deposits.length, "deposit")} and ${Words.count(transfers.length, "transfer")}`

/** Counts the members and gives the amount of the first, because all have the same amount. */
const equals = (told: Unexplained): string => `${members(told)} of ${Words.money(entry(told))}`

/** Counts pairs and open entries: `2 pairs and 1 deposit without a transfer`. */
const short = (told: Unexplained): string => {
  const { deposits, matchedCount = 0, transfers } = told
  const [openDeposits, openTransfers] = [deposits.length - matchedCount, transfers.length - matchedCount]
  const open = [
    ...(openDeposits > 0 ? [`${Words.count(openDeposits, "deposit")} without a transfer`] : []),
    ...(openTransfers > 0 ? [`${Words.count(openTransfers, "transfer")} without a deposit`] : [])
  ].join(" and ")
  return `${equals(told)} cannot be told apart: ${Words.count(matchedCount, "pair")} and ${open}`
}

const unreadPart = (
  { missing }: Unexplained
): string => (missing === undefined ? "an unknown part" : Words.gap(missing))

const notSettled = (told: Unexplained): string => {
  const one = entry(told)
  const name = Words.name(one)
  if (one.status === "pending") return `${name} is not settled yet, so nothing is expected of it.`
  return one.status === "unknown"
    ? `${name} has a status that the policy does not know, so it is not taken as settled.`
    : `${name} failed; only what is settled is matched.`
}

const attemptsFailed = (told: Unexplained): string => {
  const { deposits, transfers } = told
  const failed = Words.count(transfers.length, "equal transfer")
  const [deposit] = deposits
  if (deposit === undefined) return `${failed} failed.`
  return deposits.length === 1
    ? `${failed} for deposit ${deposit.id} of ${
      Words.money(deposit)
    } failed, and no other of that amount is left in its window.`
    : `${failed} failed in the windows of ${deposits.length} deposits of ${
      Words.money(deposit)
    } for which no other of that amount is left; which deposit each was for is not known.`
}

/** The largest number of objections that a sentence names. */
const NAMED = 3

const objected = (told: Unexplained, side: "deposit" | "transfer"): string => {
  const [own, others] = side === "deposit" ? [told.deposits, told.transfers] : [told.transfers, told.deposits]
  const [one, other] = [Words.only(own), Words.only(others)]
  if (own.length === 1 && others.length === 1) {
    return `${Words.named(other)} has its ${side} ${one.id}, but that ${
      Words.objection(told.code, one)
    }; the two are not matched.`
  }
  const each = own.map((entry) => `${side} ${entry.id} ${Words.objection(told.code, entry)}`)
  const listed = each.slice(0, NAMED).concat(each.length > NAMED ? [`${each.length - NAMED} more`] : []).join("; ")
  return `${members(told)} of ${
    Words.money(one)
  } may belong together, but ${listed}. Which belongs to which is not known.`
}

const linked = (told: Unexplained, because: Extract<Because.Because, { code: "linked" }>): string =>
  `${members(told)} were ${Words.linked(because)}; ` +
  (told.residual === "0"
    ? "their amounts are equal."
    : `the transfers are ${Pair.difference(told.residual ?? "0")} than the deposits.`)

const linkedWithAbsent = ({ deposits, transfers }: Unexplained, absent: ReadonlyArray<Because.Named>): string => {
  const here = [
    ...(deposits.length > 0 ? [Words.count(deposits.length, "deposit")] : []),
    ...(transfers.length > 0 ? [Words.count(transfers.length, "transfer")] : [])
  ].join(" and ")
  return `${here} ${
    deposits.length + transfers.length === 1 ? "is" : "are"
  } linked by hand with entries that were not read or cannot be used: ${
    absent.map(({ id, side }) => `${side} ${id}`).join(", ")
  }.`
}

const unusable = ({ bad }: Unexplained): string => {
  if (bad === undefined) return "A record could not be used."
  const field = bad.path === "" ? "" : `"${bad.path}": `
  return `A ${bad.side} record at ${bad.source} could not be used: ${field}${bad.reason}.`
}

export const of = (told: Unexplained): string => {
  const { because } = told
  switch (because.code) {
    case "in-every-equal-pairing":
    case "nearest-in-time":
    case "asked-for":
    case "in-every-pairing":
    case "in-every-pairing-without-difference":
    case "nearest-without-difference":
    case "within-noise":
    case "same-reference":
    case "same-reference-alone":
    case "same-account-alone":
    case "equal-alone":
    case "other-account":
    case "other-direction":
    case "look-alike-asset":
    case "nearer-elsewhere":
      return Pair.sentence(told, because)
    case "sum":
    case "sum-of-other-rules":
    case "several-sums":
    case "contested-sum":
    case "sum-by-chance":
    case "sums-without-evidence":
    case "sums-not-searched":
    case "part-of-a-sum":
    case "part-not-searched":
    case "sum-falls-short":
      return Sum.sentence(told, because)
    case "counterpart-unread":
    case "window-open":
    case "competitor-open":
    case "counterpart-went-nearer":
    case "account-not-listed":
    case "candidate-unread":
    case "candidate-open":
    case "several-versions":
    case "counterpart-in-dispute":
    case "no-counterpart":
    case "matched-twin":
    case "late-one-waits-for-settlement":
      return Open.sentence(told, because)
    case "all-have-counterparts":
      return `${equals(told)} cannot be told apart, and every one has its counterpart; ` +
        "which belongs to which is shown by convention, first in, first out."
    case "short-of-counterparts":
      return `${short(told)}, whichever they are${
        because.unread === 0 ? "" : `; for ${because.unread} of them not everything has been read`
      }.`
    case "counterparts-may-come":
      return `${short(told)} so far; ${
        because.ownWindows ? "their windows" : "the windows of entries that they compete with"
      } are not over yet.`
    case "counterparts-unread":
      return `${short(told)} as far as was read; the rest may be among what was not read: ${unreadPart(told)}.`
    case "several-pairings":
      return `${members(told)} fit each other within the tolerance or a fee in several ways; ${
        Words.count(told.matchedCount ?? 0, "pair")
      } can be made of them, but times decide none of those that differ least in all, and amounts alone decide nothing ` +
        "where they may differ."
    case "several-pairings-from-settlement":
      return `${
        members(told)
      } would fit each other within the tolerance or a fee if the lag counted from when a deposit ` +
        "was first seen settled; amounts that differ decide nothing then."
    case "outside-windows":
      return `${Words.count(because.deposits, "deposit")} and ${Words.count(because.transfers, "transfer")} of ${
        Words.money(because)
      } are outside each other's windows but close enough to be late or early; which belongs to which, if any, is not decided.`
    case "too-many-pairs":
      return `${
        members(told)
      } with ${because.common} hang together by ${because.pairs} possible pairs, more than the ${because.searched} that are ` +
        "searched; none of them was matched."
    case "shared-reference":
      return `${members(told)} carry one and the same reference and cannot be told apart, so none of them was matched.`
    case "reference-does-not-fit":
      return `${
        members(told)
      } carry one reference, but do not fit in amount or time; what fits may be among what was not read` +
        (told.missing === undefined ? " yet." : `: ${Words.gap(told.missing)}.`)
    case "not-settled":
      return notSettled(told)
    case "attempts-failed":
      return attemptsFailed(told)
    case "attempt-may-be-replaced":
      return `Transfer ${entry(told).id} failed, and one that is not settled yet may take its place.`
    case "waits-for-settlement":
      return `${members(told)}${
        because.isOneAmount ? ` of ${Words.money(entry(told))}` : ""
      } may belong together, but ${
        told.code === "unknown-status" ? "the status of some of them is not known" : "not all of them are settled yet"
      }.`
    case "objected":
      return objected(told, because.side)
    case "objected-alone":
      return `${Words.named(entry(told))} ${Words.objection(told.code, entry(told))}; ` + (because.taken
        ? "what is equal in its window is in other outcomes (see the candidates)."
        : "nothing that fits it is open in its window.")
    case "told-in-versions":
      return Versions.sentence(entry(told), because)
    case "given-in-versions":
      return `The source gave ${told.deposits.length + told.transfers.length} different contents for ${
        entry(told).side
      } ${entry(told).id}; none of them was matched.`
    case "unusable-record":
      return unusable(told)
    case "linked":
      return linked(told, because)
    case "linked-with-absent":
      return linkedWithAbsent(told, because.absent)
    case "excluded":
      return `${Words.name(entry(told))} is excluded by ${because.by ?? "the policy"}` +
        (because.reason === undefined || because.reason === "" ? "." : `: ${because.reason}.`)
    case "below-least":
      return `${Words.named(entry(told))} is below ${because.least}, the least amount that the policy looks at.`
    case "out-of-flow":
      return `${Words.named(entry(told))} went from ${Words.account(entry(told).from)} to ${
        Words.account(entry(told).to)
      }, which is none of the movements that the policy counts.`
    case "moved-back": {
      const [forth, back] = [Words.only(told.transfers), Words.only(told.transfers.slice(1))]
      return `${Words.named(forth)} from ${Words.account(forth.from)} was moved back by transfer ${back.id}, ${
        Words.duration(back.at - forth.at)
      } later.`
    }
    default:
      return absurd(because)
  }
}
