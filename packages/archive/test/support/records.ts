/** Records as the service writes them. */
export const NOW = 1_700_000_000_000

const depositFields = {
  amount: "1.5",
  coin: "USDT",
  network: "TRX",
  status: 5,
  address: "TAbc",
  txId: "hash:0",
  unlockConfirm: "10",
  confirmTimes: "12",
  insertTime: NOW,
  memo: ""
}

const transferFields = {
  tranId: "7",
  fromAccount: "a@x",
  toAccount: "master",
  clientTranId: "",
  asset: "USDT",
  amount: "1.5",
  fromAccountType: "SPOT",
  toAccountType: "SPOT",
  fromSymbol: "SPOT",
  toSymbol: "SPOT",
  status: "SUCCESS",
  timestamp: NOW
}

export const deposit = (changes: Partial<typeof depositFields> = {}) => ({ ...depositFields, ...changes })
export const transfer = (changes: Partial<typeof transferFields> = {}) => ({ ...transferFields, ...changes })
