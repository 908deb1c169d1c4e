/** Tier `linked`: settles entries that the policy links by hand. */
import type * as Policy from "../../../Policy.ts"
import * as Amounts from "../ledger/Amounts.ts"
import { item } from "../ledger/Column.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"

/** A link, and the entries that it names. */
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
    settle({
      code: "linked",
      deposits,
      transfers,
      finality: "always",
      decidedBy: "link",
      residual,
      ...(deposits.length === 1 && transfers.length === 1
        ? { lagMs: Ledger.lag(ledger, item(deposits, 0), item(transfers, 0)) }
        : {}),
      because: {
        code: "linked",
        ...(link.by === undefined ? {} : { by: link.by }),
        ...(link.reason === undefined ? {} : { reason: link.reason })
      }
    })
  }
}
