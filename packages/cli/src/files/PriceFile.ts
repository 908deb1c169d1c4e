/** Prices from a file: a JSON object, or rows of asset and price. */
import type * as Policy from "@tallystick/reconcile/Policy"
import type * as Report from "@tallystick/reconcile/Report"
import * as Prices from "@tallystick/report/Prices"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Failure from "../Failure.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as InputFile from "./InputFile.ts"
import * as SettingFile from "./SettingFile.ts"

const decodeList = SettingFile.decode(Prices.PriceList)
const decodeRow = SettingFile.decode(Prices.PriceRow)

const fromRows = Effect.fnUntraced(function*(file: InputFile.InputFile) {
  const prices = new Map<string, string>()
  for (const { source, value } of yield* SettingFile.rowsOf(file)) {
    const { asset, price } = yield* decodeRow(value, source)
    if (prices.has(asset)) return yield* Failure.usage(`${source}: ${asset} has a price already`)
    prices.set(asset, price)
  }
  return prices
})

const fromObject = Effect.fnUntraced(function*(file: InputFile.InputFile) {
  const list = yield* decodeList(yield* SettingFile.json(file), file.name)
  return new Map(Object.entries(list))
})

/** The prices of `--prices`: refused where names that the policy calls equal differ in theirs. */
export const read = Effect.fnUntraced(
  function*(path: Option.Option<string>, { assets }: Pick<Policy.Resolved, "assets">) {
    if (Option.isNone(path)) return undefined
    const file = yield* InputFile.read(path.value)
    const isObject = /^\uFEFF?\s*\{/.test(file.text)
    const prices: Prices.Prices = isObject
      ? yield* fromObject(file)
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

/** The most names that are told. */
const NAMED = 3

const listed = (names: ReadonlyArray<string>): string =>
  Text.listed(
    names.length > NAMED ? [...names.slice(0, NAMED), `${Text.count(names.length - NAMED)} more`] : names
  )

/** Says where assets have no price while prices are of none of them: a name may be misspelt. */
export const notice = Effect.fnUntraced(function*(
  path: Option.Option<string>,
  prices: Prices.Prices | undefined,
  { policy, totals }: Pick<Report.Summary, "policy" | "totals">
) {
  if (Option.isNone(path) || prices === undefined) return
  const resolved = Prices.resolve(prices, policy.assets.aliases)
  const assets = new Set(totals.flatMap(({ assets }) => assets))
  const used = new Set([
    ...assets,
    ...policy.assets.aliases.filter((names) => names.some((name) => assets.has(name))).flat()
  ])
  const unpriced = Array.from(assets).filter((asset) => !resolved.has(asset))
  const unused = Array.from(prices.keys()).filter((asset) => !used.has(asset))
  if (unpriced.length === 0 || unused.length === 0) return
  yield* Stderr.tell(
    `${InputFile.nameOf(path.value)} has no price for ${listed(unpriced)}, and prices for what occurs nowhere: ${
      listed(unused)
    }`
  )
})
