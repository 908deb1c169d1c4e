/** What a policy says of single entries, but for what decisions say: a desk may change these lines from day to day. */
import type * as Policy from "@tallystick/reconcile/Policy"
import { createHash } from "node:crypto"
import * as Decision from "../../Decision.ts"
import * as Subjects from "../ledger/Subjects.ts"

type Named = Pick<Decision.Subject, "id" | "side">

/** What each line says, by the line's words. */
export type Lines = ReadonlyMap<
  string,
  { readonly kind: Decision.Ruling["kind"]; readonly entries: ReadonlyArray<Named> }
>

const keyOf = (kind: Decision.Ruling["kind"], entries: ReadonlyArray<Named>): string =>
  JSON.stringify([kind, ...entries.map(Subjects.keyOf).toSorted()])

const SIDES = ["deposit", "transfer"] as const

const of = (side: Named["side"]) => (id: string): Named => ({ side, id })

/** `policy` is that of a run, over which decisions were laid: lines that say what a decision says are none of the file. */
export const make = (
  { exclude, forbid, links }: Pick<Policy.Resolved, "exclude" | "forbid" | "links">,
  decisions: ReadonlyArray<Decision.Decision>
): Lines => {
  const decided = new Set(
    decisions.flatMap(({ body }) => Decision.isRuling(body) ? [keyOf(body.kind, body.entries)] : [])
  )
  const lines = [
    ...links.map(({ deposits, transfers }) =>
      ["link", [...deposits.map(of("deposit")), ...transfers.map(of("transfer"))]] as const
    ),
    ...forbid.map(({ deposit, transfer }) => ["forbid", [of("deposit")(deposit), of("transfer")(transfer)]] as const),
    ...exclude.flatMap(({ id, side }) =>
      (side === undefined ? SIDES : [side]).map((side) => ["exclude", [of(side)(id)]] as const)
    )
  ]
  return new Map(
    lines.map(([kind, entries]) => [keyOf(kind, entries), { kind, entries }] as const)
      .filter(([key]) => !decided.has(key))
  )
}

export const digest = (lines: Lines): string =>
  createHash("sha256").update(Array.from(lines.keys()).toSorted().join("\n")).digest("hex")

/** Gives the entries of which one says something that the other does not. */
export const differing = (one: Lines, other: Lines): ReadonlyArray<Named> => [
  ...Array.from(one).flatMap(([key, { entries }]) => other.has(key) ? [] : entries),
  ...Array.from(other).flatMap(([key, { entries }]) => one.has(key) ? [] : entries)
]
