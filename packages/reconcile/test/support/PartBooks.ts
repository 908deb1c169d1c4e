/** Books of several families of assets, some of which lie in times that are far apart, with decisions, bad records and gaps. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as Stream from "effect/Stream"
import type * as Accounts from "../../src/Accounts.ts"
import type * as Entry from "../../src/Entry.ts"
import type * as Outcome from "../../src/Outcome.ts"
import type * as Policy from "../../src/Policy.ts"
import type * as Reconciliation from "../../src/Reconciliation.ts"
import * as Crowd from "./Crowd.ts"
import type * as Generator from "./Generator.ts"
import * as Pasts from "./Pasts.ts"
import * as Run from "./Run.ts"

export type Slices = ReadonlyArray<Slice.Slice<Entry.Entry>>

export interface Books {
  readonly deposits: Slices
  readonly transfers: Slices
  readonly options: Reconciliation.Options
}

/** Names of which some are aliases, and some look alike. */
const familiesOfNames = [
  ["BTC"],
  ["ETH", "eth"],
  ["USDT", "USDT-TRX", "USDTERC20", "TETHER"],
  ["ADA"],
  ["XRP", "XRP.OLD"]
]

const changed = (entry: Entry.Entry, fields: Partial<Entry.Entry>): Entry.Entry => Object.assign({}, entry, fields)

/** Entries of a few families, each with ids of its own but for some that come with several contents. */
const entriesOf = (random: Generator.Generator, side: Entry.Side): ReadonlyArray<Entry.Entry> => {
  const entries = familiesOfNames.filter(() => random.chance(0.7)).flatMap((assets) => {
    const kind = {
      ...Crowd.kindOf(random),
      assets,
      references: random.pick([[undefined], [undefined, "r", "s"]]),
      most: random.pick([2, 4, 14]),
      amounts: random.pick([["10", "11", "12"], Array.from({ length: 12 }, (_, index) => `${index + 5}`)]),
      minutes: random.pick([60, 200, 600]),
      unsettled: ["failed", "pending", "unknown"] as const
    }
    // One has a counterpart under another name.
    const lone = (side === "deposit" ? Run.deposit : Run.transfer)("lone", 100, {
      asset: assets.at(side === "deposit" ? 0 : -1) ?? "",
      amount: "77"
    })
    const own = [...Crowd.entries(random, side, kind), lone].map((entry) =>
      changed(entry, { id: `${entry.id}${assets[0]}` })
    )
    return random.chance(0.3) ? Pasts.some(random, own, 0.3) : own
  })
  const again = entries.filter(() => random.chance(0.03)).map((entry) =>
    random.chance(0.5) ? entry : changed(entry, { asset: random.pick(familiesOfNames.flat()) })
  )
  // The archive has seen other contents of some, of which some are of another family.
  const share = random.pick([0, 0, 0.2])
  return [...entries, ...again].map((entry): Entry.Entry =>
    random.chance(share)
      ? changed(entry, {
        past: {
          statuses: [],
          conflicts: [JSON.stringify({ asset: random.pick(familiesOfNames.flat()), amount: entry.amount })]
        }
      })
      : entry
  ).toSorted((one, other) => one.at - other.at)
}

const badOf = (random: Generator.Generator, side: Entry.Side): ReadonlyArray<BadRecord.BadRecord> =>
  Array.from({ length: random.pick([0, 0, 1, 4]) }, () => ({
    side,
    source: "a file, line 3",
    path: random.pick(["amount", "at"]),
    reason: "no",
    raw: "x"
  }))

const coverageOf = (random: Generator.Generator, side: Entry.Side, from: number, to: number): Coverage.Coverage => {
  const operation = side === "deposit" ? "deposits" : "transfers"
  const readAt = Run.T0 + random.pick([700, 700, 100_000]) * Run.MINUTE
  return random.chance(0.8)
    ? { operation, from, to, readAt: Math.max(readAt, to), state: "complete" }
    : { operation, from, to, readAt, state: "incomplete", gap: { code: "failed-page", detail: "HTTP 503" } }
}

/** Entries of several times, so many ms behind T0. Some ids come again in a later one. */
const repeatedly = (
  random: Generator.Generator,
  side: Entry.Side,
  starts: ReadonlyArray<number>
): ReadonlyArray<Entry.Entry> =>
  starts.flatMap((start, index) => {
    const prefix = index === 0 || random.chance(0.1) ? "" : `${index} `
    return entriesOf(random, side).map((entry) => {
      const { at, id, past } = entry
      return changed(entry, {
        id: `${prefix}${id}`,
        at: at + start,
        ...(past?.settledAt === undefined ? {} : { past: { ...past, settledAt: past.settledAt + start } })
      })
    })
  })

const slicesOf = (random: Generator.Generator, side: Entry.Side, starts: ReadonlyArray<number>): Slices => {
  const entries = repeatedly(random, side, starts)
  const cuts = starts.flatMap((start) =>
    [-600, random.int(-100, 200), random.int(200, 400), 700].map((minutes) => Run.T0 + start + minutes * Run.MINUTE)
  )
  return cuts.slice(1).map((to, index): Slice.Slice<Entry.Entry> => {
    const from = cuts[index] ?? to
    return {
      from,
      to,
      records: entries.filter(({ at }) => at >= from && at < to),
      bad: badOf(random, side),
      coverage: [coverageOf(random, side, from, to)]
    }
  })
}

/** Decisions about entries: links, of which some join different assets, exclusions and forbidden pairs. */
const decisionsOf = (
  random: Generator.Generator,
  deposits: ReadonlyArray<Entry.Entry>,
  transfers: ReadonlyArray<Entry.Entry>
): Policy.Policy => {
  const anyOf = (entries: ReadonlyArray<Entry.Entry>): Entry.Entry => entries[random.int(0, entries.length - 1)]!
  if (deposits.length * transfers.length === 0) return {}
  const deposit = anyOf(deposits)
  const like = transfers.filter(({ asset }) => asset === deposit.asset)
  const transfer = like.length === 0 || random.chance(0.3) ? anyOf(transfers) : anyOf(like)
  const set = [anyOf(deposits), anyOf(transfers)].filter(({ id }) => id !== deposit.id && id !== transfer.id)
  return {
    links: random.chance(0.3) && (like.length > 0 || random.chance(0.2))
      ? [{ deposits: [deposit.id, ...(random.chance(0.5) ? ["absent"] : [])], transfers: [transfer.id] }]
      : [],
    exclude: random.chance(0.3) ? [...set.map(({ id, side }) => ({ id, side })), { id: "unheard" }] : [],
    forbid: random.chance(0.4) ? [{ deposit: anyOf(deposits).id, transfer: anyOf(transfers).id }] : []
  }
}

const policyOf = (random: Generator.Generator): Policy.Policy => ({
  assets: { aliases: random.pick([[["TETHER", "USDT"]], [["USDT", "TETHER"], ["XBT", "BTC"]], [["ETH", "WETH"]]]) },
  window: { before: random.pick(["1 minute", "10 minutes"]), after: random.pick(["20 minutes", "40 minutes"]) },
  late: random.pick(["0 minutes", "30 minutes", "2 hours"]),
  tolerance: { absolute: random.pick(["0", "0", "1"]) },
  fees: random.pick([[], [], [{ flat: "1" }]]),
  per: random.pick([[], [{ asset: "ADA", window: { after: "3 hours" }, late: "5 hours" }]]),
  reference: random.pick(["prefer", "require", "ignore"]),
  lagFrom: random.pick(["seen", "settled"]),
  grouping: { manyToOne: random.chance(0.3), oneToMany: random.chance(0.3) }
})

const accountsOf = (random: Generator.Generator): Accounts.Accounts =>
  random.pick([{ list: [], complete: false }, { list: ["a"], complete: true }, {
    list: ["a", "b", "c"],
    complete: true
  }])

/** Accepts some breaks, whoever asks. */
const accepted = ({ code, id }: Outcome.Outcome): Outcome.Accepted | undefined =>
  id < "5" && code !== "class-short"
    ? { decision: 3, by: "a controller", reason: "timing", words: "as agreed" }
    : undefined

export const booksOf = (random: Generator.Generator): Books => {
  const starts = random.pick([[0], [0, 30 * Run.DAY], [0], [0, 2 * Run.DAY, 40 * Run.DAY]])
  const [deposits, transfers] = [slicesOf(random, "deposit", starts), slicesOf(random, "transfer", starts)]
  const entries = (slices: Slices) => slices.flatMap(({ records }) => records)
  const range = random.pick([undefined, [-600, 700], [50, 200], [100, 30 * 24 * 60 + 100]] as const)
  return {
    deposits,
    transfers,
    options: {
      policy: Run.policy({ ...policyOf(random), ...decisionsOf(random, entries(deposits), entries(transfers)) }),
      accounts: accountsOf(random),
      ...(range === undefined
        ? {}
        : { range: { from: Run.T0 + range[0] * Run.MINUTE, to: Run.T0 + range[1] * Run.MINUTE } }),
      ...(random.chance(0.5) ? { accepted } : {})
    }
  }
}

export const streams = ({ deposits, transfers }: Books) =>
  [Stream.fromIterable(deposits), Stream.fromIterable(transfers)] as const
