/** How the errors of the archive become those of the console. */
import type * as ArchiveError from "@tallystick/archive/ArchiveError"
import type * as DecisionError from "@tallystick/archive/DecisionError"
import type * as PeriodError from "@tallystick/archive/PeriodError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import {
  ArchiveFailed,
  DecisionRefused,
  Impossible,
  InvalidRequest,
  NotFound,
  PeriodRefused
} from "../../ConsoleError.ts"

/** Where the archive lies is nothing for those who ask over HTTP. */
const told = ({ message, reason }: ArchiveError.ArchiveError): string =>
  "place" in reason && reason.place !== "" ? message.replaceAll(reason.place, "the archive") : message

/** Tells of an archive that fails. Operations that may be asked for something impossible have that in their type. */
export const archive = <E extends ArchiveError.Reason>(error: ArchiveError.ArchiveError<E>) =>
  error.category === "request"
    ? new Impossible({ message: told(error) })
    : new ArchiveFailed({ category: error.category, message: told(error) })

/** The same for an operation that cannot be impossible. */
export const database = (error: ArchiveError.DatabaseError): ArchiveFailed =>
  new ArchiveFailed({ category: error.category, message: told(error) })

/** Something is gone that the ledger names. */
export const gone = (what: string): ArchiveFailed =>
  new ArchiveFailed({ category: "damaged", message: `The ledger names ${what}, and it is gone.` })

export const decision = (error: ArchiveError.DatabaseError | DecisionError.DecisionError) =>
  error._tag === "ArchiveError"
    ? database(error)
    : new DecisionRefused({ index: error.index, reason: error.reason, message: error.message })

export const period = (error: ArchiveError.OutcomesError | PeriodError.PeriodError) =>
  error._tag === "ArchiveError" ? archive(error) : new PeriodRefused({ reason: error.reason, message: error.message })

/** Says what is wrong with one part of a request, which is named by its path. */
export const invalid = (path: string, message: string): InvalidRequest =>
  new InvalidRequest({ message: `${path}: ${message}`, issues: [{ path, message }] })

/** Gives something that is there; else it says that there is nothing. */
export const found = <A>(option: Option.Option<A>, what: string): Effect.Effect<A, NotFound> =>
  Option.isSome(option)
    ? Effect.succeed(option.value)
    : Effect.fail(new NotFound({ message: `There is no ${what}.` }))
