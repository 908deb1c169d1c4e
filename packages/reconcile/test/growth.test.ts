import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import { vi } from "vitest"
import type * as Entry from "../src/Entry.ts"
import type * as Outcome from "../src/Outcome.ts"
import type * as Policy from "../src/Policy.ts"
import * as Crowd from "./support/Crowd.ts"
import * as Generator from "./support/Generator.ts"
import * as Growth from "./support/Growth.ts"
import * as Pasts from "./support/Pasts.ts"
import * as Run from "./support/Run.ts"

vi.setConfig({ testTimeout: 3_600_000 })

const { names } = Growth

/** Both directions between the master account and three others, for two pairs of account types. */
const accountsRead = ["a", "b", "c"].flatMap((account) =>
  [{ fromAccount: account }, { toAccount: account }].flatMap((ends) =>
    ["SPOT", "FUTURES"].map((toAccountType) => Object.assign({ fromAccountType: "SPOT", toAccountType }, ends))
  )
)

const transfersUntil = (to: number, query: Coverage.TransferQuery | undefined): Coverage.Coverage => {
  const coverage = {
    operation: "transfers",
    from: Number.MIN_SAFE_INTEGER,
    to,
    readAt: to,
    state: "complete"
  } as const
  return query === undefined ? coverage : { ...coverage, query }
}

/** Seeds that were wrong once. */
const once = [7884, 13_130]

describe("growth of the range", () => {
  it("never changes an outcome that is final, nor states a match that is undone once its component is closed", () => {
    let finals = 0
    for (const seed of [...once, ...Array.from({ length: Generator.cases(80) }, (_, index) => index + 1)]) {
      const random = Generator.make(seed)
      const [deposits, transfers] = [Crowd.entries(random, "deposit"), Crowd.entries(random, "transfer")]
      const policy: Policy.Policy = {
        window: { before: random.pick(["1 minute", "10 minutes"]), after: random.pick(["20 minutes", "40 minutes"]) },
        late: random.pick(["0 minutes", "30 minutes"]),
        tolerance: { absolute: random.pick(["0", "0", "1"]) },
        fees: random.pick([[], [], [{ flat: "1" }]])
      }
      finals += Growth.watch(seed, { deposits, transfers, policy })
    }
    assert.isAbove(finals, Generator.cases(80))
  })

  it("never changes what is final when the other discrepancies come to pass, whichever side is read first", () => {
    const counts = new Map<string, number>()
    for (const seed of Array.from({ length: Generator.cases(80) }, (_, index) => index + 1)) {
      const random = Generator.make(seed)
      const kind = Crowd.kindOf(random)
      const accounts = random.chance(0.3) ? [...kind.accounts, undefined] : kind.accounts
      const deposits = Crowd.entries(random, "deposit", { ...kind, accounts })
      const transfers = Crowd.entries(random, "transfer", kind)
      const policy: Policy.Policy = {
        window: { before: random.pick(["1 minute", "10 minutes"]), after: random.pick(["20 minutes", "40 minutes"]) },
        late: random.pick(["0 minutes", "30 minutes", "2 hours"]),
        tolerance: { absolute: random.pick(["0", "0", "1"]) },
        fees: random.pick([[], [], [{ flat: "1" }]]),
        reference: random.pick(["prefer", "prefer", "require", "ignore"])
      }
      // Each way is read on its own where all transfers tell their ways, else all transfers are read at once.
      const isByWay = kind.routed && !kind.accounts.includes(undefined) && random.chance(0.7)
      const ways: ReadonlyArray<Coverage.TransferQuery | undefined> = isByWay ? accountsRead : [undefined]
      const ends = ways.map(() => 0)
      const isOn = ({ from, fromType, to, toType }: Entry.Entry, way: Coverage.TransferQuery | undefined): boolean =>
        way === undefined || (from === (way.fromAccount ?? "") && to === (way.toAccount ?? "") &&
          fromType === way.fromAccountType && toType === way.toAccountType)
      let known: ReadonlySet<string> = new Set()
      let left = 0
      for (let step = 0; step < 24; step++) {
        if (random.chance(0.6)) left += random.int(1, 50)
        ends.forEach((end, way) => (ends[way] = end + (random.chance(0.6) ? random.int(1, 50) : 0)))
        const until = (minutes: number): number => Run.T0 + minutes * Run.MINUTE
        const found = Run.match({
          deposits: deposits.filter(({ at }) => at < until(left)),
          transfers: transfers.filter((entry) =>
            ways.some((way, index) => isOn(entry, way) && entry.at < until(ends[index]!))
          ),
          coverage: [
            {
              operation: "deposits",
              from: Number.MIN_SAFE_INTEGER,
              to: until(left),
              readAt: until(left),
              state: "complete"
            },
            ...ways.map((query, way) => transfersUntil(until(ends[way]!), query))
          ],
          accounts: { list: ["a", "b", "c"], complete: true },
          policy
        }).outcomes
        const now = new Set(found.map(names))
        for (const name of known) {
          assert.isTrue(
            now.has(name),
            `seed ${seed}: at ${left}, ${ends.join(" ")} minutes "${name}" is gone; now ${[...now].join("; ")}`
          )
        }
        known = new Set(found.filter(({ final }) => final).map(names))
        if (step === 23) { for (const { code } of found) counts.set(code, (counts.get(code) ?? 0) + 1) }
      }
    }
    for (
      const code of [
        "reversed",
        "wrong-direction",
        "account-mismatch",
        "asset-mismatch",
        "duplicate-suspect",
        "late",
        "early",
        "out-of-flow"
      ]
    ) {
      assert.isAbove(counts.get(code) ?? 0, 0, `${code} did not come to pass`)
    }
  })

  it("never changes what is final where an archive says that entries vanished, went back or were told in several ways", () => {
    const counts = new Map<string, number>()
    for (let seed = 1; seed <= Generator.cases(200); seed++) {
      const random = Generator.make(seed)
      const kind = Crowd.kindOf(random)
      const entries = (side: Entry.Side) => Pasts.some(random, Crowd.entries(random, side, kind))
      const policy: Policy.Policy = {
        window: { before: random.pick(["1 minute", "10 minutes"]), after: random.pick(["20 minutes", "40 minutes"]) },
        late: random.pick(["0 minutes", "30 minutes"]),
        tolerance: { absolute: random.pick(["0", "0", "1"]) },
        fees: random.pick([[], [], [{ flat: "1" }]]),
        reference: random.pick(["prefer", "require", "ignore"])
      }
      Growth.watch(seed, { deposits: entries("deposit"), transfers: entries("transfer"), policy }, (found) => {
        for (const { code, deposits, final, transfers } of found) {
          const key = `${code}${deposits.length + transfers.length > 1 ? " together" : ""}`
          if (final) counts.set(key, (counts.get(key) ?? 0) + 1)
        }
      })
    }
    const wanted = ["vanished", "vanished together", "status-regressed", "status-regressed together", "source-conflict"]
    for (const code of wanted) assert.isAbove(counts.get(code) ?? 0, 0, `${code} was never final`)
  })

  it("holds back what an entry may still be released to by its reference", () => {
    const deposits = [
      Run.deposit("d1", 0, { amount: "100", reference: "r" }),
      Run.deposit("d2", -50, { amount: "50" })
    ]
    const held = Run.transfer("t1", -1, { amount: "50", reference: "r" })
    const other = Run.transfer("t2", -20, { amount: "50" })
    const better = Run.transfer("t3", 40, { amount: "100", reference: "r" })
    const upTo = (minutes: number, transfers: ReadonlyArray<Entry.Entry>) =>
      Run.match({
        deposits,
        transfers,
        policy: { window: { before: "1 minute", after: "1 hour" } },
        coverage: Run.complete.map((coverage) =>
          Object.assign({}, coverage, { to: Run.T0 + minutes * Run.MINUTE, readAt: Run.T0 + minutes * Run.MINUTE })
        )
      }).outcomes
    const described = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<string> =>
      outcomes.map((outcome) => `${names(outcome)}${outcome.final ? "" : ", not final"}`).toSorted()

    assert.deepStrictEqual(described(upTo(31, [held, other])), [
      "exact d2 t2, not final",
      "in-flight d1 t1, not final"
    ])
    assert.deepStrictEqual(Run.summary(upTo(300, [held, other, better])), ["class-short d2 t2 t1", "reference d1 t3"])
    assert.deepStrictEqual(Run.summary(upTo(31, [held])), ["in-flight d1 t1", "in-flight d2"])
    assert.deepStrictEqual(Run.summary(upTo(300, [held, better])), ["exact d2 t1", "reference d1 t3"])
  })

  it("does not change what is final when references hold entries", () => {
    let finals = 0
    for (const seed of Array.from({ length: Generator.cases(80) }, (_, index) => index + 1)) {
      const random = Generator.make(seed)
      const policy: Policy.Policy = {
        window: { before: "5 minutes", after: "30 minutes" },
        late: 0,
        tolerance: { absolute: random.pick(["0", "1"]) },
        reference: random.pick(["prefer", "require"])
      }
      const referring = (side: Entry.Side): ReadonlyArray<Entry.Entry> =>
        Crowd.entries(random, side).map((entry) =>
          random.chance(0.4) ? Object.assign({}, entry, { reference: random.pick(["r", "s"]) }) : entry
        )
      finals += Growth.watch(seed, { deposits: referring("deposit"), transfers: referring("transfer"), policy })
    }
    assert.isAbove(finals, Generator.cases(80))
  })
})
