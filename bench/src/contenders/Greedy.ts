/** Gives each deposit, in order of time, the free transfer of its class that is nearest in time. */
import { readFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { Task } from "../reconcile/contender.ts"

interface Entry {
  readonly id: string
  readonly key: string
  readonly at: number
  isUsed?: boolean
}

export const run = ({ book: { after, before, directory, isExchange }, output }: Task): void => {
  const text = (name: string): string => readFileSync(join(directory, name), "utf8")
  const book: ReadonlyArray<Record<"account" | "address", string>> = JSON.parse(text("addresses.json"))
  const accounts = new Map(book.map(({ account, address }) => [address, account]))
  const read = (side: string): ReadonlyArray<Entry> =>
    text(`${side}.ndjson`).trimEnd().split("\n").map((line) => {
      const value = JSON.parse(line)
      if (!isExchange) return { id: value.id, key: `${value.asset} ${value.amount} ${value.account}`, at: value.at }
      return side === "deposits"
        ? { id: value.txId, key: `${value.coin} ${value.amount} ${accounts.get(value.address)}`, at: value.insertTime }
        : { id: value.tranId, key: `${value.asset} ${value.amount} ${value.fromAccount}`, at: value.timestamp }
    })
  const [deposits, transfers] = [read("deposits"), read("transfers")]
  const classes = Map.groupBy(transfers, ({ key }) => key)
  /** The first place of each class that is not too early. */
  const begins = new Map<string, number>()
  let lines: Array<string> = []
  const tell = (outcome: string, deposit: string | null, transfer: string | null): void => {
    if (lines.push(JSON.stringify({ outcome, deposit, transfer })) < 1000) return
    writeSync(output, `${lines.join("\n")}\n`)
    lines = []
  }
  for (const { at, id, key } of deposits) {
    const rivals = classes.get(key) ?? []
    let begin = begins.get(key) ?? 0
    while ((rivals[begin]?.at ?? Infinity) < at - before) begin++
    begins.set(key, begin)
    let best: Entry | undefined
    for (let place = begin; place < rivals.length; place++) {
      const rival = rivals[place]
      if (rival === undefined || rival.at > at + after) break
      if (rival.isUsed !== true && (best === undefined || Math.abs(rival.at - at) < Math.abs(best.at - at))) {
        best = rival
      }
    }
    if (best !== undefined) best.isUsed = true
    tell(best === undefined ? "unmatched" : "matched", id, best?.id ?? null)
  }
  for (const { id, isUsed } of transfers) if (isUsed !== true) tell("unmatched", null, id)
  if (lines.length > 0) writeSync(output, `${lines.join("\n")}\n`)
}
