/** Holds the records of a broker in memory, which a test may change while it runs. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as BrokerConfig from "./BrokerConfig.ts"
import type * as SubAccount from "./SubAccount.ts"
import type * as SubAccountDeposit from "./SubAccountDeposit.ts"
import type * as UniversalTransfer from "./UniversalTransfer.ts"

/** All records that the service has, or will have: one whose own time lies in the future is shown from that time on. */
export interface Records {
  /** The deposits of all sub-accounts, in any order. */
  readonly deposits: ReadonlyArray<SubAccountDeposit.SubAccountDeposit>
  /** The transfers of all pairs of accounts, in any order. */
  readonly transfers: ReadonlyArray<UniversalTransfer.UniversalTransfer>
  /** The sub-accounts that the service lists. One that names no time is listed from the beginning. */
  readonly subAccounts: ReadonlyArray<SubAccount.SubAccount>
}

/**
 * The records of the broker that `Broker.layerMemory` builds. Every request is answered from the records of its own moment.
 *
 * A record of the future needs no change: it appears when the clock comes to its `insertTime` or `timestamp`. A record that
 * arrives late, changes its status, or vanishes is a change. One that happens at a certain time is a change after a sleep, in a
 * fiber of its own.
 */
export class BrokerMemory extends Context.Service<BrokerMemory, {
  /** The records of now, those of the future among them. */
  readonly records: Effect.Effect<Records>
  /** Replaces all records. It fails, and changes nothing, where a record is not as its type promises; the error names it. */
  readonly set: (records: Records) => Effect.Effect<void, BrokerConfig.ConfigurationError>
  /** Replaces all records by what a function makes of them. It fails as `set` does. */
  readonly update: (f: (records: Records) => Records) => Effect.Effect<void, BrokerConfig.ConfigurationError>
}>()("@tallystick/core/BrokerMemory") {}
