/** Motifs of records that contradict each other, come twice, or cannot be read. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Entry from "@tallystick/reconcile/Entry"
import { type Draft, moving } from "./Draft.ts"
import type { Motif } from "./Motif.ts"
import * as Sum from "./Sum.ts"

const again = ({ deposits, transfers }: Draft, entry: Entry.Entry): void => {
  if (entry.side === "deposit") deposits.push(entry)
  else transfers.push(entry)
}

const pair = (draft: Draft): readonly [Entry.Entry, Entry.Entry] => {
  const deposit = draft.deposit({ id: `dx${draft.deposits.length}` })
  return [
    deposit,
    draft.transfer({ ...moving(draft, deposit, draft.random.int(0, 55)), id: `tx${draft.transfers.length}` })
  ]
}

/** One identity with two contents. */
export const conflict: Motif = (draft) => {
  const { random } = draft
  const entry = random.pick(pair(draft))
  const other = random.pick([
    { ...entry, amount: Sum.share(entry.amount, 2000) },
    { ...entry, at: entry.at + random.int(1, 90) * 60_000 },
    { ...entry, status: "pending" } as const,
    { ...entry, account: "other" }
  ])
  again(draft, other)
  if (random.chance(0.2)) again(draft, { ...other, memo: "third" })
}

/** The same twice, perhaps in another spelling. */
export const repeated: Motif = (draft) => {
  const entry = draft.random.pick(pair(draft))
  again(draft, draft.random.chance(0.5) ? entry : { ...entry, amount: `0${entry.amount}` })
}

/** What a type promised, and did not come. */
export const malformed: Motif = (draft) => {
  const { random } = draft
  const entry = random.pick(pair(draft))
  again(
    draft,
    random.pick([
      { ...entry, id: `${entry.id}z`, amount: "0" },
      { ...entry, id: `${entry.id}z`, amount: "1e3" },
      { ...entry, id: `${entry.id}z`, asset: "" },
      { ...entry, id: `${entry.id}z`, amount: "-1" }
    ])
  )
}

/** A record that the source itself could not read. */
export const unread: Motif = (draft) => {
  const { random } = draft
  const bad: BadRecord.BadRecord = {
    side: random.pick(["deposit", "transfer"]),
    source: `page ${random.int(1, 3)}, record ${random.int(1, 50)}`,
    path: random.pick(["amount", "at", ""]),
    reason: "an amount was wanted, \"x\" came",
    raw: random.pick(["{\"amount\":\"x\"}", "=1+1", "no JSON", "a,b\nc"])
  }
  draft.bad.push(bad)
  if (random.chance(0.2)) draft.bad.push(bad)
}

/** What strangers wrote: text that must come out as text. */
export const hostile: Motif = (draft) => {
  const text = draft.random.pick([
    "=cmd|' /C calc'!A0",
    "<script>alert(1)</script>",
    "a\u001b[31mb",
    "| x | `y` |",
    "\u202eabc"
  ])
  const deposit = draft.deposit({ id: `d ${text} ${draft.deposits.length}`, memo: text, address: text })
  if (draft.random.chance(0.6)) draft.transfer({ ...moving(draft, deposit, draft.random.int(0, 80)), reference: text })
}
