/** A report of as many outcomes as one likes, in which most things happen, the same every time. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Matching from "@tallystick/reconcile/Matching"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Report from "@tallystick/reconcile/Report"
import * as Generator from "../../../reconcile/test/support/Generator.ts"

const START = Date.UTC(2026, 10, 19)
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const END = START + 3 * DAY

const assets = [["BTC", 8], ["ETH", 18], ["USDT", 6], ["DOGE", 2]] as const

const hex = (random: Generator.Generator, digits: number): string =>
  Array.from({ length: Math.ceil(digits / 8) }, () => Math.floor(random.next() * 2 ** 32).toString(16).padStart(8, "0"))
    .join("").slice(0, digits)

const amountOf = (random: Generator.Generator, scale: number): string => {
  const fraction = Array.from({ length: scale }, () => random.int(0, 9)).join("").replace(/0+$/, "")
  return `${random.int(1, 4_000_000)}${fraction === "" ? "" : `.${fraction}`}`
}

const coverage: ReadonlyArray<Coverage.Coverage> = [
  { operation: "deposits", from: START - DAY, to: END - 10 * MINUTE, readAt: END, state: "complete" },
  { operation: "deposits", from: END - 10 * MINUTE, to: END, readAt: END, state: "open" },
  { operation: "transfers", from: START - DAY, to: START + 30 * HOUR, readAt: END + 4 * SECOND, state: "complete" },
  {
    operation: "transfers",
    from: START + 30 * HOUR,
    to: START + 33 * HOUR,
    readAt: END + 4 * SECOND,
    state: "incomplete",
    gap: { code: "failed-page", detail: "page 3 could not be read: HTTP 503" }
  },
  {
    operation: "transfers",
    from: START + 33 * HOUR,
    to: END - 10 * MINUTE,
    readAt: END + 4 * SECOND,
    state: "complete"
  },
  { operation: "transfers", from: END - 10 * MINUTE, to: END, readAt: END + 4 * SECOND, state: "open" }
]

/** So many deposits, of which about the given share have a transfer. */
export const make = (size: number, share = 0.7): Report.Report => {
  const random = Generator.make(7)
  const deposits: Array<Entry.Entry> = []
  const transfers: Array<Entry.Entry> = []
  for (let index = 0; index < size; index++) {
    const [asset, scale] = random.pick(assets)
    const account = `sub${String(random.int(1, 400)).padStart(5, "0")}`
    const amount = amountOf(random, scale)
    const at = START + random.int(0, END - START - 1)
    deposits.push({
      side: "deposit",
      id: `${hex(random, 32)}~${hex(random, 10)}`,
      asset,
      amount,
      at,
      status: random.chance(0.99) ? "settled" : "pending",
      account,
      reference: hex(random, 32),
      network: random.pick(["TRX", "ETH", "BSC"]),
      address: `0x${hex(random, 40)}`,
      memo: random.chance(0.1) ? String(random.int(1000, 9999)) : ""
    })
    if (!random.chance(share)) continue
    const late = random.chance(0.02)
    const lag = late ? random.int(2 * HOUR, 20 * HOUR) : random.int(0, 100) ** 2 * 300
    transfers.push({
      side: "transfer",
      id: String(900_000_000 + index),
      asset,
      amount: random.chance(0.01) ? `${amount.split(".")[0]}9` : amount,
      at: at + lag,
      status: "settled",
      account,
      from: account,
      to: "master",
      fromType: "SPOT",
      toType: "SPOT"
    })
  }
  const policy = Policy.defaults
  const accounts = {
    list: Array.from({ length: 400 }, (_, index) => `sub${String(index + 1).padStart(5, "0")}`),
    complete: true
  }
  const bad = [{
    side: "deposit" as const,
    source: "deposits.csv, line 12",
    path: "amount",
    reason: "a plain decimal was wanted",
    raw: "x,USDT,1e3"
  }]
  const input = { deposits, transfers, bad, coverage, policy, accounts, range: { from: START, to: END } }
  return Report.make({ ...input, ...Matching.match(input) })
}
