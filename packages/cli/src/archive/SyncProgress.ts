/** How far a sync has come: one line that is drawn again on a terminal, else a line now and then. */
import type * as Sync from "@tallystick/archive/Sync"
import * as Text from "@tallystick/reconcile/render/Text"
import * as Times from "@tallystick/reconcile/render/Times"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Terminal from "effect/Terminal"
import * as Notice from "../Notice.ts"

/** Between two drawings on a terminal, and between two lines elsewhere, ms. */
const REDRAW = 100
const QUIET = 10_000

/** Cells of the bar, and of a terminal that does not say how wide it is. */
const BAR = 20
const WIDTH = 80

/** Back to the beginning of the line, and nothing on it. */
const CLEAR = "\r\u001b[K"

const bar = (share: number): string => {
  const full = Math.floor(share * BAR)
  return `[${"=".repeat(full)}${full < BAR ? ">" : ""}${" ".repeat(Math.max(0, BAR - full - 1))}]`
}

const rate = (records: number, elapsed: number): string =>
  elapsed <= 0 ? "" : `${Text.count(Math.round((records * 1000) / elapsed))} records/s`

/** Slices differ in size: the time left is a guess, and none before the first is done. */
const left = ({ slices, slicesDone }: Sync.Progress, elapsed: number): string =>
  slicesDone === 0 || slicesDone >= slices
    ? ""
    : `${Times.duration(Math.ceil((elapsed / slicesDone) * (slices - slicesDone) / 1000) * 1000)} left`

/** One line of at most `width` cells; what matters least is left out first. `elapsed` in ms. */
export const line = (progress: Sync.Progress, elapsed: number, width: number): string => {
  const { added, operation, pages, records, slices, slicesDone } = progress
  const parts = [
    { text: bar(slices === 0 ? 0 : slicesDone / slices), weight: 1 },
    { text: operation, weight: 5 },
    { text: `${Text.count(slicesDone)}/${Text.count(slices)} slices`, weight: 7 },
    { text: Text.counted(pages, "page"), weight: 2 },
    { text: `${Text.counted(records, "record")} (${Text.count(added)} new)`, weight: 6 },
    { text: rate(records, elapsed), weight: 3 },
    { text: left(progress, elapsed), weight: 4 }
  ].filter(({ text }) => text !== "")
  const joined = (least: number) => parts.filter(({ weight }) => weight >= least).map(({ text }) => text).join("  ")
  const fitting = [1, 2, 3, 4, 5, 6].map(joined).find((text) => text.length <= width)
  return fitting ?? joined(7).slice(0, width)
}

export interface Shown {
  readonly update: (progress: Sync.Progress) => Effect.Effect<void>
  /** Makes room for other lines. */
  readonly clear: Effect.Effect<void>
}

const redrawn = (stdio: Stdio.Stdio, width: number, started: number): Shown => {
  let drawnAt = Number.NEGATIVE_INFINITY
  let isClear = true
  const draw = (text: string) => Effect.ignore(Stream.run(Stream.make(text), stdio.stderr()))
  return {
    update: Effect.fnUntraced(function*(progress) {
      const now = yield* Clock.currentTimeMillis
      if (now - drawnAt < REDRAW) return
      drawnAt = now
      isClear = false
      // One cell stays free: in the last one some terminals begin a new line.
      yield* draw(CLEAR + line(progress, now - started, width - 1))
    }),
    clear: Effect.suspend(() => {
      if (isClear) return Effect.void
      isClear = true
      return draw(CLEAR)
    })
  }
}

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
    }),
    clear: Effect.void
  }
}

export const make: Effect.Effect<Shown, never, Stdio.Stdio | Terminal.Terminal> = Effect.gen(function*() {
  const stdio = yield* Stdio.Stdio
  const started = yield* Clock.currentTimeMillis
  if (!(yield* stdio.stderrIsTerminal)) return quiet(started)
  const columns = yield* Terminal.Terminal.use(({ columns }) => columns)
  return redrawn(stdio, columns > 0 ? columns : WIDTH, started)
})
