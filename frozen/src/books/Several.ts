/** Motifs of several deposits or several transfers. */
import * as Book from "../Book.ts"
import { type Draft, type Fields, moving } from "./Draft.ts"
import type { Motif } from "./Motif.ts"
import * as Sum from "./Sum.ts"

/** Deposits of one account and asset within some minutes. */
const together = ({ deposit, random }: Draft, count: number, fields: Fields = {}) => {
  const first = deposit(fields)
  const { account, asset, at } = first
  const others = Array.from({ length: count - 1 }, () =>
    deposit({
      ...fields,
      asset,
      at: at + random.int(1, 15) * Book.MINUTE,
      ...(account === undefined ? {} : { account })
    }))
  return [first, ...others] as const
}

/** One transfer for all of them, or for all but one, or for one that never came. */
export const sweep: Motif = (draft) => {
  const { random } = draft
  const all = together(draft, random.int(2, 6))
  const [first, ...rest] = all
  const amounts = all.map(({ amount }) => amount)
  const moved = random.pick([amounts, amounts, amounts.slice(1), [...amounts, "3.25"]])
  draft.transfer({ ...moving(draft, first, random.int(16, 50)), amount: Sum.of(moved) })
  if (random.chance(0.2)) { for (const one of rest.slice(0, 1)) draft.transfer(moving(draft, one, random.int(0, 50))) }
}

/** One deposit in parts, of which one may never come. */
export const split: Motif = (draft) => {
  const { random } = draft
  const deposit = draft.deposit()
  const parts = Sum.parts(deposit.amount, random.int(2, 5))
  const coming = random.pick([parts, parts, parts.slice(1)])
  for (const amount of coming) draft.transfer({ ...moving(draft, deposit, random.int(0, 50)), amount })
}

/** Two sweeps of which nobody can say which deposits they moved. */
export const eitherSweep: Motif = (draft) => {
  const { random } = draft
  const [first, ...rest] = together(draft, random.int(3, 5))
  const amounts = [first, ...rest].map(({ amount }) => amount)
  const half = Math.ceil(amounts.length / 2)
  for (const some of [amounts.slice(0, half), amounts.slice(half)]) {
    draft.transfer({ ...moving(draft, first, random.int(16, 50)), amount: Sum.of(some) })
  }
}

/** Amounts that make the same sum in several ways. */
export const manySums: Motif = (draft) => {
  const { random } = draft
  const [first] = together(draft, random.int(3, 7), { amount: "1" })
  const at = { at: first.at + random.int(1, 15) * Book.MINUTE, asset: first.asset }
  const account = first.account === undefined ? {} : { account: first.account }
  for (const amount of ["2", "3"]) if (random.chance(0.7)) draft.deposit({ ...at, ...account, amount })
  const count = random.int(1, 3)
  for (let index = 0; index < count; index++) {
    draft.transfer({ ...moving(draft, first, random.int(16, 50)), amount: random.pick(["2", "3", "4", "5", "7"]) })
  }
}

/** Equal deposits close together, with as many equal transfers, one less or one more. */
export const burst: Motif = (draft) => {
  const { random } = draft
  const amount = random.pick(["100", "250", "40.5"])
  const all = together(draft, random.int(2, 6), { amount })
  const [first] = all
  const count = all.length + random.pick([0, 0, -1, 1])
  for (let index = 0; index < count; index++) draft.transfer(moving(draft, first, random.int(15, 50)))
}

/** Two for one, or one for two, at distances that may or may not decide. */
export const tie: Motif = (draft) => {
  const { random } = draft
  const amount = random.pick(["100", "70", "33.3"])
  const [first] = together(draft, random.int(1, 3), { amount })
  const count = random.int(1, 3)
  for (let index = 0; index < count; index++) draft.transfer(moving(draft, first, random.int(-2, 55)))
}

/** More pairs within the tolerance than the engine looks at. */
export const exhausting: Motif = (draft) => {
  const at = Book.minute(draft.random.int(0, 30))
  for (let index = 0; index < 720; index++) {
    draft.deposit({ asset: "BTC", amount: `10.${1000 + index}`, at })
    draft.transfer({ asset: "BTC", amount: `10.${3000 + index}`, at: at + Book.MINUTE })
  }
}
