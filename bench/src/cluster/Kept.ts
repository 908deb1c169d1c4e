/** An archive in PostgreSQL that holds some days of the service's records, kept through the archive itself. */
import * as Archive from "@tallystick/archive/Archive"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Year from "../archive/Year.ts"

/** From the end of a day to its reading, ms. */
const LATER = 5 * Year.DAY

/** One slice keeps the records of so much time, ms. */
const SLICE = Year.DAY / 8

const slices = (days: number): ReadonlyArray<{ readonly from: number; readonly to: number }> =>
  Array.from({ length: days * Year.DAY / SLICE }, (_, index) => ({
    from: Year.START + index * SLICE,
    to: Year.START + (index + 1) * SLICE
  }))

/** Keeps `days` days with so many sweeps each; the day before and the days after them were read, and hold nothing. */
export const keep = (url: Redacted.Redacted, days: number, sweeps: number): Promise<void> =>
  Effect.gen(function*() {
    const archive = yield* Archive.Archive
    const read = (operation: Coverage.Coverage["operation"], from: number, to: number) => ({
      operation,
      from,
      to,
      readAt: to + LATER,
      state: "complete" as const
    })
    const around: ReadonlyArray<readonly [number, number]> = [
      [Year.START - 5 * Year.DAY, Year.START],
      [Year.START + days * Year.DAY, Year.START + (days + 5) * Year.DAY]
    ]
    const records = Array.from({ length: days }, (_, index) => Year.day(index, sweeps))
    const deposits = records.flatMap((day) => day.deposits)
    const transfers = records.flatMap((day) => day.transfers)
    for (const { from, to } of [...slices(days), ...around.map(([from, to]) => ({ from, to }))]) {
      const within = (at: number): boolean => at >= from && at < to
      yield* archive.deposits.saveSlice({
        from,
        to,
        bad: [],
        records: deposits.filter(({ insertTime }) => within(insertTime)),
        coverage: [read("deposits", from, to)]
      })
      yield* archive.transfers.saveSlice({
        from,
        to,
        bad: [],
        records: transfers.filter(({ timestamp }) => within(timestamp)),
        coverage: [read("transfers", from, to)]
      })
    }
  }).pipe(Effect.provide(Archive.Archive.layerPostgres({ url })), Effect.runPromise)
