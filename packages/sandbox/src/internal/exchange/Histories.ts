/**
 * Answers the lists (the exchange's interface description, sections 4.2 and 4.3, and the list of sub-accounts, which it does not
 * have): checks the question against the contract, and gives one page.
 */
import type * as Conventions from "@tallystick/core/Conventions"
import type { SubAccount } from "@tallystick/core/SubAccount"
import * as Result from "effect/Result"
import type * as Faults from "../../Faults.ts"
import type * as Rules from "../../Rules.ts"
import { type Answer, type Checked, json } from "./Answer.ts"
import type * as Ledger from "./Ledger.ts"
import * as Listing from "./Listing.ts"
import * as Parameters from "./Parameters.ts"
import type * as SortedRecords from "./SortedRecords.ts"
import * as Wire from "./Wire.ts"

export interface Setting {
  readonly conventions: Conventions.Conventions
  readonly rules: Rules.Rules
  /** The name of the master account, for which an absent account stands. */
  readonly master: string
  readonly ledger: Ledger.Ledger
}

const DAY = 86_400_000
const MINUTE = 60_000

const account = { pattern: /^.{1,256}$/su, wanted: "an account name of 1 to 256 characters is wanted" }
const word = { pattern: /^[A-Za-z_]{1,64}$/, wanted: "letters and underscores are wanted" }

export const transfers = (
  setting: Setting,
  parameters: Parameters.Parameters,
  moment: Listing.Moment,
  faults: Faults.Faults
): Checked<Answer> =>
  Result.gen(function*() {
    const { conventions, ledger, master, rules } = setting
    const route = {
      fromType: yield* Parameters.requiredText(parameters, "fromAccountType", word.pattern, word.wanted),
      toType: yield* Parameters.requiredText(parameters, "toAccountType", word.pattern, word.wanted),
      from: (yield* Parameters.text(parameters, "fromAccount", account.pattern, account.wanted)) ?? master,
      to: (yield* Parameters.text(parameters, "toAccount", account.pattern, account.wanted)) ?? master
    }
    const clientTranId = yield* Parameters.text(
      parameters,
      "clientTranId",
      /^[A-Za-z0-9]{32}$/,
      "32 letters and digits are wanted"
    )
    const { end, start } = yield* Parameters.interval(parameters)
    const { limit, page } = yield* Parameters.paging(parameters, conventions.transferPage)
    const found = Listing.page(
      ledger.transfers(route),
      {
        start: start ?? (end ?? moment.now) - rules.transferDefault,
        end,
        oldest: moment.now - conventions.transferHistory,
        page,
        limit,
        filter: clientTranId === undefined ? undefined : (transfer) => transfer.clientTranId === clientTranId
      },
      faults,
      moment
    )
    return json(Wire.make(faults).transfers(found.records, found.total))
  })

/** Returns the oldest insertTime that the service still knows. */
const oldestDeposit = (conventions: Conventions.Conventions, rules: Rules.Rules, now: number): number => {
  if (rules.depositsFromMidnight === null) return now - conventions.depositHistory
  const offset = rules.depositsFromMidnight * MINUTE
  return Math.floor((now + offset) / DAY) * DAY - offset - 3 * DAY
}

const depositFilter = (coin: string | undefined, status: number | undefined) =>
  coin === undefined && status === undefined
    ? undefined
    : (deposit: { readonly coin: string; readonly status: number }) =>
      (coin === undefined || deposit.coin === coin) && (status === undefined || deposit.status === status)

export const deposits = (
  setting: Setting,
  parameters: Parameters.Parameters,
  moment: Listing.Moment,
  faults: Faults.Faults
): Checked<Answer> =>
  Result.gen(function*() {
    const { conventions, ledger, rules } = setting
    const coin = yield* Parameters.text(parameters, "coin", /^[^\s]{1,64}$/u, "a coin name is wanted")
    const status = yield* Parameters.integer(parameters, "status", { minimum: 0, maximum: 2_147_483_647 })
    const { end, start } = yield* Parameters.interval(parameters)
    const { limit, page } = yield* Parameters.paging(parameters, conventions.depositPage)
    const found = Listing.page(
      ledger.deposits,
      {
        start,
        end,
        oldest: oldestDeposit(conventions, rules, moment.now),
        page,
        limit,
        filter: depositFilter(coin, status)
      },
      faults,
      moment
    )
    return json(Wire.make(faults).deposits(found.records))
  })

/** Answers the list of sub-accounts. It knows no range of time, so faults of ranges do not touch it. */
export const subAccounts = (
  { conventions }: Setting,
  records: SortedRecords.SortedRecords<SubAccount>,
  parameters: Parameters.Parameters,
  moment: Listing.Moment,
  { ends: _ends, filterUnit: _filterUnit, span: _span, ...faults }: Faults.Faults
): Checked<Answer> =>
  Result.gen(function*() {
    const name = yield* Parameters.text(parameters, "subAccount", account.pattern, account.wanted)
    const { limit, page } = yield* Parameters.paging(parameters, conventions.subAccountPage)
    const filter = name === undefined ? undefined : ({ subAccount }: SubAccount) => subAccount === name
    const found = Listing.page(
      records,
      { start: undefined, end: undefined, oldest: 0, page, limit, filter },
      faults,
      moment
    )
    return json(Wire.make(faults).subAccounts(found.records))
  })
