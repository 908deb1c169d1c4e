/** What was accepted is held against all of its entries, however far they are from what a run is about. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import * as OpenItems from "../src/OpenItems.ts"
import { accept, tells, told } from "./support/accept.ts"
import { book, options, waiting } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { auditor, DAY, decide, HOUR, idOf, MINUTE, testOn, why } from "./support/decisions.ts"
import { bookDay, deposits, mate, paired, transfers } from "./support/periods.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

/** Deposits of one amount, half a day apart, each with a transfer 11 hours later, but for the first. */
const START = NOW - 4 * DAY + 2 * HOUR
const MIDNIGHT = NOW - NOW % DAY
const chain = Array.from({ length: 13 }, (_, index) => START + index * 12 * HOUR)
const moved = chain.map((at, index) =>
  transfer({ tranId: `x${index}`, asset: "DOT", amount: "7", timestamp: at + 11 * HOUR })
)
const day = (index: number) => options({ from: MIDNIGHT + index * DAY, to: MIDNIGHT + (index + 1) * DAY })
const days = Array.from({ length: 10 }, (_, index) => index - 5)

const dots = Effect.map(
  OpenItems.OpenItems.use(({ list }) => list()),
  (items) => items.filter(({ entries }) => entries.some(({ asset }) => asset === "DOT"))
)

describe.each(databases)("what is accepted of a long chain, on $name", (kind) => {
  const test = testOn(kind)

  it.live("is seen as such by a report of each of its days, and is open on all of them when one more transfer comes", () =>
    test(Effect.gen(function*() {
      const archive = yield* Archive.Archive
      const readAt = NOW + 6 * DAY
      yield* archive.deposits.savePage({
        records: chain.map((insertTime, index) => deposit({ txId: `c${index}`, coin: "DOT", amount: "7", insertTime })),
        bad: [],
        readAt
      })
      yield* archive.transfers.savePage({ records: moved.slice(1), bad: [], readAt })
      yield* Effect.forEach(days, (index) => book(day(index), { carry: false }), { discard: true })
      const [item] = yield* dots
      const entries = item?.entries ?? []
      assert.lengthOf(entries, 25)
      const [entry] = entries
      yield* accept({ side: entry?.side ?? "deposit", id: entry?.id ?? "" })
      yield* book(day(0))
      assert.lengthOf(yield* dots, 0)
      for (const index of [-3, 0, 2]) {
        const { decisions } = yield* ArchiveReconciliation.run(day(index))
        assert.deepStrictEqual(decisions?.faults, [], `day ${index}`)
      }
      yield* transfers(START + 11 * HOUR, moved.slice(0, 1))
      yield* book(day(4))
      const left = (yield* dots).flatMap(({ entries }) => entries)
      // All of them, and the one that came, are in an outcome that nobody accepted.
      assert.lengthOf(left, 26)
      assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
    })))

  it.live("a conflict is open again when the service tells yet another content", () =>
    test(Effect.gen(function*() {
      const as = (amount: string) => transfer({ tranId: "t1", amount, timestamp: NOW + 10 * MINUTE })
      yield* tells(as("1.5"), NOW + 6 * DAY + 1)
      yield* book()
      yield* accept()
      assert.deepStrictEqual((yield* told()).decisions?.faults, [])
      yield* tells(as("150000"), NOW + 6 * DAY + 2)
      const { decisions, outcomes } = yield* told()
      assert.lengthOf(outcomes.filter(({ accepted }) => accepted !== undefined), 0)
      assert.include(decisions?.faults[0]?.text ?? "", "the service told another content")
    })))

  it.live("while approvals are asked for, what is forbidden is not matched again by one person alone", () =>
    test(Effect.gen(function*() {
      yield* deposits(paired.insertTime, [paired])
      yield* transfers(mate.timestamp, [mate])
      yield* decide([{ kind: "setting", approvals: true, authors: "any", words: "two people decide" }])
      yield* decide([{ kind: "forbid", deposit: yield* idOf("pair"), transfer: "t5", ...why }])
      yield* decide([{ kind: "approve", decision: 2 }], { author: auditor })
      yield* bookDay()
      const apart = (yield* waiting()).filter((item) => item.includes("ETH"))
      assert.lengthOf(apart, 2)
      yield* decide([{ kind: "revoke", decision: 2, words: "alone" }])
      yield* bookDay()
      assert.lengthOf((yield* waiting()).filter((item) => item.includes("ETH")), 2)
      yield* decide([{ kind: "approve", decision: 5 }], { author: auditor })
      yield* bookDay()
      assert.lengthOf((yield* waiting()).filter((item) => item.includes("ETH")), 0)
    })))
})
