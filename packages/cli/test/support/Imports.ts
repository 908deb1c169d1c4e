/** Old exports, and an archive to import them into. */
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { directory, tallystick } from "./Run.ts"

/** When the first of them was inserted, Unix ms: 2026-11-19 08:00 UTC. */
export const AT = Date.UTC(2026, 10, 19, 8)
export const DAY = 86_400_000

export const deposit = (n: number, changes: object = {}) => ({
  amount: "1.50",
  coin: "BTC",
  network: "BTC",
  status: 5,
  address: "bc1q",
  txId: `t${n}:0`,
  unlockConfirm: "2",
  confirmTimes: "2",
  insertTime: AT + n,
  memo: "",
  ...changes
})

export const transfer = (n: number, changes: object = {}) => ({
  tranId: `9007199254740993${n}`,
  fromAccount: "sub00001",
  toAccount: "",
  clientTranId: "",
  asset: "BTC",
  amount: "1.5",
  fromAccountType: "SPOT",
  toAccountType: "SPOT",
  fromSymbol: "",
  toSymbol: "",
  status: "SUCCESS",
  timestamp: AT + n,
  ...changes
})

export const ndjson = (rows: ReadonlyArray<unknown>): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("")

/** An archive of its own, two days after the records' first. */
export const archive = Effect.gen(function*() {
  yield* TestClock.setTime(AT + 2 * DAY)
  const files = yield* directory
  const flag = ["--archive-file", files.at("books.db")]
  const run = (command: string, ...args: ReadonlyArray<string>) => tallystick([command, ...args, ...flag])
  return { ...files, run }
})
