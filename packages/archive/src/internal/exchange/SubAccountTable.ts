/** This table keeps which sub-accounts the exchange listed, and when each was first and last seen there. */
import type * as SubAccount from "@tallystick/core/SubAccount"
import * as Effect from "effect/Effect"
import type * as Database from "../sql/Database.ts"
import * as StoredText from "../sql/StoredText.ts"
import * as CountedTable from "./CountedTable.ts"

/** A reading of the exchange's list. */
export interface ListReading {
  /** The list named these sub-accounts. */
  readonly subAccounts: ReadonlyArray<SubAccount.SubAccount>
  /** The server time at which the list was read, Unix ms. */
  readonly at: number
  /** It is true where these are proven to be all that the exchange lists. */
  readonly isProven: boolean
}

/** An account that the exchange listed at least once. Times are the service's, Unix ms. */
export interface ListedAccount {
  /** Transfers name it so. */
  readonly name: string
  /** When it was made, as the exchange tells; absent where it does not. */
  readonly madeAt?: number
  /** The first and the last list that named it were read then. */
  readonly firstSeen: number
  /** The last list that named it was read then, Unix ms. */
  readonly lastSeen: number
  /** The exchange lists it no more: a proven list of then, the first that is known after `lastSeen`, lacks it. */
  readonly missedAt?: number
}

/** What an archive knows of the exchange's lists. */
export interface ListedAccounts {
  /** Ordered by name. */
  readonly accounts: ReadonlyArray<ListedAccount>
  /**
   * Accounts may be lost that only lists before this time named, Unix ms: 0 where nothing was ever lost, infinity until a proven
   * list is kept after a loss.
   */
  readonly wholeFrom: number
}

interface Row extends CountedTable.Counted {
  readonly name: string
  readonly made_at: number | null
  readonly first_seen: number
  readonly last_seen: number
  readonly missed_at: number | null
  /** It is the same in every row: `wholeFrom`, and null for infinity. */
  readonly whole_from: number | null
}

/** This is said where a row was lost or changed. */
export const LOST =
  "it lost some of the sub-accounts that the exchange listed: the next sync that reads the list keeps those of then"

const fromRow = ({ first_seen, last_seen, made_at, missed_at, name }: Row): ListedAccount => ({
  name: StoredText.decode(name),
  ...(made_at === null ? {} : { madeAt: made_at }),
  firstSeen: first_seen,
  lastSeen: last_seen,
  ...(missed_at === null ? {} : { missedAt: missed_at })
})

const toRow = (wholeFrom: number) => ({ firstSeen, lastSeen, madeAt, missedAt, name }: ListedAccount) => ({
  name: StoredText.encode(name),
  made_at: madeAt ?? null,
  first_seen: firstSeen,
  last_seen: lastSeen,
  missed_at: missedAt ?? null,
  whole_from: Number.isFinite(wholeFrom) ? wholeFrom : null
})

/** The account after a list named it. */
const seen = (known: ListedAccount | undefined, { subAccount, timestamp }: SubAccount.SubAccount, at: number) => {
  const madeAt = timestamp ?? known?.madeAt
  const missedAt = known?.missedAt
  return {
    name: subAccount,
    ...(madeAt === undefined ? {} : { madeAt }),
    firstSeen: Math.min(known?.firstSeen ?? at, at),
    lastSeen: Math.max(known?.lastSeen ?? at, at),
    ...(missedAt === undefined || missedAt <= at ? {} : { missedAt })
  } satisfies ListedAccount
}

/** The account after a proven list lacked it. */
const missed = (known: ListedAccount, at: number): ListedAccount =>
  at <= known.lastSeen ? known : { ...known, missedAt: Math.min(known.missedAt ?? at, at) }

/** Puts a list to what was known. Lists may come in any order of time. */
const merged = (known: ReadonlyArray<ListedAccount>, { at, isProven, subAccounts }: ListReading) => {
  const before = new Map(known.map((account) => [account.name, account]))
  const named = new Map(subAccounts.map((one) => [one.subAccount, seen(before.get(one.subAccount), one, at)]))
  const others = known.filter(({ name }) => !named.has(name))
  return [...named.values(), ...others.map((account) => isProven ? missed(account, at) : account)]
}

export const make = ({ error, sql }: Database.Service) => {
  const table = CountedTable.make<Row>(sql, {
    table: "sub_accounts",
    columns: ["name", "made_at", "first_seen", "last_seen", "missed_at", "whole_from"]
  })

  const known = Effect.map(table.found, ({ isDamaged, rows }): ListedAccounts => ({
    accounts: rows.map(fromRow).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    wholeFrom: isDamaged
      ? Number.POSITIVE_INFINITY
      : rows[0] === undefined
      ? 0
      : rows[0].whole_from ?? Number.POSITIVE_INFINITY
  }))

  const save = Effect.fnUntraced(function*(reading: ListReading) {
    const { accounts, wholeFrom } = yield* known
    const next = merged(accounts, reading)
    // A loss that no row could tell of stays as it is.
    if (next.length === 0) return yield* Effect.void
    const from = reading.isProven && !Number.isFinite(wholeFrom) ? reading.at : wholeFrom
    return yield* table.replace(next.map(toRow(from)))
  })

  return {
    subAccounts: Effect.mapError(known, error),
    saveSubAccounts: (reading: ListReading) => Effect.mapError(sql.withTransaction(save(reading)), error),
    /** It is true where one of the rows was lost, is not as it was written, or is of an earlier time. */
    isShort: Effect.map(table.found, ({ isDamaged }) => isDamaged)
  }
}
