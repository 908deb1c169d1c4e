/** `tallystick open`: what waits in the books, and since when. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import { listFormat, out } from "../flags/OutFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const named = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withSchema(Schema.NonEmptyString),
    Flag.withDescription(description),
    Flag.optional
  )

/** The states in which an entry waits. */
export const STATES = ["open", "pending", "undetermined"] as const

const flags = {
  older: named("older", "LENGTH", "Those whose earliest entry is older than this: 12h, 3d"),
  asset: named("asset", "ASSET", "Those of an asset"),
  account: named("account", "NAME", "Those of a sub-account"),
  code: named("code", "CODE", "Those of a code, as reports write it: missing-transfer"),
  state: Flag.Literals("state", STATES).pipe(
    Flag.withDescription("Those that are open, pending or not decidable"),
    Flag.optional
  ),
  asOf: Flag.Int("as-of").pipe(
    Flag.withMetavar("EXECUTION"),
    Flag.withSchema(Schema.Int.check(Schema.isGreaterThan(0))),
    Flag.withDescription("What waited after an earlier execution, by its number"),
    Flag.optional
  ),
  format: listFormat,
  out,
  zone: RangeFlags.flags.zone,
  archiveFile: ArchiveFlag.flag
}

export const command = Command.make("open", flags, Telemetry.command("open", () => import("../handlers/Open.ts"))).pipe(
  Command.withDescription(
    "List what waits in the books after the last execution (reconcile --archive --book), the earliest first: breaks, what may still " +
      "settle, and what is not decidable from what was read. The table has the earliest 1,000 items. Exits with 0 when nothing is open or not decidable, and with 1 " +
      "when something is."
  ),
  Command.withExamples([
    { command: "tallystick open", description: "All of it" },
    {
      command: "tallystick open --older 3d --out open.csv",
      description: "What waits for more than three days"
    },
    { command: "tallystick open --as-of 41", description: "What waited after execution 41" }
  ])
)
