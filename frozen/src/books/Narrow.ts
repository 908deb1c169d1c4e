/** Motifs of which a minute or a letter decides. */
import * as Book from "../Book.ts"
import type { Random } from "../Random.ts"
import { back, type Fields, moving, type Scene } from "./Draft.ts"
import type { Motif } from "./Motif.ts"
import * as Sum from "./Sum.ts"

/** The account that all entries of a motif have, or which they all leave out. */
const oneOf = (random: Random, { accounts }: Scene): Fields => {
  const account = random.pick(accounts)
  return account === undefined ? { account: "" } : { account }
}

/** Equal amounts a few minutes apart, in any order, with more of one side or as many of both. */
export const chain: Motif = ({ deposit, random, scene, transfer }) => {
  const asset = random.pick(scene.assets)
  const account = oneOf(random, scene)
  const amount = random.pick(["100", "7.5"])
  let at = Book.minute(random.int(0, scene.minutes))
  const share = random.pick([0.5, 0.5, 0.3, 0.7])
  const count = random.int(4, 24)
  for (let index = 0; index < count; index++) {
    at += random.int(0, 4) * Book.MINUTE
    const entry = random.chance(share) ? deposit : transfer
    entry({ asset, amount, at, ...account })
  }
}

/** Amounts a little apart, each of which fits its neighbours. */
export const ladder: Motif = ({ deposit, random, scene, transfer }) => {
  const asset = random.pick(scene.assets)
  const account = oneOf(random, scene)
  const at = Book.minute(random.int(0, scene.minutes))
  const count = random.int(3, 14)
  for (let index = 0; index < count; index++) {
    const amount = Sum.of(["20", `0.${random.int(1, 9)}`, `0.${random.int(0, 9)}`])
    const entry = random.chance(0.5) ? deposit : transfer
    entry({ asset, amount, at: at + random.int(0, 12) * Book.MINUTE, ...account })
  }
}

/** More deposits in a row than a group has members, moved together or all but one. */
export const row: Motif = (draft) => {
  const { deposit, random, transfer } = draft
  const first = deposit()
  const account = first.account === undefined ? {} : { account: first.account }
  const others = Array.from(
    { length: random.int(3, 9) },
    (_, index) => deposit({ asset: first.asset, at: first.at + (index + 1) * Book.MINUTE, ...account })
  )
  const amounts = [first, ...others].map(({ amount }) => amount)
  const moved = random.pick([amounts, amounts.slice(1), amounts.slice(0, -1), amounts.slice(1, -1)])
  transfer({ ...moving(draft, first, random.int(8, 19)), amount: Sum.of(moved) })
}

/** Names that are one asset to a reader, or nearly. */
export const lookAlike: Motif = (draft) => {
  const { random } = draft
  const deposit = draft.deposit({ asset: random.pick(["USDT", "USDT", "TRX-USDT", "ETH"]) })
  const asset = random.pick(["TRC20-USDT", "USDTTRC20", "TRX-USDT", "usdt", "USDT_ERC20", "STETH", "ETHBEP20"])
  draft.transfer({ ...moving(draft, deposit, random.int(0, 25)), asset })
}

/** A transfer of the same amount that no flow names, and that may still be made, or was not. */
export const waitingAside: Motif = (draft) => {
  const { random } = draft
  const deposit = draft.deposit({ account: "a" })
  draft.transfer({
    ...moving(draft, deposit, random.int(0, 25)),
    ...random.pick([back("a"), { account: "a", from: "a", to: "b", fromType: "SPOT", toType: "SPOT" }]),
    status: random.pick(["pending", "failed", "unknown"])
  })
}
