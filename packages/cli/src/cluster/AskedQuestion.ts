/** What is asked of a day or a range. The files are read where it is asked, so that a runner needs none of them. */
import * as Prices from "@tallystick/report/Prices"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as PriceFile from "../files/PriceFile.ts"
import * as SettingFile from "../files/SettingFile.ts"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import type * as InputFlags from "../flags/InputFlags.ts"
import * as Inputs from "../flags/Inputs.ts"
import * as ReportFlags from "../flags/ReportFlags.ts"

export interface Flags
  extends
    AuthorFlags.Flags,
    Pick<InputFlags.Flags, "accounts" | "addresses" | "policy">,
    Pick<ReportFlags.Flags, "prices" | "pricesIn">
{}

/** Reads everything but the range. Accounts are absent where no file says which there are: then those that the archive knows count. */
export const read = Effect.fnUntraced(function*(flags: Flags) {
  const { accounts: given, addresses, policy, prices: priced } = flags
  yield* Inputs.oneStdin({ policy, accounts: given, addresses, prices: priced })
  const { accounts, ...told } = yield* Inputs.settings(flags)
  const rules = yield* SettingFile.policy(policy)
  const currency = yield* ReportFlags.currency(flags)
  const prices = yield* PriceFile.read(priced, rules)
  return {
    ...told,
    policy: rules,
    author: yield* AuthorFlags.author(flags),
    ...(Option.isSome(given) || Option.isSome(addresses) ? { accounts } : {}),
    ...(prices === undefined ? {} : {
      prices: {
        of: Object.fromEntries(Prices.resolve(prices, rules.assets.aliases)),
        ...(currency === undefined ? {} : { currency })
      }
    })
  }
})
