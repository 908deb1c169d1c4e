/** Whatever happened to the entries, the hindrances of a candidate are the reasons for which a link with it is refused or not followed. */
import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Archive from "../src/Archive.ts"
import type * as Candidate from "../src/Candidate.ts"
import * as Candidates from "../src/Candidates.ts"
import type * as Decision from "../src/Decision.ts"
import * as Decisions from "../src/Decisions.ts"
import { arrived, tells } from "./support/accept.ts"
import { book } from "./support/books.ts"
import { inBoth } from "./support/databases.ts"
import { DAY, decide, idOf, MINUTE, testOn, why } from "./support/decisions.ts"
import { deposit, NOW, transfer } from "./support/records.ts"
import { cases } from "./support/Seeded.ts"

const Index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))
const Asset = Schema.Literals(["USDT", "BTC"])

const World = Schema.Struct({
  deposits: Schema.Array(Schema.Struct({ asset: Asset, amount: Index, minute: Index })).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(4)
  ),
  transfers: Schema.Array(
    Schema.Struct({
      asset: Asset,
      amount: Index,
      minute: Index,
      status: Schema.Literals(["SUCCESS", "SUCCESS", "FAILED"]),
      vanishes: Schema.Literals([false, false, false, true])
    })
  ).check(Schema.isMinLength(1), Schema.isMaxLength(4)),
  isBooked: Schema.Boolean,
  decided: Schema.Array(Schema.Struct({
    kind: Schema.Literals(["link", "forbid", "exclude", "revoke"]),
    deposit: Index,
    transfer: Index
  })).check(Schema.isMaxLength(5))
})
type World = typeof World.Type

const txOf = (index: number): string => `tx${index}:0`

/** The records come, some vanish again, and people decide. */
const happens = Effect.fnUntraced(function*({ decided, deposits, isBooked, transfers }: World) {
  yield* arrived(
    ...deposits.map(({ amount, asset, minute }, index) =>
      deposit({ txId: txOf(index), coin: asset, amount: `${amount + 1}`, insertTime: NOW + DAY + minute * MINUTE })
    )
  )
  for (const [index, { amount, asset, minute, status, vanishes }] of transfers.entries()) {
    const timestamp = NOW + DAY + (10 + minute) * MINUTE + index
    yield* tells(
      transfer({ tranId: `v${index}`, asset, amount: `${amount + 1}.0`, status, timestamp }),
      NOW + 6 * DAY
    )
    if (!vanishes) continue
    const slice = { from: timestamp, to: timestamp + 1 }
    yield* Archive.Archive.use((archive) =>
      archive.transfers.saveSlice({
        ...slice,
        records: [],
        bad: [],
        coverage: [{ operation: "transfers", ...slice, readAt: NOW + 6 * DAY + 1, state: "complete" }]
      })
    )
  }
  if (isBooked) {
    yield* book({ range: { from: NOW + DAY, to: NOW + 2 * DAY }, accounts: { list: ["a@x"], complete: true } })
  }
  for (const [index, { deposit, kind, transfer }] of decided.entries()) {
    const id = yield* idOf(txOf(deposit))
    const tran = `v${transfer}`
    const act: Decision.Act = kind === "link"
      ? { kind, deposits: [id], transfers: [tran], ...why }
      : kind === "forbid"
      ? { kind, deposit: id, transfer: tran, ...why }
      : kind === "exclude"
      ? { kind, side: "transfer", id: tran, ...why }
      : { kind, decision: index, words: "no" }
    yield* Effect.ignore(decide([act]))
  }
})

const pair = (a: Candidate.Kept, b: Candidate.Kept) => a.side === "deposit" ? [a, b] as const : [b, a] as const

/** What the archive itself says of a link: it is refused, not followed, or followed. */
const linked = Effect.fnUntraced(function*(a: Candidate.Kept, b: Candidate.Kept) {
  const [deposit, transfer] = pair(a, b)
  const { attempt } = yield* Decisions.Decisions
  const act = { kind: "link", deposits: [deposit.id], transfers: [transfer.id], ...why } as const
  const tried = yield* Effect.result(attempt([act], { author: { by: "clerk", identity: "os" } }))
  if (Result.isFailure(tried)) return "refused"
  const bodies = tried.success.map(({ body }) => body)
  const { overlay } = yield* Archive.Archive
  const { faults } = yield* overlay(Policy.defaults, { from: NOW, to: NOW + 3 * DAY }, bodies)
  return faults.some(({ decision }) => bodies.some(({ number }) => number === decision)) ? "not followed" : "followed"
})

const REFUSED: ReadonlySet<Candidate.Hindrance["_tag"]> = new Set(["Contradicted", "Vanished"])

const said = ({ hindrances }: Candidate.Candidate): string =>
  hindrances.some(({ _tag }) => REFUSED.has(_tag))
    ? "refused"
    : hindrances.length > 0
    ? "not followed"
    : "followed"

const absolute = (difference: string | null): string => difference?.replace("-", "") ?? "9".repeat(9)

const isFree = ({ stands: { _tag } }: Candidate.Candidate): boolean => _tag === "Waiting" || _tag === "NotJudged"

/** Whether one may stand before another in the list. */
const isBefore = (a: Candidate.Candidate, b: Candidate.Candidate): boolean => {
  const steps = [
    Number(a.hindrances.length > 0) - Number(b.hindrances.length > 0),
    Number(isFree(b)) - Number(isFree(a)),
    Number(b.agrees.reference === true) - Number(a.agrees.reference === true),
    Amount.compare(absolute(a.difference), absolute(b.difference)),
    Math.abs(a.lag) - Math.abs(b.lag),
    a.entry.id < b.entry.id ? -1 : 1
  ]
  return (steps.find((step) => step !== 0) ?? 0) <= 0
}

describe.each(inBoth({ memory: cases(40), postgres: Math.floor(cases(100) / 50) }))(
  "candidates, on $kind.name",
  ({ count, kind }) => {
    it.live.prop(
      "name what stands in the way of a link exactly where the archive refuses it or does not follow it, and stand in their order",
      [World],
      ([world]) =>
        testOn(kind)(Effect.gen(function*() {
          yield* happens(world)
          const { compare, near } = yield* Candidates.Candidates
          const deposits = yield* Effect.forEach(world.deposits, (_, index) => idOf(txOf(index)))
          const transfers = world.transfers.map((_, index) => `v${index}`)
          const sides = [
            ...deposits.map((id) => ({ entry: { side: "deposit", id } as const, others: transfers })),
            ...transfers.map((id) => ({ entry: { side: "transfer", id } as const, others: deposits }))
          ]
          for (const { entry, others } of sides) {
            const told = Option.getOrThrow(yield* compare(entry, others))
            assert.sameMembers(told.candidates.map(({ entry: { id } }) => id), [...new Set(others)])
            for (const [index, candidate] of told.candidates.entries()) {
              assert.strictEqual(said(candidate), yield* linked(told.entry, candidate.entry))
              const next = told.candidates[index + 1]
              if (next !== undefined) assert.isTrue(isBefore(candidate, next))
            }
            const around = Option.getOrThrow(yield* near(entry, { reach: DAY / 2, limit: 100 }))
            assert.deepStrictEqual(around.candidates, told.candidates.filter(({ difference }) => difference !== null))
          }
        })),
      { arbitrary: { runs: count } }
    )
  }
)
