/** Says in words why an entry has no counterpart, or none yet. */
import { absurd } from "effect/Function"
import type * as Entry from "../../Entry.ts"
import type * as Because from "./Because.ts"
import type { Moments } from "./Moments.ts"
import type { Unexplained } from "./Unexplained.ts"
import * as Words from "./Words.ts"

type OfOpen = Extract<Because.Because, {
  code:
    | "counterpart-unread"
    | "window-open"
    | "competitor-open"
    | "counterpart-went-nearer"
    | "account-not-listed"
    | "candidate-unread"
    | "candidate-open"
    | "several-versions"
    | "counterpart-in-dispute"
    | "no-counterpart"
    | "matched-twin"
    | "late-one-waits-for-settlement"
}>

const LACKING = "which the list of accounts lacks although somebody vouched that it names all"

const unlisted = ({ account, transfer }: Extract<OfOpen, { code: "account-not-listed" }>): string =>
  `${
    transfer === undefined
      ? `it is of account ${account}, ${LACKING}`
      : `transfer ${transfer.id} of ${Words.money(transfer)} in its window is of account ${account}, ${LACKING}`
  }. Correct the list, or do not vouch for it.`

const opposite = ({ side }: Entry.Entry): Entry.Side => (side === "deposit" ? "transfer" : "deposit")

type NoCounterpart = Extract<OfOpen, { code: "no-counterpart" }>

/** Says when no counterpart came: `by 08:47`, where the window reaches from before the deposit to then. */
const when = (entry: Entry.Entry, window: NoCounterpart["window"], moments: Moments): string => {
  if (window === undefined) return "in its window"
  const { from, to } = window
  return entry.side === "deposit" && from <= entry.at && to > entry.at
    ? `by ${moments.next(to, entry.at)}`
    : moments.within(from, to, entry.at)
}

const came = { deposit: "arrived", transfer: "was made" } as const

/**
 * Says that nothing that fits came for the entry, as the end of a sentence about it. It does not say that a deposit was not moved: what
 * is open of other amounts, or of assets that look alike, may have moved it.
 */
const nothingCame = (entry: Entry.Entry, because: NoCounterpart, moments: Moments): string => {
  const { doubts = [], taken, to, window } = because
  const time = when(entry, window, moments)
  const other = opposite(entry)
  if (taken) {
    return `, but no ${other} that ${
      came[other]
    } ${time} is left for it. What is equal belongs to other items (see the candidates)`
  }
  const isUnusable = doubts.some((doubt) => doubt === "unusable-deposits" || doubt === "unusable-transfers")
  const where = entry.side === "deposit" && to !== undefined ? ` to ${Words.account(to)}` : ""
  return `, but no ${other}${where} that fits it ${came[other]} ${time}${
    isUnusable ? ", as far as the records could be used" : ""
  }`
}

/** Says what is not known and could change the outcome, around the entry or beside it. */
const unknown = (
  { missing }: Unexplained,
  other: Entry.Side,
  not: NonNullable<NoCounterpart["unknown"]>,
  moments: Moments
): string => {
  switch (not) {
    case "around-unread":
      return `Something else, such as a late or early ${other}, may explain it: ${Words.unread(missing, moments)}.`
    case "around-open":
      return `Something else, such as a late ${other}, may still explain it: the time around it was not read to its end yet.`
    case "beside-unread":
      return `Open entries near it are not decidable yet: ${Words.unread(missing, moments)}.`
    case "beside-open":
      return "Open entries near it are not decided yet."
    default:
      return absurd(not)
  }
}

/** The notes of candidates that are open in the window and of another amount. */
const UNLIKE: ReadonlySet<string> = new Set(["other-amount", "near-amount"])

const noCounterpart = (told: Unexplained, entry: Entry.Entry, because: NoCounterpart, moments: Moments): string => {
  const other = opposite(entry)
  const isUnlike = told.candidates.some(({ because: { code } }) => UNLIKE.has(code))
  return [
    `${Words.happened(entry, moments)}${nothingCame(entry, because, moments)}.`,
    ...(isUnlike ? [`A ${other} of another amount is open in that time (see the candidates).`] : []),
    ...(because.unknown === undefined ? [] : [unknown(told, other, because.unknown, moments)])
  ].join(" ")
}

export const sentence = (told: Unexplained, because: OfOpen, moments: Moments): string => {
  const entry = Words.only([...told.deposits, ...told.transfers])
  const other = opposite(entry)
  const happened = Words.happened(entry, moments)
  switch (because.code) {
    case "counterpart-unread":
      return `${happened}. Whether a ${other} belongs to it is not decidable: ${Words.unread(told.missing, moments)}.`
    case "window-open":
      return `${happened}, and no ${other} has come for it so far. It is pending: ${
        because.until === undefined ? "its window" : `the time up to ${moments.next(because.until, entry.at)}`
      } is not over, or was not read to its end.`
    case "competitor-open":
      return `${happened}, and no ${other} is left for it. It is pending: a ${other} that it competes for may still go to an ` +
        "entry whose window is not over."
    case "counterpart-went-nearer":
      return `${happened}, and no ${other} is left for it. One that fits went to another ${entry.side}, which is nearer in ` +
        `${because.by}. It may be the other way round.`
    case "account-not-listed":
      return `${happened}. No ${other} that counts belongs to it, but ${unlisted(because)}`
    case "candidate-unread":
      return `${happened}. Whether one of the candidates belongs to it is not decidable: ${
        Words.unread(told.missing, moments)
      }.`
    case "candidate-open":
      return `${happened}. Whether one of the candidates belongs to it is pending: it depends on a window that is not over, or ` +
        "was not read to its end."
    case "several-versions":
      return `${happened}, and no ${other} that can be used belongs to it. The source gave several versions of one of that ` +
        "amount, so none of them is matched."
    case "counterpart-in-dispute":
      return `${happened}, and no ${other} that can be used belongs to it. One of that amount is in dispute (see the candidates).`
    case "no-counterpart":
      return noCounterpart(told, entry, because, moments)
    case "matched-twin":
      return `${happened}, and no ${other} is left for it. It equals ${entry.side} ${because.id} in ${
        Words.twinFields[entry.side]
      }; that one ${entry.side === "deposit" ? "arrived" : "was moved"} ${
        Words.apart(because.apartMs)
      } and is matched. ${because.maySwap ? "It may be the other way round." : "It may be the same one told twice."}`
    case "late-one-waits-for-settlement":
      return `${happened}, and no ${other} in its window belongs to it. One outside of it may be late, but which belongs to ` +
        "which is open while not all of them are settled (see the candidates)."
    default:
      return absurd(because)
  }
}
