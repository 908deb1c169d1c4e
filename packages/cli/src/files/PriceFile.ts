/** Prices from a file: a JSON object, or rows of asset and price. */
import type * as Policy from "@tallystick/reconcile/Policy"
import * as PriceList from "@tallystick/reconcile/render/PriceList"
import * as Prices from "@tallystick/reconcile/render/Prices"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Failure from "../Failure.ts"
import * as InputFile from "./InputFile.ts"
import * as SettingFile from "./SettingFile.ts"

const decodeList = SettingFile.decode(PriceList.PriceList)
const decodeRow = SettingFile.decode(PriceList.PriceRow)

const fromRows = Effect.fnUntraced(function*(file: InputFile.InputFile) {
  const prices = new Map<string, string>()
  for (const { source, value } of yield* SettingFile.rowsOf(file)) {
    const { asset, price } = yield* decodeRow(value, source)
    if (prices.has(asset)) return yield* Failure.usage(`${source}: ${asset} has a price already`)
    prices.set(asset, price)
  }
  return prices
})

/** The prices of `--prices`: refused where names that the policy calls equal differ in theirs. */
export const read = Effect.fnUntraced(
  function*(path: Option.Option<string>, { assets }: Pick<Policy.Resolved, "assets">) {
    if (Option.isNone(path)) return undefined
    const file = yield* InputFile.read(path.value)
    const isObject = /^\uFEFF?\s*\{/.test(file.text)
    const prices: Prices.Prices = isObject
      ? new Map(Object.entries(yield* decodeList(yield* SettingFile.json(file), file.name)))
      : yield* fromRows(file)
    if (prices.size === 0) {
      return yield* Failure.usage(
        `${file.name}: no price stands in it; {"BTC": "65000.12"} was wanted, or lines of asset and price under a header`
      )
    }
    const [one, other] = Prices.contradiction(prices, assets.aliases) ?? []
    if (one !== undefined) {
      return yield* Failure.usage(
        `${file.name}: the policy calls ${one} and ${other} one asset, and their prices differ; give one of them`
      )
    }
    return prices
  }
)
