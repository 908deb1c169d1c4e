/** Whatever is asked for, and whatever comes meanwhile, the pages of a list are the list. */
import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as EntryStates from "../src/internal/books/EntryStates.ts"
import * as ItemQuery from "../src/internal/items/ItemQuery.ts"
import * as ItemRow from "../src/internal/items/ItemRow.ts"
import * as ItemTable from "../src/internal/items/ItemTable.ts"
import * as Terms from "../src/internal/items/Terms.ts"
import { Database } from "../src/internal/sql/Database.ts"
import type * as ItemFilter from "../src/ItemFilter.ts"
import * as ItemPages from "../src/ItemPages.ts"
import type * as ListedItem from "../src/ListedItem.ts"
import type * as OpenItem from "../src/OpenItem.ts"
import { inBoth } from "./support/databases.ts"
import { cases } from "./support/Seeded.ts"

const Between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const assets = ["USDT", "usdt", "BTC", "Ω\u0000"] as const
const accounts = ["a@x", "desk-7@x.example", "DESK"] as const
const amounts = ["0", "9", "10", "10.0", "0.5", "0.05", "100.25", "12345678901234567890.5"] as const
const codes = ["missing-transfer", "missing-deposit", "amount-mismatch"] as const
const states = ["open", "pending", "undetermined"] as const

const Entry = Schema.Struct({
  side: Schema.Literals(["deposit", "transfer"]),
  asset: Schema.Literals(assets),
  account: Schema.optionalKey(Schema.Literals(accounts)),
  amount: Schema.Literals(amounts)
})

/** An item of some entries; its place among all tells its ids. */
const Made = Schema.Struct({
  entries: Schema.NonEmptyArray(Entry).check(Schema.isMaxLength(3)),
  code: Schema.Literals(codes),
  state: Schema.Literals(states),
  at: Between(1, 6),
  since: Between(1, 3),
  difference: Schema.optionalKey(
    Schema.Struct({
      missing: Schema.Literals(amounts),
      excess: Schema.Literals(amounts),
      bound: Schema.Literals(["exact", "at least", "at most"]),
      other: Schema.optionalKey(Schema.Struct({ asset: Schema.Literals(assets), excess: Schema.Literals(amounts) }))
    })
  ),
  decided: Schema.Literals(["none", "noted", "proposed", "decided"])
})

const Filter = Schema.Struct({
  states: Schema.optionalKey(Schema.Array(Schema.Literals(states)).check(Schema.isMaxLength(2))),
  codes: Schema.optionalKey(Schema.Array(Schema.Literals(codes)).check(Schema.isMaxLength(2))),
  asset: Schema.optionalKey(Schema.Literals(assets)),
  account: Schema.optionalKey(Schema.Literals(accounts)),
  side: Schema.optionalKey(Schema.Literals(["deposit", "transfer"])),
  before: Schema.optionalKey(Between(1, 7)),
  from: Schema.optionalKey(Between(1, 7)),
  leastDifference: Schema.optionalKey(Schema.Literals(amounts)),
  leastWorth: Schema.optionalKey(Schema.Literals(amounts)),
  decided: Schema.optionalKey(Schema.Array(Schema.Literals(["none", "noted", "decided"])).check(Schema.isMaxLength(2))),
  text: Schema.optionalKey(
    Schema.Literals(["", "0xA", "0xa0…0", "...1", "usd", "DESK", "desk x", "ample", "10.00", "%", "i", "nowhere"])
  )
})

/** One condition at a time, all of them, or none. */
const SomeFilter = Schema.Union([
  Filter,
  ...Object.entries(Filter.fields).map(([name, field]) => Schema.Struct({ [name]: field }))
])

const Order = Schema.Struct({
  by: Schema.Literals(["worth", "difference", "age", "since", "account", "code"]),
  reversed: Schema.optionalKey(Schema.Boolean)
})

const PRICES: ItemRow.Prices = new Map([["USDT", "1"], ["BTC", "65000.5"]])

const itemOf = (made: typeof Made.Type, place: number): OpenItem.OpenItem => {
  const outcome = `${(place * 7919) % 97}f${place}`
  const entries = made.entries.map((entry, index): EntryStates.EntryState => {
    const id = entry.side === "deposit" ? `0xA${place % 3}${index}~${place}` : `${place % 3}4${index}${place}`
    const { code, since, state } = made
    const told = { item: EntryStates.itemOf({ ...entry, id }), state, code, outcome, since, execution: 1 }
    return { ...entry, id, at: made.at + index, ...told }
  })
  const [first, ...rest] = entries
  if (first === undefined) throw new Error("an item has an entry")
  const { at, code, since, state } = made
  return { id: first.item, state, code, outcome, at, since, execution: 1, entries: [first, ...rest] }
}

const sizeOf = ({ excess, missing }: { readonly excess: string; readonly missing: string }): string =>
  Amount.sum([missing, excess])

interface Known {
  readonly item: OpenItem.OpenItem
  readonly made: typeof Made.Type
  readonly difference: ListedItem.Difference | undefined
  readonly row: ItemRow.ItemRow
}

/** The difference of an item; what was moved of another asset has another name than its own. */
const differenceOf = (asset: string, made: typeof Made.Type): ListedItem.Difference | undefined => {
  if (made.difference === undefined) return undefined
  const { other, ...difference } = made.difference
  return {
    asset,
    ...difference,
    amount: Amount.sum([difference.missing, Amount.times(difference.excess, "-1")]),
    size: sizeOf(difference),
    ...(other === undefined || other.asset === asset ? {} : { other })
  }
}

const known = (made: typeof Made.Type, place: number): Known => {
  const item = itemOf(made, place)
  const { decided } = made
  const difference = differenceOf(item.entries[0].asset, made)
  return { item, made, difference, row: ItemRow.make(item, { decided, decision: 0, difference }, PRICES) }
}

/** How much of each asset is missing or too much. */
const partsOf = ({ difference }: Pick<Known, "difference">) =>
  difference === undefined ? [] : [
    { asset: difference.asset, missing: difference.missing, excess: difference.excess, bound: difference.bound },
    ...(difference.other === undefined ? [] : [{ ...difference.other, missing: "0", bound: difference.bound }])
  ]

/** What that is worth together; nothing where nobody knows it of all. */
const worthOf = (known: Pick<Known, "difference">): string | undefined => {
  const worths = partsOf(known).map((part) => {
    const price = PRICES.get(part.asset)
    return price === undefined ? undefined : Amount.times(sizeOf(part), price)
  })
  return worths.length === 0 || worths.includes(undefined) ? undefined : Amount.sum(worths.map((worth) => worth ?? ""))
}

/** What somebody has at hand of a word of an item. */
const Part = Schema.Struct({
  item: Between(0, 13),
  word: Between(0, 12),
  of: Schema.Literals(["all", "beginning", "end", "both ends", "middle"]),
  length: Between(1, 6)
})

/** The words that name an item: by their beginnings, by their ends, and by all of them. */
const wordsOf = ({ entries, id, outcome }: OpenItem.OpenItem) => {
  const accounts = entries.flatMap(({ account }) => account ?? [])
  const ids = entries.map((entry) => entry.id).concat(accounts)
  return {
    beginnings: [id, outcome, ...ids, ...accounts.flatMap((account) => account.split(/[@.-]/))],
    ends: ids.concat(entries.map((entry) => entry.side === "deposit" ? entry.id.split("~")[0] ?? "" : entry.id)),
    assets: entries.map(({ asset }) => asset)
  }
}

const textOf = (items: ReadonlyArray<OpenItem.OpenItem>, { item, length, of, word }: typeof Part.Type): string => {
  const words = items.length === 0 ? [] : Object.values(wordsOf(items[item % items.length] ?? items[0]!)).flat()
  const { [word % Math.max(words.length, 1)]: found = "nothing" } = words
  switch (of) {
    case "all":
      return found
    case "beginning":
      return found.slice(0, length).toUpperCase()
    case "end":
      return found.slice(-length)
    case "both ends":
      return `${found.slice(0, length)}…${found.slice(-length)}`
    default:
      return found.slice(1, -1)
  }
}

/** Whether a text that somebody looks for names an item, told apart from the terms. */
const isNamed = (item: OpenItem.OpenItem, text: string): boolean => {
  const { assets, beginnings, ends } = wordsOf(item)
  const begins = (part: string): boolean => beginnings.some((word) => word.toLowerCase().startsWith(part))
  const stops = (part: string): boolean => ends.some((word) => word.toLowerCase().endsWith(part))
  return text.split(" ").filter((part) => part !== "").every((given) => {
    const part = given.toLowerCase()
    const [head = "", tail] = part.split(/…|\.\.\./)
    if (tail !== undefined) return begins(head) && stops(tail)
    return begins(part) || stops(part) ||
      assets.some((asset) => [given, part, given.toUpperCase()].includes(asset)) ||
      (Amount.isAmount(part) && item.entries.some(({ amount }) => Amount.compare(amount, part) === 0))
  })
}

const isShown = (known: Known, filter: ItemFilter.ItemFilter): boolean => {
  const { difference, item, made } = known
  const holds = <A>(asked: A | undefined, does: (asked: A) => boolean): boolean => asked === undefined || does(asked)
  const worth = worthOf(known)
  return holds(filter.states, (states) => states.includes(item.state)) &&
    holds(filter.codes, (codes) => codes.some((code) => code === item.code)) &&
    holds(filter.asset, (asset) => item.entries.some((entry) => entry.asset === asset)) &&
    holds(filter.account, (account) => item.entries.some((entry) => entry.account === account)) &&
    holds(filter.side, (side) => item.entries.some((entry) => entry.side === side)) &&
    holds(filter.before, (before) => item.at < before) &&
    holds(filter.from, (from) => item.at >= from) &&
    holds(
      filter.leastDifference,
      (least) => difference !== undefined && Amount.compare(sizeOf(difference), least) >= 0
    ) &&
    holds(filter.leastWorth, (least) => worth !== undefined && Amount.compare(worth, least) >= 0) &&
    holds(filter.decided, (decided) => decided.includes(made.decided)) &&
    holds(filter.text, (text) => isNamed(item, text))
}

/** Compares what is known; what is not known comes last in an order by worth or difference. */
const comparing: Readonly<Record<ItemFilter.By, (a: Known, b: Known) => number>> = (() => {
  const amounts = (of: (known: Known) => string | undefined) => (a: Known, b: Known): number => {
    const [left, right] = [of(a), of(b)]
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined)
    return Amount.compare(right, left)
  }
  const texts = (of: (known: Known) => string) => (a: Known, b: Known): number =>
    Buffer.compare(Buffer.from(of(a)), Buffer.from(of(b)))
  return {
    worth: amounts(worthOf),
    difference: amounts(({ difference }) => difference?.size),
    age: (a, b) => a.item.at - b.item.at,
    since: (a, b) => a.item.since - b.item.since,
    account: texts(({ item }) => item.entries[0].account ?? ""),
    code: texts(({ item }) => item.code)
  }
})()

const keyOf = ({ outcome, state }: Pick<ListedItem.ListedItem, "outcome" | "state">): string => `${state} ${outcome}`

const written = ({ item, row }: Known): ItemTable.Written => ({ row, terms: Terms.of(item) })

describe.each(inBoth({ memory: cases(80), postgres: Math.min(cases(10), 100) }))(
  "the pages of a list, on $kind.name",
  ({ count, kind }) => {
    it.effect.prop(
      "are all items of any filter in any order, each once, while others come; and a summary adds the same items up",
      {
        there: Schema.Array(Made).check(Schema.isMaxLength(14)),
        coming: Schema.Array(Made).check(Schema.isMaxLength(8)),
        asked: SomeFilter,
        part: Schema.optionalKey(Part),
        order: Order,
        size: Between(1, 6)
      },
      ({ asked, coming, order, part, size, there }) =>
        Effect.gen(function*() {
          const { page, summary } = yield* ItemPages.ItemPages
          const { sql } = yield* Database
          const { write } = ItemTable.make(sql)
          const all = there.map(known)
          const later = coming.map((made, index) => known(made, there.length + index))
          yield* write(all.map(written))
          const items = all.map(({ item }) => item)
          const filter: ItemFilter.ItemFilter = part === undefined ? asked : { text: textOf(items, part) }

          const shown = all.filter((one) => isShown(one, filter))
          const told = yield* summary(filter, { at: 10, bounds: [5, 8] })
          assert.strictEqual(told.items, shown.length)
          assert.strictEqual(told.worth, Amount.sum(shown.map((one) => worthOf(one) ?? "0")))
          const bounds = new Set(shown.flatMap((one) => worthOf(one) === undefined ? [] : one.difference?.bound ?? []))
          bounds.delete("exact")
          assert.strictEqual(told.worthBound, bounds.size > 1 ? "mixed" : [...bounds][0] ?? "exact")
          assert.strictEqual(told.unpriced, shown.filter((one) => worthOf(one) === undefined).length)
          assert.strictEqual(
            told.oldest,
            shown.length === 0 ? undefined : Math.min(...shown.map(({ item }) => item.at))
          )
          assert.deepStrictEqual(
            told.ages.map(({ items }) => items),
            [[6, 7], [3, 5], [0, 2]].map(([from = 0, to = 0]) =>
              shown.filter(({ item: { at } }) => at >= from && at <= to).length
            )
          )
          for (const asset of assets) {
            const own = shown.flatMap(partsOf).filter((part) => part.asset === asset)
            for (const bound of ["exact", "at least", "at most"] as const) {
              const ofBound = own.filter((part) => part.bound === bound)
              const line = told.differences.find((one) => one.asset === asset && one.bound === bound)
              assert.strictEqual(line?.items ?? 0, ofBound.length)
              assert.strictEqual(line?.missing ?? "0", Amount.sum(ofBound.map(({ missing }) => missing)))
              assert.strictEqual(line?.excess ?? "0", Amount.sum(ofBound.map(({ excess }) => excess)))
              assert.strictEqual(line?.size ?? "0", Amount.sum(ofBound.map(sizeOf)))
            }
          }

          const seen: Array<ListedItem.ListedItem> = []
          let turn = 0
          for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
            const found: ItemPages.Page = yield* page({
              filter,
              order,
              size,
              ...(after === undefined ? {} : { after })
            })
            assert.isAtMost(found.items.length, size)
            if (found.next !== undefined) assert.lengthOf(found.items, size)
            seen.push(...found.items)
            after = found.next
            const one = later[turn++]
            if (one !== undefined) yield* write([written(one)])
          }

          const keys = seen.map(keyOf)
          assert.lengthOf(new Set(keys), keys.length, "an item comes once")
          const byKey = new Map([...all, ...later].map((one) => [keyOf(one.item), one]))
          const compare = (a: Known, b: Known): number =>
            (comparing[order.by](a, b)) * (order.reversed === true ? -1 : 1)
          const listed = keys.flatMap((key) => byKey.get(key) ?? [])
          for (const [place, one] of listed.entries()) {
            assert.isTrue(isShown(one, filter))
            assert.deepStrictEqual(seen[place]?.difference, one.difference)
            assert.strictEqual(seen[place]?.worth, worthOf(one))
            const { [place + 1]: next } = listed
            if (next !== undefined) assert.isAtMost(compare(one, next), 0)
          }
          const own = new Set(shown.map(({ item }) => keyOf(item)))
          assert.deepStrictEqual(keys.filter((key) => own.has(key)).toSorted(), Array.from(own).toSorted())

          // A list is the same whether its items are looked up, or those in between are passed over, or held against the index.
          const whole = { filter, by: order.by, reversed: order.reversed === true, limit: 100 }
          const lookedUp = yield* ItemQuery.make(sql).page(whole)
          const [first] = lookedUp
          const after = first && { value: ItemQuery.valueOf(first, order.by), key: first.key }
          for (const few of [0, 1, 3]) {
            const { page } = ItemQuery.make(sql, few)
            assert.deepStrictEqual(yield* page(whole), lookedUp)
            assert.deepStrictEqual(
              yield* page({ ...whole, limit: 2, after }),
              lookedUp.slice(after ? 1 : 0).slice(0, 2)
            )
          }
        }).pipe(Effect.provide(ItemPages.ItemPages.layer.pipe(Layer.provideMerge(kind.layer)))),
      { arbitrary: { runs: count } }
    )
  }
)
