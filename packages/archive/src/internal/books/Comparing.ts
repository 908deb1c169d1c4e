/** Two runs are compared entry by entry. */
import * as Amount from "@tallystick/core/Amount"
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Timeline from "@tallystick/core/Timeline"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Policy from "@tallystick/reconcile/Policy"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { OutcomesError } from "../../ArchiveError.ts"
import * as BookState from "../../BookState.ts"
import type * as Run from "../../Run.ts"
import * as RunDiff from "../../RunDiff.ts"
import * as Subjects from "../ledger/Subjects.ts"
import * as Lookup from "../runs/Lookup.ts"
import * as Unshared from "../runs/Unshared.ts"
import type * as Database from "../sql/Database.ts"
import * as Judgement from "./Judgement.ts"
import * as Unreadable from "./Unreadable.ts"

const ALWAYS: Coverage.Interval = { from: 0, to: Number.MAX_SAFE_INTEGER }

const encodePolicy = Schema.encodeSync(Policy.Resolved)

/** Names the fields in which two policies differ. */
const fieldsOf = (before: Policy.Resolved, after: Policy.Resolved): ReadonlyArray<string> => {
  const [old, now] = [before, after].map((policy): Readonly<Record<string, unknown>> => encodePolicy(policy))
  return Array.from(new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})]))
    .filter((field) => JSON.stringify(old?.[field]) !== JSON.stringify(now?.[field]))
}

const asked = (before: Report.Summary, after: Report.Summary): RunDiff.RunDiff["asked"] => {
  const listed = ({ accounts: { complete, digest, master } }: Report.Summary) =>
    JSON.stringify([master, complete, digest])
  return {
    policy: fieldsOf(before.policy, after.policy),
    accounts: listed(before) !== listed(after),
    addresses: before.addresses.digest !== after.addresses.digest
  }
}

const sideOf = (
  recorded: Run.Recorded,
  common: Coverage.Interval | null,
  own: Unreadable.Unreadable,
  others: Unreadable.Unreadable
): RunDiff.Side => {
  const { run: { id, range, recordedAt }, summary } = recorded
  return {
    run: id,
    recordedAt,
    range,
    asOf: summary.asOf,
    ledger: summary.decisions?.head.number ?? 0,
    ...Unreadable.counted(recorded, { common, own, others }),
    unread: Timeline.union(common === null ? summary.unread : Timeline.clip(summary.unread, common))
      .map(({ from, to }) => ({ from, to }))
  }
}

/** Where an entry stands, with its side and id. */
type Told = RunDiff.Stand & Pick<Judgement.Judgement, "id" | "side">

const told = (outcome: Outcome.Outcome): ReadonlyArray<Told> =>
  Judgement.of(outcome).map((judgement) => Object.assign(judgement, { final: outcome.final }))

const standOf = ({ id: _id, side: _side, ...stand }: Told): RunDiff.Stand => stand

const isRestated = (before: Told, after: Told): boolean =>
  Amount.canonical(before.amount) !== Amount.canonical(after.amount) || before.asset !== after.asset ||
  before.at !== after.at ||
  before.account !== after.account

/** Says what became of an entry; nothing where it is as it was. */
const kindOf = (before: Told | undefined, after: Told | undefined): RunDiff.Kind | undefined => {
  const waited = before !== undefined && BookState.isWaiting(before.state)
  const waits = after !== undefined && BookState.isWaiting(after.state)
  if (waits && !waited) return "new"
  if (waited && !waits) return "closed"
  if (after === undefined) return "gone"
  if (before === undefined) return undefined
  if (before.code !== after.code || before.state !== after.state) return "code"
  if (before.outcome !== after.outcome) return "partners"
  if (!waits) return undefined
  if (isRestated(before, after)) return "restated"
  return before.final === after.final ? undefined : after.final ? "final" : "provisional"
}

const timeOf = ({ after, before }: RunDiff.Difference): number => before?.at ?? after?.at ?? 0

const KINDS = RunDiff.Kind.literals

const order = (a: RunDiff.Difference, b: RunDiff.Difference): number =>
  KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || timeOf(a) - timeOf(b) ||
  (Subjects.keyOf(a) < Subjects.keyOf(b) ? -1 : 1)

/**
 * Where entries stand, by `Subjects.keyOf`, and what could not be read. Of an entry that is told twice, with several contents, the first
 * in order of time counts.
 */
const table = () => {
  const entries = new Map<string, Told>()
  const bad = new Map<string, BadRecord.BadRecord>()
  const takeBad = (outcomes: ReadonlyArray<Outcome.Outcome>): void => {
    for (const [id, record] of Unreadable.of(outcomes)) bad.set(id, record)
  }
  const take = (outcomes: ReadonlyArray<Outcome.Outcome>): void => {
    takeBad(outcomes)
    for (const one of outcomes.flatMap(told)) {
      const key = Subjects.keyOf(one)
      const known = entries.get(key)
      if (known === undefined || one.at < known.at) entries.set(key, one)
    }
  }
  return { entries, bad, take, takeBad }
}

export const make = (database: Database.Service) => {
  const { error } = database
  const { whole } = Lookup.make(database)
  const unshared = Unshared.make(database)

  const isWhole = (id: string) =>
    Effect.mapError(whole(id), (failure) => failure._tag === "SqlError" ? error(failure) : failure)

  return Effect.fnUntraced(function*(
    before: Run.Recorded,
    after: Run.Recorded,
    within: Coverage.Interval = ALWAYS
  ): Effect.fn.Return<RunDiff.RunDiff, OutcomesError | RunDiff.Apart> {
    const [old, now] = [before.run.id, after.run.id]
    yield* Effect.forEach([old, now], isWhole, { discard: true })
    const earlier = Timeline.clip([before.run.range ?? ALWAYS], within)
    const later = Timeline.clip([after.run.range ?? ALWAYS], within)
    const [common] = Timeline.intersect(earlier, later)
    if (common === undefined) return yield* new RunDiff.Apart({ before: old, after: now })

    const first = table()
    yield* unshared.rows(old, now, first.take)
    yield* unshared.packs(old, now, yield* unshared.packed(now, old), first.take)
    const second = table()
    yield* unshared.rows(now, old, second.take)

    let arrived = 0
    const differences: Array<RunDiff.Difference> = []
    const isCommon = Judgement.isOf(common)
    const compare = (was: Told | undefined, is: Told | undefined): void => {
      const one = was ?? is
      if (one === undefined || ![was, is].some((told) => told !== undefined && isCommon(told))) return
      const kind = kindOf(was, is)
      if (kind !== undefined) {
        differences.push({
          kind,
          side: one.side,
          id: one.id,
          ...(was === undefined ? {} : { before: standOf(was) }),
          ...(is === undefined ? {} : { after: standOf(is) })
        })
      } else if (was === undefined) arrived++
    }
    const meet = (is: Told): void => {
      const key = Subjects.keyOf(is)
      compare(first.entries.get(key), is)
      first.entries.delete(key)
    }
    for (const is of second.entries.values()) meet(is)
    yield* unshared.packs(now, old, yield* unshared.packed(old, now), (outcomes) => {
      second.takeBad(outcomes)
      for (const is of outcomes.flatMap(told)) if (!second.entries.has(Subjects.keyOf(is))) meet(is)
    })
    for (const was of first.entries.values()) compare(was, undefined)

    const about = common.from === ALWAYS.from && common.to === ALWAYS.to ? null : common
    return {
      before: sideOf(before, about, first.bad, second.bad),
      after: sideOf(after, about, second.bad, first.bad),
      common: about,
      only: { before: Timeline.subtract(earlier, later), after: Timeline.subtract(later, earlier) },
      asked: asked(before.summary, after.summary),
      arrived,
      differences: differences.toSorted(order)
    }
  })
}
