/** The work of `tallystick decisions`. */
import * as Decisions from "@tallystick/archive/Decisions"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as DecisionText from "../archive/DecisionText.ts"
import * as EntryName from "../archive/EntryName.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type { Format } from "../flags/OutFlag.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends ArchiveFlag.Flags, Pick<RangeFlags.Flags, "zone"> {
  readonly of: Option.Option<string>
  readonly format: Format
  readonly out: Option.Option<string>
}

const list = Effect.fnUntraced(function*({ format, of, out, zone }: Flags) {
  const times = ZonedTimes.make(yield* AskedRange.zone(zone))
  const service = yield* Decisions.Decisions
  const head = yield* service.head
  const all = yield* service.all
  const decisions = Option.isNone(of) ? all : yield* service.of(yield* EntryName.find(of.value))
  yield* Effect.forEach(DecisionText.ofOneself(all), (sentence) => Stderr.complain(sentence), { discard: true })
  if (format === "json") return yield* Output.write(out, Stream.make(DecisionText.json(decisions)))
  if (decisions.length > 0 || Option.isSome(out)) {
    const width = yield* ReportOutput.tableWidth(out)
    yield* Output.write(out, Stream.make(DecisionText.table(decisions, width, times)))
  }
  return yield* Stderr.say(
    decisions.length === 0
      ? Option.isNone(of) ? "nothing was decided yet" : "nothing was decided on this entry"
      : `${Text.counted(decisions.length, "decision")}; the ledger ends at ${head.number}@${head.id}`
  )
})

export const run = (flags: Flags) =>
  Effect.andThen(Output.ready(flags.out), ArchivePlace.withReadArchive(flags)(list(flags)))
