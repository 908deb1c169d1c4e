/** The sub-accounts that an archive was told of. */
import * as Archive from "@tallystick/archive/Archive"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as Effect from "effect/Effect"

/** The accounts whose transfers were asked for; there may be others. */
export const read = Effect.gen(function*() {
  const archive = yield* Archive.Archive
  const names = new Set<string>()
  for (const { query } of yield* archive.coverage()) {
    for (const name of [query?.fromAccount, query?.toAccount]) if (name !== undefined) names.add(name)
  }
  return { list: Array.from(names).toSorted((a, b) => (a < b ? -1 : 1)), complete: false } satisfies Accounts.Accounts
})
