/** Breaks that heal days later heal in the books as well, in the night in which the archive hears of it. */
import { assert, describe, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import * as Decisions from "../src/Decisions.ts"
import * as OpenItems from "../src/OpenItems.ts"
import { at } from "./support/at.ts"
import { judged } from "./support/byHand.ts"
import { inBoth } from "./support/databases.ts"
import { archiveOn } from "./support/decisions.ts"
import { deposit, NOW, transfer } from "./support/records.ts"
import { cases } from "./support/Seeded.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Math.floor(NOW / DAY) * DAY
const NIGHTS = 6

const accounts = { list: ["a@x"], complete: true }
const author = { by: "clerk", identity: "token" } as const

const Between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** What the desk hears of in a night, of any earlier time. */
const Event = Schema.Union([
  Schema.Struct({
    kind: Schema.Literals(["deposit", "transfer"]),
    night: Between(0, NIGHTS - 1),
    hoursAgo: Between(0, 60),
    amount: Between(1, 3),
    asset: Schema.Literals(["USDT", "BTC"]),
    isSettled: Schema.Boolean
  }),
  Schema.Struct({
    kind: Schema.Literals(["settles", "vanishes", "link", "exclude", "revoke"]),
    night: Between(0, NIGHTS - 1),
    which: Between(0, 30)
  }),
  Schema.Struct({
    kind: Schema.Literal("outage"),
    night: Between(0, NIGHTS - 2),
    hours: Between(1, 30),
    lasts: Between(1, 3)
  })
])
type Event = typeof Event.Type

interface Known {
  deposits: Array<ReturnType<typeof deposit>>
  transfers: Array<ReturnType<typeof transfer>>
}

const endOf = (night: number): number => START + (night + 1) * DAY + 6 * HOUR

const hear = (known: Known, event: Event, index: number): void => {
  if (event.kind === "deposit" || event.kind === "transfer") {
    const at = Math.max(START, endOf(event.night) - event.hoursAgo * HOUR - 1 - index)
    const amount = String(event.amount)
    if (event.kind === "deposit") {
      known.deposits.push(
        deposit({ txId: `d${index}`, insertTime: at, coin: event.asset, amount, status: event.isSettled ? 5 : 1 })
      )
    } else known.transfers.push(transfer({ tranId: `t${index}`, timestamp: at, asset: event.asset, amount }))
  } else if (event.kind === "settles") {
    const pending = known.deposits.flatMap(({ status }, place) => status === 5 ? [] : [place])
    const place = pending[event.which % Math.max(pending.length, 1)]
    known.deposits = known.deposits.map((one, index) => index === place ? { ...one, status: 5 } : one)
  } else if (event.kind === "vanishes") {
    const { length } = known.transfers
    known.transfers = known.transfers.filter((_, index) => index !== event.which % Math.max(length, 1))
  }
}

/** Reads all time up to the night, but for that of outages that last. */
const read = Effect.fnUntraced(function*(known: Known, night: number, events: ReadonlyArray<Event>) {
  const { deposits, transfers } = yield* Archive.Archive
  const outages = events.flatMap((event) =>
    event.kind === "outage" && event.night <= night && night < event.night + event.lasts
      ? [{ from: endOf(event.night) - event.hours * HOUR, to: endOf(event.night) }]
      : []
  )
  const readAt = endOf(night)
  let parts = [{ from: START - DAY, to: readAt }]
  for (const { from, to } of outages) {
    parts = parts.flatMap((part) => [
      { from: part.from, to: Math.min(part.to, from) },
      { from: Math.max(part.from, to), to: part.to }
    ]).filter((part) => part.from < part.to)
  }
  for (const part of parts) {
    const inside = (at: number): boolean => at >= part.from && at < part.to
    const complete = { ...part, readAt, state: "complete" as const }
    yield* deposits.saveSlice({
      ...part,
      bad: [],
      records: known.deposits.filter(({ insertTime }) => inside(insertTime)),
      coverage: [{ operation: "deposits", ...complete }]
    })
    yield* transfers.saveSlice({
      ...part,
      bad: [],
      records: known.transfers.filter(({ timestamp }) => inside(timestamp)),
      coverage: [{ operation: "transfers", ...complete }]
    })
  }
})

/** Links an open deposit with an open transfer, where there are any. */
const linkOpen = Effect.fnUntraced(function*(which: number) {
  const items = yield* OpenItems.OpenItems.use(({ list }) => list())
  const open = items.filter(({ state }) => state === "open").flatMap(({ entries }) => entries)
  const [deposits, transfers] = [
    open.filter(({ side }) => side === "deposit"),
    open.filter(({ side }) => side === "transfer")
  ]
  const [one, other] = [
    deposits[which % Math.max(deposits.length, 1)],
    transfers[which % Math.max(transfers.length, 1)]
  ]
  if (one === undefined || other === undefined) return
  const act = { kind: "link", deposits: [one.id], transfers: [other.id], reason: "other", words: "seen" } as const
  // Where one of them is linked already, nothing is decided.
  yield* Decisions.Decisions.use(({ decide }) => decide([act], { author })).pipe(
    Effect.catchTag("DecisionError", () => Effect.void)
  )
})

/** Says that an entry, whatever became of it, is no business of the desk; or takes a decision back. */
const exclude = Effect.fnUntraced(function*(known: Known, which: number) {
  const { decide, find } = yield* Decisions.Decisions
  const names = [...known.deposits.map(({ txId }) => txId), ...known.transfers.map(({ tranId }) => tranId)]
  const [entry] = yield* find(names[which % Math.max(names.length, 1)] ?? "nothing")
  if (entry === undefined) return
  const act = { kind: "exclude", side: entry.side, id: entry.id, reason: "test", words: "our own" } as const
  yield* decide([act], { author }).pipe(Effect.catchTag("DecisionError", () => Effect.void))
})

const revoke = Effect.fnUntraced(function*(which: number) {
  const { all, decide } = yield* Decisions.Decisions
  const standing = (yield* all).filter(({ body, revokedBy }) => body.kind !== "revoke" && revokedBy === undefined)
  const one = standing[which % Math.max(standing.length, 1)]
  if (one === undefined) return
  yield* decide([{ kind: "revoke", decision: one.body.number, words: "it was wrong" }], { author })
})

/** What one run over everything that was judged says of each entry that nothing can change any more. */
const atOnce = Effect.fnUntraced(
  function*(range: { readonly from: number; readonly to: number }, policy: Policy.Resolved) {
    const { outcomes } = yield* ArchiveReconciliation.run({ range, accounts, policy })
    const found = new Map<string, string>()
    for (const outcome of outcomes.filter(({ final }) => final)) {
      for (const [side, entries] of [["deposit", outcome.deposits], ["transfer", outcome.transfers]] as const) {
        for (const [place, { at, id, status }] of entries.entries()) {
          if (at < range.from || at >= range.to) continue
          const kind = judged(outcome, place, status === "failed")
          found.set(
            `${side} ${id}`,
            kind === "open" || kind === "pending" || kind === "undetermined" ? `${kind} ${outcome.code}` : "settled"
          )
        }
      }
    }
    return found
  }
)

const rule = (lagFrom: "seen" | "settled") =>
  Policy.make({ window: { before: "2 hours", after: "2 hours" }, late: "3 hours", lagFrom })

/** A case in PostgreSQL takes many times as long as one in memory: only the long run tries some there. */
const kinds = inBoth({ memory: Math.min(cases(30), 250), postgres: Math.floor(Math.min(cases(0), 1000) / 100) })

describe.each(kinds)("carrying forward, in $kind.name", ({ count, kind }) => {
  it.live.prop(
    "says of each entry what one run over everything says of it, whatever heals, vanishes, is read or is linked days later",
    [Schema.Array(Event).check(Schema.isMinLength(4), Schema.isMaxLength(45)), Schema.Literals(["seen", "settled"])],
    ([events, lagFrom]) =>
      Effect.gen(function*() {
        const policy = yield* rule(lagFrom)
        const known: Known = { deposits: [], transfers: [] }
        for (let night = 0; night < NIGHTS; night++) {
          for (const [index, event] of events.entries()) {
            if (event.night !== night) continue
            if (event.kind === "link") yield* linkOpen(event.which)
            else if (event.kind === "exclude") yield* exclude(known, event.which)
            else if (event.kind === "revoke") yield* revoke(event.which)
            else hear(known, event, index)
          }
          yield* read(known, night, events)
          const range = { from: START + night * DAY, to: START + (night + 1) * DAY }
          yield* ArchiveReconciliation.book({ range, accounts, policy }, { author })
          const items = yield* OpenItems.OpenItems.use(({ list }) => list())
          const inBooks = new Map<string, string>(
            items.flatMap(({ code, entries, state }) =>
              entries.map(({ id, side }) => [`${side} ${id}`, `${state} ${code}`] as const)
            )
          )
          const all = yield* atOnce({ from: START, to: range.to }, policy)
          for (const [key, says] of all) {
            assert.strictEqual(inBooks.get(key) ?? "settled", says, `night ${night}, ${key}`)
          }
        }
        assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
      }).pipe(at(endOf(NIGHTS)), Effect.provide(archiveOn(kind))),
    { arbitrary: { runs: count } }
  )
})
