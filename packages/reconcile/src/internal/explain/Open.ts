/** Says in words why an entry has no counterpart, or none yet. */
import { absurd } from "effect/Function"
import type * as Because from "./Because.ts"
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

const LACKING = "which the list of accounts lacks that is vouched to name all"

const unlisted = (
  told: Unexplained,
  { account, transfer }: Extract<OfOpen, { code: "account-not-listed" }>
): string =>
  `${Words.named(Words.only(told.deposits))} has no transfer among those that count, but ${
    transfer === undefined
      ? `it is of account ${account}, ${LACKING}`
      : `transfer ${transfer.id} of ${Words.money(transfer)} in its window is of account ${account}, ${LACKING}`
  }; correct the list, or do not vouch for it.`

/** Says what is not known and could change the outcome, around the entry or beside it. */
const unknown = (part: string) => ({
  "around-unread": `what could explain it otherwise, such as a late one, was not read: ${part}`,
  "around-open": "what could explain it otherwise, such as a late one, is not read to its end yet",
  "beside-unread": `what is open beside it depends on what was not read: ${part}`,
  "beside-open": "what is open beside it is not decided yet"
})

const noCounterpart = (
  told: Unexplained,
  none: string,
  { doubts = [], taken, unknown: not }: Extract<OfOpen, { code: "no-counterpart" }>
): string => {
  const except = taken ? "; what is equal in its window is in other outcomes (see the candidates)" : ""
  if (not !== undefined) {
    const part = told.missing === undefined ? "an unknown part" : Words.gap(told.missing)
    return `${none} in its window${except}; ${unknown(part)[not]}.`
  }
  const isWhole = !doubts.some((doubt) => doubt === "unusable-deposits" || doubt === "unusable-transfers")
  return `${none}${
    isWhole ? ", although everything in its window was read" : " among the records that could be used"
  }${except}.`
}

export const sentence = (told: Unexplained, because: OfOpen): string => {
  const entry = Words.only([...told.deposits, ...told.transfers])
  const other = entry.side === "deposit" ? "transfer" : "deposit"
  const none = `${Words.named(entry)} has no ${other}`
  const part = told.missing === undefined ? "an unknown part" : Words.gap(told.missing)
  switch (because.code) {
    case "counterpart-unread":
      return `${none} among what was read; it may be among what was not read: ${part}.`
    case "window-open":
      return `${none} yet; its window is not over, or was not read to its end.`
    case "competitor-open":
      return `${none} left; one that it competes for may still go to an entry whose window is not over.`
    case "counterpart-went-nearer":
      return `${none} left: one that fits went to another ${entry.side}, which is nearer in ${because.by}; it may be the ` +
        "other way round."
    case "account-not-listed":
      return unlisted(told, because)
    case "candidate-unread":
      return `${none} that is certain: whether it belongs to one that was read (see the candidates) depends on what was not ` +
        `read: ${part}.`
    case "candidate-open":
      return `${none} that is certain: whether it belongs to one that was read (see the candidates) depends on a window that ` +
        "is not over, or was not read to its end."
    case "several-versions":
      return `${none} that can be used; one of that amount was told in several versions, so none of them was matched.`
    case "counterpart-in-dispute":
      return `${none} that can be used; one of that amount is in dispute (see the candidates).`
    case "no-counterpart":
      return noCounterpart(told, none, because)
    case "matched-twin":
      return `${none}, and is like ${entry.side} ${because.id} in ${Words.twinFields[entry.side]}; that one came ${
        Words.apart(because.apartMs)
      } and is matched; ${because.maySwap ? "it may be the other way round." : "it may be the same one told twice."}`
    case "late-one-waits-for-settlement":
      return `${none} in its window; one outside of it may be late, but which belongs to which is open while not all of them ` +
        "are settled (see the candidates)."
    default:
      return absurd(because)
  }
}
