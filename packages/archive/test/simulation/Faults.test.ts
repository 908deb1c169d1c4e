/**
 * More than 100 accounts, read in turn through the real client, whose service dies and comes back, whose firewall answers in its
 * place, and whose reader dies in the middle of a round: what the archive claims is held against what was answered, and what it keeps
 * against what happened.
 */
import { assert, describe, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import type * as ArchivedRecord from "@tallystick/archive/ArchivedRecord"
import * as Sync from "@tallystick/archive/Sync"
import * as Timeline from "@tallystick/core/Timeline"
import * as Reconcile from "@tallystick/reconcile/AddressBook"
import * as AddressBook from "@tallystick/sandbox/Addresses"
import * as History from "@tallystick/sandbox/History"
import * as HistoryOptions from "@tallystick/sandbox/HistoryOptions"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { join } from "node:path"
import { temporaryFolder } from "../support/databases.ts"
import * as Seeded from "../support/Seeded.ts"
import * as Seeds from "./Seeds.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const END = Date.UTC(2026, 0, 31)

/** So many accounts take turns; the first of them are active. */
const ACCOUNTS = 104
const ACTIVE = 12
const ROUNDS = 12

const DIED = "the reader died"

/** What becomes of the requests of a round from one of them on. */
type Fault = "none" | "down" | "firewall" | "death"

/** The service as it is reached: what was answered, and what goes wrong from now on. */
const service = () => {
  const answered = new Map<string, Array<Timeline.Interval>>()
  let fault: Fault = "none"
  let left = Number.POSITIVE_INFINITY
  let until = 0
  const client = (inner: HttpClient.HttpClient) =>
    HttpClient.make((request, url) =>
      Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        left--
        if (left < 0 && fault === "death") return yield* Effect.die(DIED)
        if (left < 0 && now < until && fault === "down") {
          return yield* new HttpClientError.HttpClientError({
            reason: new HttpClientError.TransportError({ request, cause: new Error("ECONNREFUSED") })
          })
        }
        if (left < 0 && now < until && fault === "firewall") {
          const page = new Response("<html>blocked</html>", { status: 403, headers: { "content-type": "text/html" } })
          return HttpClientResponse.fromWeb(request, page)
        }
        const response = yield* inner.execute(request)
        const [from, to] = [url.searchParams.get("startTime"), url.searchParams.get("endTime")]
        if (response.status === 200 && from !== null && to !== null) {
          const key = url.pathname.endsWith("/universalTransfer")
            ? url.searchParams.get("fromAccount") ?? ""
            : "deposits"
          // Both ends are inclusive, and nothing is known of what comes after the answer.
          const interval = { from: Number(from), to: Math.min(Number(to) + 1, now) }
          if (interval.from < interval.to) answered.set(key, [...answered.get(key) ?? [], interval])
        }
        return response
      })
    )
  return {
    answered,
    client,
    /** The fault begins with the request after so many, and ends after so many ms. */
    breaks: (next: Fault, after: number, length: number, now: number): void => {
      fault = next
      left = after
      until = now + length
    }
  }
}

/** Lets the clock run while the effect does. */
const running = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(effect)
  while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("250 millis")
  return yield* Fiber.join(fiber)
})

const all = <Record>(history: {
  readonly slices: (
    options: Timeline.Interval
  ) => Stream.Stream<{ readonly records: ReadonlyArray<ArchivedRecord.ArchivedRecord<Record>> }, unknown>
}) =>
  Stream.runCollect(history.slices({ from: 0, to: Number.MAX_SAFE_INTEGER })).pipe(
    Effect.map((slices) => slices.flatMap(({ records }) => records.map(({ record }) => record))),
    Effect.orDie
  )

/** Whatever is claimed to be complete was answered, and holds all that happened in that time. */
const judge = Effect.fnUntraced(function*(history: History.History, { answered }: ReturnType<typeof service>) {
  const archive = yield* Archive
  const [deposits, transfers] = [yield* all(archive.deposits), yield* all(archive.transfers)]
  for (const { from, operation, query, state, to } of yield* archive.coverage()) {
    if (state !== "complete") continue
    const account = query?.fromAccount ?? ""
    assert.isTrue(Timeline.covers(answered.get(operation === "deposits" ? operation : account) ?? [], { from, to }))
    const within = (at: number): boolean => at >= from && at < to
    const txIds = (list: History.History["deposits"]) =>
      list.filter(({ insertTime }) => within(insertTime)).map(({ txId }) => txId).toSorted()
    const tranIds = (list: History.History["transfers"]) =>
      list.filter(({ fromAccount, timestamp }) => within(timestamp) && fromAccount === account)
        .map(({ tranId }) => tranId).toSorted()
    if (operation === "deposits") assert.deepStrictEqual(txIds(deposits), txIds(history.deposits))
    else assert.deepStrictEqual(tranIds(transfers), tranIds(history.transfers))
  }
})

const seen = { down: 0, firewall: 0, death: 0, none: 0, broken: 0, left: 0, gaps: 0 }

const life = Effect.fnUntraced(function*(seed: number) {
  const random = Seeded.make(seed)
  const made = History.generate(
    HistoryOptions.make({ seed, to: END, subAccounts: ACTIVE, deposits: ACTIVE * 20 })
  )
  const list = Array.from({ length: ACCOUNTS }, (_, index) => AddressBook.accountName(index))
  const history: History.History = { ...made, subAccounts: list }
  const account = Reconcile.lookup(made.addressBook)
  const file = join(yield* temporaryFolder, "archive.db")
  const world = service()
  const sandbox = Sandbox.Sandbox.layerInProcess({ history, rules: { remembered: 1000 } })
  const reached = Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, world.client))
  const broker = Sandbox.Sandbox.layerBroker().pipe(
    Layer.provide(reached),
    Layer.provideMerge(sandbox)
  )
  const round = (options: Pick<Sync.Options, "quietEvery">) =>
    Sync.run({ accounts: { list, complete: true }, account, ...options }).pipe(
      running,
      Effect.provide(Layer.fresh(Archive.layerSqlite({ file })))
    )
  const judged = judge(history, world).pipe(Effect.provide(Layer.fresh(Archive.layerSqlite({ file }))))

  yield* TestClock.setTime(END - 30 * HOUR)
  yield* Effect.gen(function*() {
    for (let index = 0; index < ROUNDS; index++) {
      const now = yield* Clock.currentTimeMillis
      const fault = random.pick<Fault>(["none", "down", "down", "firewall", "death"])
      const most = index === 0 ? 600 : 60
      world.breaks(fault, random.int(0, most), random.chance(0.5) ? random.int(1, 20) * 1000 : HOUR, now)
      const ended = yield* round({ quietEvery: "3 hours" }).pipe(
        Effect.asSome,
        Effect.catchCauseIf((cause) => Cause.squash(cause) === DIED, () => Effect.succeedNone)
      )
      seen[fault]++
      if (ended._tag === "None") seen.broken++
      else {
        seen.left += ended.value.left
        seen.gaps += ended.value.gaps.length
      }
      yield* judged
      yield* TestClock.adjust(random.chance(0.3) ? random.int(1, 4) * HOUR : random.int(5, 20) * MINUTE)
    }
    world.breaks("none", 0, 0, 0)
    yield* TestClock.adjust(10 * MINUTE)
    const { completeTo, gaps, now } = yield* round({ quietEvery: 0 })
    assert.deepStrictEqual(gaps, [])
    assert.isAtLeast(completeTo ?? 0, now - 4 * MINUTE)
    yield* judged
  }).pipe(Effect.provide(broker))
}, Effect.scoped)

describe("an archive of many accounts, of a service that fails", () => {
  it.effect(
    "claims nothing that was not answered, and has lost nothing when everything is read again",
    () =>
      Effect.andThen(
        Seeds.each(life),
        Effect.sync(() => {
          process.stdout.write(`rounds: ${JSON.stringify(seen)}\n`)
          if (!Seeds.isAll) return
          for (const [what, count] of Object.entries(seen)) assert.isAbove(count, 0, what)
        })
      ),
    600_000
  )
})
