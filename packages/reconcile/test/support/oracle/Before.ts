/** What is decided before any amounts are compared with each other freely: flows, reversals, references. */
import type * as Entry from "../../../src/Entry.ts"
import * as Desk from "./Desk.ts"
import * as Groups from "./Groups.ts"

export const elsewhere = (desk: Desk.Desk): void => {
  for (const transfer of desk.open("transfer")) {
    if (Desk.isSettled(transfer) && Desk.way(transfer) === "elsewhere") desk.say("out-of-flow", [transfer])
  }
}

const typeOf = (type: string | undefined): string | undefined => (type === "FUTURE" ? "FUTURES" : type)

const agree = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || typeOf(one) === typeOf(other)

const byTime = (one: Entry.Entry, other: Entry.Entry): number => one.at - other.at || (one.id < other.id ? -1 : 1)

export const reversed = (desk: Desk.Desk): void => {
  const settled = () => desk.open("transfer").filter(Desk.isSettled).toSorted(byTime)
  for (const back of settled().filter((transfer) => Desk.way(transfer) === "back")) {
    const forth = settled().findLast((transfer) =>
      transfer.from !== undefined && transfer.to !== undefined && Desk.way(transfer) === "forth" &&
      transfer.asset === back.asset && Desk.isEqual(transfer, back) && transfer.from === back.to &&
      agree(transfer.fromType, back.toType) && agree(transfer.toType, back.fromType) &&
      transfer.at < back.at && transfer.at >= back.at - desk.law.after - desk.law.late
    )
    if (forth !== undefined) desk.say("reversed", [forth, back])
  }
}

/** Equal references that fit and that amounts tell apart; then what is alone with each other; the rest is suspect. */
export const reference = (desk: Desk.Desk): void => {
  const { law } = desk
  const bearers = () =>
    Groups.edges(
      desk.settled("deposit"),
      desk.settled("transfer"),
      (deposit, transfer) => Desk.sameReference(law, deposit, transfer) && Desk.isCompatible(law, deposit, transfer)
    )
  const fitting = () =>
    bearers().filter(({ deposit, transfer }) =>
      Desk.isInWindow(law, deposit, transfer) && Desk.isFitting(law, deposit, transfer)
    )
  const decided = Groups.connected(fitting()).flatMap((group) =>
    Groups.decided(group, ({ deposit, transfer }) => Desk.residual(deposit, transfer))
  )
  for (const { deposit, transfer } of decided) {
    desk.say("reference", [deposit, transfer])
  }
  for (const group of Groups.connected(fitting())) desk.say("duplicate-suspect", Groups.members(group))
  const near = bearers().filter(({ deposit, transfer }) => Desk.isInHorizon(law, deposit, transfer))
  for (const group of Groups.connected(near)) {
    const [{ deposit, transfer } = { deposit: undefined, transfer: undefined }] = group
    if (group.length > 1 || deposit === undefined || transfer === undefined) {
      desk.say("duplicate-suspect", Groups.members(group))
    } else if (Desk.isInLaterWindow(law, deposit, transfer) && Desk.isEqual(deposit, transfer)) {
      desk.say("reference", [deposit, transfer])
    } else if (Desk.isInWindow(law, deposit, transfer) || Desk.isInLaterWindow(law, deposit, transfer)) {
      desk.say("amount-mismatch", [deposit, transfer])
    } else desk.say(Desk.lag(deposit, transfer) > law.after ? "late" : "early", [deposit, transfer])
  }
}
