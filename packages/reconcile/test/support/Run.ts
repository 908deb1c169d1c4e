/** Short ways to say what a matching test is about. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Result from "effect/Result"
import * as Accounts from "../../src/Accounts.ts"
import type * as Entry from "../../src/Entry.ts"
import * as Matching from "../../src/Matching.ts"
import type * as Outcome from "../../src/Outcome.ts"
import * as Policy from "../../src/Policy.ts"

export const T0 = 1_800_000_000_000
export const MINUTE = 60_000
export const HOUR = 3_600_000
export const DAY = 86_400_000

/** Vouches for everything. */
export const complete: ReadonlyArray<Coverage.Coverage> = (["deposits", "transfers"] as const).map((operation) => ({
  operation,
  from: Number.MIN_SAFE_INTEGER,
  to: Number.MAX_SAFE_INTEGER,
  readAt: Number.MAX_SAFE_INTEGER,
  state: "complete"
}))

export const policy = (written: Policy.Policy = {}): Policy.Resolved =>
  Policy.resolve(Result.getOrThrow(Policy.decode(written)))

type Fields = Partial<Omit<Entry.Entry, "side" | "id" | "at">>

/** A settled deposit of 1 BTC, `minutes` after T0. */
export const deposit = (id: string, minutes: number, fields: Fields = {}): Entry.Entry => ({
  side: "deposit",
  id,
  asset: "BTC",
  amount: "1",
  at: T0 + minutes * MINUTE,
  status: "settled",
  ...fields
})

/** A settled transfer of 1 BTC, `minutes` after T0. */
export const transfer = (id: string, minutes: number, fields: Fields = {}): Entry.Entry => ({
  ...deposit(id, minutes, fields),
  side: "transfer"
})

export type Input = Partial<Omit<Matching.Input, "policy">> & { readonly policy?: Policy.Policy }

export const match = (input: Input): Matching.Output =>
  Matching.match({
    deposits: [],
    transfers: [],
    bad: [],
    coverage: complete,
    accounts: Accounts.none,
    ...input,
    policy: policy(input.policy)
  })

/** The ids of each outcome behind its code: `exact d1 t1`. */
export const summary = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<string> =>
  outcomes
    .map(({ code, deposits, transfers }) =>
      [code, ...deposits.map(({ id }) => id), ...transfers.map(({ id }) => id)].join(" ")
    )
    .toSorted()

/** What `match` says, in short. */
export const outcomes = (input: Input): ReadonlyArray<string> => summary(match(input).outcomes)
