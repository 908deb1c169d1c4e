/** What of the year is reconciled, and what came of it. */
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import type { Runs } from "@tallystick/archive/Runs"
import * as Workers from "@tallystick/archive/Workers"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Year from "./Year.ts"

/** `report` in memory, `recorded` too; `lines` as text, an outcome each as soon as it is certain. */
export const forms = ["report", "recorded", "lines"] as const

export interface Asked {
  readonly file: string
  /** From 0. */
  readonly day: number
  readonly days: number
  readonly form: (typeof forms)[number]
  /** So many threads decide; lines are made by one. */
  readonly workers?: number
}

export interface Came {
  readonly outcomes: number
  readonly matched: number
  /** Of the lines. */
  readonly characters?: number
}

const matched = (outcomes: ReadonlyArray<{ readonly outcome: string }>): Came => ({
  outcomes: outcomes.length,
  matched: outcomes.filter(({ outcome }) => outcome === "matched").length
})

const program = (
  { day, days, file, form, workers: count = 1 }: Asked
): Effect.Effect<Came, unknown, Archive.Archive | Runs> => {
  const options: ArchiveReconciliation.Options = {
    range: { from: Year.START + day * Year.DAY, to: Year.START + (day + days) * Year.DAY },
    accounts: Year.accounts,
    addresses: Year.addressBook,
    workers: Workers.make({ archive: { _tag: "File", file }, count, least: 1 })
  }
  if (form === "report") return Effect.map(ArchiveReconciliation.run(options), ({ outcomes }) => matched(outcomes))
  if (form === "recorded") {
    return Effect.map(ArchiveReconciliation.record(options), ({ report }) => matched(report.outcomes))
  }
  return Effect.suspend(() => {
    let [outcomes, matched, characters] = [0, 0, 0]
    return ArchiveReconciliation.events(options).pipe(
      Stream.runForEachArray((events) =>
        Effect.sync(() => {
          for (const event of events) {
            if (event._tag !== "Outcome") continue
            outcomes++
            if (event.outcome.outcome === "matched") matched++
            characters += JSON.stringify(event.outcome).length
          }
        })
      ),
      Effect.map(() => ({ outcomes, matched, characters }))
    )
  })
}

export const reconcile = (asked: Asked): Promise<Came> =>
  Effect.runPromise(Effect.provide(program(asked), Archive.Archive.layerSqlite(asked)))
