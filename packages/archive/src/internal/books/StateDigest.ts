/** A hash of where entries stand, which an auditor can compute with `sqlite3` and `sha256sum`, and their totals. */
import { createHash } from "node:crypto"
import type * as Closing from "../../Closing.ts"
import * as StoredText from "../sql/StoredText.ts"
import type * as EntryStates from "./EntryStates.ts"
import * as Tally from "./Tally.ts"

type State = EntryStates.EntryState

const { encode } = StoredText

/** The texts are those of the columns: a stranger's text may be kept in another form than it has. */
const line = ({ account, amount, asset, at, id, side, state }: State): string =>
  JSON.stringify([
    side,
    encode(id),
    encode(asset),
    amount,
    at,
    account === undefined ? null : encode(account),
    state
  ])

/** `Closing.Digest` says how it is made. */
export const of = (states: ReadonlyArray<State>): Closing.Digest => {
  const hash = createHash("sha256")
  const lines = states.map((state) => Buffer.from(`${line(state)}\n`)).toSorted((a, b) => a.compare(b))
  for (const bytes of lines) hash.update(bytes)
  return { count: states.length, digest: hash.digest("hex") }
}

/** Adds the entries up by side, asset and state, in the order of these. */
export const totals = (states: ReadonlyArray<State>): ReadonlyArray<Closing.Total> => {
  const places = new Map<string, Pick<State, "asset" | "side" | "state">>()
  const tally = Tally.make()
  for (const { amount, asset, side, state } of states) {
    const key = JSON.stringify([side, asset, state])
    places.set(key, { side, asset, state })
    tally.add(key, amount, 1, 1)
  }
  return Array.from(places).toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, place]) => Object.assign({}, place, tally.line(key)))
}
