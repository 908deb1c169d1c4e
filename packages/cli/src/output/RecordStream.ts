/** The service's records as NDJSON on the way out, and a truthful end: what is incomplete is named. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as BrokerError from "@tallystick/core/BrokerError"
import * as Coverage from "@tallystick/core/Coverage"
import type * as Slice from "@tallystick/core/Slice"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import { scopeOf } from "@tallystick/report/text/Scope"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as Stderr from "../terminal/Stderr.ts"
import type { ZonedTimes } from "../text/ZonedTimes.ts"
import * as Output from "./Output.ts"

/** The file of `--out`. */
export type Out = Option.Option<string>

export interface Options {
  /** Whether an end was asked for. */
  readonly hasEnd: boolean
  readonly times: ZonedTimes
}

interface Tally {
  records: number
  bad: number
  readonly coverage: Array<Coverage.Coverage>
}

const YOUNG = "too young to be settled: more may still appear"

const unproven = (
  coverage: ReadonlyArray<Coverage.Coverage>,
  { hasEnd, times: { stretch } }: Options
): ReadonlyArray<string> =>
  Coverage.merge(coverage)
    .filter(({ state }) => state === "incomplete" || (state === "open" && hasEnd))
    .map(({ gap, state, ...about }) =>
      `${scopeOf(about)} ${stretch(about)}: ${gap?.detail ?? (state === "open" ? YOUNG : "not read")}`
    )

const openSince = (coverage: ReadonlyArray<Coverage.Coverage>): number | undefined =>
  Coverage.merge(coverage).find(({ state }) => state === "open")?.from

/** The most characters that are shown of a record that could not be read. */
const EXCERPT = 300

const unreadable = ({ path, raw, reason, source }: BadRecord.BadRecord): string =>
  `${source} could not be read: ${path === "" ? "" : `${path}: `}${reason}; it is: ${raw.slice(0, EXCERPT)}${
    raw.length > EXCERPT ? "…" : ""
  }`

/**
 * Writes every record that can be read, one JSON object a line. Ends with exit code 3 where completeness was not
 * proven, else with 1 where records could not be read. Without an end that was asked for, records that are not settled are a
 * tail, which is told of.
 */
export const write = <Record, R>(
  out: Out,
  slices: Stream.Stream<Slice.Slice<Record>, BrokerError.BrokerError, R>,
  options: Options
) =>
  Effect.suspend(() => {
    const tally: Tally = { records: 0, bad: 0, coverage: [] }
    const lines = slices.pipe(
      Stream.mapError(Failure.fromBroker),
      Stream.mapEffect((slice) => {
        tally.records += slice.records.length
        tally.bad += slice.bad.length
        for (const coverage of slice.coverage) tally.coverage.push(coverage)
        const text = slice.records.map((record) => `${SafeJson.stringify(record)}\n`).join("")
        return Effect.forEach(slice.bad, (bad) => Stderr.complain(unreadable(bad)), { discard: true }).pipe(
          Effect.as(text)
        )
      }),
      Stream.filter((text) => text !== "")
    )
    return Effect.andThen(
      Output.write(out, lines),
      Effect.suspend(() => {
        const gaps = unproven(tally.coverage, options)
        const bad = tally.bad === 0 ? "" : `; ${Text.count(tally.bad)} could not be read`
        const { bound, suffix } = options.times
        const since = openSince(tally.coverage)
        const open = since === undefined ? "" : `; younger than ${bound(since)}${suffix}, more may still appear`
        const summary = `${Text.counted(tally.records, "record")}${bad}${open}`
        if (gaps.length > 0) {
          return Effect.fail(Failure.unfinished(`${summary}; not proven complete:`, ...gaps))
        }
        return tally.bad > 0 ? Effect.fail(Failure.notClean(summary)) : Stderr.say(summary)
      })
    )
  })
