/** The prices that an execution is made with, and what the ledger keeps of them. */
import * as Amount from "@tallystick/core/Amount"
import * as Execution from "../../Execution.ts"

/** Prices of one unit of each asset, all in one currency. */
export interface PriceList {
  /** Exact decimal text above zero by asset, each name of an asset apart. */
  readonly of: ReadonlyMap<string, string>
  /** The currency, as in `USD`: 1 to 20 letters and digits. Default: nobody knows which it is, and it is the same for all executions. */
  readonly currency?: string
}

/** Says what is wrong with a list; nothing where it can be kept. */
export const problem = ({ currency, of }: PriceList): string | undefined => {
  if (currency !== undefined && !Execution.isCurrency(currency)) {
    return `their currency is ${JSON.stringify(currency)}; 1 to 20 letters and digits were wanted, as in "USD"`
  }
  const wrong = Array.from(of).find(([, price]) => !Amount.isAmount(price) || Amount.isZero(price))
  return wrong === undefined ?
    undefined :
    `of ${JSON.stringify(wrong[0])} it is ${
      JSON.stringify(wrong[1])
    }; a decimal above zero was wanted, as in "65000.12", with at most 64 digits on either side of the point`
}

/** Gives what the ledger keeps: the prices of some assets, in the order of their names. */
export const kept = ({ currency, of }: PriceList, assets: ReadonlySet<string>): Execution.Prices => ({
  ...(currency === undefined ? {} : { currency }),
  list: Array.from(assets).toSorted().flatMap((asset) => {
    const price = of.get(asset)
    return price === undefined ? [] : [{ asset, price: Amount.canonical(price) }]
  })
})
