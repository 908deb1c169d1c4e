/** Reports of books in which everything may happen, amounts of up to 64 digits on either side of the point among it. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../src/Entry.ts"
import type * as Policy from "../../src/Policy.ts"
import * as Report from "../../src/Report.ts"
import type * as Generator from "./Generator.ts"
import * as Run from "./Run.ts"

const digits = (random: Generator.Generator, count: number): string =>
  Array.from({ length: count }, () => random.int(0, 9)).join("")

/** Above zero, from one digit to 64 on either side. */
export const amount = (random: Generator.Generator): string => {
  const whole = `${random.int(1, 9)}${digits(random, random.pick([0, 1, 20, 63]))}`
  return random.chance(0.4) ? whole : `${whole}.${digits(random, random.pick([1, 8, 64]))}`
}

const SPAN = 300

const policy: Policy.Policy = {
  assets: { aliases: [["USDT", "USDT-TRX"]] },
  tolerance: { absolute: "0.5" },
  fees: [{ asset: "ADA", flat: "1" }],
  grouping: { manyToOne: true, oneToMany: true },
  minAmount: { DUST: "1000" }
}

/** Mostly complete; a gap now and then, and a part that nobody asked for. */
const coverageOf = (random: Generator.Generator): ReadonlyArray<Coverage.Coverage> => {
  const at = (minutes: number): number => Run.T0 + minutes * Run.MINUTE
  const of = (operation: Coverage.Coverage["operation"]): ReadonlyArray<Coverage.Coverage> => {
    const readAt = at(SPAN + random.pick([0, 60, 360, 1440, random.int(0, 20_000)]))
    const whole = { operation, from: at(-600), to: at(SPAN + 600), readAt, state: "complete" } as const
    if (random.chance(0.6)) return [whole]
    const gap = { code: "failed-page", detail: "HTTP 503" } as const
    const [first, second] = [at(random.int(0, 100)), at(random.int(100, SPAN))]
    return [
      { ...whole, to: first },
      ...(random.chance(0.7) ? [{ ...whole, from: first, to: second, state: "incomplete", gap } as const] : []),
      { ...whole, from: second, state: random.pick(["complete", "open"]) }
    ]
  }
  return [...of("deposits"), ...of("transfers")]
}

/** A run over books made up of `random`, by the policy above with these changes. */
export const report = (random: Generator.Generator, changes: Policy.Policy = {}): Report.Report => {
  const amounts = [...Array.from({ length: random.int(1, 5) }, () => amount(random)), "1", "2", "3"]
  const assets = random.pick([["BTC"], ["BTC", "USDT", "USDT-TRX"], ["ADA", "BTC", "DUST", "USDT"]])
  const entry = (side: Entry.Side) => (_: unknown, index: number): Entry.Entry => {
    const account = random.pick([undefined, "a", "b"])
    return {
      side,
      id: `${side[0]}${index}`,
      asset: random.pick(assets),
      amount: random.pick(amounts),
      at: Run.T0 + random.int(0, SPAN) * Run.MINUTE + random.pick([0, random.int(0, 59_999)]),
      status: random.chance(0.85) ? "settled" : random.pick(["pending", "failed", "unknown"]),
      ...(account === undefined ? {} : { account })
    }
  }
  const written = { ...policy, ...changes }
  const resolved = Run.policy(written)
  const coverage = coverageOf(random)
  const accounts = { list: ["a", "b"], complete: true }
  const range = random.pick([
    undefined,
    { from: Run.T0, to: Run.T0 + SPAN * Run.MINUTE },
    // The ends of a shorter one cut pairs, groups and classes.
    { from: Run.T0 + (SPAN / 3) * Run.MINUTE, to: Run.T0 + (SPAN / 2) * Run.MINUTE }
  ])
  const output = Run.match({
    deposits: Array.from({ length: random.int(0, 25) }, entry("deposit")),
    transfers: Array.from({ length: random.int(0, 25) }, entry("transfer")),
    bad: random.chance(0.3)
      ? [{ side: "deposit", source: "a file, line 3", path: "amount", reason: "no", raw: "x" }]
      : [],
    coverage,
    accounts,
    policy: written,
    ...(range === undefined ? {} : { range })
  })
  return Report.make({ coverage, policy: resolved, accounts, range, ...output })
}
