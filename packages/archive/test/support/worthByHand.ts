/** What a roll-forward is worth, computed from the history of the entries with whole numbers, by rules that are written apart. */
import * as Effect from "effect/Effect"
import { Database } from "../../src/internal/sql/Database.ts"

/** Hundredths of the currency by asset, where there is a price. */
export interface Given {
  readonly currency: string | undefined
  readonly of: ReadonlyMap<string, bigint>
}

interface Row {
  readonly side: string
  readonly id: string
  readonly asset: string
  readonly amount: string
  readonly state: string
  readonly execution: number
}

/** Hundredths by `side asset state name`, and the assets of which no worth can be stated. */
export interface ByHand {
  readonly worth: ReadonlyMap<string, bigint>
  readonly lacking: ReadonlySet<string>
}

export const historyOf = Effect.gen(function*() {
  const { sql } = yield* Database
  return yield* sql<Row>`SELECT side, id, asset, amount, state, execution FROM entry_history ORDER BY execution`
})

interface Waiting extends Row {
  readonly state: "open" | "pending" | "undetermined"
}

const waits = (row: Row | undefined): row is Waiting =>
  row !== undefined && ["open", "pending", "undetermined"].includes(row.state)

const settledBy = (after: Row | undefined): string =>
  after?.state === "decided" ? "decided" : after?.state === "out" ? "setOut" : "matched"

/** `former` are the prices of the execution before. */
export const worthOf = (history: ReadonlyArray<Row>, number: number, now: Given, former: Given | undefined): ByHand => {
  const rows = Array.from(Map.groupBy(history, ({ id, side }) => `${side} ${id}`).values())
  const pairs = rows.map((of) => ({
    before: of.findLast(({ execution }) => execution < number),
    after: of.findLast(({ execution }) => execution <= number)
  }))
  const before = new Set(pairs.flatMap(({ before }) => waits(before) ? [before.asset] : []))
  const told = new Set([...before, ...pairs.flatMap(({ after }) => waits(after) ? [after.asset] : [])])
  const hasFormer = (asset: string): boolean => former?.currency === now.currency && former?.of.has(asset) === true
  const lacking = new Set(
    Array.from(told).filter((asset) => !now.of.has(asset) || (before.has(asset) && !hasFormer(asset)))
  )
  const worth = new Map<string, bigint>()
  const add = ({ asset, side, state }: Row, name: string, amount: string, price: bigint): void => {
    if (lacking.has(asset)) return
    const key = `${side} ${asset} ${state} ${name}`
    worth.set(key, (worth.get(key) ?? 0n) + BigInt(amount) * price)
  }
  for (const { after, before } of pairs) {
    if (waits(before)) {
      const [old, price] = [former?.of.get(before.asset) ?? 0n, now.of.get(before.asset) ?? 0n]
      add(before, "broughtForward", before.amount, old)
      add(before, "revaluation", before.amount, price - old)
      if (!waits(after)) {
        add(before, settledBy(after), before.amount, price)
      } else if (after.state !== before.state) {
        add(before, "moved", before.amount, -price)
        add(after, "moved", before.amount, price)
      }
    }
    if (!waits(after)) continue
    const price = now.of.get(after.asset) ?? 0n
    add(after, "carriedForward", after.amount, price)
    if (!waits(before)) add(after, before === undefined ? "new" : "reopened", after.amount, price)
  }
  return { worth, lacking }
}
