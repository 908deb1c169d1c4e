/** Notices as the outbox keeps them: the body, with its key and its words. */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "@tallystick/reconcile/Entry"
import { createHash } from "node:crypto"
import type * as Execution from "../../Execution.ts"
import * as Notice from "../../Notice.ts"
import type * as OpenItem from "../../OpenItem.ts"
import type * as Period from "../../Period.ts"
import * as Judgement from "../books/Judgement.ts"
import * as Tally from "../books/Tally.ts"
import type * as News from "./News.ts"
import type * as Outbox from "./Outbox.ts"
import type { Receiver } from "./Port.ts"
import * as Sentence from "./Sentence.ts"
import type * as Told from "./Told.ts"

/** So many entries of an item are named. */
const NAMED = 20

/** Prices of one unit by asset, exact decimal text. */
export type Prices = ReadonlyMap<string, string>

/** What all notices of one execution have in common. */
export interface Occasion {
  readonly execution: Execution.Execution
  /** Unix ms. */
  readonly at: number
  readonly receiver: Receiver
  readonly prices: Prices
}

/** A new field of a notice keeps the key as it is: receivers know a notice by it. */
const keyOf = (
  { id }: Receiver,
  kind: string,
  episode: number,
  about?: { readonly side: Entry.Side | "close"; readonly id: string }
): string =>
  createHash("sha256").update(JSON.stringify([id, about?.side ?? "", about?.id ?? "", episode, kind])).digest("hex")

const letter = (subject: string, notice: Notice.Notice): Outbox.Letter => ({
  key: notice.key,
  subject,
  body: JSON.stringify(notice)
})

const worth = (prices: Prices, asset: string, amount: string) => {
  const price = prices.get(asset)
  return price === undefined ? {} : { worth: Amount.times(amount, price) }
}

const entryOf =
  ({ prices, receiver }: Occasion) =>
  ({ account, amount, asset, at, id, side }: Period.Judgement): Notice.NoticedEntry => ({
    side,
    id,
    asset,
    amount,
    at,
    ...worth(prices, asset, amount),
    ...(account === undefined || !receiver.hasDetails ? {} : { account })
  })

/** How an item is told, whose code and outcome are those of its first entry. */
const itemOf = (
  occasion: Occasion,
  { at, code, entries, id, outcome }: Sentence.Named
): Notice.OfItem["item"] => ({
  id,
  code,
  outcome,
  at,
  entries: entries.slice(0, NAMED).map(entryOf(occasion)),
  more: Math.max(entries.length - NAMED, 0)
})

/** Tells of an item. */
export const ofItem = (occasion: Occasion, { began, entry, isAgain, item }: News.News): Outbox.Letter => {
  const { at, execution, receiver } = occasion
  const kind = isAgain ? "item-reopened" : "item-opened"
  return letter(item.id, {
    version: Notice.VERSION,
    kind,
    key: keyOf(receiver, kind, began, entry),
    at,
    text: Sentence.ofItem(kind, item),
    head: { number: execution.body.number, id: execution.id },
    item: itemOf(occasion, item)
  })
}

/** Tells that no entry of an item waits any more: it is settled, or no record tells of some of it. */
export const ofSettled = (occasion: Occasion, { entries, id }: Told.Item): ReadonlyArray<Outbox.Letter> => {
  const { at, execution, receiver } = occasion
  const gone = entries.filter(({ code }) => code === Judgement.GONE)
  const kind = gone.length > 0 ? "item-gone" : "item-settled"
  const first = gone[0] ?? entries[0]
  if (first === undefined) return []
  const item = { id, code: first.code, outcome: first.outcome, at: entries[0]?.at ?? first.at, entries }
  return [letter(id, {
    version: Notice.VERSION,
    kind,
    // An execution settles an item once.
    key: keyOf(receiver, `${kind} ${id}`, execution.body.number),
    at,
    text: Sentence.ofItem(kind, gone.length > 0 ? { ...item, entries: gone } : item),
    head: { number: execution.body.number, id: execution.id },
    item: itemOf(occasion, item)
  })]
}

const totalsOf = (items: ReadonlyArray<OpenItem.OpenItem>, prices: Prices): Notice.Summary["totals"] => {
  const tally = Tally.make()
  const keys = new Map<string, Pick<OpenItem.EntryState, "asset" | "side">>()
  for (const { amount, asset, side } of items.flatMap(({ entries }) => entries)) {
    const key = `${side} ${asset}`
    keys.set(key, { side, asset })
    tally.add(key, amount, 1, 1)
  }
  return Array.from(keys).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, { asset, side }]) => {
    const { count, sum } = tally.line(key)
    return Object.assign({ side, asset, entries: count, sum }, worth(prices, asset, sum))
  })
}

/** Tells of many items at once. */
export const ofMany = (
  { at, execution, prices, receiver }: Occasion,
  kind: Notice.Summary["kind"],
  items: ReadonlyArray<OpenItem.OpenItem>
): Outbox.Letter => {
  const { id, body: { number } } = execution
  const codes = Array.from(
    Map.groupBy(items, ({ code }) => code),
    ([code, { length }]) => ({ code, items: length })
  ).toSorted((a, b) => b.items - a.items || (a.code < b.code ? -1 : 1))
  return letter("items", {
    version: Notice.VERSION,
    kind,
    key: keyOf(receiver, kind, number),
    at,
    text: Sentence.ofMany(kind, codes, number),
    head: { number, id },
    items: items.length,
    codes,
    totals: totalsOf(items, prices)
  })
}

type Cause = Notice.OfClose["causes"][number]

const numberOf = (cause: Period.Cause): Pick<Cause, "number"> =>
  "number" in cause ? { number: cause.number } : "execution" in cause ? { number: cause.execution } : {}

/** Counts for how many entries each thing changed. */
const causesOf = (broken: ReadonlyArray<Period.Break>): ReadonlyArray<Cause> =>
  Array.from(
    Map.groupBy(broken.flatMap(({ causes }) => causes), (cause) => JSON.stringify([cause.of, numberOf(cause)])).values()
  ).flatMap(([cause, ...others]): ReadonlyArray<Cause> =>
    cause === undefined ? [] : [{ of: cause.of, ...numberOf(cause), entries: 1 + others.length }]
  ).toSorted((a, b) => b.entries - a.entries).slice(0, NAMED)

const stoodOf = ({ amount, code, state }: Period.Judgement) => ({ state, code, amount })

/** Gives an entry that broke a close, unless a table was altered so that it tells an amount that is none. */
const breakOf = (occasion: Occasion) => ({ after, before }: Period.Break): Notice.OfClose["entries"] => {
  const entry = before ?? after
  const isTold = [before, after].every((one) => one === undefined || Amount.isAmount(one.amount))
  return entry === undefined || !isTold ? [] : [{
    ...entryOf(occasion)(entry),
    ...(before === undefined ? {} : { before: stoodOf(before) }),
    ...(after === undefined ? {} : { after: stoodOf(after) })
  }]
}

/** What became of a close: it is broken, or that is over. The episode is the execution after which it was found broken. */
export interface CloseNews {
  readonly period: Period.Closed & Partial<Pick<Period.Period, "broken" | "isAltered">>
  readonly state: Notice.OfClose["state"]
  readonly episode: number
}

/** Tells that a close is broken, or that it is not any more. */
export const ofClose = (occasion: Occasion, subject: string, { episode, period, state }: CloseNews): Outbox.Letter => {
  const { at, execution, receiver } = occasion
  const { close: { from, number, through, to, zone }, reopened } = period
  const kind = "close-broken"
  const broken = state === "over" ? [] : period.broken ?? []
  const entries = broken.flatMap(breakOf(occasion)).slice(0, NAMED)
  const told = {
    state,
    close: { number, through, zone, from, to },
    ...(reopened === undefined ? {} : { reopened: reopened.number }),
    broken: broken.length,
    isAltered: state === "began" && period.isAltered === true,
    causes: causesOf(broken)
  }
  return letter(subject, {
    version: Notice.VERSION,
    kind,
    key: keyOf(receiver, `${kind} ${state}`, episode, { side: "close", id: String(number) }),
    at,
    text: Sentence.ofClose(told),
    head: { number: execution.body.number, id: execution.id },
    ...told,
    entries,
    more: broken.length - entries.length
  })
}

/** A condition as it was found, with the moment that it is about. */
export type Found =
  | { readonly kind: "deadline"; readonly isOn: boolean; readonly deadline: number }
  | { readonly kind: "key-refused"; readonly isOn: boolean }
  | { readonly kind: "nothing-read"; readonly isOn: boolean; readonly lastReading: number | null }

/** Tells that a condition began, or that it is over. */
export const ofCondition = (
  receiver: Receiver,
  { isOn, kind, ...moment }: Found,
  since: number,
  at: number
): Outbox.Letter => {
  const state = isOn ? "began" : "over"
  return letter(kind, {
    version: Notice.VERSION,
    kind,
    state,
    key: keyOf(receiver, `${kind} ${state}`, since),
    at,
    text: Sentence.ofCondition(kind, state, moment),
    since,
    ...moment
  })
}
