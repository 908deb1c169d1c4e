/** Books whose truth is known, as two NDJSON files. */
import * as ClientTranId from "@tallystick/core/ClientTranId"
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { hex } from "../Deposits.ts"
import * as Random from "../Random.ts"

const START = Date.UTC(2026, 0, 1)
const DAY = 86_400_000
const MINUTE = 60_000

export const names = ["plain", "exchange", "crowded", "groups", "outside"] as const
export type Name = (typeof names)[number]

export interface Book {
  readonly directory: string
  /** Whether the files hold the exchange's own records. The others hold plain entries. */
  readonly isExchange: boolean
  /** How long before and after its deposit a transfer may come, ms. */
  readonly before: number
  readonly after: number
  /** The number of entries on both sides. */
  readonly entries: number
  /** The ids of entries that belong together. */
  readonly truth: ReadonlyArray<ReadonlyArray<string>>
}

interface Lines {
  readonly deposits: Array<string>
  /** With the time of each. */
  readonly transfers: Array<readonly [number, string]>
  readonly truth: Array<ReadonlyArray<string>>
}

interface Money {
  readonly asset: string
  readonly account: number
  readonly amount: string
  readonly at: number
}

const decimal = (units: number): string => {
  const text = String(units).padStart(7, "0")
  return `${text.slice(0, -6)}.${text.slice(-6)}`
}

const addressOf = (account: number): string => `0x${String(account).padStart(40, "a")}`

const plain = (name: Name, id: string, { account, amount, asset, at }: Money) => (
  { id, asset, amount, at, status: "settled", ...(name === "plain" ? {} : { account: `sub${account}` }) }
)

const deposit = (random: () => number, { account, amount, asset, at }: Money) => (
  {
    amount,
    coin: asset,
    network: "ETH",
    status: 5,
    address: addressOf(account),
    txId: `0x${hex(random, 64)}`,
    unlockConfirm: "12",
    confirmTimes: "12",
    insertTime: at,
    memo: ""
  }
)

const transfer = (stamp: string, id: string, { account, amount, asset, at }: Money) => (
  {
    tranId: id,
    fromAccount: `sub${account}`,
    toAccount: "master",
    clientTranId: stamp,
    asset,
    amount,
    fromAccountType: "SPOT",
    toAccountType: "SPOT",
    fromSymbol: "SPOT",
    toSymbol: "SPOT",
    status: "SUCCESS",
    timestamp: at
  }
)

/**
 * Of 100 sweeps 2 lack the deposit and 2 the transfer; a transfer follows its deposits within 30 minutes. A crowded book has one
 * asset and 20 round amounts, the others 50 assets and amounts of six decimals. Of 100 transfers of a book of groups 10 move
 * two to four deposits. Every other transfer of the exchange's own records bears the reference of its deposit.
 */
const generate = (name: Name, size: number, seed: number): Lines => {
  const random = Random.make(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const span = size / 100_000 * (name === "crowded" ? DAY : 3 * DAY)
  const lines: Lines = { deposits: [], transfers: [], truth: [] }
  for (let made = 0; made < size;) {
    const count = name === "groups" && random() < 0.1 ? 2 + below(3) : 1
    const asset = name === "crowded" ? "USDT" : `A${below(50)}`
    const account = below(1000)
    const lot = random()
    let [sum, at, stamp] = [0, START, ""]
    const ids: Array<string> = []
    for (let part = 0; part < count; part++, made++) {
      const units = name === "crowded" ? 100e6 * (1 + below(20)) : 1e6 + below(1e9)
      sum += units
      at = Math.floor(START + made / size * span)
      if (count === 1 && lot < 0.02) continue
      const money = { asset, account, amount: decimal(units), at }
      if (name !== "exchange") {
        lines.deposits.push(JSON.stringify(plain(name, `d${made}`, money)))
        ids.push(`d${made}`)
        continue
      }
      const record = deposit(random, money)
      lines.deposits.push(JSON.stringify(record))
      ids.push(record.txId)
      if (random() < 0.5) {
        stamp = ClientTranId.fromSha256(createHash("sha256").update(ClientTranId.canonicalText(record)).digest("hex"))
      }
    }
    if (count === 1 && lot >= 0.02 && lot < 0.04) continue
    const id = `t${made}`
    const moved = { asset, account, amount: decimal(sum), at: at + below(30 * MINUTE) }
    lines.transfers.push([
      moved.at,
      JSON.stringify(name === "exchange" ? transfer(stamp, id, moved) : plain(name, id, moved))
    ])
    if (ids.length > 0) lines.truth.push([...ids, id])
  }
  return lines
}

const data = (name: string): string => {
  const bytes = readFileSync(new URL(`../../data/nomad/${name}`, import.meta.url))
  return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString()
}

/** Puts the files of a book into a directory. */
export const make = (name: Name, size: number, seed: number, directory: string): Book => {
  mkdirSync(directory)
  const put = (file: string, text: string): void => writeFileSync(join(directory, file), text)
  put(
    "addresses.json",
    JSON.stringify(Array.from({ length: 1000 }, (_, account) => (
      { address: addressOf(account), network: "ETH", account: `sub${account}` }
    )))
  )
  const about = { directory, isExchange: name === "exchange" }
  if (name === "outside") {
    const [deposits, transfers] = [data("deposits.ndjson.gz"), data("transfers.ndjson.gz")]
    put("deposits.ndjson", deposits)
    put("transfers.ndjson", transfers)
    put("policy.json", data("policy.json"))
    const truth: Readonly<Record<string, string>> = JSON.parse(data("truth.json.gz"))
    const entries = `${deposits.trim()}\n${transfers.trim()}`.split("\n").length
    return { ...about, before: -30 * MINUTE, after: 720 * MINUTE, entries, truth: Object.entries(truth) }
  }
  const { deposits, transfers, truth } = generate(name, size, seed)
  put("deposits.ndjson", `${deposits.join("\n")}\n`)
  put("transfers.ndjson", `${transfers.toSorted(([a], [b]) => a - b).map(([, line]) => line).join("\n")}\n`)
  put("policy.json", "{}")
  return { ...about, before: MINUTE, after: 60 * MINUTE, entries: deposits.length + transfers.length, truth }
}
