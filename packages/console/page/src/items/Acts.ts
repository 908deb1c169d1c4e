/** What is to be decided about items: one act or several for each, and what came of them, item by item. */
import type * as Decision from "@tallystick/archive/Decision"
import type * as ListedItem from "@tallystick/archive/ListedItem"
import * as Effect from "effect/Effect"
import type { Client } from "../asking/Client.ts"

export type Doing = "accept" | "exclude" | "note"

export interface Why {
  readonly reason: Decision.Reason
  readonly words: string
  /** Accept also what is not final. */
  readonly provisional: boolean
}

interface Subject {
  readonly side: "deposit" | "transfer"
  readonly id: string
}

/** The entries of an item: a list tells the first one, and there may be more. */
const entriesOf = (client: Client, { deposits, first, id, transfers }: ListedItem.ListedItem) =>
  deposits + transfers === 1
    ? Effect.succeed<ReadonlyArray<Subject>>([first])
    : Effect.map(
      client.items.item({ params: { id } }),
      ({ stories }): ReadonlyArray<Subject> => stories.map(({ entry }) => entry)
    )

const actsOf = (
  client: Client,
  doing: Doing,
  { provisional, reason, words }: Why,
  item: ListedItem.ListedItem
) => {
  if (doing === "accept") {
    const act: Decision.Each = {
      kind: "accept",
      outcome: item.outcome,
      reason,
      words,
      ...provisional ? { provisional } : {}
    }
    return Effect.succeed<ReadonlyArray<Decision.Each>>([act])
  }
  return Effect.map(entriesOf(client, item), (entries): ReadonlyArray<Decision.Each> => {
    const [first, ...rest] = entries.map(({ id, side }) => ({ id, side }))
    if (first === undefined) return []
    return doing === "note"
      ? [{ kind: "note", entries: [first, ...rest], words }]
      : [first, ...rest].map(({ id, side }) => ({ kind: "exclude", side, id, reason, words }))
  })
}

/** What came of one item. */
export interface Done {
  readonly item: ListedItem.ListedItem
  /** The numbers of the decisions that are in the ledger now. */
  readonly decisions: ReadonlyArray<number>
  /** Why the ledger refused, where it did. */
  readonly refused: string | undefined
}

/** One request takes so many acts. */
const MOST = 500

interface Wanted {
  readonly item: ListedItem.ListedItem
  readonly act: Decision.Each
}

interface Head {
  readonly id: string
  readonly number: number
}

/** Writes acts, each with a result: what is refused leaves the others as they are. */
export const write = Effect.fnUntraced(function*(client: Client, wanted: ReadonlyArray<Wanted>, seen: Head) {
  const done = new Map(wanted.map(({ item }): [string, Done] => [item.id, { item, decisions: [], refused: undefined }]))
  for (let from = 0; from < wanted.length; from += MOST) {
    const part = wanted.slice(from, from + MOST)
    const [first, ...rest] = part.map(({ act }) => act)
    if (first === undefined) break
    const { results } = yield* client.decisions.decideEach({ payload: { acts: [first, ...rest], seen } })
    for (const [place, result] of results.entries()) {
      const item = part[place]?.item
      const before = item === undefined ? undefined : done.get(item.id)
      if (item === undefined || before === undefined) continue
      done.set(
        item.id,
        result._tag === "Refused" ? { ...before, refused: result.message } : {
          ...before,
          decisions: [...before.decisions, result.decision.body.number]
        }
      )
    }
  }
  return [...done.values()]
})

/** Decides the same about each of several items. */
export const decide = Effect.fnUntraced(function*(
  client: Client,
  doing: Doing,
  why: Why,
  items: ReadonlyArray<ListedItem.ListedItem>,
  seen: Head
) {
  const wanted = yield* Effect.forEach(
    items,
    (item) => Effect.map(actsOf(client, doing, why, item), (acts) => acts.map((act) => ({ item, act }))),
    { concurrency: 4 }
  )
  return yield* write(client, wanted.flat(), seen)
})

/** Says that entries of the two sides belong to the first entry of an item, or that each of them does not. */
export const pairing = (
  kind: "link" | "forbid",
  item: ListedItem.ListedItem,
  others: readonly [string, ...Array<string>],
  { reason, words }: Pick<Why, "reason" | "words">
): ReadonlyArray<Wanted> => {
  const { id, side } = item.first
  const why = { reason, words }
  if (kind === "link") {
    const [deposits, transfers] = side === "deposit" ? [[id] as const, others] : [others, [id] as const]
    return [{ item, act: { kind, deposits, transfers, ...why } }]
  }
  return others.map((other) => ({
    item,
    act: { kind, deposit: side === "deposit" ? id : other, transfer: side === "deposit" ? other : id, ...why }
  }))
}
