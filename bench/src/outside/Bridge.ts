/** Deposits and credits of a bridge, with their truth: data that this project did not make (`bench/data/nomad`). */
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"

const text = (name: string): string => {
  const bytes = readFileSync(new URL(`../../data/nomad/${name}`, import.meta.url))
  return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString()
}

const side = (side: Entry.Side): ReadonlyArray<Entry.Entry> =>
  text(`${side}s.ndjson.gz`).trim().split("\n").map((line) => {
    const { amount, asset, at, id }: Entry.Entry = JSON.parse(line)
    return { side, id, asset, amount, at, status: "settled" }
  })

/** Both sides, in order of time. */
export const sides = () => ({ deposits: side("deposit"), transfers: side("transfer") })

export const policy = (): Policy.Resolved =>
  Policy.resolve(Result.getOrThrow(Policy.decode(JSON.parse(text("policy.json")))))

/** The transfer of each deposit, by their ids. No contender is shown it. */
export const truth = (): ReadonlyMap<string, string> => new Map(Object.entries(JSON.parse(text("truth.json.gz"))))
