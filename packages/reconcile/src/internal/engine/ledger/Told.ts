/**
 * Outcomes that a stream has given away already. Their entries stay for a while, because entries that are still undecided
 * look at them, but whatever is found out about them now, they keep the outcome that was told.
 */
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import * as Kind from "./Kind.ts"
import type { Ledger } from "./Ledger.ts"
import type { Members } from "./Side.ts"

/** The entries of one outcome, by side and id. */
export interface Once {
  readonly code: Outcome.Code
  /** How many entries it has. */
  readonly size: number
}

export type ById = Readonly<Record<Entry.Side, ReadonlyMap<string, Once>>>

export interface Told {
  readonly isAny: boolean
  /** What the entry was told as. */
  readonly of: (side: Entry.Side, index: number) => Once | undefined
  /** Whether nothing of the draft was told as something else. */
  readonly allows: (draft: Members & { readonly code: Outcome.Code }) => boolean
}

const isMatch = (once: Once | undefined): boolean => once !== undefined && Kind.of(once.code) === "matched"

/** What was told as matched is open for nothing else, even where its partners are not all there any more. */
export const close = ({ deposits, transfers }: Ledger, { isAny, of }: Told): void => {
  if (!isAny) return
  for (const { entries, open, side } of [deposits, transfers]) {
    entries.forEach((_, index) => isMatch(of(side, index)) && (open[index] = 0))
  }
}

export const nothing: ById = { deposit: new Map(), transfer: new Map() }

export const make = (ledger: Ledger, told: ById): Told => {
  const of: Told["of"] = (side, index) =>
    told[side].size === 0 ? undefined : told[side].get(ledger[`${side}s`].entries[index]?.id ?? "")
  const isAny = told.deposit.size + told.transfer.size > 0
  return {
    isAny,
    of,
    allows: ({ code, deposits, transfers }) => {
      if (!isAny) return true
      const only = deposits.length > 0 ? of("deposit", deposits[0] ?? 0) : of("transfer", transfers[0] ?? 0)
      return deposits.every((deposit) => of("deposit", deposit) === only) &&
        transfers.every((transfer) => of("transfer", transfer) === only) &&
        (only === undefined || (only.code === code && only.size === deposits.length + transfers.length))
    }
  }
}
