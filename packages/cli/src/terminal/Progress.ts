/**
 * How far a command has come: on a terminal one line that is drawn again and again, elsewhere a line now and then. It leaves
 * nothing behind, and gives way to whatever is said meanwhile.
 */
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Terminal from "effect/Terminal"
import * as ProgressLine from "./ProgressLine.ts"
import * as QuietFlag from "./QuietFlag.ts"
import * as Stderr from "./Stderr.ts"

/** Between two drawings on a terminal, and between two lines elsewhere, ms. */
const REDRAW = 100
const SELDOM = 10_000

/** The line is drawn again this often while nothing happens, ms. */
const TICK = 1000

/** Cells that stay free: in the last one some terminals begin a new line, and `^C` is echoed before it is obeyed. */
const FREE = 3

/** Milliseconds of a clock that nobody sets: a line that is due comes, whatever becomes of the time of day. */
const millis = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos / 1_000_000n))

/** One piece of work that is watched. */
export interface Track {
  /** Adds to what the piece has come to. */
  readonly add: (more: Partial<ProgressLine.Counts>) => Effect.Effect<void>
  /** Says anew what it has come to. */
  readonly set: (counts: Partial<ProgressLine.Counts>) => Effect.Effect<void>
}

/** Where pieces of work that run at once are shown together. */
interface Board {
  readonly open: (about: ProgressLine.About) => Effect.Effect<Track, never, Scope.Scope>
}

/** The track of work that is not shown. */
export const nowhere: Track = { add: () => Effect.void, set: () => Effect.void }

const Board = Context.Reference<Board>("@tallystick/cli/Progress/Board", {
  defaultValue: () => ({ open: () => Effect.succeed(nowhere) })
})

/** Runs work of which progress is drawn on a terminal, and leaves no lines elsewhere: a daemon repeats it all night. */
export const drawn = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    Stderr.columns,
    (cells) => cells === undefined ? Effect.provideService(effect, Board, Board.defaultValue()) : effect
  )

/** Opens a piece of work, which is shown until the scope ends. */
export const track = (about: ProgressLine.About): Effect.Effect<Track, never, Scope.Scope> =>
  Effect.flatMap(Board, ({ open }) => open(about))

/** Says on a terminal what is done now, of work that cannot tell how far it is, and may keep everything else waiting. */
export const during = (what: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.scoped(Effect.andThen(track({ what, unit: "none" }), effect))

/** A terminal that can go back to the beginning of its line. */
const canRedraw = Effect.map(
  Effect.orElseSucceed(Config.String("TERM"), () => ""),
  (term) => term !== "dumb"
)

const make = Effect.fnUntraced(function*(scope: Scope.Scope) {
  const stdio = yield* Stdio.Stdio
  const terminal = yield* Terminal.Terminal
  const place = yield* Stderr.Line
  const redraws = yield* canRedraw
  const width = Stderr.columns.pipe(
    Effect.provideService(Stdio.Stdio, stdio),
    Effect.provideService(Terminal.Terminal, terminal)
  )
  const open = new Set<symbol>()
  let isTicking = false
  let state = ProgressLine.begin(0)
  let shownAt = Number.NEGATIVE_INFINITY

  const write = (text: string) => Effect.ignore(Stream.run(Stream.make(text), stdio.stderr()))
  const clear = Effect.suspend(() => {
    if (!place.isDrawn) return Effect.void
    place.isDrawn = false
    return write(Stderr.CLEAR)
  })
  const draw = Effect.gen(function*() {
    if (open.size === 0) return
    const cells = yield* width
    if (cells === undefined) return
    shownAt = yield* millis
    place.isDrawn = true
    yield* write(Stderr.CLEAR + ProgressLine.line(state, shownAt, cells - FREE))
  })
  const show = Effect.fnUntraced(function*() {
    const now = yield* millis
    if (redraws && (yield* width) !== undefined) {
      if (now - shownAt >= REDRAW) yield* draw
    } else if (now - shownAt >= SELDOM) {
      shownAt = now
      yield* Stderr.say(ProgressLine.sentence(state, now))
    }
  })
  const tick = Effect.suspend(() => {
    if (isTicking) return Effect.void
    isTicking = true
    return Effect.asVoid(Effect.forkIn(Effect.forever(Effect.delay(draw, TICK)), scope))
  })

  return {
    open: Effect.fnUntraced(function*(about) {
      if (yield* QuietFlag.isQuiet) return nowhere
      const own = Symbol(about.what)
      yield* Effect.acquireRelease(
        Effect.gen(function*() {
          const now = yield* millis
          if (open.size === 0) {
            state = ProgressLine.begin(now)
            shownAt = now
          }
          open.add(own)
          state = ProgressLine.opened(state, own, about)
          if (!redraws || (yield* width) === undefined) return
          yield* tick
          if (about.unit === "none" || about.unit === "share") yield* draw
        }),
        () => Effect.suspend(() => open.delete(own) && open.size === 0 ? clear : Effect.void)
      )
      const change = (counts: Partial<ProgressLine.Counts>, isMore: boolean) =>
        Effect.flatMap(millis, (now) => {
          state = ProgressLine.changed(state, own, counts, isMore, now)
          return show()
        })
      return { add: (more) => change(more, true), set: (counts) => change(counts, false) } satisfies Track
    })
  } satisfies Board
})

/** Runs with a place where progress is shown. */
export const shown = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.flatMap(Effect.flatMap(Effect.scope, make), (board) => Effect.provideService(effect, Board, board))
  )
