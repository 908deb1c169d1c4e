/** A report on its way out: as a table for people or as JSON, and the one line that sums it up. */
import * as Json from "@tallystick/reconcile/render/Json"
import * as Table from "@tallystick/reconcile/render/Table"
import * as Verdict from "@tallystick/reconcile/render/Verdict"
import * as Report from "@tallystick/reconcile/Report"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Terminal from "effect/Terminal"
import * as Failure from "./Failure.ts"
import * as Output from "./Output.ts"

export interface Options {
  readonly format: "table" | "json"
  readonly out: Option.Option<string>
  readonly zone?: DateTime.TimeZone | undefined
}

/** How wide a report is that goes to no terminal. */
const WIDTH = 100

/** The terminal's width and colour, when it is one and nothing else is asked for. */
export const look = Effect.fnUntraced(function*(out: Option.Option<string>) {
  const stdio = yield* Stdio.Stdio
  if (Option.isSome(out) || !(yield* stdio.stdoutIsTerminal)) return { width: WIDTH, color: false }
  const { canColor } = yield* TerminalCapabilities.TerminalCapabilities
  const terminal = yield* Terminal.Terminal
  const columns = yield* terminal.columns
  return { width: columns > 0 ? columns : WIDTH, color: canColor }
})

export const write = Effect.fnUntraced(function*(report: Report.Report, { format, out, zone }: Options) {
  const texts = format === "json"
    ? Stream.fromIterable(Json.parts(report))
    : Stream.make(Table.render(report, { ...(yield* look(out)), zone }))
  yield* Output.write(out, texts)
})

/** Fails with the verdict: exit code 3 when nothing of a side could be read, 1 when the report is not clean. */
export const orNotClean = (report: Report.Summary): Effect.Effect<void, Failure.Failure> => {
  if (Report.operationsUnread(report).length > 0) return Effect.fail(Failure.unfinished(Verdict.sentence(report)))
  return Report.isClean(report) ? Effect.void : Effect.fail(Failure.notClean(Verdict.sentence(report)))
}
