/** Deposits as the service writes them, from seeded random numbers. */

const coins = ["BTC", "ETH", "USDT", "SOL"]
const networks = ["BTC", "ETH", "TRX", "SOL"]

/** `length` hexadecimal digits, a multiple of eight. */
export const hex = (random: () => number, length: number): string => {
  let text = ""
  while (text.length < length) text += Math.floor(random() * 0x1_0000_0000).toString(16).padStart(8, "0")
  return text
}

/** Decimal text with up to five digits before the point and up to eight behind it. */
export const amount = (random: () => number): string =>
  (random() * 10 ** Math.floor(random() * 5)).toFixed(Math.floor(random() * 9))

/** One deposit seen at `insertTime`, Unix ms. */
export const deposit = (random: () => number, insertTime: number) => ({
  amount: amount(random),
  coin: coins[Math.floor(random() * coins.length)],
  network: networks[Math.floor(random() * networks.length)],
  status: 5,
  address: `0x${hex(random, 40)}`,
  txId: `0x${hex(random, 64)}`,
  unlockConfirm: "12/12",
  confirmTimes: "12/12",
  insertTime,
  memo: random() < 0.1 ? hex(random, 8) : ""
})
