/** The errors that the console answers with. Each has a body, in which `_tag` tells it from others and `message` says it in words. */
import * as DecisionError from "@tallystick/archive/DecisionError"
import * as PeriodError from "@tallystick/archive/PeriodError"
import * as Schema from "effect/Schema"

const Id = "@tallystick/console/ConsoleError"

const message = Schema.String.annotateKey({ description: "What there is to know, in words." })

/** The request is not as the description says. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>(`${Id}/InvalidRequest`)("InvalidRequest", {
  message,
  /** Each part that is wrong, by its path (`query.limit`, `payload.reason`). Nothing of the request is repeated. */
  issues: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String }))
}, { identifier: "InvalidRequest", description: "The request is not as the description says.", httpApiStatus: 400 }) {}

/** Nobody is signed in: the session is over, or was none. */
export class Unauthenticated
  extends Schema.TaggedError<Unauthenticated>(`${Id}/Unauthenticated`)("Unauthenticated", { message }, {
    identifier: "Unauthenticated",
    description: "Nobody is signed in: the session is over, or was none.",
    httpApiStatus: 401
  })
{}

/**
 * The request is refused: `role` lacks what is needed, `csrf` is a write without the header
 * that only the console's own page can send, `read-only` is a console that writes nothing.
 */
export class Forbidden extends Schema.TaggedError<Forbidden>(`${Id}/Forbidden`)("Forbidden", {
  reason: Schema.Literals(["role", "csrf", "read-only"]),
  message
}, { identifier: "Forbidden", description: "The request is refused.", httpApiStatus: 403 }) {}

/** There were too many failed logins from this address. */
export class TooManyLogins extends Schema.TaggedError<TooManyLogins>(`${Id}/TooManyLogins`)("TooManyLogins", {
  /** After so many seconds the address may try again. */
  retryAfter: Schema.Int.annotateKey({ description: "After so many seconds the address may try again." }),
  message
}, {
  identifier: "TooManyLogins",
  description: "There were too many failed logins from this address.",
  httpApiStatus: 429
}) {}

/** The console cannot answer now: too much is asked of it at once, or the file of users cannot be read. */
export class Unavailable extends Schema.TaggedError<Unavailable>(`${Id}/Unavailable`)("Unavailable", { message }, {
  identifier: "Unavailable",
  description: "The console cannot answer now: too much is asked of it at once, or the file of users cannot be read.",
  httpApiStatus: 503
}) {}

/** There is nothing of this id, or several things whose ids begin so. */
export class NotFound extends Schema.TaggedError<NotFound>(`${Id}/NotFound`)("NotFound", { message }, {
  identifier: "NotFound",
  description: "There is nothing of this id, or several things whose ids begin so.",
  httpApiStatus: 404
}) {}

/** The ledger refuses what was to be decided; nothing of it was written. */
export class DecisionRefused extends Schema.TaggedError<DecisionRefused>(`${Id}/DecisionRefused`)("DecisionRefused", {
  /** The place of the act that is refused among those that were given; the first is 0. */
  index: Schema.Int.annotateKey({
    description: "The place of the act that is refused among those that were given; the first is 0."
  }),
  reason: DecisionError.Reason,
  message
}, {
  identifier: "DecisionRefused",
  description: "The ledger refuses what was to be decided; nothing of it was written.",
  httpApiStatus: 409
}) {}

/** The period is not closed or not reopened; nothing was written. */
export class PeriodRefused extends Schema.TaggedError<PeriodRefused>(`${Id}/PeriodRefused`)("PeriodRefused", {
  reason: PeriodError.Reason,
  message
}, {
  identifier: "PeriodRefused",
  description: "The period is not closed or not reopened; nothing was written.",
  httpApiStatus: 409
}) {}

/** The request asks for something that is there no more, or was never possible: outcomes that were pruned, two runs that have no time in common. */
export class Impossible extends Schema.TaggedError<Impossible>(`${Id}/Impossible`)("Impossible", { message }, {
  identifier: "Impossible",
  description: "The request asks for something that is there no more, or was never possible.",
  httpApiStatus: 409
}) {}

/** The archive fails. */
export class ArchiveFailed extends Schema.TaggedError<ArchiveFailed>(`${Id}/ArchiveFailed`)("ArchiveFailed", {
  /** `transient` passes by itself; the other kinds need somebody (`ArchiveError.Category`). */
  category: Schema.Literals(["transient", "place", "owner", "version", "damaged", "unexpected"]).annotateKey({
    description: "`transient` passes by itself; the other kinds need somebody."
  }),
  message
}, { identifier: "ArchiveFailed", description: "The archive fails.", httpApiStatus: 503 }) {}
