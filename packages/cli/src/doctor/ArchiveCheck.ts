/** The archive, where there is one: whether it opens, whose it is, how far it reaches, and who may read it. */
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import type * as ArchiveError from "@tallystick/archive/ArchiveError"
import * as Integrity from "@tallystick/archive/Integrity"
import * as Status from "@tallystick/archive/Status"
import * as SyncStatus from "@tallystick/archive/SyncStatus"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Conventions from "@tallystick/core/Conventions"
import * as Origin from "@tallystick/core/Origin"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as Deadline from "../archive/Deadline.ts"
import * as IntegrityText from "../archive/IntegrityText.ts"
import * as SyncText from "../archive/SyncText.ts"
import * as Exposure from "../config/Exposure.ts"
import * as Variables from "../config/Variables.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import type * as WarnHoursFlag from "../flags/WarnHoursFlag.ts"
import type { ZonedTimes } from "../text/ZonedTimes.ts"
import * as Check from "./Check.ts"

/** A file that others than its owner may open. */
const openFile = Effect.fnUntraced(function*(location: ArchiveConfig.Location) {
  if (location._tag !== "File") return []
  const mode = yield* Exposure.modeAt(location.file, Exposure.ofSecret)
  return mode === undefined ? [] : [Check.warning(
    "archive",
    `others than its owner may open ${location.file} (mode ${mode})`,
    `chmod 600 ${location.file}`
  )]
})

const reach = ({ place, sides }: SyncStatus.SyncStatus, times: ZonedTimes): Check.Check => {
  const kept = sides.map(({ counts, operation }) => `${Text.count(counts.records)} ${operation}`)
  const scopes = sides.flatMap(({ scopes }) => scopes)
  const holes = sides.flatMap(({ scopes }) => Status.inside(scopes)).length
  const complete = SyncText.complete(Status.completeFrom(scopes), Status.completeTo(scopes), holes, times)
  const reached = complete === undefined ? "not complete anywhere" : `recorded as ${complete}`
  return Check.ok("archive", `${place}: ${Text.listed(kept)}, ${reached}`)
}

/** Whether deposits are read before the service forgets them. */
const unread = (view: SyncStatus.SyncStatus, flags: WarnHoursFlag.Flags, times: ZonedTimes): Check.Check => {
  const finding = SyncText.deadline(view.deadline, view.now, times)
  if (view.stamps.length === 0) {
    return Check.skipped("unread", "nothing was read from the service yet", "Run tallystick sync.")
  }
  const advice = "Run tallystick sync now, and from then on by cron or with --watch."
  const urgency = Deadline.urgency(view, flags)
  if (urgency === "calm") return Check.ok("unread", finding)
  return urgency === "lost" ? Check.failed("unread", finding, advice) : Check.warning("unread", finding, advice)
}

/** The archive may have lost since when. */
const disbelief = (since: number, { bound, suffix }: ZonedTimes): string =>
  since === 0
    ? "not believed, because the archive lost what it knew of them"
    : `not believed since ${bound(since)}${suffix}, because two readings of the same time differed`

const disbelieved = (
  { place, sides }: SyncStatus.SyncStatus,
  times: ZonedTimes
): ReadonlyArray<Check.Check> =>
  sides.flatMap(({ disbelievedSince, operation }) =>
    disbelievedSince === null ? [] : [Check.warning(
      "archive",
      `${place}: the service's lists of ${operation} are ${disbelief(disbelievedSince, times)}`,
      "Nothing need be done: each round reads them by agreement, with more requests, until lists were the same in several rounds."
    )]
  )

const whose = Effect.fnUntraced(function*(
  { place, stamps }: SyncStatus.SyncStatus,
  settings: BrokerConfig.Settings | undefined
) {
  if (settings === undefined || stamps.length === 0) return []
  const { baseUrl, fingerprint } = yield* Origin.of(settings)
  if (stamps.some((stamp) => stamp.baseUrl === baseUrl && stamp.fingerprint === fingerprint)) return []
  return [Check.failed(
    "archive",
    `${place} keeps the records of ${Text.listed(stamps.map(Origin.describe))}, but the configuration names ` +
      Origin.describe({ baseUrl, fingerprint }),
    stamps.some((stamp) => stamp.baseUrl === baseUrl)
      ? "Name another archive with TALLYSTICK_ARCHIVE. If it is a new key of the same master account: tallystick archive trust."
      : "Name another archive with TALLYSTICK_ARCHIVE, or put the base URL right: no archive keeps two exchanges."
  )]
})

const advice: Readonly<Record<ArchiveError.Reason["_tag"], string>> = {
  Locked: "Run doctor again when the other program has finished.",
  Held: "Nothing is wrong: one at a time may write to it.",
  Superseded:
    "Look what cuts the connection to the database or stops the process for seconds, and run tallystick sync again.",
  Reverted: "Run tallystick sync again, and import again what was imported since that state.",
  Aliased: "Give the file one name, in a folder that is there as a whole: two programs at two names would ruin it.",
  Remote: "Move it to a disk of this machine with tallystick stopped, or keep the archive in PostgreSQL.",
  Occupied: "End every program that has the archive open, then run doctor again.",
  Moved: "Put the file back with those beside it, and run doctor again.",
  Changed: "Run doctor again.",
  ReadOnly: "Look at the owner and the mode of the file and of its folder, or at the rights of the database role.",
  DiskFull: "Make room. Nothing was lost: what was being written was undone.",
  Foreign: "Name another file with TALLYSTICK_ARCHIVE, or move this one away.",
  Older: "Run tallystick archive status once as somebody who may write to it.",
  Newer: "Use the version of Tallystick that wrote it, or a later one.",
  Pruned: "docs/troubleshooting.md says what each error means.",
  Damaged: "After that, tallystick sync reads again what the service still shows.",
  OtherMaster: "Name another archive with TALLYSTICK_ARCHIVE.",
  Unreachable: "Look whether the server runs, and at its address in TALLYSTICK_DATABASE_URL.",
  CannotOpen:
    "Look at the address, the name and the password in TALLYSTICK_DATABASE_URL, or at the folder of the file.",
  TooOld: "Upgrade the PostgreSQL server, or keep the archive in a file.",
  InvalidRange: "docs/troubleshooting.md says what each error means.",
  Exists: "Name another file.",
  Failed: "docs/troubleshooting.md says what each error means."
}

/** With more rows only what the service still shows is read: doctor shall not take minutes. */
const MANY = 1_000_000

/** Findings that are named. */
const NAMED = 3

const some = (lines: ReadonlyArray<string>): string =>
  `${lines.slice(0, NAMED).join("; ")}${lines.length > NAMED ? `; and ${lines.length - NAMED} more` : ""}`

/** Names what is not as it was written, and how far the archive reaches; damaged records leave that unknown. */
const whole = Effect.fnUntraced(function*(
  view: SyncStatus.SyncStatus,
  flags: WarnHoursFlag.Flags,
  history: number,
  times: ZonedTimes
) {
  const { now, place, sides } = view
  const rows = sides.reduce((sum, { counts }) => sum + counts.records + counts.versions + counts.fromFiles, 0)
  const integrity = yield* rows > MANY ? Integrity.check({ from: now - history, to: now }) : Integrity.check()
  const found = IntegrityText.findings(integrity, times)
  const lost = IntegrityText.lost(sides.flatMap(({ lost }) => lost), times)
  return [
    ...(Integrity.areRecordsSound(integrity) ? [reach(view, times), unread(view, flags, times)] : []),
    ...(found.length === 0 ? [] : [Check.failed(
      "archive",
      `${place} does not hold what was written to it: ${some(found)}`,
      `${IntegrityText.advice(integrity)} tallystick archive check names all of it.`
    )]),
    ...(lost.length === 0 ? [] : [Check.warning(
      "archive",
      `${place} lost rows earlier: ${some(lost)}`,
      "Restore a backup of the time before that; without one, reports call nothing of these days complete."
    )])
  ]
})

/** Nothing where no archive was named and none is here. */
export const look = Effect.fnUntraced(function*(
  flags: ArchiveFlag.Flags & WarnHoursFlag.Flags,
  settings: BrokerConfig.Settings | undefined,
  times: ZonedTimes
): Effect.fn.Return<ReadonlyArray<Check.Check>, never, FileSystem.FileSystem> {
  const location = yield* Effect.result(ArchivePlace.location(flags))
  if (Result.isFailure(location)) return [Check.failed("archive", location.failure.message)]
  const place = location.success
  // Opening the archive shows the rest.
  if (!(yield* Effect.orElseSucceed(ArchiveConfig.exists(place), () => true))) {
    const isNamed = place._tag === "Postgres" || Option.isSome(flags.archiveFile) ||
      (yield* Variables.value("ARCHIVE")) !== undefined
    return isNamed
      ? [Check.skipped("archive", `there is no archive in ${ArchiveConfig.place(place)} yet; tallystick sync makes it`)]
      : []
  }
  // Where the conventions are wrong, the configuration's own check says so.
  const { depositHistory } = yield* Effect.orElseSucceed(Variables.conventions, () => Conventions.mexc)
  const opened = yield* SyncStatus.read(depositHistory).pipe(
    Effect.flatMap((view) =>
      Effect.map(
        Effect.all([whole(view, flags, depositHistory, times), whose(view, settings)]),
        ([found, owner]) => [...found, ...disbelieved(view, times), ...owner]
      )
    ),
    ArchivePlace.provided(place),
    Effect.catch(({ message, reason }) => Effect.succeed([Check.failed("archive", message, advice[reason._tag])]))
  )
  return [...opened, ...(yield* openFile(place))]
})
