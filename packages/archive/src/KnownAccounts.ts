/** The sub-accounts that an archive was told of. */
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as Effect from "effect/Effect"
import * as Archive from "./Archive.ts"
import type * as ArchiveError from "./ArchiveError.ts"

/** Gives the accounts whose transfers were asked for, in order of their names. There may be others. */
export const read: Effect.Effect<Accounts.Accounts, ArchiveError.IntervalError, Archive.Archive> = Effect.map(
  Archive.Archive.use(({ coverage }) => coverage()),
  (coverage) => {
    const names = new Set<string>()
    for (const { query } of coverage) {
      for (const name of [query?.fromAccount, query?.toAccount]) if (name !== undefined) names.add(name)
    }
    return { list: Array.from(names).toSorted((a, b) => (a < b ? -1 : 1)), complete: false }
  }
)
