/**
 * Knows the outcomes that a stream has given away already. Their entries stay for a while, because undecided entries look at
 * them. They keep the outcome that was told, whatever is found out about them later.
 */
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import * as Kind from "./Kind.ts"
import type { Ledger } from "./Ledger.ts"
import type { Members } from "./Side.ts"

/** The entries of one outcome, by side and id. */
export interface Once {
  readonly code: Outcome.Code
  /** The number of its entries. */
  readonly size: number
}

export type ById = Readonly<Record<Entry.Side, ReadonlyMap<string, Once>>>

export interface Told {
  readonly isAny: boolean
  /** Returns the outcome in which the entry was told. */
  readonly of: (side: Entry.Side, index: number) => Once | undefined
  /** Whether no entry of the draft was told in another outcome. */
  readonly allows: (draft: Members & { readonly code: Outcome.Code }) => boolean
}

const isMatch = (once: Once | undefined): boolean => once !== undefined && Kind.of(once.code) === "matched"

/** Closes entries that were told as matched, even if some of their partners are gone. */
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
