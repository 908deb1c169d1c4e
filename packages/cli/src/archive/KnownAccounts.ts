/** The sub-accounts that an archive was told of. */
import * as Archive from "@tallystick/archive/Archive"
import * as Asked from "@tallystick/archive/KnownAccounts"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as Effect from "effect/Effect"
import type * as SettingFile from "../files/SettingFile.ts"
import * as Stderr from "../terminal/Stderr.ts"

const ordered = (names: Iterable<string>): ReadonlyArray<string> =>
  Array.from(new Set(names)).toSorted((a, b) => (a < b ? -1 : 1))

/** The accounts whose transfers were asked for; there may be others. */
export const { read } = Asked

/** These, and the accounts that the exchange ever listed. */
export const ever = Effect.gen(function*() {
  const { accounts } = yield* Archive.Archive.use(({ subAccounts }) => subAccounts)
  return ordered([...(yield* read).list, ...accounts.map(({ name }) => name)])
})

/** The accounts that the exchange listed no more at this time, Unix ms, as far as a proven list showed. */
export const goneBy = Effect.fnUntraced(function*(time: number) {
  const { accounts } = yield* Archive.Archive.use(({ subAccounts }) => subAccounts)
  return new Set(accounts.filter(({ missedAt = Infinity }) => missedAt <= time).map(({ name }) => name))
})

/** The accounts for a run that does not ask the exchange, although its list was meant: those that it ever listed and that were not gone at `begin`. */
export const inPlaceOfService = Effect.fnUntraced(function*({ master }: SettingFile.OfService, begin: number) {
  yield* Stderr.say("the exchange is not asked for its sub-accounts here: those that the archive knows count")
  const gone = yield* goneBy(begin)
  return {
    ...(master === undefined ? {} : { master }),
    list: (yield* ever).filter((name) => !gone.has(name)),
    complete: false
  } satisfies Accounts.Accounts
})
