/** This table keeps which sub-accounts the exchange listed, and when each was first and last seen there. */
import type * as SubAccount from "@tallystick/core/SubAccount"
import * as Effect from "effect/Effect"
import type * as Database from "../sql/Database.ts"
import * as StoredText from "../sql/StoredText.ts"
import * as CountedTable from "./CountedTable.ts"

/** An account that the exchange listed at least once. Times are the service's, Unix ms. */
export interface ListedAccount {
  readonly name: string
  /** When it was made, as the exchange tells; absent where it does not. */
  readonly madeAt?: number
  /** The first and the last list that named it were read then. */
  readonly firstSeen: number
  readonly lastSeen: number
}

/** What an archive knows of the exchange's lists. */
export interface ListedAccounts {
  /** Ordered by name. */
  readonly accounts: ReadonlyArray<ListedAccount>
  /** It is false where some of that was lost: there may have been others. */
  readonly isWhole: boolean
}

interface Row extends CountedTable.Counted {
  readonly name: string
  readonly made_at: number | null
  readonly first_seen: number
  readonly last_seen: number
}

/** This is said where a row was lost or changed. */
export const LOST =
  "it lost some of the sub-accounts that the exchange listed: the next sync that reads the list keeps those of then"

const fromRow = ({ first_seen, last_seen, made_at, name }: Row): ListedAccount => ({
  name: StoredText.decode(name),
  ...(made_at === null ? {} : { madeAt: made_at }),
  firstSeen: first_seen,
  lastSeen: last_seen
})

const toRow = ({ firstSeen, lastSeen, madeAt, name }: ListedAccount) => ({
  name: StoredText.encode(name),
  made_at: madeAt ?? null,
  first_seen: firstSeen,
  last_seen: lastSeen
})

/** Puts a list that was read at a time to what was known. Lists may come in any order of time. */
const merged = (
  known: ReadonlyArray<ListedAccount>,
  listed: ReadonlyArray<SubAccount.SubAccount>,
  at: number
): ReadonlyArray<ListedAccount> => {
  const all = new Map(known.map((account) => [account.name, account]))
  for (const { subAccount, timestamp } of listed) {
    const before = all.get(subAccount)
    const madeAt = timestamp ?? before?.madeAt
    all.set(subAccount, {
      name: subAccount,
      ...(madeAt === undefined ? {} : { madeAt }),
      firstSeen: Math.min(before?.firstSeen ?? at, at),
      lastSeen: Math.max(before?.lastSeen ?? at, at)
    })
  }
  return Array.from(all.values())
}

export const make = ({ error, sql }: Database.Service) => {
  const table = CountedTable.make<Row>(sql, {
    table: "sub_accounts",
    columns: ["name", "made_at", "first_seen", "last_seen"]
  })

  const known = Effect.map(table.found, ({ isDamaged, rows }): ListedAccounts => ({
    accounts: rows.map(fromRow).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    isWhole: !isDamaged
  }))

  const save = (listed: ReadonlyArray<SubAccount.SubAccount>, at: number) =>
    Effect.flatMap(known, ({ accounts }) => table.replace(merged(accounts, listed, at).map(toRow)))

  return {
    subAccounts: Effect.mapError(known, error),
    saveSubAccounts: (listed: ReadonlyArray<SubAccount.SubAccount>, at: number) =>
      Effect.mapError(sql.withTransaction(save(listed, at)), error),
    /** It is true where one of the rows was lost, is not as it was written, or is of an earlier time. */
    isShort: Effect.map(table.found, ({ isDamaged }) => isDamaged)
  }
}
