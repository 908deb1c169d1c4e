/** `tallystick site`: the books as pages in a folder. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AuthorFlags from "../flags/AuthorFlags.ts"
import * as FileFlag from "../flags/FileFlag.ts"
import * as RangeFlags from "../flags/RangeFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  out: FileFlag.folder("out").pipe(
    Flag.withSchema(Schema.NonEmptyString),
    Flag.withDescription("The folder of the pages, which is made where there is none")
  ),
  title: Flag.String("title").pipe(
    Flag.withMetavar("NAME"),
    Flag.withSchema(AuthorFlags.Name),
    Flag.withDescription("Whose books these are: every page has it"),
    Flag.optional
  ),
  zone: RangeFlags.zoneOfPeriods("Zone of the days of the calendar and of all times"),
  archiveFile: ArchiveFlag.flag
}

export const command = Command.make("site", flags, Telemetry.command("site", () => import("../handlers/Site.ts"))).pipe(
  Command.withDescription(
    "Write the books as pages that need no server and no script: an index with a calendar, ageing in money, the roll-forward and the " +
      "periods; a page for each day that was judged; and a page for each item that waits. A page of an item that is settled since " +
      "stays, and says so. Run it again, from cron or by a timer: it writes the pages alone of which the archive tells something new."
  ),
  Command.withExamples([
    { command: "tallystick site --out public", description: "All pages, into the folder public" },
    {
      command: "tallystick site --out public --title \"Example Ltd\" --zone Europe/Berlin",
      description: "Named, with the days of a zone"
    }
  ])
)
