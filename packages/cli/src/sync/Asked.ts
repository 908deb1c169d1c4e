/** What the flags of a sync mean together. */
import type * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Failure from "../Failure.ts"
import * as SettingFile from "../files/SettingFile.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import * as Inputs from "../flags/Inputs.ts"
import * as ListsAgain from "../flags/ListsAgain.ts"
import type { Flags } from "../flags/SyncFlags.ts"
import * as ConfiguredBroker from "../network/ConfiguredBroker.ts"
import * as ListenPlace from "../network/ListenPlace.ts"
import * as Moment from "../text/Moment.ts"

const MINUTE = 60_000

const SECOND = 1000

/** A round's options; the accounts are those of a file, or the exchange is asked for them before each round. */
export interface Asked extends Omit<Sync.Options, "accounts"> {
  readonly accounts: SettingFile.Told
  readonly addresses: AddressBook.AddressBook | undefined
}

/** What the files of accounts and addresses say of a round. */
export const ofLists = ({ accounts, addresses }: Inputs.Told) => ({
  accounts,
  addresses,
  ...(addresses === undefined ? {} : { account: AddressBook.lookup(addresses) })
})

/** The time between two rounds, ms. */
const interval = Effect.fnUntraced(function*({ every }: Pick<Flags, "every">) {
  if (Option.isNone(every)) return 10 * MINUTE
  const length = Moment.ago(every.value)
  if (Result.isFailure(length)) return yield* Failure.usage(`--every: ${length.failure}`)
  return length.success < SECOND
    ? yield* Failure.usage("--every: at least a second must lie between two rounds")
    : length.success
})

/** The share of the configured rate that a sync may use. */
const budget = Effect.fnUntraced(function*({ budget }: Pick<Flags, "budget">) {
  if (Option.isNone(budget)) return 1
  const percent = /^(\d{1,3})%$/.exec(budget.value)?.[1]
  const share = Number(percent) / 100
  return share > 0 && share <= 1
    ? share
    : yield* Failure.usage(
      `--budget cannot be "${budget.value}"; wanted: a share of the rate from 1% to 100%, such as 50%`
    )
})

/** How often quiet lists are read at least, ms; 0: every time. */
const quietEvery = Effect.fnUntraced(function*({ all, quietEvery }: Pick<Flags, "all" | "quietEvery">) {
  if (Option.isNone(quietEvery)) return all ? { quietEvery: 0 } : {}
  if (all) return yield* Failure.usage("--all reads the quiet lists every time; leave out --quiet-every")
  const length = Moment.ago(quietEvery.value)
  return Result.isFailure(length)
    ? yield* Failure.usage(`--quiet-every: ${length.failure}`)
    : { quietEvery: length.success }
})

/** Where metrics are served, if anywhere. */
const metricsPlace = Effect.fnUntraced(function*({ metrics }: Pick<Flags, "metrics">) {
  if (Option.isNone(metrics)) return undefined
  const place = ListenPlace.parse(metrics.value)
  return Result.isFailure(place) ? yield* Failure.usage(`--metrics ${place.failure}`) : place.success
})

/** The first moment to keep, by the service's clock. */
const since = Effect.fnUntraced(function*({ since, zone }: Pick<Flags, "since" | "zone">) {
  if (Option.isNone(since)) return {}
  const broker = yield* Broker.Broker
  const [day, from, to] = [Option.none<string>(), Option.none<string>(), Option.none<string>()]
  const now = yield* broker.serverTime
  const asked = yield* AskedRange.asked({ day, from, to, since, zone }, now)
  if (asked.from === undefined) return {}
  return asked.from < now
    ? { since: asked.from }
    : yield* Failure.usage(
      `--since: "${since.value}" is now or later by the service's clock, so there is nothing to keep`
    )
})

/** What the flags ask for, before anything is asked of the service. */
export const make = Effect.fnUntraced(function*(flags: Flags) {
  const { accounts, addresses, policy } = flags
  yield* Inputs.oneStdin({ policy, accounts, addresses })
  const every = yield* interval(flags)
  const share = yield* budget(flags)
  const metrics = yield* metricsPlace(flags)
  const told = yield* Inputs.told(flags)
  if (told.accounts.list.length === 0) return yield* ConfiguredBroker.lacking(Inputs.NOBODY)
  const options = {
    ...ofLists(told),
    policy: yield* SettingFile.policy(policy),
    ...(yield* quietEvery(flags))
  }
  return {
    /** The time between two rounds, ms. */
    every,
    /** The share of the configured rate that a sync may use. */
    share,
    /** Where metrics are served, if anywhere. */
    metrics,
    lists: yield* ListsAgain.make(flags, told),
    /** What a round is asked, with the first moment by the service's clock. */
    asked: Effect.map(since(flags), (since): Asked => ({ ...options, ...since }))
  }
})
