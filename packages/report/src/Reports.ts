/**
 * The last report of a program, and news of its outcomes for everybody who watches. A program feeds it with whole reports, or with
 * the events of a run as they come; `ReportApiServer` serves it.
 *
 * Nothing is kept beyond the process. The memory is that of the last report, of a run whose events come, and of the last events.
 */
import type * as Accounts from "@tallystick/reconcile/Accounts"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Report from "@tallystick/reconcile/Report"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Struct from "effect/Struct"
import * as Feed from "./internal/Feed.ts"
import * as Masking from "./Masking.ts"
import type * as ReportApi from "./ReportApi.ts"
import * as SafeJson from "./text/SafeJson.ts"

/** A report that is served. */
export interface Published {
  /** The place of the report among the news. */
  readonly id: string
  /** The report that is served. */
  readonly report: Report.Report
  /** Its outcomes by their ids. */
  readonly outcomes: ReadonlyMap<string, Outcome.Outcome>
}

/** Says from where somebody watches, and how often silence is told. */
export interface Watch {
  /** The id of the last event that is known. Default: only what happens from now on is told. */
  readonly after?: string
  /** After how long without news `alive` is told; default 15 seconds. */
  readonly idle?: Duration.Input
}

/** Holds the last report, and tells those who watch what changes. It writes nothing to a disk. */
export interface Service {
  /** The last report; none before the first. */
  readonly current: Effect.Effect<Option.Option<Published>>
  /** Tells the outcomes that the last report does not have, or has otherwise, and serves this report from now on. */
  readonly publish: (report: Report.Report) => Effect.Effect<void>
  /**
   * Runs the events of `Reconciliation.events` to their end: it tells each such outcome as it comes, serves the report when its
   * summary has come, and returns it, unmasked. If the stream fails, the last report stays; what was told stays true, and is
   * told again by the next run. A stream that ends without its summary was cut by its program, and is a defect.
   */
  readonly publishEvents: <E, R>(
    events: Stream.Stream<Reconciliation.Event, E, R>
  ) => Effect.Effect<Report.Report, E, R>
  /**
   * The news, from its first pull on. Nobody waits for a reader: one that is too slow, or comes back too late, is told `behind`,
   * with the number of events that it missed, and goes on with the oldest that is kept.
   */
  readonly news: (options?: Watch) => Stream.Stream<ReportApi.News>
}

/** These options say what is served, and how much is kept for readers that are slow. */
export interface Options {
  /** How many events are kept for readers that are slow or come back; default 1024. */
  readonly capacity?: number
  /** Masks whatever is served, as `Masking` does; the accounts of the runs, which number the pseudonyms. Default: unmasked. */
  readonly masked?: Accounts.Accounts
}

type Told = { readonly outcome: Outcome.Outcome } | { readonly summary: Report.Summary }

const NO_SUMMARY =
  "These events have no summary, so they are not all that a reconciliation tells; give publishEvents all of them."

/** The number of outcomes that are compared and told before others have their turn. */
const TURN = 256

/** Returns what a reader would see of an outcome. */
const text = (outcome: Outcome.Outcome): string => SafeJson.stringify(Report.written(outcome))

const toNews = (told: Feed.Told<Told>): ReportApi.News => {
  const { id } = told
  if (told._tag === "Alive") return { id, event: "alive", data: {} }
  if (told._tag === "Behind") return { id, event: "behind", data: { missed: told.missed } }
  return "outcome" in told.value
    ? { id, event: "outcome", data: told.value.outcome }
    : { id, event: "report", data: told.value.summary }
}

const make = Effect.fnUntraced(
  function*({ capacity = 1024, masked }: Options): Effect.fn.Return<Service, never, Scope.Scope> {
    const feed = yield* Feed.make<Told>(capacity)
    let last = Option.none<Published>()

    const isNew = (outcome: Outcome.Outcome): boolean => {
      const before = Option.isNone(last) ? undefined : last.value.outcomes.get(outcome.id)
      return before === undefined || (before !== outcome && text(before) !== text(outcome))
    }

    const tell = Effect.fnUntraced(function*(outcomes: ReadonlyArray<Outcome.Outcome>) {
      for (let from = 0; from < outcomes.length; from += TURN) {
        yield* feed.append(outcomes.slice(from, from + TURN).filter(isNew).map((outcome) => ({ outcome })))
        yield* Effect.yieldNow
      }
    })

    const serve = (report: Report.Report) =>
      Effect.map(feed.append([{ summary: Struct.omit(report, ["outcomes"]) }]), (id) => {
        last = Option.some({ id, report, outcomes: new Map(report.outcomes.map((outcome) => [outcome.id, outcome])) })
      })

    const shown = masked === undefined
      ? identity<Report.Report>
      : (report: Report.Report) => Masking.report(report, masked)

    return {
      current: Effect.sync(() => last),
      publish: Effect.fnUntraced(function*(given) {
        const report = shown(given)
        yield* tell(report.outcomes)
        yield* serve(report)
      }),
      publishEvents: Effect.fnUntraced(function*<E, R>(events: Stream.Stream<Reconciliation.Event, E, R>) {
        const outcomes: Array<Outcome.Outcome> = []
        let summary: Report.Summary | undefined
        const kept = Stream.mapArray(events, (batch) => {
          for (const event of batch) {
            if (event._tag === "Outcome") outcomes.push(event.outcome)
            else summary = event.summary
          }
          return batch
        })
        yield* Stream.runForEachArray(
          masked === undefined ? kept : Masking.events(kept, masked),
          (told) => tell(told.flatMap((event) => event._tag === "Outcome" ? [event.outcome] : []))
        )
        if (summary === undefined) return yield* Effect.die(new Error(NO_SUMMARY))
        const report: Report.Report = { ...summary, outcomes }
        yield* serve(shown(report))
        return report
      }),
      news: ({ after, idle = "15 seconds" } = {}) => Stream.map(feed.read({ after, idle }), toNews)
    }
  }
)

/** The last report of a program, and news of its outcomes. */
export class Reports extends Context.Service<Reports, Service>()("@tallystick/report/Reports") {
  /** Begins without a report. Readers end with the layer. */
  static readonly layer = (options: Options = {}): Layer.Layer<Reports> => Layer.effect(Reports, make(options))
}
