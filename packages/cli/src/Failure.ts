/** How a command ends when it does not end well: one message for a person, one exit code for a script. */
import type * as ArchiveError from "@tallystick/archive/ArchiveError"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import type * as BrokerError from "@tallystick/core/BrokerError"
import type { InvalidRange } from "@tallystick/core/InvalidRange"
import type * as PolicyError from "@tallystick/reconcile/PolicyError"
import type { Unordered } from "@tallystick/reconcile/Unordered"
import type * as PlatformError from "effect/PlatformError"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import { existsSync } from "node:fs"
import { dirname } from "node:path"

export const exitCodes = {
  /** It ran, and the result is not clean. */
  notClean: 1,
  /** The command line or the configuration makes no sense. */
  usage: 2,
  /** It could not finish, or what it read is not proven complete. */
  unfinished: 3,
  /** The reader of stdout has stopped reading: a shell says so of a program that SIGPIPE ended. */
  readerGone: 141
} as const

/** The message is printed as one line, whatever stands in it, and not at all where it is empty; what has more to tell has more lines. */
export class Failure extends Schema.TaggedError<Failure>()("Failure", {
  message: Schema.String,
  more: Schema.Array(Schema.String),
  exitCode: Schema.Literals([exitCodes.notClean, exitCodes.usage, exitCodes.unfinished, exitCodes.readerGone])
}) {
  override readonly [Runtime.errorExitCode] = this.exitCode
}

const make = (exitCode: Failure["exitCode"]) => (message: string, ...more: ReadonlyArray<string>): Failure =>
  new Failure({ message, more, exitCode })

export const notClean = make(exitCodes.notClean)
export const usage = make(exitCodes.usage)
export const unfinished = make(exitCodes.unfinished)
/** Nobody is told: the reader went away by itself, as `head` does when it has seen enough. */
export const readerGone = make(exitCodes.readerGone)("")

/** A request that was refused before it was sent is usage; every other failure is the service's or the network's. */
export const fromBroker = ({ message, reason }: BrokerError.BrokerError): Failure =>
  reason._tag === "InvalidParameter" ? usage(message) : unfinished(message)

/** The command reads its settings from the environment, and names the variable. */
export const fromConfiguration = ({ problem, variable }: BrokerConfig.ConfigurationError): Failure =>
  usage(`${variable} ${problem}`)

/** Usage must be put right first; `unfinished` may pass by itself. */
const archiveCodes: Readonly<Record<ArchiveError.Reason["_tag"], Failure["exitCode"]>> = {
  Locked: exitCodes.unfinished,
  Held: exitCodes.unfinished,
  Superseded: exitCodes.unfinished,
  Reverted: exitCodes.unfinished,
  Aliased: exitCodes.usage,
  Remote: exitCodes.usage,
  Occupied: exitCodes.unfinished,
  Moved: exitCodes.unfinished,
  Changed: exitCodes.unfinished,
  ReadOnly: exitCodes.usage,
  DiskFull: exitCodes.unfinished,
  Foreign: exitCodes.usage,
  Newer: exitCodes.usage,
  Older: exitCodes.usage,
  Pruned: exitCodes.usage,
  Damaged: exitCodes.unfinished,
  OtherMaster: exitCodes.usage,
  Unreachable: exitCodes.unfinished,
  CannotOpen: exitCodes.unfinished,
  TooOld: exitCodes.usage,
  InvalidRange: exitCodes.usage,
  Exists: exitCodes.usage,
  Failed: exitCodes.unfinished
}

export const fromArchive = ({ message, reason }: ArchiveError.ArchiveError): Failure =>
  make(archiveCodes[reason._tag])(message)

/** Every issue on a line of its own, behind the name of the file. */
export const fromPolicy = (file: string) => ({ issues }: PolicyError.PolicyError): Failure => {
  const [first = file, ...more] = issues.map(({ message, path }) =>
    `${file}: ${path === "" ? "" : `${path}: `}${message}`
  )
  return usage(first, ...more)
}

/** A stretch of time about which nothing can be asked. */
export const fromRange = ({ message }: InvalidRange): Failure => usage(message)

/** A source that is not in order of time, by more than can be put right on the way. */
export const fromUnordered = ({ message }: Unordered): Failure =>
  usage(`${message}, or leave out --format ndjson: the other formats read everything first`)

const reasons: Readonly<Record<string, string>> = {
  AlreadyExists: "it exists already",
  BadResource: "it cannot be used for this",
  Busy: "it is in use",
  NotFound: "it does not exist",
  PermissionDenied: "permission denied"
}

const told: Readonly<Record<string, string>> = {
  EISDIR: "it is a directory",
  ENAMETOOLONG: "this is too long for the name of a file",
  ENOSPC: "the disk is full",
  EPIPE: "its reader has stopped reading",
  EROFS: "the file system is read-only"
}

const codeOf = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined

/** Whether a stream was written to whose reader has gone away. */
export const isOfReader = ({ reason }: PlatformError.PlatformError): boolean => codeOf(reason.cause) === "EPIPE"

/** Why, in a few words; what stands in no list is told as the operating system tells it. */
const reason = ({ reason }: PlatformError.PlatformError): string =>
  told[String(codeOf(reason.cause))] ?? reasons[reason._tag] ??
    (reason.cause instanceof Error ? reason.cause.message : reason.description ?? reason._tag)

/** `doing` says what was tried: `deposits.csv cannot be read`. */
export const fromPlatform =
  (doing: string, exitCode: Failure["exitCode"] = exitCodes.usage) => (error: PlatformError.PlatformError): Failure =>
    make(exitCode)(`${doing}: ${reason(error)}`)

/** Some folders, such as /proc, take no new file, and the system then says the same as of a folder that does not exist. */
const absence = ({ method, pathOrDescriptor: path }: PlatformError.SystemError): string =>
  method !== "access" && typeof path === "string" && existsSync(dirname(path))
    ? "no file can be made in that folder"
    : "the folder does not exist"

/** The same for a file that is to be made: what does not exist is the place for it. */
export const fromCreation =
  (doing: string, exitCode?: Failure["exitCode"]) => (error: PlatformError.PlatformError): Failure =>
    error.reason._tag === "NotFound"
      ? make(exitCode ?? exitCodes.usage)(`${doing}: ${absence(error.reason)}`)
      : fromPlatform(doing, exitCode)(error)
