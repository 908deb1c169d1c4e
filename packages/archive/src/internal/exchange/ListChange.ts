/** What differs between the exchange's list of sub-accounts and what an archive knew of its lists before. */
import type * as SubAccountTable from "./SubAccountTable.ts"

/** Names of sub-accounts, in order. */
export interface ListChange {
  /** The exchange lists them no more, as a proven list shows. */
  readonly gone: ReadonlyArray<string>
  /** They stand on a list for the first time, and the archive knew lists before. */
  readonly added: ReadonlyArray<string>
  /** They were gone, and are listed again. */
  readonly back: ReadonlyArray<string>
}

/** Compares what was known before a list was kept with what is known afterwards. Of the first list nothing is new, nor of one after a loss. */
export const of = (before: SubAccountTable.ListedAccounts, after: SubAccountTable.ListedAccounts): ListChange => {
  const known = new Map(before.accounts.map((account) => [account.name, account]))
  const isWhole = known.size > 0 && Number.isFinite(before.wholeFrom)
  const pick = (is: (now: SubAccountTable.ListedAccount, then: SubAccountTable.ListedAccount | undefined) => boolean) =>
    after.accounts.filter((now) => is(now, known.get(now.name))).map(({ name }) => name)
  return {
    gone: pick((now, then) => now.missedAt !== undefined && then !== undefined && then.missedAt === undefined),
    added: pick((_, then) => isWhole && then === undefined),
    back: pick((now, then) => now.missedAt === undefined && then?.missedAt !== undefined)
  }
}
