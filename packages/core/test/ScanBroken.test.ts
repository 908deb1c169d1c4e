import { assert, describe, it } from "@effect/vitest"
import * as BrokerError from "@tallystick/core/BrokerError"
import type * as Slice from "@tallystick/core/Slice"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import type * as Asking from "../src/internal/paging/Asking.ts"
import * as PageLengths from "../src/internal/paging/PageLengths.ts"
import * as Scan from "../src/internal/paging/Scan.ts"

interface Row {
  readonly id: string
  readonly t: number
}

const NOW = 10_000
const rows = Array.from({ length: 60 }, (_, index): Row => ({ id: `r${index}`, t: (index * 37) % 900 }))
const refused = BrokerError.BrokerError.of(
  "subAccountDeposits",
  new BrokerError.KeyRejected({ code: "10072", serviceMessage: "Api key info invalid" })
)

type Page = Asking.Source<Row, BrokerError.RequestError>["page"]

/** Three records a page. */
const page: Page = (start, end, { page: number = 1 }) => {
  const within = rows.filter(({ t }) => t >= start && t <= end).toSorted((a, b) => b.t - a.t)
  const records = within.slice((number - 1) * 3, number * 3)
  return Effect.succeed({ page: { records, bad: [] }, at: { earliest: NOW, latest: NOW } })
}

const scan = (page: Page, concurrency: number) =>
  Scan.scan<Row>({
    source: {
      page,
      time: ({ t }) => t,
      badTime: () => undefined,
      identity: ({ id }) => id,
      mark: ({ id }) => id,
      twins: "several",
      looksCut: () => false
    },
    lengths: PageLengths.make(),
    clock: { now: Effect.succeed({ earliest: NOW, latest: NOW }) },
    unasked: Effect.undefined,
    scope: { operation: "deposits" },
    from: 0,
    to: 1000,
    sliceLength: 100,
    joined: 0,
    settle: 50,
    history: 1_000_000,
    concurrency
  })

const breaks: Readonly<Record<string, ReturnType<Page>>> = {
  "a refusal": Effect.fail(refused),
  "a defect": Effect.die(new Error("a defect of the transport")),
  "an interruption": Effect.interrupt
}

describe.each(Object.keys(breaks))("a scan that %s ends", (name) => {
  it.effect.each([1, 4])(
    "gives the slices before it as the whole scan gives them, and none behind it",
    (concurrency) =>
      Effect.gen(function*() {
        let requests = 0
        const counted: Page = (...asked) => {
          requests++
          return page(...asked)
        }
        const whole = yield* Stream.runCollect(scan(counted, concurrency))
        assert.strictEqual(whole.flatMap(({ records }) => records).length, rows.length)
        for (let last = 0; last < requests; last++) {
          let left = last
          const found: Array<Slice.Slice<Row>> = []
          const exit = yield* scan(
            (...asked) => left-- > 0 ? page(...asked) : breaks[name] ?? page(...asked),
            concurrency
          )
            .pipe(Stream.runForEach((slice) => Effect.sync(() => void found.push(slice))), Effect.exit)
          assert.isTrue(Exit.isFailure(exit))
          assert.isBelow(found.length, whole.length)
          assert.deepStrictEqual(found, whole.slice(0, found.length))
        }
      })
  )
})
