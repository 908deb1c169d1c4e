/** What the books say of a time follows the question that was asked of it: another policy, or another list of accounts, makes it due. */
import { assert, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import type * as Execution from "../src/Execution.ts"
import * as Periods from "../src/Periods.ts"
import { accounts, at, author, read, type Told, waiting } from "./support/hours.ts"

const LAST = 20

const everything: readonly [number, number, number] = [-240, LAST * 24, LAST * 24]

const book = Effect.fnUntraced(function*(
  day: number,
  asked: Partial<ArchiveReconciliation.Options> = {},
  how: Partial<ArchiveReconciliation.BookOptions> = {}
) {
  const range = { from: at(24 * day), to: at(24 * (day + 1)) }
  const { execution } = yield* ArchiveReconciliation.book({ range, accounts, ...asked }, { author, ...how })
  return execution
})

const judgedAgain = ({ body: { carried } }: Execution.Execution): ReadonlyArray<number> =>
  (carried ?? []).flatMap(({ range }) => range === null ? [] : [range.from])

const close = (day: number) =>
  Periods.Periods.use(({ close }) =>
    close({
      from: at(24 * day),
      through: new Date(at(24 * day)).toISOString().slice(0, 10),
      zone: "UTC",
      carryOpen: true,
      author
    })
  )

const test = <E, R>(body: Effect.Effect<void, E, R>) => Effect.provide(body, Archive.Archive.layerMemory())

/** The transfers of the one account to the master account. */
const ofAccount = { fromAccount: "a@x", fromAccountType: "SPOT", toAccountType: "SPOT" }

const pair: readonly [ReadonlyArray<Told>, ReadonlyArray<Told>] = [[["d", 30, "7"]], [["t", 30.1, "7"]]]

it.effect("a day that was settled under another policy is not closed before it is judged by the one that holds", () =>
  test(Effect.gen(function*() {
    yield* read(everything, ...pair)
    yield* book(1)
    const policy = yield* Policy.make({ window: { after: "1 minute" }, late: "0 minutes" })
    assert.deepStrictEqual(judgedAgain(yield* book(4, { policy }, { declare: true })), [])
    assert.deepStrictEqual(yield* waiting, [])
    const refused = yield* Effect.flip(close(1))
    const lacks = refused._tag === "PeriodError" && refused.reason._tag === "NotClosable" ? refused.reason.lacks : []
    assert.deepStrictEqual(lacks, [{ _tag: "Due", from: at(24), to: at(48) }])
    yield* book(1, { policy })
    assert.deepStrictEqual(yield* waiting, ["open missing-deposit t", "open missing-transfer d"])
    assert.strictEqual((yield* close(1)).body.carried.count, 2)
  })))

it.effect("what waited while nobody vouched for the list of accounts is judged again once somebody does", () =>
  test(Effect.gen(function*() {
    yield* read(everything, [["d", 30, "7"]], [], { query: ofAccount })
    yield* book(1, { accounts: { ...accounts, complete: false } })
    assert.deepStrictEqual(yield* waiting, ["undetermined coverage-gap d"])
    assert.deepStrictEqual(judgedAgain(yield* book(4)), [at(24)])
    assert.deepStrictEqual(yield* waiting, ["open missing-transfer d"])
  })))
