/** Writes the sentence of an outcome from its facts, for an accountant. */
import { absurd } from "effect/Function"
import type * as Entry from "../../Entry.ts"
import type * as Because from "./Because.ts"
import type { Moments } from "./Moments.ts"
import * as Open from "./Open.ts"
import * as Pair from "./Pair.ts"
import * as Sum from "./Sum.ts"
import type { Unexplained } from "./Unexplained.ts"
import * as Versions from "./Versions.ts"
import * as Words from "./Words.ts"

const entry = (told: Unexplained) => Words.only([...told.deposits, ...told.transfers])

const all = ({ deposits, transfers }: Unexplained): ReadonlyArray<Entry.Entry> => [...deposits, ...transfers]

/** Counts the members: `2 deposits and 1 transfer`, or `3 deposits` where there are no others. */
const counted = ({ deposits, transfers }: Unexplained): string =>
  [
    ...(deposits.length > 0 ? [Words.count(deposits.length, "deposit")] : []),
    ...(transfers.length > 0 ? [Words.count(transfers.length, "transfer")] : [])
  ].join(" and ")

/**
 * Names both entries of a pair, as the subject of a sentence. More it counts, and says where and when they happened: `2 deposits and 1
 * transfer of sub1 between … and …`.
 */
const members = (told: Unexplained, moments: Moments): string => {
  const [[deposit, another], [transfer, other]] = [told.deposits, told.transfers]
  return deposit === undefined || transfer === undefined || another !== undefined || other !== undefined
    ? `${counted(told)}${Words.spread(all(told), moments)}`
    : `${Words.begin(Words.the(deposit, moments))} and ${Words.the(transfer, moments)}`
}

/** Counts the members, and gives the amount of the first, because all have the same amount. */
const equals = (told: Unexplained, moments: Moments): string =>
  `${counted(told)} of ${Words.money(entry(told))}${Words.spread(all(told), moments)}`

/** Counts pairs and open entries, as two sentences without an end. */
const short = (told: Unexplained, moments: Moments): string => {
  const { deposits, matchedCount = 0, transfers } = told
  const [openDeposits, openTransfers] = [deposits.length - matchedCount, transfers.length - matchedCount]
  const open = [
    ...(openDeposits > 0 ? [`${Words.count(openDeposits, "deposit")} without a transfer`] : []),
    ...(openTransfers > 0 ? [`${Words.count(openTransfers, "transfer")} without a deposit`] : [])
  ].join(" and ")
  return `${equals(told, moments)} cannot be told apart. They make ${
    Words.count(matchedCount, "pair")
  } and leave ${open}`
}

const notSettled = (one: Entry.Entry, moments: Moments): string => {
  const name = Words.begin(Words.the(one, moments))
  if (one.status === "pending") return `${name} is pending, so nothing is expected of it yet.`
  return one.status === "unknown"
    ? `${name} has a status that the policy does not know, so whether it is settled is not decidable.`
    : `${name} failed, and only settled entries are matched.`
}

const attemptsFailed = ({ deposits, transfers }: Unexplained, moments: Moments): string => {
  const failed = Words.count(transfers.length, "equal transfer")
  const [deposit] = deposits
  if (deposit === undefined) return `${failed} failed.`
  return deposits.length === 1
    ? `${Words.happened(deposit, moments)}. ${failed} for it failed, and no other of that amount is left in its window.`
    : `${failed} failed in the windows of ${deposits.length} deposits of ${Words.money(deposit)}${
      Words.spread(deposits, moments)
    } for which no other of that amount is left. Which deposit each was for is not known.`
}

/** Says that a member, or the members, are among entries of one amount that lie outside each other's windows. */
const outsideWindows = (
  told: Unexplained,
  because: Extract<Because.Because, { code: "outside-windows" }>,
  moments: Moments
): string => {
  const several = `${Words.count(because.deposits, "deposit")} and ${Words.count(because.transfers, "transfer")} of ${
    Words.money(because)
  }`
  const [one, ...others] = all(told)
  const isAll = told.deposits.length === because.deposits && told.transfers.length === because.transfers
  const which = isAll
    ? `${several}${Words.spread(all(told), moments)} are`
    : one === undefined || others.length > 0
    ? `${members(told, moments)} are among ${several} that are`
    : `${Words.happened(one, moments)}. It is one of ${several} that are`
  return `${which} outside each other's windows, but close enough to be late or early. Which belongs to which, if any, is not decided.`
}

/** The largest number of objections that a sentence names. */
const NAMED = 3

const objected = (told: Unexplained, side: Entry.Side, moments: Moments): string => {
  const [own, others] = side === "deposit" ? [told.deposits, told.transfers] : [told.transfers, told.deposits]
  const [one, other] = [Words.only(own), Words.only(others)]
  if (own.length === 1 && others.length === 1) {
    return `${Words.begin(Words.the(other, moments))} fits ${side} ${one.id}, but that one ${
      Words.objection(told.code, one, moments)
    }. The two are not matched.`
  }
  const each = own.map((entry) => `${side} ${entry.id} ${Words.objection(told.code, entry, moments)}`)
  const listed = each.slice(0, NAMED).concat(each.length > NAMED ? [`${each.length - NAMED} more`] : []).join("; ")
  return `${equals(told, moments)} may belong together, but ${listed}. Which belongs to which is not known.`
}

const linked = (
  told: Unexplained,
  because: Extract<Because.Because, { code: "linked" }>,
  moments: Moments
): string =>
  `${members(told, moments)} were ${Words.linked(because)}. ` +
  (told.residual === "0"
    ? "Their amounts are equal."
    : `The transfers are ${Pair.difference(told.residual ?? "0")} than the deposits.`)

const linkedWithAbsent = (told: Unexplained, absent: ReadonlyArray<Because.Named>, moments: Moments): string => {
  const [one, ...others] = all(told)
  return `${
    one === undefined || others.length > 0
      ? `${members(told, moments)} are`
      : `${Words.begin(Words.the(one, moments))} is`
  } linked by hand with entries that were not read or cannot be used: ${
    absent.map(({ id, side }) => `${side} ${id}`).join(", ")
  }.`
}

const unusable = ({ bad }: Unexplained): string => {
  if (bad === undefined) return "A record could not be used."
  const field = bad.path === "" ? "" : `"${bad.path}": `
  return `A ${bad.side} record at ${bad.source} could not be used: ${field}${bad.reason}.`
}

export const of = (told: Unexplained, moments: Moments): string => {
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
      return Pair.sentence(told, because, moments)
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
      return Sum.sentence(told, because, moments)
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
      return Open.sentence(told, because, moments)
    case "all-have-counterparts":
      return `${
        equals(told, moments)
      } cannot be told apart, and each has its counterpart. Which belongs to which is shown by convention: ` +
        "first in, first out."
    case "short-of-counterparts":
      return `${short(told, moments)}, whichever they are.${
        because.unread === 0 ? "" : ` For ${because.unread} of them not everything was read.`
      }`
    case "counterparts-may-come":
      return `${short(told, moments)} so far. ${
        because.ownWindows ? "Their windows" : "The windows of entries that they compete with"
      } are not over yet.`
    case "counterparts-unread":
      return `${short(told, moments)}, as far as was read. Whether the rest has counterparts is not decidable: ${
        Words.unread(told.missing, moments)
      }.`
    case "several-pairings":
      return `${members(told, moments)} fit each other within the tolerance or a fee in several ways. ${
        Words.count(told.matchedCount ?? 0, "pair")
      } can be made of them, but neither amounts nor times tell which.`
    case "several-pairings-from-settlement":
      return `${
        members(told, moments)
      } would fit each other within the tolerance or a fee if the time counted from when a deposit was first seen settled. ` +
        "Amounts that differ do not decide that."
    case "outside-windows":
      return outsideWindows(told, because, moments)
    case "too-many-pairs":
      return `${
        members(told, moments)
      } with ${because.common} make ${because.pairs} possible pairs, more than the ${because.searched} that are searched. ` +
        "None of them is matched."
    case "shared-reference":
      return `${
        members(told, moments)
      } carry one and the same reference and cannot be told apart, so none of them is matched.`
    case "reference-does-not-fit":
      return `${members(told, moments)} carry one reference, but do not fit in amount or time. ${
        told.missing === undefined
          ? "What fits may be among what was not read yet."
          : `Whether something else fits is not decidable: ${Words.unread(told.missing, moments)}.`
      }`
    case "not-settled":
      return notSettled(entry(told), moments)
    case "attempts-failed":
      return attemptsFailed(told, moments)
    case "attempt-may-be-replaced":
      return `${
        Words.begin(Words.the(entry(told), moments))
      } failed, and one that is not settled yet may take its place.`
    case "waits-for-settlement":
      return `${
        because.isOneAmount && all(told).length > 2 ? equals(told, moments) : members(told, moments)
      } may belong together, but ${
        told.code === "unknown-status" ? "the status of some of them is not known" : "not all of them are settled yet"
      }.`
    case "objected":
      return objected(told, because.side, moments)
    case "objected-alone":
      return `${Words.begin(Words.the(entry(told), moments))} ${Words.objection(told.code, entry(told), moments)}. ` +
        (because.taken
          ? "What is equal in its window belongs to other outcomes (see the candidates)."
          : "Nothing that fits it is open in its window.")
    case "told-in-versions":
      return Versions.sentence(entry(told), because, moments)
    case "given-in-versions":
      return `The source gave ${told.deposits.length + told.transfers.length} versions of ${entry(told).side} ${
        entry(told).id
      }${Words.spread(all(told), moments)}, so none of them is matched.`
    case "unusable-record":
      return unusable(told)
    case "linked":
      return linked(told, because, moments)
    case "linked-with-absent":
      return linkedWithAbsent(told, because.absent, moments)
    case "excluded":
      return `${Words.begin(Words.the(entry(told), moments))} is excluded by ${because.by ?? "the policy"}` +
        (because.reason === undefined || because.reason === "" ? "." : `: ${because.reason}.`)
    case "below-least":
      return `${
        Words.begin(Words.the(entry(told), moments))
      } is below ${because.least}, the least amount that the policy looks at.`
    case "out-of-flow":
      return `${
        Words.begin(Words.the(entry(told), moments))
      } is out of scope: it is none of the movements that the policy counts.`
    case "moved-back": {
      const [forth, back] = [Words.only(told.transfers), Words.only(told.transfers.slice(1))]
      return `${Words.happened(forth, moments)} and moved back with transfer ${back.id} ${
        Words.apart(back.at - forth.at)
      }.`
    }
    default:
      return absurd(because)
  }
}
