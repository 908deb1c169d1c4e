/** An archive fails with one error that has a reason; no reason holds a password, a record or a statement's parameters. */
import { InvalidRange } from "@tallystick/core/InvalidRange"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"

/** This tells people where the archive is: a file, or a database's host and name; never a password. */
const Place = { place: Schema.String }

/** Another program writes to the archive and did not finish in time. */
export class Locked extends Schema.TaggedClass<Locked>("@tallystick/archive/ArchiveError/Locked")("Locked", Place) {
  readonly category = "transient"
  get message(): string {
    return `${this.place} is locked by another program that writes to it; try again when it has finished`
  }
}

/** Another sync or import runs on the same archive. */
export class Held extends Schema.TaggedClass<Held>("@tallystick/archive/ArchiveError/Held")("Held", {
  ...Place,
  /** This names the holder as far as it is known: `sync, process 4711 on host since 2026-11-22T09:00:00Z`. */
  holder: Schema.String
}) {
  readonly category = "transient"
  get message(): string {
    return `${this.place} is in use: ${this.holder}; one at a time may write to it`
  }
}

/**
 * Another process took the archive while this one still held it: its lock was lost, because its connection was cut, or because it stood
 * still for longer than its lease.
 */
export class Superseded extends Schema.TaggedClass<Superseded>("@tallystick/archive/ArchiveError/Superseded")(
  "Superseded",
  {
    ...Place,
    /** This names the present holder, or the last one. */
    holder: Schema.String
  }
) {
  readonly category = "transient"
  get message(): string {
    return `${this.place} was taken over by ${this.holder}, because the lock of this process was lost; nothing was written since`
  }
}

/** The database lost what this process had committed, as when a backup is restored or a server takes over that lagged behind. */
export class Reverted
  extends Schema.TaggedClass<Reverted>("@tallystick/archive/ArchiveError/Reverted")("Reverted", Place)
{
  readonly category = "damaged"
  get message(): string {
    return `${this.place} does not hold what this process wrote to it last: it went back to an earlier state, as when a backup is ` +
      "restored or a server takes over that lagged behind; nothing was written since: run it again"
  }
}

/**
 * SQLite would keep two logs for this file, because it has several names or is mounted without the files beside it; or SQLite
 * would take it for the log of another file, or read another's log into it.
 */
export class Aliased extends Schema.TaggedClass<Aliased>("@tallystick/archive/ArchiveError/Aliased")("Aliased", {
  ...Place,
  detail: Schema.String
}) {
  readonly category = "place"
  get message(): string {
    return `${this.place} may not be opened by this name: ${this.detail}`
  }
}

/** The archive lies where locks do not keep two machines apart. */
export class Remote extends Schema.TaggedClass<Remote>("@tallystick/archive/ArchiveError/Remote")("Remote", {
  ...Place,
  /** The system calls the file system so: `nfs4`. */
  fileSystem: Schema.String
}) {
  readonly category = "place"
  get message(): string {
    return `${this.place} lies on a network file system (${this.fileSystem}), where two machines could write at once; ` +
      "keep it on a disk of this machine, or in PostgreSQL"
  }
}

/**
 * Another program has the file open, but not as this one would have it: by another name, with other files beside it, or of an
 * earlier version.
 */
export class Occupied extends Schema.TaggedClass<Occupied>("@tallystick/archive/ArchiveError/Occupied")("Occupied", {
  ...Place,
  detail: Schema.String
}) {
  readonly category = "transient"
  get message(): string {
    return `${this.place} is open in another program, and ${this.detail}; end that program, then try again`
  }
}

/** The file, one that SQLite keeps beside it, or its lock file was moved, removed or replaced while it was open. */
export class Moved extends Schema.TaggedClass<Moved>("@tallystick/archive/ArchiveError/Moved")("Moved", {
  ...Place,
  /** This names the file that was moved, removed or replaced. */
  file: Schema.String
}) {
  readonly category = "place"
  get message(): string {
    return `${this.place}: ${this.file} was moved, removed or replaced while the archive was open; nothing was written since: ` +
      "put it back, or leave it if it is gone, and start again"
  }
}

/** A record moved to another time, or damaged rows were taken out, while the archive was read piece by piece. */
export class Changed extends Schema.TaggedClass<Changed>("@tallystick/archive/ArchiveError/Changed")("Changed", Place) {
  readonly category = "transient"
  get message(): string {
    return `${this.place} was changed while it was read: a sync moved a record to another time or took out what was damaged; ` +
      "run it again"
  }
}

/** The archive cannot be written to: the file, its folder or the database role allows reading only. */
export class ReadOnly extends Schema.TaggedClass<ReadOnly>("@tallystick/archive/ArchiveError/ReadOnly")("ReadOnly", {
  ...Place,
  /** The database says this about it, where it says more. */
  detail: Schema.optionalKey(Schema.String)
}) {
  readonly category = "place"
  get message(): string {
    const detail = this.detail === undefined ? "" : `: ${this.detail}`
    return `${this.place} cannot be written to${detail}; check who owns it and what it allows`
  }
}

/** The disk has no room left; the transaction that was being written was undone. */
export class DiskFull extends Schema.TaggedClass<DiskFull>("@tallystick/archive/ArchiveError/DiskFull")(
  "DiskFull",
  Place
) {
  readonly category = "place"
  get message(): string {
    return `${this.place}: the disk is full; nothing was changed by what was being written: make room, then run it again`
  }
}

/** Something other than an archive of Tallystick is there, or no archive could be made there. */
export class Foreign extends Schema.TaggedClass<Foreign>("@tallystick/archive/ArchiveError/Foreign")("Foreign", {
  ...Place,
  detail: Schema.String
}) {
  readonly category = "owner"
  get message(): string {
    return `${this.place} is no archive of Tallystick: ${this.detail}`
  }
}

/** A later version made the archive. */
export class Newer extends Schema.TaggedClass<Newer>("@tallystick/archive/ArchiveError/Newer")("Newer", {
  ...Place,
  /** The archive has `found` as its last migration, and this version knows migrations up to `known`. */
  found: Schema.Int,
  known: Schema.Int
}) {
  readonly category = "version"
  get message(): string {
    return `${this.place} was written by a later version of Tallystick (schema ${this.found}; this one knows ${this.known}); use that version`
  }
}

/** An earlier version made the archive, and it may not be brought to this one, because it may only be read. */
export class Older extends Schema.TaggedClass<Older>("@tallystick/archive/ArchiveError/Older")("Older", {
  ...Place,
  /** The archive has `found` as its last migration, and this version knows migrations up to `known`. */
  found: Schema.Int,
  known: Schema.Int
}) {
  readonly category = "version"
  get message(): string {
    return `${this.place} was written by an earlier version of Tallystick (schema ${this.found}; this one reads ${this.known}) and may only be ` +
      "read here: run a command on it once as somebody who may write to it, read it with that version, or open a copy that you may " +
      "write to"
  }
}

/** The outcomes of a run were taken away (`Runs.prune`); what the run came to in short is left. */
export class Pruned extends Schema.TaggedClass<Pruned>("@tallystick/archive/ArchiveError/Pruned")("Pruned", {
  ...Place,
  /** The id of the run. */
  run: Schema.String,
  /** Its outcomes were taken away at this time, Unix ms. */
  prunedAt: Schema.Int
}) {
  readonly category = "request"
  get message(): string {
    return `${this.place} holds no outcomes of run ${this.run} any more: tallystick runs prune took them away at ` +
      `${
        DateTime.formatIso(DateTime.makeUnsafe(this.prunedAt))
      }, because a later run of the same range stands in its place; ` +
      "tallystick runs names that one"
  }
}

/** The pages of the file contradict each other, or something in it is not as it was written. */
export class Damaged extends Schema.TaggedClass<Damaged>("@tallystick/archive/ArchiveError/Damaged")("Damaged", {
  ...Place,
  detail: Schema.String,
  /** This remedy helps besides a backup. */
  remedy: Schema.optionalKey(Schema.String)
}) {
  readonly category = "damaged"
  get message(): string {
    const remedy = this.remedy === undefined ? "" : `${this.remedy}, or `
    return `${this.place} is damaged: ${this.detail}; ${remedy}restore it from a backup`
  }
}

/**
 * Tells whether both name the same base URL, as `Origin.describe` writes them: an archive has one base URL, and keys of its
 * own.
 */
const isSameExchange = (archive: string, configured: string): boolean => {
  const [exchange] = /^.*, key /.exec(configured) ?? []
  return exchange !== undefined && archive.startsWith(exchange)
}

/** The archive holds the records of another exchange or another master account. */
export class OtherMaster extends Schema.TaggedClass<OtherMaster>("@tallystick/archive/ArchiveError/OtherMaster")(
  "OtherMaster",
  {
    ...Place,
    /** These are the base URLs and key fingerprints of what it holds and of what was about to be written. */
    archive: Schema.String,
    configured: Schema.String
  }
) {
  readonly category = "owner"
  get message(): string {
    return `${this.place} keeps the records of ${this.archive}, but the configuration names ${this.configured}; ` +
      (isSameExchange(this.archive, this.configured)
        ? "use another archive, or, if it is a new key of the same master account, tell the archive so: tallystick archive trust"
        : "no archive keeps the records of two exchanges: use another one, or put the base URL right")
  }
}

/** The database does not answer, was shut down, or has no connection left; a connection that was lost counts. */
export class Unreachable extends Schema.TaggedClass<Unreachable>("@tallystick/archive/ArchiveError/Unreachable")(
  "Unreachable",
  { ...Place, detail: Schema.String }
) {
  readonly category = "transient"
  get message(): string {
    return `${this.place} cannot be reached: ${this.detail}`
  }
}

/**
 * There is nothing that can be opened: the file or its folder does not exist, the address is malformed, or the server does not know
 * the database or refuses the name and the password.
 */
export class CannotOpen extends Schema.TaggedClass<CannotOpen>("@tallystick/archive/ArchiveError/CannotOpen")(
  "CannotOpen",
  { ...Place, detail: Schema.String }
) {
  readonly category = "place"
  get message(): string {
    return `${this.place} cannot be opened: ${this.detail}`
  }
}

/** The database server is too old. */
export class TooOld extends Schema.TaggedClass<TooOld>("@tallystick/archive/ArchiveError/TooOld")("TooOld", {
  ...Place,
  found: Schema.String,
  wanted: Schema.String
}) {
  readonly category = "version"
  get message(): string {
    return `${this.place} runs PostgreSQL ${this.found}; ${this.wanted} or newer is needed`
  }
}

/** A backup never replaces a file: it may be the only good one. */
export class Exists extends Schema.TaggedClass<Exists>("@tallystick/archive/ArchiveError/Exists")("Exists", Place) {
  readonly category = "request"
  get message(): string {
    return `${this.place} exists already: name another file, a backup replaces none`
  }
}

/** The database refused a statement for another reason. */
export class Failed extends Schema.TaggedClass<Failed>("@tallystick/archive/ArchiveError/Failed")("Failed", {
  ...Place,
  detail: Schema.String
}) {
  readonly category = "unexpected"
  get message(): string {
    return `${this.place} failed: ${this.detail}`
  }
}

/** Every reason that an `ArchiveError` may have. */
export const Reason = Schema.Union([
  Locked,
  Held,
  Superseded,
  Reverted,
  Aliased,
  Remote,
  Occupied,
  Moved,
  Changed,
  ReadOnly,
  DiskFull,
  Foreign,
  Newer,
  Older,
  Pruned,
  Damaged,
  OtherMaster,
  Unreachable,
  CannotOpen,
  TooOld,
  InvalidRange,
  Exists,
  Failed
])
export type Reason = typeof Reason.Type

/**
 * The kind of a reason, for callers that do not want to list tags; it narrows a reason to those of its kind.
 *
 * - `transient`: another program is in the way, or the database does not answer: try again later.
 * - `request`: the call itself is wrong, or asks for what is there no more.
 * - `place`: the file, its disk, its rights, or the address must be put right first.
 * - `owner`: what is there belongs to another program or another master account.
 * - `version`: the archive or its server is of a version that this one does not work with.
 * - `damaged`: something that was written is lost or changed: a person must look.
 * - `unexpected`: the database refused a statement for another reason, which `detail` tells.
 */
export type Category = Reason["category"]

/** The reasons that any operation on an open archive may have: those of its database, and of its lock. */
export type DatabaseReason =
  | Locked
  | Superseded
  | Reverted
  | Moved
  | ReadOnly
  | DiskFull
  | Damaged
  | Newer
  | Unreachable
  | CannotOpen
  | Failed

/** The one error of this package's operations. Each operation says which reasons its error may have. */
export class ArchiveError<out Of extends Reason = Reason>
  extends Schema.TaggedError<ArchiveError>("@tallystick/archive/ArchiveError")("ArchiveError", { reason: Reason })
{
  declare readonly reason: Of
  /** Makes the error with just this reason. */
  static readonly of = <Of extends Reason>(reason: Of): ArchiveError<Of> => new ArchiveError<Of>({ reason })
  get category(): Of["category"] {
    return this.reason.category
  }
  override get message(): string {
    return this.reason.message
  }
}

/** The error of an operation that takes no time: its database's reasons, and no other. */
export type DatabaseError = ArchiveError<DatabaseReason>

/** The error of an operation that takes a range or a moment, which may be none. */
export type IntervalError = ArchiveError<DatabaseReason | InvalidRange>

/** The error of a history that is read piece by piece, and may change meanwhile. */
export type SlicesError = ArchiveError<DatabaseReason | InvalidRange | Changed>

/** The error of an operation that says whose the records are. */
export type OwnerError = ArchiveError<DatabaseReason | OtherMaster>

/** The error of a round of sync, which also holds the archive. */
export type SyncError = ArchiveError<DatabaseReason | InvalidRange | OtherMaster | Held | Foreign>

/** The error of `Backup.make`, which opens the copy, and replaces no file. */
export type BackupError = ArchiveError<Exclude<Reason, Changed | Pruned | OtherMaster>>

/** The error of `exclusive`: another process may hold the archive, or a later version may have changed it. */
export type HoldError = ArchiveError<DatabaseReason | Held | Foreign>

/** The error of a run's outcomes, which may have been taken away. */
export type OutcomesError = ArchiveError<DatabaseReason | Pruned>

/** The error of a layer that opens an archive. */
export type OpenError = ArchiveError<
  Exclude<Reason, Changed | Pruned | OtherMaster | InvalidRange | Exists>
>
