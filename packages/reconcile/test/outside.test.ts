/** Real movements that this project did not make, with their truth: see bench/data/nomad. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import type * as Entry from "../src/Entry.ts"
import type * as Outcome from "../src/Outcome.ts"
import * as Policy from "../src/Policy.ts"
import * as Run from "./support/Run.ts"

const bytes = (name: string): Buffer => readFileSync(new URL(`../../../bench/data/nomad/${name}`, import.meta.url))

const side = (side: Entry.Side): ReadonlyArray<Entry.Entry> =>
  gunzipSync(bytes(`${side}s.ndjson.gz`)).toString().trim().split("\n").map((line) => {
    const { amount, asset, at, id }: Entry.Entry = JSON.parse(line)
    return { side, id, asset, amount, at, status: "settled" }
  })

describe("deposits and credits of a bridge", () => {
  const truth = new Map<string, string>(Object.entries(JSON.parse(gunzipSync(bytes("truth.json.gz")).toString())))
  const policy = Result.getOrThrow(Policy.decode(JSON.parse(bytes("policy.json").toString())))
  const { outcomes } = Run.match({ deposits: side("deposit"), transfers: side("transfer"), policy })
  const isWhole = ({ deposits, transfers }: Outcome.Outcome): boolean => {
    const among = new Set(transfers.map(({ id }) => id))
    return deposits.every(({ id }) => among.has(truth.get(id) ?? ""))
  }

  it("every stated pair is right, and no fewer are stated than there were", () => {
    const pairs = outcomes.filter(({ decidedBy }) => decidedBy !== undefined)
    assert.deepStrictEqual(pairs.filter((pair) => !isWhole(pair)), [])
    assert.isAtLeast(pairs.length, 6540)
  })

  it("a class that comes out even holds the true transfer of each of its deposits", () => {
    const classes = outcomes.filter(({ code }) => code === "class-balanced")
    assert.deepStrictEqual(classes.filter((one) => !isWhole(one)), [])
    assert.isAtLeast(classes.reduce((sum, { deposits }) => sum + deposits.length, 0), 4667)
  })

  it("every deposit and every credit is in one outcome", () => {
    for (const name of ["deposits", "transfers"] as const) {
      const ids = outcomes.flatMap((outcome) => outcome[name].map(({ id }) => id))
      assert.strictEqual(new Set(ids).size, ids.length)
      assert.strictEqual(ids.length, name === "deposits" ? 11_410 : 11_417)
    }
  })
})
