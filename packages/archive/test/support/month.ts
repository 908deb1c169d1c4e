/** A month at a desk, whose truth is known: what heals when, who decides what, and where each entry stands after each night. */
import * as Amount from "@tallystick/core/Amount"
import { deposit, NOW, transfer } from "./records.ts"
import * as Seeded from "./Seeded.ts"

const MINUTE = 60_000
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const START = Math.floor(NOW / DAY) * DAY

/** The desk reads the exchange at six in the morning, and reconciles the day before. */
export const morning = (night: number): number => START + (night + 1) * DAY + 6 * HOUR

/** What becomes of a deposit. `after` counts nights from that of its own day. */
type Fate =
  /** It is moved, and all is seen at once. */
  | { readonly kind: "plain" }
  /** It is moved in time, but the exchange shows the transfer nights later. */
  | { readonly kind: "shown-late"; readonly after: number }
  /** It settles nights later, and is moved then. */
  | { readonly kind: "settles-late"; readonly after: number }
  /** It is moved but for a fee; somebody links the two. */
  | { readonly kind: "fee"; readonly after: number }
  /** It is never moved; somebody says that it is no business of the desk, or nobody does. */
  | { readonly kind: "kept"; readonly after: number }
  /** It is moved, and the transfer vanishes from the exchange. */
  | { readonly kind: "vanishes"; readonly after: number }

export interface Case {
  readonly index: number
  readonly asset: string
  readonly amount: string
  readonly at: number
  /** Its day, counted from the first. */
  readonly day: number
  readonly fate: Fate
}

const FOREVER = 1000

const fate = ({ chance, int, pick }: Seeded.Seeded): Fate => {
  if (!chance(0.12)) return { kind: "plain" }
  const after = int(1, 6)
  return pick<Fate>([
    { kind: "shown-late", after },
    { kind: "settles-late", after: Math.min(after, 4) },
    { kind: "fee", after: after + 1 },
    { kind: "kept", after: chance(0.5) ? after : FOREVER },
    { kind: "vanishes", after }
  ])
}

/** Makes a month of so many deposits a day. No two amounts are near each other, so that nothing is a matter of luck. */
export const make = (seed: number, days: number, perDay: number): ReadonlyArray<Case> => {
  const seeded = Seeded.make(seed)
  return Array.from({ length: days * perDay }, (_, index) => {
    const day = Math.floor(index / perDay)
    return {
      index,
      day,
      asset: seeded.pick(["USDT", "BTC", "ETH"]),
      amount: `${seeded.int(1, 999_999)}.${String(index).padStart(4, "0")}1`,
      at: START + day * DAY + seeded.int(0, DAY - 1),
      fate: fate(seeded)
    }
  })
}

const FEE = 1n

const scaled = (amount: string): bigint => Amount.units(amount, 8)

/** What arrives of a case: the amount, less a fee where one is taken. */
const movedAmount = ({ amount, fate }: Case): string =>
  fate.kind === "fee" ? Amount.format(scaled(amount) - FEE, 8) : amount

/** When it is moved; undefined where it never is. */
const movedAt = ({ at, day, fate }: Case): number | undefined =>
  fate.kind === "kept"
    ? undefined
    : fate.kind === "settles-late"
    ? morning(day + fate.after) + 20 * MINUTE
    : at + 20 * MINUTE

const dayOf = (at: number): number => Math.floor((at - START) / DAY)

/** What the exchange shows in a morning. */
export const shown = (cases: ReadonlyArray<Case>, night: number) => {
  const until = morning(night)
  return {
    deposits: cases.filter(({ at }) => at < until).map(({ amount, asset, at, day, fate, index }) =>
      deposit({
        txId: `d${index}`,
        insertTime: at,
        coin: asset,
        amount,
        status: fate.kind === "settles-late" && night < day + fate.after ? 1 : 5
      })
    ),
    transfers: cases.flatMap((one) => {
      const { asset, day, fate, index } = one
      const timestamp = movedAt(one)
      if (timestamp === undefined || timestamp >= until) return []
      if (fate.kind === "shown-late" && night < day + fate.after) return []
      if (fate.kind === "vanishes" && night >= day + fate.after) return []
      return [transfer({ tranId: `t${index}`, asset, amount: movedAmount(one), timestamp })]
    })
  }
}

export interface Stands {
  readonly key: string
  readonly side: "deposit" | "transfer"
  readonly asset: string
  readonly amount: string
  readonly state: "open" | "pending"
}

/** A case on which somebody decides in a morning, after the exchange was read. */
export const decisionOf = ({ day, fate }: Case, night: number): "exclude" | "link" | undefined => {
  if (night !== day + ("after" in fate ? fate.after : FOREVER)) return undefined
  return fate.kind === "fee" ? "link" : fate.kind === "kept" ? "exclude" : undefined
}

/** Why an entry that waited does so no more. */
export const leaving = ({ fate }: Case): "decided" | "matched" | "setOut" =>
  fate.kind === "fee" ? "decided" : fate.kind === "kept" ? "setOut" : "matched"

/** The entries of a case that wait after the reconciliation of a night. */
export const waiting = (one: Case, night: number): ReadonlyArray<Stands> => {
  const { amount, asset, day, fate, index } = one
  const asDeposit = (state: Stands["state"]): Stands => ({
    key: `deposit ${index}`,
    side: "deposit",
    asset,
    amount,
    state
  })
  const asTransfer: Stands = {
    key: `transfer ${index}`,
    side: "transfer",
    asset,
    amount: movedAmount(one),
    state: "open"
  }
  if (night < day || fate.kind === "plain") return []
  const passed = night - day
  const isThere = dayOf(movedAt(one) ?? 0) <= night
  switch (fate.kind) {
    case "shown-late":
      return passed < fate.after ? [asDeposit("open")] : []
    case "settles-late":
      return passed <= fate.after ? [asDeposit("pending")] : []
    case "fee":
      return passed < fate.after ? [asDeposit("open"), ...(isThere ? [asTransfer] : [])] : []
    case "kept":
      return passed < fate.after ? [asDeposit("open")] : []
    default:
      return passed < fate.after ? [] : [asDeposit("open"), ...(isThere ? [asTransfer] : [])]
  }
}
