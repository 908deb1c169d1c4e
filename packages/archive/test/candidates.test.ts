/** What a person might link with an open entry, and what stands in the way of it. */
import { assert, describe, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Archive from "../src/Archive.ts"
import type * as Candidate from "../src/Candidate.ts"
import * as Candidates from "../src/Candidates.ts"
import { arrived, tells } from "./support/accept.ts"
import { arrives, book, options, swept } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { DAY, decide, HOUR, idOf, link, MINUTE, testOn, why } from "./support/decisions.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

type Named = Parameters<Candidates.Service["near"]>[0]

const found = (entry: Named, asked?: Candidates.NearOptions) =>
  Effect.map(Candidates.Candidates.use(({ near }) => near(entry, asked)), Option.getOrThrow)

/** The candidates of a deposit, by its transaction. */
const near = Effect.fnUntraced(function*(tx: string, asked?: Candidates.NearOptions) {
  return yield* found({ side: "deposit", id: yield* idOf(tx) }, asked)
})

/** The candidate of an id among those that were found. */
const named = ({ candidates }: Candidate.Candidates, id: string) =>
  candidates.find(({ entry }) => entry.id === id) ?? assert.fail(`${id} is no candidate`)

const ids = ({ candidates }: Pick<Candidate.Candidates, "candidates">) => candidates.map(({ entry }) => entry.id)

const tags = ({ hindrances }: Candidate.Candidate) => hindrances.map(({ _tag }) => _tag)

describe.each(databases)("candidates, on $name", (kind) => {
  const test = testOn(kind)

  it.live("agree in some fields, differ by an exact amount, and wait or not", () =>
    test(Effect.gen(function*() {
      yield* book()
      const { candidates, entry, searched } = yield* near("near")
      assert.deepStrictEqual(
        [entry.asset, entry.amount, entry.status],
        ["USDT", "1.5", "settled"]
      )
      assert.deepStrictEqual(searched, { from: NOW - DAY, to: NOW + DAY + 1 })
      assert.deepStrictEqual(
        candidates.map(({ agrees: { amount, asset, time }, difference, entry: { id }, hindrances, lag, stands }) => ({
          id,
          asset,
          amount,
          time,
          difference,
          lag,
          stands: stands._tag,
          hindrances
        })),
        [
          {
            id: "t1",
            asset: true,
            amount: "differs",
            time: "window",
            difference: "0.1",
            lag: 10 * MINUTE,
            stands: "Waiting",
            hindrances: []
          },
          {
            id: "t2",
            asset: true,
            amount: "differs",
            time: "window",
            difference: "-7.5",
            lag: 20 * MINUTE,
            stands: "Waiting",
            hindrances: []
          }
        ]
      )
      const back = yield* found({ side: "transfer", id: "t2" })
      assert.deepStrictEqual(back.candidates.map(({ difference, lag }) => [difference, lag]), [["-7.5", 20 * MINUTE]])
      const far = yield* found({ side: "transfer", id: "t2" }, { reach: 5 * DAY })
      const [first, ...others] = far.candidates
      assert.deepStrictEqual([first?.agrees.amount, first?.agrees.time, first?.difference], ["equal", "beyond", "0"])
      assert.deepStrictEqual(first?.stands, { _tag: "NotJudged" })
      assert.lengthOf(others, 1)
    })))

  it.live("stand as the last execution left them, and what they are matched with is told", () =>
    test(Effect.gen(function*() {
      const { near, outcome } = yield* Candidates.Candidates
      assert.isTrue(Option.isNone(yield* near({ side: "transfer", id: "t9" })))
      assert.deepStrictEqual((yield* found({ side: "transfer", id: "t1" })).candidates.map(({ stands }) => stands), [
        { _tag: "NotJudged" }
      ])
      assert.isTrue(Option.isNone(yield* outcome({ side: "transfer", id: "t1" })))
      yield* arrives(swept)
      const { execution } = yield* book()
      const other = { side: "deposit", id: yield* idOf("other") } as const
      const [candidate] = (yield* found(other)).candidates
      const { number, run } = execution.body
      assert.deepStrictEqual(candidate?.stands, { _tag: "NeverWaited", execution: number, run })
      const settled = Option.getOrThrow(yield* outcome({ side: "transfer", id: "t3" }))
      assert.deepStrictEqual([settled.code, settled.deposits.map(({ id }) => id)], ["exact", [other.id]])
      const open = Option.getOrThrow(yield* outcome({ side: "transfer", id: "t1" }))
      assert.deepStrictEqual([open.code, open.transfers.map(({ id }) => id)], ["missing-deposit", ["t1"]])

      yield* decide([yield* link("near", ["t1"])])
      yield* book()
      const { stands } = named(yield* found({ side: "deposit", id: yield* idOf("near") }), "t1")
      assert.deepStrictEqual([stands._tag, "state" in stands ? stands.state : ""], ["Settled", "decided"])
    })))

  it.live("are not told without what forbids them: decisions, what vanished or failed, another asset, a line of the policy", () =>
    test(Effect.gen(function*() {
      const id = yield* idOf("near")
      yield* tells(transfer({ tranId: "failed", amount: "1.5", status: "FAILED" }), NOW + 6 * DAY)
      const policy = yield* Policy.make({ forbid: [{ deposit: id, transfer: "t2" }] })
      yield* book(options(undefined, policy))
      yield* decide([
        { kind: "forbid", deposit: id, transfer: "t1", ...why },
        { kind: "exclude", side: "transfer", id: "t2", ...why }
      ])
      const first = yield* near("near")
      assert.deepStrictEqual(named(first, "t1").hindrances, [{
        _tag: "Contradicted",
        decision: 2,
        kind: "forbid",
        says: `says that deposit "${id}" and transfer "t1" do not belong together`
      }])
      assert.deepStrictEqual(tags(named(first, "t2")), ["Contradicted", "Policy"])
      assert.deepStrictEqual(tags(named(first, "failed")), ["Failed"])
      yield* decide([{ kind: "revoke", decision: 3, words: "no" }, { kind: "revoke", decision: 2, words: "no" }])
      assert.deepStrictEqual((yield* near("near")).candidates.map((one) => [one.entry.id, tags(one)]), [
        ["t1", []],
        ["t2", ["Policy"]],
        ["failed", ["Failed"]]
      ])
      const { compare } = yield* Candidates.Candidates
      const btc = yield* compare({ side: "transfer", id: "t1" }, [yield* idOf("other"), "nothing"])
      assert.deepStrictEqual(
        Option.getOrThrow(btc).candidates.map(({ agrees: { asset }, difference, hindrances }) => [
          asset,
          difference,
          hindrances
        ]),
        [[false, null, [{ _tag: "OtherAsset" }]]]
      )
      const { transfers } = yield* Archive.Archive
      yield* transfers.saveSlice({
        from: NOW,
        to: NOW + DAY,
        records: [],
        bad: [],
        coverage: [{ operation: "transfers", from: NOW, to: NOW + DAY, readAt: NOW + 7 * DAY, state: "complete" }]
      })
      assert.deepStrictEqual(named(yield* near("near"), "t1").hindrances, [{ _tag: "Vanished", side: "transfer" }])
      const own = yield* found({ side: "transfer", id: "t1" })
      assert.deepStrictEqual(own.candidates.map(({ hindrances }) => hindrances), [[
        { _tag: "Vanished", side: "transfer" }
      ]])
    })))

  it.live("agree where the policy of the books says so: fees and tolerances, windows of single assets, names of one asset", () =>
    test(Effect.gen(function*() {
      const policy = yield* Policy.make({
        fees: [{ asset: "USDT", flat: "0.1" }],
        per: [{ asset: "BTC", window: { before: 0, after: "30 minutes" }, late: "1 hour" }],
        assets: { aliases: [["USDT", "USDT-TRX"]] }
      })
      yield* arrives(transfer({ tranId: "named", asset: "USDT-TRX", amount: "1.50", timestamp: NOW + 50 * MINUTE }))
      yield* arrives(transfer({ tranId: "late", asset: "BTC", amount: "3", timestamp: NOW + 80 * MINUTE }))
      yield* arrives(transfer({ tranId: "early", asset: "BTC", amount: "3", timestamp: NOW - MINUTE }))
      yield* arrives(transfer({ tranId: "behind", asset: "BTC", amount: "4", timestamp: NOW + 3 * HOUR }))
      yield* book(options(undefined, policy))
      const usdt = yield* near("near")
      assert.deepStrictEqual(
        usdt.candidates.map(({ agrees: { amount, asset, time }, entry: { id } }) => `${id} ${asset} ${amount} ${time}`)
          .toSorted(),
        ["named true equal window", "t1 true accepted window", "t2 true differs window"]
      )
      const btc = yield* near("other", { reach: 4 * HOUR })
      assert.deepStrictEqual(
        btc.candidates.map(({ agrees: { amount, time }, entry: { id } }) => `${id} ${amount} ${time}`).toSorted(),
        ["behind differs beyond", "early equal early", "late equal late"]
      )
    })))

  it.live("agree in the account where both are known, and in the reference where both have one", () =>
    test(Effect.gen(function*() {
      const [reference] = yield* Effect.map(
        Archive.Archive.use(({ deposits }) => deposits.named(["near"])),
        (records) => records.map(({ key }) => key)
      )
      yield* arrives(
        transfer({ tranId: "same", asset: "ETH", amount: "7", clientTranId: reference ?? "", timestamp: NOW + HOUR })
      )
      const agrees = (account?: string) =>
        Effect.map(
          near("near", account === undefined ? {} : { account: () => account }),
          (told) =>
            ["t1", "same"].map((id) => {
              const { agrees: { account, reference } } = named(told, id)
              return [account, reference]
            })
        )
      assert.deepStrictEqual(yield* agrees(), [[null, null], [null, true]])
      assert.deepStrictEqual(yield* agrees("a@x"), [[true, null], [true, true]])
      assert.deepStrictEqual(yield* agrees("b@x"), [[false, null], [false, true]])
      const { candidates } = yield* found({ side: "transfer", id: "same" })
      assert.deepStrictEqual(candidates.map(({ agrees, hindrances }) => [agrees.reference, hindrances]), [
        [true, [{ _tag: "OtherAsset" }]]
      ])
    })))

  it.live("are so many at most, the best first", () =>
    test(Effect.gen(function*() {
      yield* arrived(...Array.from({ length: 30 }, (_, index) =>
        deposit({ txId: `d${index}`, coin: "ETH", amount: `1.${index + 10}`, insertTime: NOW + index * MINUTE })))
      const one = transfer({ tranId: "one", asset: "ETH", amount: "1.2", timestamp: NOW + 40 * MINUTE })
      yield* arrives(one)
      const entry = { side: "transfer", id: "one" } as const
      const told = yield* found(entry)
      assert.deepStrictEqual(
        told.candidates.slice(0, 5).map(({ difference }) =>
          difference
        ),
        ["0", "0.01", "-0.01", "0.02", "-0.02"]
      )
      assert.lengthOf(told.candidates, 20)
      assert.lengthOf((yield* found(entry, { limit: 3 })).candidates, 3)
      assert.deepStrictEqual(ids(yield* found(entry, { limit: 100 })).slice(0, 20), ids(told))
      assert.lengthOf((yield* found(entry, { limit: 100 })).candidates, 30)
    })))
})
