/** Computes a roll-forward from where entries stood before an execution, and from what it changed. */
import * as BookState from "../../BookState.ts"
import type * as RollForward from "../../RollForward.ts"
import * as Subjects from "../ledger/Subjects.ts"
import type * as EntryStates from "./EntryStates.ts"
import * as Tally from "./Tally.ts"

type Stood = Pick<EntryStates.EntryState, "amount" | "asset" | "id" | "side" | "state">

type Waiting = Stood & { readonly state: BookState.Waiting }

/** A change, and where the entry stood before; undefined where the books did not know it. */
export interface Step {
  readonly before: Stood | undefined
  readonly now: Stood
}

const isWaiting = (stood: Stood): stood is Waiting => BookState.isWaiting(stood.state)

type Place = Pick<RollForward.RollForward, "asset" | "side" | "state">

const placeOf = ({ asset, side, state }: Waiting): Place => ({ side, asset, state })

const keyOf = ({ asset, side, state }: Place): string => JSON.stringify([side, asset, state])

const settled = { matched: "matched", decided: "decided", out: "setOut" } as const

type Name = Exclude<keyof RollForward.RollForward, keyof Place>

const STATES = BookState.Waiting.literals

const order = (a: Place, b: Place): number =>
  (a.asset < b.asset ? -1 : a.asset > b.asset ? 1 : 0) || (a.side < b.side ? -1 : a.side > b.side ? 1 : 0) ||
  STATES.indexOf(a.state) - STATES.indexOf(b.state)

/** `waiting` are the entries that waited before the execution. */
export const make = (
  waiting: Iterable<Stood>,
  steps: Iterable<Step>
): ReadonlyArray<RollForward.RollForward> => {
  const places = new Map<string, Place>()
  const tally = Tally.make()
  const add = (name: Name, stood: Waiting, amount: string, sign: 1 | -1, count: -1 | 0 | 1): void => {
    const place = placeOf(stood)
    places.set(keyOf(place), place)
    tally.add(`${name} ${keyOf(place)}`, amount, sign, count)
  }
  const enter = (name: Name, stood: Waiting): void => add(name, stood, stood.amount, 1, 1)
  const leave = (name: Name, stood: Waiting): void => add(name, stood, stood.amount, -1, -1)

  for (const stood of waiting) {
    if (!isWaiting(stood)) continue
    enter("broughtForward", stood)
    enter("carriedForward", stood)
  }
  for (const { before, now } of steps) {
    const was = before !== undefined && isWaiting(before) ? before : undefined
    if (was !== undefined) leave("carriedForward", was)
    if (isWaiting(now)) {
      enter("carriedForward", now)
      if (was === undefined) {
        enter(before === undefined ? "new" : "reopened", now)
        continue
      }
      // It moves with the amount that was brought forward, and is restated where it is now.
      const moved = { ...now, amount: was.amount }
      const line = was.asset === now.asset ? "moved" : "restated"
      if (was.state !== now.state || was.asset !== now.asset) {
        leave(line, was)
        enter(line, moved)
      }
      add("restated", now, now.amount, 1, 0)
      add("restated", now, was.amount, -1, 0)
    } else if (was !== undefined) {
      enter(settled[now.state === "decided" || now.state === "out" ? now.state : "matched"], was)
    }
  }
  return Array.from(places.values()).toSorted(order).map((place): RollForward.RollForward => {
    const line = (name: Name): RollForward.Line => tally.line(`${name} ${keyOf(place)}`)
    return {
      side: place.side,
      asset: place.asset,
      state: place.state,
      broughtForward: line("broughtForward"),
      new: line("new"),
      reopened: line("reopened"),
      restated: line("restated"),
      moved: line("moved"),
      matched: line("matched"),
      decided: line("decided"),
      setOut: line("setOut"),
      carriedForward: line("carriedForward")
    }
  })
}

/** Gives steps from changes and from what stood before them. */
export const steps = (changes: ReadonlyArray<Stood>, before: ReadonlyArray<Stood>): ReadonlyArray<Step> => {
  const stood = new Map(before.map((one) => [Subjects.keyOf(one), one]))
  return changes.map((now) => ({ before: stood.get(Subjects.keyOf(now)), now }))
}
