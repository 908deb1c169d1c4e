/** How far a sync has come: one line that is drawn again on a terminal, else a line now and then. */
import type * as Sync from "@tallystick/archive/Sync"
import * as Text from "@tallystick/reconcile/render/Text"
import * as Times from "@tallystick/reconcile/render/Times"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import type * as Terminal from "effect/Terminal"
import * as Notice from "../Notice.ts"

/** Between two drawings on a terminal, and between two lines elsewhere, ms. */
const REDRAW = 100
const QUIET = 10_000

/** The line is drawn again this often while nothing happens, ms. */
const TICK = 1000

/** When no slice has ended for so long, a guess of the time left would be none, ms. */
const STILL = 10_000

/** Cells of the bar. */
const BAR = 20

const bar = (share: number): string => {
  const full = Math.floor(share * BAR)
  return `[${"=".repeat(full)}${full < BAR ? ">" : ""}${" ".repeat(Math.max(0, BAR - full - 1))}]`
}

const rate = (records: number, elapsed: number): string =>
  elapsed <= 0 ? "" : `${Text.count(Math.round((records * 1000) / elapsed))} records/s`

/** How long it has run, and since when no slice has ended, ms. */
export interface Pace {
  readonly elapsed: number
  readonly still: number
}

/** Slices differ in size: the time left is a guess, none before the first is done, and none while one takes long. */
const left = ({ slices, slicesDone }: Sync.Progress, { elapsed, still }: Pace): string =>
  slicesDone === 0 || slicesDone >= slices || still >= STILL
    ? ""
    : `${Times.duration(Math.ceil((elapsed / slicesDone) * (slices - slicesDone) / 1000) * 1000)} left`

/** One line of at most `width` cells; what matters least is left out first. */
export const line = (progress: Sync.Progress, pace: Pace, width: number): string => {
  const { added, operation, pages, records, slices, slicesDone } = progress
  const parts = [
    { text: bar(slices === 0 ? 0 : slicesDone / slices), weight: 1 },
    { text: operation, weight: 5 },
    { text: `${Text.count(slicesDone)}/${Text.count(slices)} slices`, weight: 7 },
    // Slices end without any page where nothing answers.
    { text: Text.counted(pages, "page"), weight: pages === 0 ? 6 : 2 },
    { text: `${Text.counted(records, "record")} (${Text.count(added)} new)`, weight: 6 },
    { text: rate(records, pace.elapsed), weight: 3 },
    { text: left(progress, pace), weight: 4 }
  ].filter(({ text }) => text !== "")
  const joined = (least: number) => parts.filter(({ weight }) => weight >= least).map(({ text }) => text).join("  ")
  const fitting = [1, 2, 3, 4, 5, 6].map(joined).find((text) => text.length <= width)
  return fitting ?? joined(7).slice(0, width)
}

export interface Shown {
  readonly update: (progress: Sync.Progress) => Effect.Effect<void>
}

const redrawn = Effect.fnUntraced(function*(stdio: Stdio.Stdio, width: number, started: number) {
  const place = yield* Notice.Line
  let latest: Sync.Progress | undefined
  let drawnAt = started
  let endedAt = started
  const write = (text: string) => Effect.ignore(Stream.run(Stream.make(text), stdio.stderr()))
  const draw = Effect.gen(function*() {
    if (latest === undefined) return
    const now = yield* Clock.currentTimeMillis
    drawnAt = now
    place.isDrawn = true
    // One cell stays free: in the last one some terminals begin a new line.
    yield* write(Notice.CLEAR + line(latest, { elapsed: now - started, still: now - endedAt }, width - 1))
  })
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => place.isDrawn ? write(Notice.CLEAR) : Effect.void).pipe(
      Effect.andThen(Effect.sync(() => void (place.isDrawn = false)))
    )
  )
  yield* Effect.forkScoped(Effect.forever(Effect.delay(draw, TICK)))
  return {
    update: Effect.fnUntraced(function*(progress) {
      const now = yield* Clock.currentTimeMillis
      if (progress.slicesDone !== latest?.slicesDone) endedAt = now
      latest = progress
      if (!place.isDrawn || now - drawnAt >= REDRAW) yield* draw
    })
  } satisfies Shown
})

const quiet = (started: number): Shown => {
  let toldAt = started
  return {
    update: Effect.fnUntraced(function*(progress) {
      const now = yield* Clock.currentTimeMillis
      if (now - toldAt < QUIET) return
      toldAt = now
      const { added, operation, pages, records, slices, slicesDone } = progress
      yield* Notice.say(
        `${operation}: ${Text.count(slicesDone)} of ${Text.counted(slices, "slice")}, ${
          Text.counted(pages, "page")
        }, ` +
          `${Text.counted(records, "record")} (${Text.count(added)} new), ${rate(records, now - started)}`
      )
    })
  }
}

/** Shown until the scope ends; then its line is empty again. */
export const make: Effect.Effect<Shown, never, Stdio.Stdio | Terminal.Terminal | Scope.Scope> = Effect.gen(
  function*() {
    const stdio = yield* Stdio.Stdio
    const started = yield* Clock.currentTimeMillis
    const columns = yield* Notice.columns
    return columns === undefined ? quiet(started) : yield* redrawn(stdio, columns, started)
  }
)
