/** Nothing keeps the files that a recorded run was given: which of them a command must name to ask again what the run answered. */
import * as Books from "@tallystick/archive/Books"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Configured from "../config/Configured.ts"
import * as Setting from "../config/Setting.ts"
import { STDIN } from "../files/InputFile.ts"
import * as SettingFile from "../files/SettingFile.ts"
import * as Inputs from "../flags/Inputs.ts"
import * as KnownAccounts from "./KnownAccounts.ts"

const all = ["policy", "accounts", "addresses"] as const

/** The file that a setting names. */
const configured = (of: typeof all[number]) =>
  Effect.map(Configured.value(Setting.inputs[of].variable), (found) => Option.fromUndefinedOr(found?.value))

/** What a command is told that names no files: what settings and the archive say. Nothing where it would ask the exchange or read stdin. */
const told = Effect.gen(function*() {
  const [policy, accounts, addresses] = yield* Effect.all([
    configured("policy"),
    configured("accounts"),
    configured("addresses")
  ])
  if ([policy, accounts, addresses].some(Option.contains(STDIN))) return Option.none()
  const named = yield* Inputs.told({ accounts, addresses })
  if (SettingFile.isOfService(named.accounts)) return Option.none()
  const isTold = Option.isSome(accounts) || Option.isSome(addresses)
  return Option.some({
    policy: yield* SettingFile.policy(policy),
    accounts: isTold ? named.accounts : yield* KnownAccounts.read,
    addresses: named.addresses ?? []
  })
})

/** Names the files without which a command would ask something else; all of them where that cannot be told. */
export const of = (run: Report.Summary) =>
  Effect.gen(function*() {
    const now = yield* told
    return Option.isNone(now) ? all : yield* Books.Books.use(({ toldOtherwise }) => toldOtherwise(now.value, run))
  }).pipe(Effect.orElseSucceed(() => all))
