/** What an archive's knowledge of earlier times speaks against. Written from the rules, without the engine. */
import type * as Entry from "../../../src/Entry.ts"
import * as Desk from "./Desk.ts"
import * as Groups from "./Groups.ts"
import { reasonOf } from "./Reason.ts"

const isEqualInSpan = (law: Desk.Law) => (deposit: Entry.Entry, transfer: Entry.Entry): boolean =>
  Desk.isCompatible(law, deposit, transfer) && Desk.isEqual(deposit, transfer) &&
  Desk.isInSpan(law, deposit, transfer)

/** Each conflict on its own; then what vanished or went back, with the open entries that are equal to it in the window, from settling as well. */
export const past = (desk: Desk.Desk): void => {
  const all = () => [...desk.open("deposit"), ...desk.open("transfer")]
  for (const entry of all()) if (reasonOf(entry) === "source-conflict") desk.say("source-conflict", [entry])
  for (const reason of ["vanished", "status-regressed"] as const) {
    const gone = (side: Entry.Side) =>
      desk.open(side).filter((entry) => reasonOf(entry) === reason && Desk.way(entry) === "forth")
    const pairs = [
      ...Groups.edges(desk.settled("deposit"), gone("transfer"), isEqualInSpan(desk.law)),
      ...Groups.edges(gone("deposit"), desk.settled("transfer"), isEqualInSpan(desk.law))
    ]
    for (const group of Groups.connected(pairs)) desk.say(reason, Groups.members(group))
    for (const entry of all()) if (reasonOf(entry) === reason) desk.say(reason, [entry])
  }
}
