/** The exchange refuses to show the transfers of some accounts, or refuses the key for all of them. */
import { assert, describe, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import * as Sync from "@tallystick/archive/Sync"
import * as Broker from "@tallystick/core/Broker"
import * as BrokerError from "@tallystick/core/BrokerError"
import * as TimeRange from "@tallystick/core/TimeRange"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { deposit, NOW, transfer } from "./support/records.ts"
import * as Seeded from "./support/Seeded.ts"

const HOUR = 3_600_000
const WHOLE = { from: 0, to: 2 * NOW }

const said = { code: "700004", serviceMessage: "sub account not exists" }
const reasons: ReadonlyArray<BrokerError.RequestReason> = [
  new BrokerError.InvalidRequest(said),
  new BrokerError.AccountRejected({ ...said, code: "730001" }),
  new BrokerError.PermissionDenied({ ...said, code: "700007", permission: "SPOT_TRANSFER_READ" })
]

const names = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, index) => `sub${index}`)

const history = (accounts: ReadonlyArray<string>) => ({
  deposits: [deposit({ insertTime: NOW - HOUR })],
  transfers: accounts.flatMap((fromAccount) =>
    [1, 30].map((hours) => transfer({ tranId: `${fromAccount} ${hours}`, fromAccount, timestamp: NOW - hours * HOUR }))
  )
})

interface Refusing {
  readonly reason: BrokerError.RequestReason
  readonly isRefused: (account: string) => boolean
  /** A refused list is refused from this time on; before it, it is shown. */
  readonly from?: number
}

/** A round of these accounts, and the accounts whose transfers were asked for. */
const round = Effect.fnUntraced(function*(
  accounts: ReadonlyArray<string>,
  { from = 0, isRefused, reason }: Refusing,
  options: Partial<Sync.Options> = {}
) {
  const broker = yield* Broker.Broker
  const asked: Array<string> = []
  const refusal = Stream.fail(BrokerError.BrokerError.of("universalTransfers", reason))
  const scanUniversalTransfers: Broker.Service["scanUniversalTransfers"] = (input) => {
    const name = input.fromAccount ?? input.toAccount ?? ""
    asked.push(name)
    if (!isRefused(name)) return broker.scanUniversalTransfers(input)
    const to = Math.min(from, TimeRange.millis(input.to))
    return TimeRange.millis(input.from) >= to
      ? refusal
      : Stream.concat(broker.scanUniversalTransfers({ ...input, to }), refusal)
  }
  const ended = yield* Effect.result(
    Effect.provideService(
      Sync.run({ accounts: { list: accounts, complete: true }, ...options }),
      Broker.Broker,
      { ...broker, scanUniversalTransfers }
    )
  )
  return { asked, ended }
})

const succeeded = (...args: Parameters<typeof round>) =>
  Effect.flatMap(
    round(...args),
    ({ asked, ended }) => Effect.map(Effect.fromResult(ended), (summary) => ({ asked, summary }))
  )

/** The accounts of which any time is complete, and those with a gap, as the archive knows it. */
const known = Archive.use(({ coverage }) =>
  Effect.map(coverage(), (parts) => {
    const of = (state: string) =>
      Array.from(new Set(parts.flatMap((part) => part.state === state ? part.query?.fromAccount ?? [] : []))).toSorted()
    return { complete: of("complete"), incomplete: of("incomplete") }
  })
)

const kept = Archive.use(({ transfers }) =>
  Stream.runFold(transfers.slices(WHOLE), () => 0, (sum, { records }) => sum + records.length)
)

const within = <A, E>(accounts: ReadonlyArray<string>, body: Effect.Effect<A, E, Archive | Broker.Broker>) =>
  Effect.andThen(TestClock.setTime(NOW), body).pipe(
    Effect.provide(Layer.fresh(Layer.merge(Archive.layerMemory(), Broker.Broker.layerMemory(history(accounts)))))
  )

describe("lists of transfers that the exchange refuses to show", () => {
  it.effect("are gaps with their names, whichever they are, and all others are read", () =>
    Effect.gen(function*() {
      for (let seed = 1; seed <= Math.min(Seeded.cases(20), 100); seed++) {
        const random = Seeded.make(seed)
        const accounts = names(random.int(2, 12))
        const refused = new Set(accounts.filter(() => random.chance(0.3)).slice(0, 4))
        const reason = random.pick(reasons)
        yield* within(
          accounts,
          Effect.gen(function*() {
            const { asked, summary } = yield* succeeded(accounts, { reason, isRefused: (name) => refused.has(name) })
            assert.sameMembers(asked, Array.from(accounts), `seed ${seed}`)
            const gaps = new Set(summary.gaps.map(({ query }) => query?.fromAccount))
            assert.deepStrictEqual(gaps, refused, `seed ${seed}`)
            for (const { gap } of summary.gaps) {
              assert.include(gap?.detail ?? "", "the exchange refuses to show it")
              assert.include(gap?.detail ?? "", "sub account not exists")
            }
            if (refused.size > 0) assert.isNull(summary.completeTo)
            assert.deepStrictEqual(yield* known, {
              complete: accounts.filter((name) => !refused.has(name)).toSorted(),
              incomplete: Array.from(refused).toSorted()
            })
            assert.strictEqual(yield* kept, 2 * (accounts.length - refused.size))
          })
        )
      }
    }))

  it.effect("claim nothing beyond what was shown before, and are complete when they are shown again", () => {
    const accounts = names(3)
    const refusing: Refusing = {
      reason: new BrokerError.InvalidRequest(said),
      isRefused: (name) => name === "sub1"
    }
    return within(
      accounts,
      Effect.gen(function*() {
        const never = { ...refusing, isRefused: () => false }
        const before = yield* succeeded(accounts, never)
        yield* TestClock.adjust("3 hours")
        const { summary } = yield* succeeded(accounts, refusing)
        assert.strictEqual(summary.completeTo, before.summary.completeTo)
        assert.deepStrictEqual(Array.from(new Set(summary.gaps.map(({ query }) => query?.fromAccount))), ["sub1"])
        yield* TestClock.adjust("3 hours")
        const after = yield* succeeded(accounts, never)
        assert.deepStrictEqual(after.summary.gaps, [])
        assert.deepStrictEqual((yield* known).incomplete, [])
      })
    )
  })

  it.effect("keep what they showed before the refusal, and say nothing against it", () =>
    within(
      names(2),
      Effect.gen(function*() {
        const [reason] = reasons
        assert.isDefined(reason)
        const border = NOW - 24 * HOUR
        const { summary } = yield* succeeded(names(2), { reason, isRefused: (name) => name === "sub1", from: border })
        const parts = (yield* Archive.use(({ coverage }) => coverage())).filter(({ query }) =>
          query?.fromAccount === "sub1"
        )
        assert.deepStrictEqual(new Set(parts.map(({ state }) => state)), new Set(["complete", "incomplete"]))
        for (const { state, to } of parts) if (state === "complete") assert.isAtMost(to, border)
        for (const { gap } of summary.gaps) assert.notInclude(gap?.detail ?? "", "as it was read before")
        assert.strictEqual(yield* kept, 3)
      })
    ))

  it.effect("end the round after five in a row where none is shown, and the next round begins with others", () =>
    within(
      names(40),
      Effect.gen(function*() {
        for (const reason of reasons) {
          const { asked, ended } = yield* round(names(40), { reason, isRefused: () => true })
          assert.strictEqual(ended._tag === "Failure" && ended.failure.reason._tag, reason._tag)
          assert.lengthOf(asked, 5)
        }
        assert.deepStrictEqual(yield* known, { complete: [], incomplete: names(15).toSorted() })
        const first = new Set(names(15))
        const { asked, summary } = yield* succeeded(names(40), {
          reason: new BrokerError.InvalidRequest(said),
          isRefused: (name) => first.has(name)
        })
        assert.lengthOf(asked, 40)
        assert.strictEqual(new Set(summary.gaps.map(({ query }) => query?.fromAccount)).size, 15)
      })
    ))

  it.effect("end no round where they are of one account alone", () =>
    within(
      names(3),
      Effect.gen(function*() {
        const types = ["SPOT", "FUTURES", "MARGIN", "ISOLATED_MARGIN"]
        const policy = yield* Policy.make({
          flows: [{ from: "*", to: "master", types: types.flatMap((from) => types.map((to) => [from, to] as const)) }]
        })
        const { summary } = yield* succeeded(
          names(3),
          { reason: new BrokerError.InvalidRequest(said), isRefused: (name) => name === "sub0" },
          { policy }
        )
        assert.deepStrictEqual(Array.from(new Set(summary.gaps.map(({ query }) => query?.fromAccount))), ["sub0"])
      })
    ))

  it.effect("end the round at once where the key itself is unknown", () =>
    within(
      names(3),
      Effect.gen(function*() {
        const reason = new BrokerError.KeyRejected({ code: "401", serviceMessage: "" })
        const { asked, ended } = yield* round(names(3), { reason, isRefused: (name) => name === "sub0" })
        assert.strictEqual(ended._tag === "Failure" && ended.failure.reason._tag, "KeyRejected")
        assert.lengthOf(asked, 1)
        assert.deepStrictEqual((yield* known).incomplete, [])
      })
    ))

  it.effect("fail no round whose own list lacks the account, but where a permission is refused", () =>
    within(
      names(3),
      Effect.gen(function*() {
        const list = (...listed: ReadonlyArray<string>) => ({
          subAccounts: listed.map((subAccount) => ({ subAccount, note: "" })),
          isProven: true
        })
        const never = { reason: new BrokerError.InvalidRequest(said), isRefused: () => false }
        const before = yield* succeeded(names(3), never, { listed: { ...list("sub0", "sub1", "sub2"), at: NOW } })
        for (const [index, reason] of reasons.entries()) {
          yield* TestClock.adjust("1 hour")
          const refusing = { reason, isRefused: (name: string) => name === "sub1" }
          const lacking = { ...list("sub0", "sub2"), at: NOW + (index + 1) * HOUR }
          for (const listed of [undefined, { ...lacking, isProven: false }]) {
            const untold = yield* succeeded(names(3), refusing, listed && { listed })
            assert.isAbove(untold.summary.gaps.length, 0, "no list of this round proves that it is gone")
          }
          yield* TestClock.adjust("1 hour")
          const { summary } = yield* succeeded(names(3), refusing, { listed: lacking })
          assert.strictEqual(summary.gaps.length > 0, reason._tag === "PermissionDenied")
          assert.strictEqual(summary.completeTo, before.summary.completeTo)
        }
      })
    ))
})
