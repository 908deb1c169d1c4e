/** Whether an archive tells the truth. */
import { assert } from "@effect/vitest"
import type * as Archive from "@tallystick/archive/Archive"
import type * as ArchivedRecord from "@tallystick/archive/ArchivedRecord"
import * as ClientTranId from "@tallystick/core/ClientTranId"
import type * as Coverage from "@tallystick/core/Coverage"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as World from "./World.ts"

interface Side<Record extends { readonly amount: string }> {
  readonly operation: Coverage.Coverage["operation"]
  readonly history: (archive: Archive.Service) => Archive.History<Record>
  readonly truth: (world: World.World) => ReadonlyArray<Record>
  readonly time: (record: Record) => number
  readonly identity: (record: Record) => string
  readonly keys: (records: ReadonlyArray<Record>) => Effect.Effect<ReadonlyArray<string>>
  /** Whether its status may still change: it never goes back to that. */
  readonly isOpen: (record: Record) => boolean
  /** Whether a query is about the record. */
  readonly answers: (query: Coverage.TransferQuery | undefined, record: Record) => boolean
}

const deposits: Side<SubAccountDeposit.SubAccountDeposit> = {
  operation: "deposits",
  history: (archive) => archive.deposits,
  truth: (world) => world.deposits(),
  time: ({ insertTime }) => insertTime,
  identity: SubAccountDeposit.identity,
  keys: ClientTranId.clientTranIdsFor,
  isOpen: ({ status }) => status === World.PENDING,
  answers: () => true
}

const transfers: Side<UniversalTransfer.UniversalTransfer> = {
  operation: "transfers",
  history: (archive) => archive.transfers,
  truth: (world) => world.transfers(),
  time: ({ timestamp }) => timestamp,
  identity: UniversalTransfer.identity,
  keys: (records) => Effect.succeed(records.map(({ tranId }) => tranId)),
  isOpen: ({ status }) => status === World.WAITING,
  answers: (query, { fromAccount }) => query?.fromAccount === fromAccount
}

const sorted = (texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.toSorted()

const read = <Record>(history: Archive.History<Record>) =>
  Effect.map(Stream.runCollect(history.slices({ from: 0, to: Number.MAX_SAFE_INTEGER })), (slices) => ({
    kept: slices.flatMap(({ records }): ReadonlyArray<ArchivedRecord.ArchivedRecord<Record>> => records),
    bad: slices.flatMap(({ bad }) => bad)
  }))

/** What holds at every moment, whatever was killed: nothing invented, doubled or taken back, and no empty promise. */
const judgeSide = Effect.fnUntraced(function*<Record extends { readonly amount: string }>(
  side: Side<Record>,
  archive: Archive.Service,
  world: World.World
) {
  const { bad, kept } = yield* read(side.history(archive))
  const truth = side.truth(world).filter(World.isReadable)
  const keys = new Set(yield* side.keys(truth))
  assert.strictEqual(new Set(kept.map(({ key }) => key)).size, kept.length, "doubled")
  for (const { before, conflicts, key, record, seenAt, vanishedAt } of kept) {
    assert.isTrue(keys.has(key), `invented: ${key}`)
    assert.isTrue(world.told.has(World.contentOf(record)), `never told: ${JSON.stringify(record)}`)
    for (const [index, version] of before.entries()) {
      assert.isTrue(world.told.has(World.contentOf(version.record)), "never told, before")
      const then = before[index + 1]?.record ?? record
      assert.isTrue(
        side.isOpen(version.record) || !side.isOpen(then),
        `went back: ${JSON.stringify([version, then, seenAt])}`
      )
    }
    const versions = new Set([record, ...before.map((version) => version.record)].map(World.contentOf))
    for (const content of world.judged.get(key) ?? []) {
      assert.isTrue(versions.has(content), `a version was lost: ${content}`)
    }
    world.judged.set(key, versions)
    assert.deepStrictEqual(conflicts, [])
    assert.isUndefined(vanishedAt, `taken for vanished: ${JSON.stringify(record)}`)
  }
  assert.isAtMost(bad.length, 1)

  const coverage = (yield* archive.coverage()).filter(({ operation }) => operation === side.operation)
  for (const { from, query, state, to } of coverage) {
    if (state !== "complete") continue
    const within = (record: Record) =>
      side.time(record) >= from && side.time(record) < to && side.answers(query, record)
    assert.deepStrictEqual(
      sorted(kept.map(({ record }) => record).filter(within).map(side.identity)),
      sorted(truth.filter(within).map(side.identity)),
      `${side.operation}: said to be complete in [${from}, ${to})`
    )
  }
  return { bad, coverage, keys, kept, truth }
})

/** At any moment. */
export const sound = (archive: Archive.Service, world: World.World) =>
  Effect.andThen(judgeSide(deposits, archive, world), judgeSide(transfers, archive, world))

const completeTo = (coverage: ReadonlyArray<Coverage.Coverage>, from: number): number =>
  coverage.filter(({ state }) => state === "complete").toSorted((a, b) => a.from - b.from).reduce(
    (reached, part) => part.from <= reached ? Math.max(reached, part.to) : reached,
    from
  )

const judgeWhole = Effect.fnUntraced(function*<Record extends { readonly amount: string }>(
  side: Side<Record>,
  archive: Archive.Service,
  world: World.World,
  until: number
) {
  const { bad, coverage, keys, kept, truth } = yield* judgeSide(side, archive, world)
  assert.deepStrictEqual(
    sorted(kept.map(({ record }) => World.contentOf(record))),
    sorted(truth.map(World.contentOf)),
    `${side.operation}: not the latest content of every record`
  )
  assert.deepStrictEqual(sorted(kept.map(({ key }) => key)), sorted([...keys]))
  assert.strictEqual(bad.length, 1, `${side.operation}: a record that cannot be read`)
  for (const query of Map.groupBy(coverage, ({ query }) => JSON.stringify(query)).values()) {
    const lacking = JSON.stringify(query.filter(({ state }) => state !== "complete"))
    assert.isAtLeast(
      completeTo(query, world.begin),
      until - until % 60_000,
      `${side.operation}: not complete: ${lacking}`
    )
  }
  assert.isAtLeast(coverage.length, 1)
  return { records: kept.length, versions: kept.reduce((sum, { before }) => sum + before.length, 0) }
})

/**
 * After a run that ended by itself, in a world that stands still: everything is there, and complete to the whole minute before
 * `until` (Unix ms).
 */
export const whole = (archive: Archive.Service, world: World.World, until: number) =>
  Effect.all({
    deposits: judgeWhole(deposits, archive, world, until),
    transfers: judgeWhole(transfers, archive, world, until)
  })
