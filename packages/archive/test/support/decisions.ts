/** An archive with a few entries, on which people decide. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Archive from "../../src/Archive.ts"
import * as ArchiveReconciliation from "../../src/ArchiveReconciliation.ts"
import * as Books from "../../src/Books.ts"
import * as Candidates from "../../src/Candidates.ts"
import type * as Decision from "../../src/Decision.ts"
import * as Decisions from "../../src/Decisions.ts"
import type { Database } from "../../src/internal/sql/Database.ts"
import * as ItemPages from "../../src/ItemPages.ts"
import * as Notices from "../../src/Notices.ts"
import * as OpenItems from "../../src/OpenItems.ts"
import * as Periods from "../../src/Periods.ts"
import * as Runs from "../../src/Runs.ts"
import { at } from "./at.ts"
import type { Kind } from "./databases.ts"
import { deposit, NOW, transfer } from "./records.ts"

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const clerk: Decision.Author = { by: "clerk", identity: "os" }
export const auditor: Decision.Author = { by: "auditor", identity: "claimed" }

/** A deposit that was moved ten minutes later but for a fee, and another deposit of another day. */
export const kept = Effect.gen(function*() {
  const archive = yield* Archive.Archive
  const slice = { from: NOW - 5 * DAY, to: NOW + 5 * DAY, bad: [] }
  const covered = (operation: Coverage.Coverage["operation"]): Coverage.Coverage => ({
    operation,
    from: slice.from,
    to: slice.to,
    readAt: NOW + 6 * DAY,
    state: "complete"
  })
  yield* archive.deposits.saveSlice({
    ...slice,
    records: [
      deposit({ txId: "near" }),
      deposit({ txId: "far", insertTime: NOW - 4 * DAY, amount: "9" }),
      deposit({ txId: "other", coin: "BTC", amount: "3" })
    ],
    coverage: [covered("deposits")]
  })
  yield* archive.transfers.saveSlice({
    ...slice,
    records: [
      transfer({ tranId: "t1", amount: "1.4", timestamp: NOW + 10 * MINUTE }),
      transfer({ tranId: "t2", amount: "9", timestamp: NOW + 20 * MINUTE })
    ],
    coverage: [covered("transfers")]
  })
})

export const report = (policy = Policy.defaults) =>
  ArchiveReconciliation.run({
    range: { from: NOW - HOUR, to: NOW + HOUR },
    accounts: { list: ["a@x"], complete: true },
    policy
  })

export const told = (
  { outcomes }: { readonly outcomes: ReadonlyArray<{ readonly code: string; readonly explanation: string }> }
) => outcomes.map(({ code }) => code).toSorted()

export const idOf = (tx: string) =>
  Decisions.Decisions.use(({ find }) => Effect.map(find(tx), ([found]) => found?.id ?? "nothing"))

export const decide = (acts: ReadonlyArray<Decision.Act>, options: Partial<Decisions.Options> = {}) =>
  Decisions.Decisions.use((decisions) => decisions.decide(acts, { author: clerk, ...options }))

export const why = { reason: "fee", words: "the sweeper paid 0.1" } as const

export const link = Effect.fnUntraced(function*(tx: string, transfers: readonly [string, ...Array<string>]) {
  return { kind: "link", deposits: [yield* idOf(tx)], transfers, ...why } satisfies Decision.Act
})

/** Why a decision is refused. */
export const refused = (acts: ReadonlyArray<Decision.Act>, options: Partial<Decisions.Options> = {}) =>
  Effect.map(
    Effect.flip(decide(acts, options)),
    (error) => error._tag === "DecisionError" ? `${error.index} ${error.reason._tag}: ${error.message}` : error.message
  )

/** An archive over a database. */
export const archiveOn = ({ layer }: Pick<Kind, "layer">) =>
  Layer.mergeAll(
    Archive.Archive.layer,
    Books.Books.layer,
    Candidates.Candidates.layer,
    Decisions.Decisions.layer,
    ItemPages.ItemPages.layer,
    Notices.Notices.layer,
    OpenItems.OpenItems.layer,
    Periods.Periods.layer,
    Runs.Runs.layer
  ).pipe(Layer.provideMerge(layer))

/** Runs a test on such an archive, a week later. */
export const testOn = (kind: Pick<Kind, "layer">) =>
<A, E>(
  body: Effect.Effect<
    A,
    E,
    | Archive.Archive
    | Books.Books
    | Candidates.Candidates
    | Database
    | Decisions.Decisions
    | ItemPages.ItemPages
    | Notices.Notices
    | OpenItems.OpenItems
    | Periods.Periods
    | Runs.Runs
  >
) => Effect.andThen(kept, body).pipe(at(NOW + 7 * DAY), Effect.provide(archiveOn(kind)))
