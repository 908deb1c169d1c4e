/** What a reconciliation from the archive says while the transfers of one account were not read. */
import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as History from "@tallystick/sandbox/History"
import * as Effect from "effect/Effect"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Seeded from "./support/Seeded.ts"

const HOUR = 3_600_000
const TO = 1_800_000_000_000
const SPAN = 20 * HOUR
const READ = { from: TO - SPAN - 100 * HOUR, to: TO + 100 * HOUR }

const query = (fromAccount: string): Coverage.TransferQuery => ({
  fromAccount,
  fromAccountType: "SPOT",
  toAccountType: "SPOT"
})

const covered = (scope: Pick<Coverage.Coverage, "operation" | "query">): Coverage.Coverage => ({
  ...scope,
  ...READ,
  readAt: READ.to,
  state: "complete"
})

/** Some transfers come from the wrong account, too early, too late, or with another amount; some do not come at all. */
const disturbed = (
  random: Seeded.Seeded,
  transfers: ReadonlyArray<UniversalTransfer.UniversalTransfer>,
  accounts: ReadonlyArray<string>
): ReadonlyArray<UniversalTransfer.UniversalTransfer> =>
  transfers.flatMap((transfer) => {
    const [kind, other] = [random.int(1, 30), { ...transfer, fromAccount: random.pick(accounts) }]
    return kind === 1
      ? [other]
      : kind === 2
      ? [{ ...transfer, timestamp: transfer.timestamp - 2 * HOUR }]
      : kind === 3
      ? [{ ...transfer, timestamp: transfer.timestamp + 5 * HOUR }]
      : kind === 4
      ? [{ ...transfer, amount: transfer.amount.replace(/\d$/, "1") }]
      : kind === 5
      ? []
      : [transfer]
  })

interface Books extends Pick<History.History, "deposits" | "transfers" | "subAccounts" | "addressBook"> {}

const books = (seed: number): Books => {
  const random = Seeded.make(seed)
  const history = History.generate({
    seed,
    to: TO,
    span: SPAN,
    deposits: random.int(60, 150),
    subAccounts: random.int(2, 6),
    crowd: { share: random.pick([0, 0.2]), unswept: 0.02 },
    sweeps: 3,
    splits: 3
  })
  return { ...history, transfers: disturbed(random, history.transfers, history.subAccounts) }
}

/** Keeps everything but what the accounts of `lost` were asked for; the records are there all the same, or they are not. */
const outcomes = (
  { addressBook, deposits, subAccounts, transfers }: Books,
  lost?: { readonly account: string; readonly isKept: boolean }
) =>
  Effect.gen(function*() {
    const archive = yield* Archive.Archive
    yield* archive.deposits.saveSlice({
      ...READ,
      records: deposits,
      bad: [],
      coverage: [covered({ operation: "deposits" })]
    })
    for (const account of subAccounts) {
      const records = transfers.filter(({ fromAccount }) => fromAccount === account)
      if (account !== lost?.account) {
        const coverage = [covered({ operation: "transfers", query: query(account) })]
        yield* archive.transfers.saveSlice({ ...READ, records, bad: [], coverage }, query(account))
      } else if (lost.isKept) yield* archive.transfers.savePage({ records, bad: [], readAt: READ.to })
    }
    const report = yield* ArchiveReconciliation.run({
      accounts: { list: subAccounts, complete: true },
      addresses: addressBook,
      range: { from: TO - SPAN - HOUR, to: TO + 6 * HOUR }
    })
    return report.outcomes
  }).pipe(Effect.scoped, Effect.provide(Archive.Archive.layerMemory()))

const keyOf = ({ id, side }: Entry.Entry): string => `${side} ${id}`

const isMissing = ({ code }: Outcome.Outcome): boolean => code === "missing-transfer" || code === "missing-deposit"

describe("an archive in which the transfers of one account were not read", () => {
  it.effect("calls nothing missing for certain, nor everything read, but what is missing when all of it is", () =>
    Effect.gen(function*() {
      const turned = new Set<string>()
      for (let seed = 1; seed <= Math.min(Seeded.cases(8), 60); seed++) {
        const random = Seeded.make(-seed)
        const history = books(seed)
        const known = new Map(
          (yield* outcomes(history)).flatMap((outcome) =>
            [...outcome.deposits, ...outcome.transfers].map((entry) => [keyOf(entry), outcome] as const)
          )
        )
        const account = random.pick(history.subAccounts)
        for (const outcome of yield* outcomes(history, { account, isKept: random.chance(0.5) })) {
          const [entry] = [...outcome.deposits, ...outcome.transfers]
          const before = entry === undefined ? undefined : known.get(keyOf(entry))
          assert.isDefined(before)
          if (isMissing(before)) continue
          if (outcome.code === "coverage-gap") {
            turned.add(before.code)
            if (outcome.missing?.query !== undefined) assert.strictEqual(outcome.missing.query.fromAccount, account)
          }
          if (!isMissing(outcome)) continue
          assert.isFalse(outcome.final, `seed ${seed}: ${entry?.id} is ${before.code}`)
          const isUnknown = outcome.because?.code !== "no-counterpart" || outcome.because.unknown !== undefined
          assert.isTrue(isUnknown, `seed ${seed}: ${before.code}`)
        }
      }
      assert.includeMembers(Array.from(turned), ["exact", "account-mismatch", "early", "late"])
    }))
})
