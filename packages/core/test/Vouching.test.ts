import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as MethodCheck from "../src/internal/paging/MethodCheck.ts"
import * as PageLengths from "../src/internal/paging/PageLengths.ts"
import * as Reading from "../src/internal/paging/Reading.ts"
import * as Vouching from "../src/internal/paging/Vouching.ts"
import type { Row } from "./support/slices.ts"

type Piece = Vouching.Piece<Row>
type Verdict = MethodCheck.Result

const LENGTH = 20
const NOW = 100_000

/** The slice with this number; its records stand on one page unless told otherwise. */
const slice = (number: number, times: ReadonlyArray<number> = [], more: Partial<Reading.Reading<Row>> = {}): Piece => {
  const from = number * LENGTH
  const records = times.map((time, index) => ({ id: `${number}-${index}`, t: from + time }))
  const listing = { listed: times.length, pages: Math.min(1, times.length), length: times.length, within: 1 }
  const reading = { records, bad: [], gap: undefined, at: { earliest: NOW, latest: NOW }, listing, ...more }
  return { from, to: from + LENGTH, reading, settled: NOW, isAgreed: false }
}

/** What went out behind which slice, what was checked and what was read again. */
const run = (
  pieces: ReadonlyArray<Piece>,
  verdict: (piece: Reading.Reading<Row>) => Verdict = () => "same",
  lengths = PageLengths.make()
) =>
  Effect.gen(function*() {
    const checked: Array<number> = []
    const again: Array<number> = []
    const vouch = Vouching.make<Row, never>({
      lengths,
      identity: ({ id }) => id,
      time: ({ t }) => t,
      twins: ({ id }) => id,
      floor: Effect.succeed(0),
      check: ({ from }, reading) =>
        Effect.sync(() => {
          checked.push(from / LENGTH)
          return verdict(reading)
        }),
      readPages: ({ from }) => Effect.succeed(slice(from / LENGTH).reading),
      readAgain: (piece) =>
        Effect.sync(() => {
          again.push(piece.from / LENGTH)
          return { ...piece, isAgreed: true }
        })
    })
    let held: Vouching.Held<Row> = []
    const out: Array<ReadonlyArray<number>> = []
    const gone: Array<Piece> = []
    for (const piece of [...pieces, undefined]) {
      const [waiting, going] = yield* vouch(held, piece)
      held = waiting
      gone.push(...going)
      out.push(going.map(({ from }) => from / LENGTH))
    }
    return { checked, again, out, gone, lengths }
  })

describe("slices that wait for a second reading", () => {
  it.effect("are all read by agreement where one of them showed a settled record once and not again", () =>
    Effect.gen(function*() {
      const contradicted = slice(1, [3], { gap: Reading.SHOWN_ONCE })
      const { again, checked, lengths } = yield* run([slice(0, [1, 2]), contradicted])
      assert.isFalse(lengths.isTrusted())
      assert.deepStrictEqual([checked, again], [[], [0, 1]])
      // Of time that still moves it says nothing about the server.
      const moving = yield* run([{ ...contradicted, settled: contradicted.from + 1 }])
      assert.isTrue(moving.lengths.isTrusted())
    }))

  it.effect("are not vouched for by a page on which only neighbours of the checked slice stood", () =>
    Effect.gen(function*() {
      const listing = { listed: 4, pages: 2, length: 3, within: 1 }
      const { lengths } = yield* run([slice(0, [1, 2, 3, 4], { listing })])
      assert.isTrue(lengths.isBeyond({ listed: 3, pages: 2, length: 2, within: 2 }))
      const whole = yield* run([slice(0, [1, 2, 3, 4], { listing: { ...listing, within: 2 } })])
      assert.isFalse(whole.lengths.isBeyond({ listed: 3, pages: 2, length: 2, within: 2 }))
    }))
})
