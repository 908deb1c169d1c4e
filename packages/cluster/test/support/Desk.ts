/** An archive of a day with deposits that were moved, some that were not, and the question of its evening. */
import * as Archive from "@tallystick/archive/Archive"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import type * as Receiver from "@tallystick/archive/Receiver"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import { deposit, NOW, transfer } from "../../../archive/test/support/records.ts"
import type * as Question from "../../src/Question.ts"

const HOUR = 3_600_000
export const DAY = 24 * HOUR

const range = { from: NOW, to: NOW + DAY }

export const question: Question.Question = {
  range,
  policy: Policy.defaults,
  accounts: { list: ["a@x"], complete: true },
  author: { by: "evening", identity: "claimed" },
  declare: false,
  carry: true
}

const layer = (location: ArchiveConfig.Location) =>
  location._tag === "File" ? Archive.Archive.layerSqlite(location) : Archive.Archive.layerPostgres(location)

/** Runs with the archive at a place, and closes it. */
export const within = (location: ArchiveConfig.Location) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, layer(location))

/** Of so many deposits one in ten was not moved. */
const BREAKS = 10

/** So many deposits are kept at once. */
const TOGETHER = 5000

/** Fills an archive with a day of so many deposits. */
export const keep = (location: ArchiveConfig.Location, count: number) =>
  Effect.gen(function*() {
    const archive = yield* Archive.Archive
    const covered = (operation: Coverage.Coverage["operation"], from: number, to: number): Coverage.Coverage => ({
      operation,
      from,
      to,
      readAt: NOW + 6 * DAY,
      state: "complete"
    })
    const at = (index: number): number => NOW + Math.floor(index * DAY / count)
    for (let first = 0; first < count; first += TOGETHER) {
      const last = Math.min(first + TOGETHER, count)
      const slice = {
        from: first === 0 ? NOW - 5 * DAY : at(first),
        to: last === count ? NOW + 5 * DAY : at(last),
        bad: []
      }
      const indices = Array.from({ length: last - first }, (_, index) => first + index)
      const amount = (index: number): string => `${1 + index % 97}.${String(index).padStart(6, "0")}1`
      yield* archive.deposits.saveSlice({
        ...slice,
        records: indices.map((index) => deposit({ txId: `d${index}`, insertTime: at(index), amount: amount(index) })),
        coverage: [covered("deposits", slice.from, slice.to)]
      })
      yield* archive.transfers.saveSlice({
        ...slice,
        records: indices.filter((index) => index % BREAKS !== 0).map((index) =>
          transfer({ tranId: `t${index}`, timestamp: Math.min(at(index) + 1, slice.to - 1), amount: amount(index) })
        ),
        coverage: [covered("transfers", slice.from, slice.to)]
      })
    }
  }).pipe(within(location))

/** A receiver of notices; `send` takes each one. */
export const receiver = (send: (notice: string) => Effect.Effect<void>): Receiver.Receiver => ({
  id: "f".repeat(64),
  place: "the desk",
  hasDetails: false,
  send
})
