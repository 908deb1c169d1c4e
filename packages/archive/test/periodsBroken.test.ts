/** What becomes of a closed period under each kind of later change. */
import { assert, describe, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Books from "../src/Books.ts"
import * as Periods from "../src/Periods.ts"
import { book, options, swept } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { auditor, decide, idOf, link, MINUTE, testOn, why } from "./support/decisions.ts"
import {
  became,
  bookDay,
  close,
  closed,
  closedUnasked,
  day,
  deposits,
  mate,
  paired,
  transfers,
  withoutLines
} from "./support/periods.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const late = NOW + 30 * MINUTE
const stranger = transfer({ tranId: "t9", asset: "XRP", amount: "4", timestamp: late })

describe.each(databases)("a closed period, on $name", (kind) => {
  const test = testOn(kind)

  it.live("stands as it did when its day is executed again without any change, alone or with other days", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* bookDay()
      yield* book(options({ from: day.from - 60 * MINUTE, to: day.to + 60 * MINUTE }))
      assert.deepStrictEqual(yield* became, [])
    })))

  it.live("a record that comes late and waits breaks it, also when it is settled meanwhile", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* transfers(late, [stranger])
      assert.deepStrictEqual(yield* became, [])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, ["broken transfer XRP: nothing -> open missing-deposit 4 (records)"])
      yield* deposits(late - MINUTE, [deposit({ txId: "x", coin: "XRP", amount: "4", insertTime: late - MINUTE })], 2)
      yield* bookDay()
      assert.deepStrictEqual(yield* became, ["broken transfer XRP: nothing -> matched exact 4 (records)"])
    })))

  it.live("a record that comes late and settles what was carried is what everybody waited for", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* transfers(swept.timestamp, [swept])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, ["settled deposit BTC: open missing-transfer 3 -> matched exact 3"])
    })))

  it.live("a pair that comes late and matches at once never waits, and is no break", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* transfers(late, [stranger])
      yield* deposits(late - MINUTE, [deposit({ txId: "x", coin: "XRP", amount: "4", insertTime: late - MINUTE })], 2)
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [])
    })))

  it.live("a record that vanishes breaks it, for the record and for what had matched it", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* transfers(mate.timestamp, [], 2)
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "broken deposit ETH: matched exact 5 -> open vanished 5 (records)",
        "broken transfer ETH: matched exact 5 -> open vanished 5 (records)"
      ])
    })))

  it.live("an amount that the service tells otherwise breaks it", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* transfers(mate.timestamp, [{ ...mate, amount: "4" }])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "broken deposit ETH: matched exact 5 -> open missing-transfer 5 (surroundings)",
        "broken transfer ETH: matched exact 5 -> open source-conflict 5 (records)"
      ])
    })))

  it.live("an amount of what was carried breaks it too", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* transfers(NOW + 20 * MINUTE, [transfer({ tranId: "t2", amount: "8", timestamp: NOW + 20 * MINUTE })])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "broken transfer USDT: open missing-deposit 9 -> open source-conflict 9 (records)"
      ])
    })))

  it.live("an amount that is told again in another form is the same amount, and breaks nothing", () =>
    test(Effect.gen(function*() {
      yield* closed
      const again = NOW + 20 * MINUTE
      yield* transfers(mate.timestamp, [{ ...mate, amount: "5.00" }])
      yield* transfers(again, [transfer({ tranId: "t2", amount: "9.000", timestamp: again })])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [])
      const { verify } = yield* Books.Books
      assert.deepStrictEqual(yield* verify, [])
    })))

  it.live("an account that the address book gives to what was carried says nothing of its record", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* transfers(swept.timestamp, [swept])
      const { address, network } = deposit()
      yield* book({ ...options(day), addresses: [{ account: "a@x", address, network }] })
      assert.deepStrictEqual(yield* became, ["settled deposit BTC: open missing-transfer 3 -> matched exact 3"])
    })))

  it.live("an account that it gives to what had matched is told as what it is", () =>
    test(Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"])])
      yield* bookDay()
      yield* decide([{ kind: "revoke", decision: 1, words: "it was another one" }])
      yield* bookDay()
      yield* decide([yield* link("near", ["t1"])])
      yield* bookDay()
      yield* close()
      const { address, network } = deposit()
      yield* book({ ...options(day), addresses: [{ account: "a@x", address, network }] })
      assert.deepStrictEqual(yield* became, [
        "broken deposit USDT: decided linked 1.5 -> decided linked 1.5 (accounts 8, surroundings)"
      ])
    })))

  it.live("what was carried and waits on in another state is told, and breaks nothing", () =>
    test(Effect.gen(function*() {
      yield* transfers(late, [{ ...stranger, status: "PENDING" }])
      yield* closed
      yield* transfers(late, [stranger], 2)
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "waits transfer XRP: undetermined unknown-status 4 -> open missing-deposit 4"
      ])
    })))

  it.live("a link of what was carried settles it", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* decide([yield* link("near", ["t1"])])
      assert.deepStrictEqual(yield* became, [])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "settled deposit USDT: open missing-transfer 1.5 -> decided linked 1.5",
        "settled transfer USDT: open missing-deposit 1.4 -> decided linked 1.4"
      ])
    })))

  it.live("a link that takes an entry from its pair breaks it, and names the decision", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* decide([{
        kind: "forbid",
        deposit: (yield* link("pair", ["t5"])).deposits[0] ?? "",
        transfer: "t5",
        ...why
      }])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "broken deposit ETH: matched exact 5 -> open missing-transfer 5 (decision 3)",
        "broken transfer ETH: matched exact 5 -> open missing-deposit 5 (decision 3)"
      ])
    })))

  it.live("what was set aside breaks it, for itself and its counterpart, and what is taken back mends it", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* decide([{ kind: "exclude", side: "transfer", id: "t5", ...why }])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "broken deposit ETH: matched exact 5 -> open missing-transfer 5 (decision 3)",
        "broken transfer ETH: matched exact 5 -> out excluded 5 (decision 3)"
      ])
      yield* decide([{ kind: "revoke", decision: 3, words: "it was ours" }])
      assert.deepStrictEqual(yield* became, [
        "broken deposit ETH: matched exact 5 -> open missing-transfer 5 (decision 3)",
        "broken transfer ETH: matched exact 5 -> out excluded 5 (decision 3)"
      ])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [])
    })))

  it.live("a pair of which both are set aside since breaks it, although neither ever waited", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* decide([
        { kind: "exclude", side: "transfer", id: "t5", ...why },
        { kind: "exclude", side: "deposit", id: yield* idOf("pair"), ...why }
      ])
      assert.deepStrictEqual(yield* became, [])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "broken deposit ETH: matched exact 5 -> out excluded 5 (decision 3, decision 4)",
        "broken transfer ETH: matched exact 5 -> out excluded 5 (decision 3, decision 4)"
      ])
      yield* decide([3, 4].map((decision) => ({ kind: "revoke", decision, words: "it was ours" }) as const))
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [])
    })))

  it.live("a link of what had matched by itself breaks it, and one that is taken back and matches by itself too", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* decide([yield* link("pair", ["t5"])])
      yield* bookDay()
      const linked = [
        "broken deposit ETH: matched exact 5 -> decided linked 5 (decision 3)",
        "broken transfer ETH: matched exact 5 -> decided linked 5 (decision 3)"
      ]
      assert.deepStrictEqual(yield* became, linked)
      yield* Periods.Periods.use((periods) =>
        periods.reopen({ author: auditor, close: 2, reason: "other", words: "linked since" })
      )
      yield* close()
      assert.deepStrictEqual(yield* became, [])
      yield* decide([{ kind: "revoke", decision: 3, words: "it matched by itself" }])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "broken deposit ETH: decided linked 5 -> matched exact 5 (decision 7)",
        "broken transfer ETH: decided linked 5 -> matched exact 5 (decision 7)"
      ])
    })))

  it.live("a decision that is revoked after the close breaks it", () =>
    test(Effect.gen(function*() {
      yield* bookDay()
      yield* decide([yield* link("near", ["t1"])])
      yield* bookDay()
      yield* close()
      yield* decide([{ kind: "revoke", decision: 2, words: "it was another one" }])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "broken deposit USDT: decided linked 1.5 -> open missing-transfer 1.5 (decision 5)",
        "broken transfer USDT: decided linked 1.4 -> open missing-deposit 1.4 (decision 5)"
      ])
    })))

  it.live("where two people decide, a revocation is named by its approval", () =>
    test(Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"])])
      yield* bookDay()
      yield* close()
      yield* decide([{ kind: "setting", approvals: true, authors: "any", words: "two people decide" }])
      yield* decide([{ kind: "revoke", decision: 1, words: "it was another one" }])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [])
      yield* decide([{ kind: "approve", decision: 5 }], { author: auditor })
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "broken deposit USDT: decided linked 1.5 -> open missing-transfer 1.5 (decision 7)",
        "broken transfer USDT: decided linked 1.4 -> open missing-deposit 1.4 (decision 7)"
      ])
    })))

  it.live("so does one on an entry that never waited before", () =>
    test(Effect.gen(function*() {
      yield* decide([yield* link("near", ["t1"])])
      yield* bookDay()
      yield* close()
      yield* decide([{ kind: "revoke", decision: 1, words: "it was another one" }])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "broken deposit USDT: decided linked 1.5 -> open missing-transfer 1.5 (decision 4)",
        "broken transfer USDT: decided linked 1.4 -> open missing-deposit 1.4 (decision 4)"
      ])
    })))

  it.live("a decision before the close is named too, where the books did not follow it by then", () =>
    test(Effect.gen(function*() {
      yield* deposits(paired.insertTime, [paired])
      yield* transfers(mate.timestamp, [mate])
      yield* bookDay()
      // As an earlier version did, which closed what was due.
      yield* decide([{ kind: "exclude", side: "transfer", id: "t5", ...why }])
      yield* closedUnasked
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "broken deposit ETH: matched exact 5 -> open missing-transfer 5 (decision 2)",
        "broken transfer ETH: matched exact 5 -> out excluded 5 (decision 2)"
      ])
    })))

  it.live("neither a note nor what was only proposed is named, nor what takes these back", () =>
    test(Effect.gen(function*() {
      yield* closed
      const about = { entries: [{ side: "transfer", id: "t5" }], words: "asked" } as const
      yield* decide([{ kind: "note", ...about }, { kind: "revoke", decision: 3, words: "a typo" }])
      yield* decide([{ kind: "setting", approvals: true, authors: "any", words: "two people decide" }])
      yield* decide([{ kind: "exclude", side: "transfer", id: "t5", ...why }])
      yield* decide([{ kind: "revoke", decision: 6, words: "it was ours" }])
      yield* decide([{ kind: "exclude", side: "deposit", id: yield* idOf("pair"), ...why }])
      yield* transfers(mate.timestamp, [{ ...mate, amount: "4" }])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "broken deposit ETH: matched exact 5 -> open missing-transfer 5 (surroundings)",
        "broken transfer ETH: matched exact 5 -> open source-conflict 5 (records)"
      ])
    })))

  it.live("a line of the policy that somebody decides too makes no other policy of it", () =>
    test(Effect.gen(function*() {
      const { deposits: ids, transfers: names } = yield* link("near", ["t1"])
      const policy = yield* Policy.make({
        links: [{ deposits: [...ids], transfers: names, by: "clerk", reason: "known" }]
      })
      yield* deposits(paired.insertTime, [paired])
      yield* transfers(mate.timestamp, [mate])
      yield* bookDay(policy)
      yield* close()
      yield* decide([yield* link("near", ["t1"])])
      yield* transfers(mate.timestamp, [{ ...mate, amount: "4" }])
      yield* bookDay(policy)
      assert.deepStrictEqual(yield* became, [
        "broken deposit ETH: matched exact 5 -> open missing-transfer 5 (surroundings)",
        "broken transfer ETH: matched exact 5 -> open source-conflict 5 (records)"
      ])
    })))

  it.live("an execution of an earlier version, which told nothing of the policy's lines, followed no other policy by that", () =>
    test(Effect.gen(function*() {
      yield* deposits(paired.insertTime, [paired])
      yield* transfers(mate.timestamp, [mate])
      yield* bookDay()
      yield* withoutLines
      yield* close()
      yield* transfers(mate.timestamp, [{ ...mate, amount: "4" }])
      yield* bookDay()
      assert.deepStrictEqual(yield* became, [
        "broken deposit ETH: matched exact 5 -> open missing-transfer 5 (surroundings)",
        "broken transfer ETH: matched exact 5 -> open source-conflict 5 (records)"
      ])
    })))

  it.live("another policy that is declared breaks it, and is named", () =>
    test(Effect.gen(function*() {
      yield* closed
      const policy = yield* Policy.make({ window: { before: "1 minute", after: "1 minute" }, late: "0 minutes" })
      yield* book(options(day, policy), { declare: true })
      assert.deepStrictEqual(yield* became, [
        "broken deposit ETH: matched exact 5 -> open missing-transfer 5 (policy 3, surroundings)",
        "broken transfer ETH: matched exact 5 -> open missing-deposit 5 (policy 3, surroundings)"
      ])
    })))

  it.live("another list of accounts is named too", () =>
    test(Effect.gen(function*() {
      yield* closed
      yield* transfers(mate.timestamp, [], 2)
      yield* book(options(day, Policy.defaults, ["a@x", "b@x"]))
      assert.deepStrictEqual(yield* became, [
        "broken deposit ETH: matched exact 5 -> open vanished 5 (records, accounts 3)",
        "broken transfer ETH: matched exact 5 -> open vanished 5 (records, accounts 3)"
      ])
    })))
})
