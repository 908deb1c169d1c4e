/** The tiers `exact` and `tolerant`, as the oracle of their own tells them. */
import type * as Entry from "../../../src/Entry.ts"
import * as Oracle from "../Oracle.ts"
import * as Desk from "./Desk.ts"

/** What that oracle looks at, with what is empty left out. */
const plain = (entry: Entry.Entry): Entry.Entry => {
  const { amount, asset, at, id, reference, side, status } = entry
  const account = Desk.accountOf(entry)
  return {
    side,
    id,
    asset,
    amount,
    at,
    status,
    ...(account === undefined ? {} : { account }),
    ...(reference === undefined || reference === "" ? {} : { reference })
  }
}

export const tiers = (desk: Desk.Desk): void => {
  const { law } = desk
  if (law.reference === "only") return
  const [deposits, transfers] = [desk.settled("deposit"), desk.settled("transfer")]
  const byId = new Map([...deposits, ...transfers].map((entry) => [entry.id, entry]))
  const named = (ids: ReadonlyArray<string>) => ids.flatMap((id) => byId.get(id) ?? [])
  const { classes, stated } = Oracle.answer(deposits.map(plain), transfers.map(plain), {
    before: law.before,
    after: law.after,
    ratio: law.ratio,
    rivals: law.rivals,
    absolute: Number(law.absolute),
    noise: Number(law.noise),
    fee: 0,
    requireReference: law.reference === "require",
    forbid: law.forbid
  })
  for (const line of stated) {
    const [code, deposit = "", transfer = "", decidedBy] = line.split(" ")
    desk.say(
      code === "exact" ? "exact" : "tolerant",
      named([deposit, transfer]),
      { isWeak: decidedBy === "time" || decidedBy === "amount" }
    )
  }
  for (const { code, matched, members } of classes) {
    desk.say(code, named(members), { pairs: matched })
  }
}
