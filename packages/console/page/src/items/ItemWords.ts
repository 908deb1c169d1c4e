/** What an item is called, and how long it has waited. */
import type * as ListedItem from "@tallystick/archive/ListedItem"
import * as DifferenceText from "@tallystick/report/text/DifferenceText"
import * as Text from "@tallystick/report/text/Text"
import * as Times from "@tallystick/report/text/Times"
import * as Titles from "@tallystick/report/Titles"

export const states: Readonly<Record<ListedItem.ListedItem["state"], string>> = {
  open: "break",
  pending: "pending",
  undetermined: "not decidable"
}

export const decided: Readonly<Record<ListedItem.Decided, string>> = {
  none: "nobody did anything",
  noted: "noted",
  proposed: "proposed",
  decided: "decided"
}

/** The title of a code: `deposit without a transfer`. */
export const title = (code: ListedItem.ListedItem["code"] | "unread"): string =>
  code === "gone" ? "entry that is gone" : code === "unread" ? "time that was not read" : Titles.title(code, 1)

/** How old it is. */
export const age = ({ at }: Pick<ListedItem.ListedItem, "at">, now: number): string =>
  Times.duration(Math.max(0, now - at)).split(" ").slice(0, 4).join(" ")

const bound = ({ bound }: ListedItem.Difference): string => (bound === "exact" ? "" : `${bound} `)

/** How much of it is missing or too much; the amount of its first entry where nobody can say it. `bound` stands before it. */
export const amount = ({ difference, first }: ListedItem.ListedItem) =>
  difference === undefined
    ? { amount: first.amount, asset: first.asset, bound: "" }
    : { amount: difference.size, asset: difference.asset, bound: bound(difference) }

/** What is missing and what is too much of it, each with its bound. */
export const difference = (told: ListedItem.Difference): string =>
  DifferenceText.of({ asset: told.asset, difference: told }, Text.plain)

/** All of it in one breath, for readers of screens. */
export const spoken = (item: ListedItem.ListedItem, now: number): string => {
  const { amount: size, asset, bound } = amount(item)
  const account = item.first.account === undefined ? "" : `, account ${Text.plain(item.first.account)}`
  return `${title(item.code)}, ${bound}${size} ${Text.plain(asset)}${account}, ${age(item, now)} old, ${
    states[item.state]
  }${item.decided === "none" ? "" : `, ${decided[item.decided]}`}`
}
