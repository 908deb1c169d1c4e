/** Notices cannot go to a receiver, or it did not take one. No error holds the token, nor more of an address than its origin. */
import * as Schema from "effect/Schema"

const Id = "@tallystick/archive/NoticeError"

/** What was said of the receiver makes no sense, so that nothing is ever sent to it. */
export class InvalidReceiver extends Schema.TaggedClass<InvalidReceiver>(`${Id}/InvalidReceiver`)("InvalidReceiver", {
  of: Schema.Literals(["url", "token", "command"]),
  /** Why, behind the name of the setting: `must be https; plain http is for this machine alone`. */
  problem: Schema.String
}) {
  get message(): string {
    return `the ${this.of} for notices ${this.problem}`
  }
}

/** The receiver did not take a notice, or nobody knows whether it did: the notice is sent again. */
export class Undelivered extends Schema.TaggedClass<Undelivered>(`${Id}/Undelivered`)("Undelivered", {
  /** The origin of the address, or the name of the command. */
  place: Schema.String,
  /** The receiver refused this notice, or it takes none just now: it was not reached, did not answer in time, or is overloaded. */
  of: Schema.Literals(["notice", "receiver"]),
  detail: Schema.String
}) {
  get message(): string {
    return `${this.place} did not take a notice: ${this.detail}`
  }
}

export const Reason = Schema.Union([InvalidReceiver, Undelivered])
export type Reason = typeof Reason.Type

export class NoticeError extends Schema.TaggedError<NoticeError>(Id)("NoticeError", { reason: Reason }) {
  override get message(): string {
    return this.reason.message
  }
}
