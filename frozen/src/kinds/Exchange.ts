/** Three days of the sandbox exchange with planted breaks, read by the client. */
import type * as Broker from "@tallystick/core/Broker"
import * as BrokerReconciliation from "@tallystick/reconcile/BrokerReconciliation"
import * as Policy from "@tallystick/reconcile/Policy"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as History from "@tallystick/sandbox/History"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Truth from "@tallystick/sandbox/Truth"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Book from "../Book.ts"
import * as Kind from "../Kind.ts"
import * as Random from "../Random.ts"
import * as Still from "../Still.ts"
import type { Failure, Subject } from "../Subject.ts"

/** When the histories are read, Unix ms. */
const NOW = Book.T0

const historyOf = (random: Random.Random, seed: number): History.History =>
  History.generate({
    seed,
    to: NOW,
    deposits: random.int(150, 400),
    subAccounts: random.int(4, 10),
    kinds: Truth.Kind.literals,
    breaks: random.int(20, 60),
    sweeps: 8,
    splits: 8,
    crowd: { share: random.pick([0, 0.05, 0.3]), unswept: 0.02 }
  })

const policies: readonly [Policy.Policy, ...ReadonlyArray<Policy.Policy>] = [
  {},
  { grouping: { manyToOne: false, oneToMany: false } },
  { reference: "require", tolerance: { absolute: "0.01" } },
  { window: { before: "0 minutes", after: "25 hours" }, late: "1 day" }
]

const subject = (seed: number): Subject => {
  const random = Random.make(Random.seedOf("exchange", seed))
  const history = historyOf(random, seed)
  const accounts = { list: history.subAccounts, complete: random.chance(0.8) }
  const policy = random.pick(policies)
  const options: Reconciliation.Asked = {
    policy: Effect.runSync(Policy.make(policy)),
    accounts,
    range: random.pick([
      { from: NOW - 66 * Book.HOUR, to: NOW },
      { from: NOW - 80 * Book.HOUR, to: NOW - 10 * Book.HOUR },
      { from: NOW - 48 * Book.HOUR, to: NOW - 24 * Book.HOUR }
    ]),
    ...(random.chance(0.6) ? { addresses: history.addressBook } : {})
  }
  const run = <A, E extends Failure>(effect: Effect.Effect<A, E, Broker.Broker>): Effect.Effect<A, Failure> =>
    effect.pipe(
      Effect.provide(
        Sandbox.Sandbox.layerBroker({ retries: 0 }).pipe(
          Layer.provide(Sandbox.Sandbox.layerInProcess({ history, rules: { rate: null } }))
        )
      ),
      Still.at(NOW)
    )
  return {
    accounts,
    input: { policy, range: options.range, deposits: history.deposits, transfers: history.transfers },
    report: run(BrokerReconciliation.run(options)),
    streams: { stream: Still.collected(BrokerReconciliation.events(options), run) }
  }
}

export const exchange: Kind.Kind = {
  name: "exchange",
  seeds: Kind.upTo(20),
  subject: (seed) => Effect.sync(() => subject(seed))
}
