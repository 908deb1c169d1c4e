/** Tier `linked`: what somebody says belongs together. */
import type * as Policy from "../../../Policy.ts"
import * as Amounts from "../ledger/Amounts.ts"
import { item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Words from "../Words.ts"
import type { Workbench } from "../Workbench.ts"

/** A link with its entries found. */
export interface Found {
  readonly link: Policy.Resolved["links"][number]
  readonly deposits: ReadonlyArray<number>
  readonly transfers: ReadonlyArray<number>
}

const sum = (values: ReadonlyArray<bigint>): bigint => values.reduce((total, value) => total + value, 0n)

export const linked = ({ ledger, settle }: Workbench, links: ReadonlyArray<Found>): void => {
  for (const { deposits, link, transfers } of links) {
    const amounts = Amounts.make(ledger, deposits, transfers)
    const residual = amounts.format(sum(transfers.map(amounts.transfer)) - sum(deposits.map(amounts.deposit)))
    const who = link.by === undefined || link.by === "" ? "by hand" : `by ${link.by}`
    const why = link.reason === undefined || link.reason === "" ? "" : ` (${link.reason})`
    settle({
      code: "linked",
      deposits,
      transfers,
      finality: "always",
      decidedBy: "link",
      rule: `linked ${who}${why}`,
      residual,
      ...(deposits.length === 1 && transfers.length === 1
        ? { lagMs: Ledger.lag(ledger, item(deposits, 0), item(transfers, 0)) }
        : {}),
      explanation:
        `${Words.count(deposits.length, "deposit")} and ${
          Words.count(transfers.length, "transfer")
        } were linked ${who}${why}; ` +
        (residual === "0" ? "their amounts are equal." : `the transfers differ from the deposits by ${residual}.`)
    })
  }
}
