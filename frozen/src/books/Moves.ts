/** Motifs of one deposit and what became of it. */
import * as Book from "../Book.ts"
import { back, type Draft, forth, moving } from "./Draft.ts"
import type { Motif } from "./Motif.ts"
import * as Sum from "./Sum.ts"

/** Moved within the hour. */
export const swept: Motif = (draft) => {
  const deposit = draft.deposit()
  draft.transfer(moving(draft, deposit, draft.random.int(0, 55)))
}

export const unswept: Motif = (draft) => void draft.deposit()

export const fromNowhere: Motif = (draft) => void draft.transfer()

export const late: Motif = (draft) => {
  const deposit = draft.deposit()
  draft.transfer(moving(draft, deposit, draft.random.int(61, 1500)))
}

export const early: Motif = (draft) => {
  const deposit = draft.deposit()
  draft.transfer(moving(draft, deposit, -draft.random.int(2, 600)))
}

/** Too little or too much arrived. */
export const short: Motif = (draft) => {
  const deposit = draft.deposit()
  const amount = Sum.share(deposit.amount, draft.random.pick([900, 930, 980, 999, 1001, 1050, 1200]))
  draft.transfer({ ...moving(draft, deposit, draft.random.int(0, 55)), amount })
}

/** Less by one of these. */
export const lessBy = (fees: readonly [string, ...ReadonlyArray<string>]): Motif => (draft) => {
  const deposit = draft.deposit()
  const amount = Sum.less(deposit.amount, draft.random.pick(fees))
  draft.transfer({ ...moving(draft, deposit, draft.random.int(0, 55)), amount })
}

/** Less by so many thousandths. */
export const lessPerMille = (shares: readonly [number, ...ReadonlyArray<number>]): Motif => (draft) => {
  const deposit = draft.deposit()
  const amount = Sum.share(deposit.amount, 1000 - draft.random.pick(shares))
  draft.transfer({ ...moving(draft, deposit, draft.random.int(0, 55)), amount })
}

export const failed: Motif = (draft) => {
  const deposit = draft.deposit()
  const first = draft.random.int(0, 30)
  draft.transfer({ ...moving(draft, deposit, first), status: "failed" })
  if (draft.random.chance(0.3)) draft.transfer(moving(draft, deposit, first + draft.random.int(1, 25)))
}

/** One of the two, or both, are not settled. */
export const unsettled: Motif = (draft) => {
  const { random } = draft
  const status = random.pick(["pending", "unknown", "failed"])
  const deposit = draft.deposit(random.chance(0.5) ? { status } : {})
  if (random.chance(0.7)) {
    draft.transfer({
      ...moving(draft, deposit, random.int(0, 55)),
      status: random.pick(["settled", status, "pending"])
    })
  }
}

export const doubled: Motif = (draft) => {
  const deposit = draft.deposit()
  const first = draft.random.int(1, 10)
  draft.transfer(moving(draft, deposit, first))
  draft.transfer(moving(draft, deposit, first * draft.random.int(2, 5)))
}

/** Moved, moved back, and perhaps moved again. */
export const reversed: Motif = (draft) => {
  const { random } = draft
  const account = random.pick(["a", "b", "c"])
  const deposit = draft.deposit({ account })
  const [first, second] = [random.int(0, 20), random.int(1, 30)]
  const move = moving(draft, deposit, first)
  draft.transfer({ ...move, ...forth(account) })
  draft.transfer({ ...move, ...back(account), at: deposit.at + (first + second) * Book.MINUTE })
  if (random.chance(0.5)) {
    draft.transfer({ ...move, ...forth(account), at: deposit.at + (first + second + random.int(1, 20)) * Book.MINUTE })
  }
}

export const wrongWay: Motif = (draft) => {
  const account = draft.random.pick(["a", "b", "c"])
  const deposit = draft.deposit({ account })
  draft.transfer({ ...moving(draft, deposit, draft.random.int(0, 55)), ...back(account) })
}

export const otherAccount: Motif = (draft) => {
  const [own, other] = draft.random.pick([["a", "b"], ["b", "a"], ["c", "a"], ["a", "stranger"]] as const)
  const deposit = draft.deposit({ account: own })
  const ends = draft.scene.routed ? forth(other) : { account: other }
  draft.transfer({ ...moving(draft, deposit, draft.random.int(0, 55)), ...ends })
}

/** The transfer calls the asset by another name. */
export const renamed: Motif = (draft) => {
  const { random } = draft
  const deposit = draft.deposit({ asset: random.pick(["USDT", "BTC"]) })
  const asset = deposit.asset === "USDT"
    ? random.pick(["USDT-TRX", "USDT-TRC20", "usdt"])
    : random.pick(["XBT", "BTC-BEP20"])
  draft.transfer({ ...moving(draft, deposit, random.int(0, 55)), asset })
}

/** Both carry a key, or a key of another. */
export const stamped: Motif = (draft) => {
  const { random } = draft
  const reference = random.chance(0.8) ? `r${draft.deposits.length}` : random.pick(["r", "s", ""])
  const deposit = draft.deposit({ reference })
  const move = moving(draft, deposit, random.pick([random.int(0, 55), random.int(0, 55), random.int(-30, 400)]))
  const amount = random.chance(0.85) ? deposit.amount : Sum.share(deposit.amount, random.pick([700, 990, 1010]))
  draft.transfer({ ...move, amount, reference: random.chance(0.85) ? reference : random.pick(["r", "s", "u"]) })
}

/** A transfer that no flow of the usual policy names, or between two others. */
export const aside: Motif = (draft) => {
  const { random } = draft
  const [from, to] = random.pick(
    [["master", "a"], ["a", "b"], ["b", "a"], ["outside", "elsewhere"], ["master", "master"]] as const
  )
  draft.transfer({
    account: from === "master" ? to : from,
    from,
    to,
    fromType: "SPOT",
    toType: random.pick(["SPOT", "FUTURES"])
  })
}

/** Deposits to addresses, with memos and networks. */
export const addressed: Motif = (draft) => {
  const { random, scene } = draft
  const deposit = draft.deposit({
    network: random.pick(["TRX", "ETH", "BSC"]),
    address: random.pick(["Tone", "Ttwo", "Tthree"]),
    ...(random.chance(0.4) ? { memo: random.pick(["7", "8", ""]) } : {})
  })
  if (random.chance(0.75)) draft.transfer(moving(draft, deposit, random.int(0, 70)))
  else if (!scene.routed) {
    draft.deposit({ ...deposit, id: `d${draft.deposits.length}`, at: deposit.at + random.int(1, 30) * Book.MINUTE })
  }
}

/** Entries that have nothing to do with each other but may look so. */
export const crowd = (count: number): Motif => (draft: Draft) => {
  for (let index = 0; index < count; index++) {
    const status = draft.random.chance(0.92) ? "settled" : draft.random.pick(["pending", "failed", "unknown"])
    if (draft.random.chance(0.5)) draft.deposit({ status })
    else draft.transfer({ status })
  }
}
