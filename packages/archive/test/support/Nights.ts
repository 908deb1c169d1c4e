/** Nights of a desk, of which each reconciles anew: movements of three families of assets, what becomes of them later, and what people decide. */
import { assert } from "@effect/vitest"
import type * as BadRecord from "@tallystick/core/BadRecord"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Archive from "../../src/Archive.ts"
import type * as ArchiveError from "../../src/ArchiveError.ts"
import * as ArchiveReconciliation from "../../src/ArchiveReconciliation.ts"
import type { BookError } from "../../src/BookError.ts"
import * as Books from "../../src/Books.ts"
import type * as Decision from "../../src/Decision.ts"
import * as Decisions from "../../src/Decisions.ts"
import * as OpenItems from "../../src/OpenItems.ts"
import * as Runs from "../../src/Runs.ts"
import { clerk } from "./decisions.ts"
import { deposit, NOW, transfer } from "./records.ts"
import * as Seeded from "./Seeded.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Math.floor(NOW / DAY) * DAY
const NIGHTS = 4

const accounts = { list: ["a@x"], complete: true }

/** One is written in two ways that look alike, and another one has two names by the policy: three families. */
const ASSETS = ["USDT", "USDTTRC20", "BTC", "XBT", "ETH"] as const

const policyOf = (lagFrom: "seen" | "settled") =>
  Policy.make({
    window: { before: "2 hours", after: "2 hours" },
    late: "3 hours",
    lagFrom,
    assets: { aliases: [["BTC", "XBT"]] }
  })

type Side = BadRecord.BadRecord["side"]

/** What the desk hears of in a night, of any earlier time, and what it decides. */
type Event =
  | {
    readonly kind: Side
    readonly at: number
    readonly amount: number
    readonly asset: string
    readonly isSettled: boolean
  }
  | {
    readonly kind: "settles" | "vanishes" | "contradicts" | "link" | "forbid" | "exclude" | "accept" | "revoke"
    readonly which: number
  }
  | { readonly kind: "unreadable"; readonly side: Side }
  | { readonly kind: "outage"; readonly hours: number }

const endOf = (night: number): number => START + (night + 1) * DAY + 6 * HOUR

/** What happens in a night: movements of which most have two sides of one asset, and what becomes of earlier ones. */
const eventsOf = (random: Seeded.Seeded, night: number): ReadonlyArray<Event> => {
  const side = random.pick<Side>(["deposit", "transfer"])
  const movements = Array.from({ length: random.int(3, 9) }, (): ReadonlyArray<Event> => {
    const at = endOf(night) - random.int(1, 40 * HOUR)
    const asset = random.pick(ASSETS)
    const amount = random.int(1, 3)
    const came: Event = { kind: "deposit", at, amount, asset, isSettled: random.chance(0.8) }
    const went: Event = {
      kind: "transfer",
      at: at + random.int(-1, 4) * HOUR + random.int(0, HOUR),
      amount: random.chance(0.9) ? amount : amount + 1,
      asset: random.chance(0.9) ? asset : random.pick(ASSETS),
      isSettled: true
    }
    return random.chance(0.6) ? [came, went] : [random.pick([came, went])]
  })
  const acts = Array.from({ length: random.int(2, 8) }, (): Event => ({
    kind: random.pick(
      [
        "settles",
        "settles",
        "vanishes",
        "contradicts",
        "link",
        "forbid",
        "exclude",
        "accept",
        "accept",
        "accept",
        "revoke"
      ]
    ),
    which: random.int(0, 30)
  }))
  return [
    ...movements.flat(),
    ...acts,
    ...random.chance(0.3) ? [{ kind: "unreadable", side } as const] : [],
    ...random.chance(0.2) ? [{ kind: "outage", hours: random.int(1, 30) } as const] : []
  ]
}

interface Known {
  deposits: Array<ReturnType<typeof deposit>>
  transfers: Array<ReturnType<typeof transfer>>
}

const chosen = <A>(all: ReadonlyArray<A>, which: number): A | undefined => all[which % Math.max(all.length, 1)]

const hear = (known: Known, event: Event, name: string): void => {
  if (event.kind === "deposit" || event.kind === "transfer") {
    const { asset } = event
    const time = Math.max(START, event.at)
    const amount = String(event.amount)
    if (event.kind === "deposit") {
      const status = event.isSettled ? 5 : 1
      known.deposits.push(deposit({ txId: `d${name}`, insertTime: time, coin: asset, amount, status }))
    } else known.transfers.push(transfer({ tranId: `t${name}`, timestamp: time, asset, amount }))
  } else if (event.kind === "settles") {
    const pending = known.deposits.filter(({ status }) => status !== 5)
    const one = chosen(pending, event.which)
    known.deposits = known.deposits.map((other) => other === one ? { ...one, status: 5 } : other)
  } else if (event.kind === "vanishes") {
    const one = chosen(known.transfers, event.which)
    known.transfers = known.transfers.filter((other) => other !== one)
  } else if (event.kind === "contradicts") {
    // The same transfer is told with another asset, of another time.
    const one = chosen(known.transfers, event.which)
    if (one === undefined) return
    const asset = chosen(ASSETS.filter((asset) => asset !== one.asset), event.which) ?? one.asset
    known.transfers.push({ ...one, asset, timestamp: Math.max(START, one.timestamp - event.which * HOUR) })
  }
}

const unreadable = (side: Side, night: number): BadRecord.BadRecord => ({
  side,
  source: "page 1",
  path: "amount",
  reason: "it is missing",
  raw: `{"night": ${night}}`
})

/** Reads all time up to the night, but for that of an outage in the same night. */
const read = Effect.fnUntraced(function*(known: Known, night: number, events: ReadonlyArray<Event>) {
  const { deposits, transfers } = yield* Archive.Archive
  const outages = events.flatMap((event) => event.kind === "outage" ? [event.hours] : [])
  const readAt = endOf(night)
  const until = readAt - Math.max(0, ...outages) * HOUR
  const slice = { from: START - DAY, to: until }
  const complete = { ...slice, readAt, state: "complete" as const }
  const bad = (side: Side) =>
    events.flatMap((event) => event.kind === "unreadable" && event.side === side ? [unreadable(side, night)] : [])
  yield* deposits.saveSlice({
    ...slice,
    bad: bad("deposit"),
    records: known.deposits.filter(({ insertTime }) => insertTime < until),
    coverage: [{ operation: "deposits", ...complete }]
  })
  yield* transfers.saveSlice({
    ...slice,
    bad: bad("transfer"),
    records: known.transfers.filter(({ timestamp }) => timestamp < until),
    coverage: [{ operation: "transfers", ...complete }]
  })
})

/** What somebody may decide on what is open; where it cannot be decided, nothing is. */
const acts = Effect.fnUntraced(function*(
  event: Event
): Effect.fn.Return<
  ReadonlyArray<Decision.Act>,
  ArchiveError.DatabaseError | BookError,
  Decisions.Decisions | OpenItems.OpenItems
> {
  if (!("which" in event)) return []
  const { which } = event
  const items = (yield* OpenItems.OpenItems.use(({ list }) => list())).toSorted((a, b) => a.at - b.at)
  const entries = items.flatMap((item) => item.entries)
  const deposit = chosen(entries.filter(({ side }) => side === "deposit"), which)?.id
  const transfer = chosen(entries.filter(({ side }) => side === "transfer"), which)?.id
  const one = chosen(entries, which)
  const item = chosen(items, which)
  const why = { reason: "other", words: "seen" } as const
  const all: ReadonlyArray<Decision.Act> = deposit === undefined || transfer === undefined
    ? []
    : event.kind === "link"
    ? [{ kind: "link", deposits: [deposit], transfers: [transfer], ...why }]
    : event.kind === "forbid"
    ? [{ kind: "forbid", deposit, transfer, ...why }]
    : []
  if (event.kind === "exclude" && one !== undefined) return [{ kind: "exclude", side: one.side, id: one.id, ...why }]
  if (event.kind === "accept" && item !== undefined) {
    return [{ kind: "accept", outcome: item.outcome, provisional: which % 3 > 0, ...why }]
  }
  if (event.kind === "revoke") {
    const decisions = yield* Decisions.Decisions.use(({ all }) => all)
    const standing = decisions.filter(({ body, revokedBy }) => body.kind !== "revoke" && revokedBy === undefined)
    const decision = chosen(standing, which)?.body.number
    return decision === undefined ? [] : [{ kind: "revoke", decision, words: "it was wrong" }]
  }
  return all
})

const decide = Effect.fnUntraced(function*(event: Event) {
  const { decide } = yield* Decisions.Decisions
  for (const act of yield* acts(event)) {
    yield* decide([act], { author: clerk }).pipe(Effect.catchTag("DecisionError", () => Effect.void))
  }
})

/** Plays a history, deciding its runs as `how` says, and gives as text all that the desk sees of it, night by night. */
export const played = Effect.fnUntraced(function*(
  seed: number,
  how: (archive: Archive.Service) => Pick<ArchiveReconciliation.Options, "batch" | "parts" | "workers">
) {
  const random = Seeded.make(seed)
  const policy = yield* policyOf(random.pick(["seen", "settled"]))
  const asked = { accounts, policy, ...how(yield* Archive.Archive) }
  const known: Known = { deposits: [], transfers: [] }
  const told: Array<string> = []
  for (let night = 0; night < NIGHTS; night++) {
    const events = eventsOf(random, night)
    for (const [index, event] of events.entries()) {
      hear(known, event, `${night}.${index}`)
      yield* decide(event)
    }
    yield* read(known, night, events)
    const range = { from: START + Math.max(0, night - 1) * DAY, to: START + (night + 1) * DAY }
    const { execution, isNew, report, run } = yield* ArchiveReconciliation.book({ ...asked, range }, {
      author: clerk
    })
    const runs = yield* Runs.Runs.use(({ list }) => list())
    const waiting = yield* OpenItems.OpenItems.use(({ list }) => list())
    told.push(JSON.stringify({ seed, night, execution, isNew, run, report, runs, waiting }, undefined, 1))
  }
  assert.deepStrictEqual(yield* Books.Books.use(({ verify }) => verify), [])
  return told
})

/** The end of the last night, Unix ms. */
export const END = endOf(NIGHTS)
