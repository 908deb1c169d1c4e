/** A few entries that a picture shows, and what the engine says of them. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Matching from "@tallystick/reconcile/Matching"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Result from "effect/Result"

/** A movement: its time in minutes, its amount, and other fields that a scene needs. */
export interface Mark {
  readonly id: string
  readonly at: number
  readonly amount: string
  readonly more?: Partial<Entry.Entry>
}

export const mark = (id: string, at: number, amount = "1", more: Partial<Entry.Entry> = {}): Mark => ({
  id,
  at,
  amount,
  more
})

/** The interval of one side that was read, in minutes. */
export interface Read {
  readonly from: number
  readonly to: number
  readonly state: Coverage.Coverage["state"]
}

export interface Scene {
  readonly deposits: ReadonlyArray<Mark>
  readonly transfers: ReadonlyArray<Mark>
  readonly policy?: Policy.Policy
  /** The reading of the transfers; absent if everything was read. */
  readonly read?: ReadonlyArray<Read>
}

const NOON = 1_790_000_000_000
const MINUTE = 60_000
const EVERYTHING: ReadonlyArray<Read> = [{ from: -1_000_000, to: 1_000_000, state: "complete" }]

const entry = (side: Entry.Side) => ({ amount, at, id, more }: Mark): Entry.Entry => ({
  side,
  id,
  asset: "USDT",
  amount,
  at: NOON + at * MINUTE,
  status: "settled",
  account: "sub00001",
  ...more
})

const coverage = (operation: Coverage.Coverage["operation"]) => ({ from, state, to }: Read): Coverage.Coverage => ({
  operation,
  from: NOON + from * MINUTE,
  to: NOON + to * MINUTE,
  readAt: NOON + to * MINUTE,
  state,
  ...(state === "incomplete" ? { gap: { code: "failed-page", detail: "A page could not be read." } } : {})
})

/** Every outcome of a scene. */
export const outcomes = (
  { deposits, policy = {}, read = EVERYTHING, transfers }: Scene
): ReadonlyArray<Outcome.Outcome> =>
  Matching.match({
    deposits: deposits.map(entry("deposit")),
    transfers: transfers.map(entry("transfer")),
    bad: [],
    coverage: [...EVERYTHING.map(coverage("deposits")), ...read.map(coverage("transfers"))],
    policy: Policy.resolve(Result.getOrThrow(Policy.decode(policy))),
    accounts: { list: ["sub00001"], complete: true }
  }).outcomes

/** Returns each outcome in short, in the order of the report: `exact d1 t1`. */
export const summary = (scene: Scene): ReadonlyArray<string> =>
  outcomes(scene).map(({ code, decidedBy, deposits, transfers }) =>
    [code, ...[...deposits, ...transfers].map(({ id }) => id), ...(decidedBy === undefined ? [] : [`(${decidedBy})`])]
      .join(" ")
  )
