/**
 * Decides entries as they come, in order of time, and gives each outcome away as soon as nothing that is still to come can
 * change it. A whole run is the same with the end reached at once.
 *
 * `Parts` sorts entries into parts that the rules about equal amounts and references decide alone. An entry whose part these
 * rules match for good is decided once. All others go to the `Pool` with their part.
 */
import * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import * as InRange from "../../InRange.ts"
import * as Steps from "../../Steps.ts"
import * as Decision from "../Decision.ts"
import * as Finality from "../finality/Finality.ts"
import { append, item } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as PendingDeposits from "../ledger/PendingDeposits.ts"
import * as Terms from "../ledger/Terms.ts"
import * as Outcomes from "../outcomes/Outcomes.ts"
import type * as Unusable from "../outcomes/Unusable.ts"
import * as LonePair from "./LonePair.ts"
import * as Parts from "./Parts.ts"
import * as Pool from "./Pool.ts"
import * as Work from "./Work.ts"

export interface Options extends Terms.About {
  /** `[from, to)`, Unix ms. Outcomes without an entry inside are left out. */
  readonly range?: Coverage.Interval | undefined
  /** Counts what is done. */
  readonly work?: Work.Work | undefined
  /** The number of entries that the pool gathers before it decides, and that a part may hold; for tests. */
  readonly enough?: number
  readonly largest?: number
}

/** The entries and coverage that came since the last step. */
interface Step {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  /** What is known so far of records that could not be used. */
  readonly unusable: Unusable.Unusable
  /** Everything that is known so far about the reading. */
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  /** The time before which no entry is still to come, Unix ms. */
  readonly watermark: number
  /** Whether no entry at all is still to come. */
  readonly ended: boolean
}

/** What is known when parts are decided. */
interface Known extends Pick<Step, "ended" | "unusable"> {
  readonly read: Finality.ReadScopes
}

export interface Driver {
  /** Takes a step, and gives the outcomes that it decides. Those given together are ordered by (earliest time, id). */
  readonly advance: (step: Step) => Steps.Steps<void, ReadonlyArray<Outcome.Outcome>>
  /** Returns the number of entries that are kept. */
  readonly kept: () => number
  /** Returns the warnings about links that could not be followed, once everything has come. */
  readonly warnings: () => ReadonlyArray<string>
  /** Returns the number of entries that came again with the same content. */
  readonly repeated: Pool.Pool["repeated"]
}

/** The number of entries that the pool gathers before it decides. */
const ENOUGH = 4096

/** The number of outcomes that are given together, unless no more come. */
const GIVEN = 512

/** The number of entries whose parts are decided together. */
const BATCH = 2048

/** The number of entries for which the pool takes about one step. */
const POOLED_AT_ONCE = 11

/**
 * Returns the coverage that may be believed so far. For the time after the watermark it is known that something was asked for,
 * and not yet what came.
 */
const soFar = (coverage: ReadonlyArray<Coverage.Coverage>, watermark: number): ReadonlyArray<Coverage.Coverage> => [
  ...Coverage.clip(coverage, { from: Number.NEGATIVE_INFINITY, to: watermark }),
  ...Coverage.clip(coverage, { from: watermark, to: Number.POSITIVE_INFINITY })
    .map((part): Coverage.Coverage => Object.assign({}, part, { state: "open" }))
]

/** Whether a tier stated a pair, or as many pairs as a class has entries. No later rule looks at these again. */
const isStated = ({ code, finality }: Draft): boolean =>
  finality === "closed" && (code === "exact" || code === "reference" || code === "class-balanced")

/** Whether the windows were read of everything that hangs together with a pair. What lies beyond them may not have been. */
const isReadAround = ({ windows }: Finality.Finality, { deposits, transfers }: Draft): boolean =>
  deposits.every((index) => windows("deposit", index).state === "complete") &&
  transfers.every((index) => windows("transfer", index).state === "complete")

type Part = ReadonlyArray<Entry.Entry>

interface Batch {
  readonly parts: Array<Part>
  /** The number of entries. */
  size: number
}

const inBatches = (parts: ReadonlyArray<Part>): ReadonlyArray<Batch> => {
  const batches: Array<Batch> = []
  for (const part of parts) {
    let last = batches.at(-1)
    if (last === undefined || last.size >= BATCH) batches.push(last = { parts: [], size: 0 })
    last.parts.push(part)
    last.size += part.length
  }
  return batches
}

export const make = (options: Options): Driver => {
  const { enough = ENOUGH, range, work = Work.make() } = options
  const terms = Terms.make(options)
  const parts = Parts.make(terms, options.largest)
  const pendingDeposits = PendingDeposits.make(terms)
  const pool = Pool.make(terms, pendingDeposits, range)
  const lonePairs = LonePair.make(terms)
  const isInRange = InRange.isInRange(range)
  let ahead: ReadonlyArray<Entry.Entry> = []
  let gathered: Array<Entry.Entry> = []

  /** Whether the lag of a deposit may count from a later time. It then looks farther ahead than a transfer looks back for it. */
  const isDelayed = ({ past }: Entry.Entry): boolean =>
    terms.policy.lagFrom === "settled" && past?.settledAt !== undefined
  let decided: Array<Outcome.Outcome> = []
  const isReported = Outcomes.isReported(range)
  /** Gives what was decided, if it is enough. Returns nothing otherwise, so that others have their turn all the same. */
  const given = (least = GIVEN): ReadonlyArray<Outcome.Outcome> => {
    if (decided.length < least) return []
    const outcomes = Outcomes.inOrder(decided.filter(isReported))
    decided = []
    return outcomes
  }
  const turns = function*<A>(steps: Steps.Steps<A>): Steps.Steps<A, ReadonlyArray<Outcome.Outcome>> {
    let step = steps.next()
    while (step.done !== true) {
      yield given()
      step = steps.next()
    }
    return step.value
  }

  // Decides parts together. What is not decided for good goes to the pool.
  const decide = function*(batch: ReadonlyArray<Part>, { ended, read, unusable }: Known): Steps.Steps<void> {
    const partOf = new Map(batch.flatMap((part) => part.map((entry) => [entry, part] as const)))
    const entries = Array.from(partOf.keys())
    const { bench, drafts } = yield* Decision.decide({
      terms,
      deposits: entries.filter(({ side }) => side === "deposit"),
      transfers: entries.filter(({ side }) => side === "transfer"),
      pendingDeposits,
      read
    })
    const { deposits, transfers } = bench.ledger
    const left = new Set<Part>()
    const open = new Set<Part>()
    for (const draft of drafts) {
      const is = isStated(draft)
      if (is && bench.finality.isFinal(draft)) continue
      const isOpen = is && ended && isReadAround(bench.finality, draft) &&
        !draft.deposits.some((index) => isDelayed(item(deposits.entries, index)))
      const found = isOpen ? open : left
      for (const index of draft.deposits) found.add(partOf.get(item(deposits.entries, index)) ?? [])
      for (const index of draft.transfers) found.add(partOf.get(item(transfers.entries, index)) ?? [])
    }
    for (const part of open) if (!left.has(part)) pool.remember(part)
    for (const part of left) {
      append(gathered, part)
      work.expect("pooled", part.length)
    }
    const isReported = Outcomes.isDrafted(bench, range)
    yield* Steps.forEach(drafts, (draft) => {
      const first = draft.deposits.length > 0
        ? item(deposits.entries, item(draft.deposits, 0))
        : item(transfers.entries, item(draft.transfers, 0))
      if (left.has(partOf.get(first) ?? [])) return
      if (isReported(draft)) decided.push(Outcomes.finish(bench, draft, unusable))
    })
    for (const part of batch) if (!left.has(part)) parts.forget(part)
  }

  // Decides parts that nothing can join any more.
  const close = function*(closed: ReadonlyArray<Part>, known: Known): Steps.Steps<void> {
    const lonePair = lonePairs(known.read, known.ended)
    const several: Array<Part> = []
    yield* Steps.forEach(closed, (part) => {
      work.finish("paired", part.length)
      const pair = lonePair(part)
      if (pair === undefined) {
        if (part.length === 1) append(gathered, part)
        else several.push(part)
        return
      }
      if (isInRange(pair.deposit) || isInRange(pair.transfer)) decided.push(Outcomes.lone(pair))
      if (!pair.final) pool.remember(part)
      parts.forget(part)
    })
    work.expect("pooled", gathered.length)
    const batches = inBatches(several)
    for (const { size } of batches) work.expect("decided", size)
    for (const { parts, size } of batches) {
      yield* decide(parts, known)
      work.finish("decided", size)
    }
  }

  const advance = function*(
    { coverage, deposits, ended, transfers, unusable, watermark: reached }: Step
  ): Steps.Steps<void> {
    const watermark = ended ? Number.POSITIVE_INFINITY : reached
    const come = [...ahead, ...deposits, ...transfers]
    const isIn = ({ at }: Entry.Entry): boolean => at < watermark
    ahead = come.filter((entry) => !isIn(entry))
    const inOrder = come.filter(isIn).toSorted((one, other) => one.at - other.at)
    for (const stage of ["sorted", "paired"] as const) work.expect(stage, inOrder.length)
    yield* Steps.forEach(inOrder, (entry) => {
      pendingDeposits.add(entry)
      parts.add(entry, gathered)
      work.finish("sorted", 1)
    })
    const closed = parts.close(watermark)
    append(gathered, closed.loose)
    work.finish("paired", gathered.length)
    const readUntil = (time: number): Finality.ReadScopes =>
      Finality.readScopes(terms, ended ? coverage : soFar(coverage, time))
    yield* close(closed.parts, { read: readUntil(watermark), ended, unusable })
    if (ended || gathered.length >= Math.max(enough, pool.kept())) {
      const until = Math.min(watermark, parts.earliest())
      const size = pool.kept() + gathered.length
      const steps = pool.decide({ entries: gathered, read: readUntil(until), watermark: until, unusable })
      const told = yield* work.during("pooled", size, size / POOLED_AT_ONCE, steps)
      append(decided, told.outcomes)
      parts.forget(told.gone)
      gathered = []
    }
  }

  return {
    advance: function*(step) {
      yield* turns(advance(step))
      yield given(0)
    },
    kept: () => ahead.length + parts.size() + gathered.length + pool.kept(),
    warnings: pool.warnings,
    repeated: pool.repeated
  }
}
