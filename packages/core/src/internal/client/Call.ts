/** Describes an operation's request and its answer. */
import type * as BrokerError from "../../BrokerError.ts"
import type * as ServerClock from "../time/ServerClock.ts"
import type * as Query from "../wire/Query.ts"

/** The request of one operation, without the parts that every request has. */
export interface Call {
  readonly operation: Exclude<BrokerError.Operation, "serverTime">
  readonly method: "GET" | "POST"
  readonly path: string
  readonly parameters: ReadonlyArray<Query.Parameter>
  readonly body?: string
  /** Lifetime of the request in ms; undefined leaves it out. */
  readonly recvWindow: number | undefined
  /** The error of an inconclusive answer. It is present for requests that must not be sent twice. */
  readonly unknownOutcome?: (detail: string) => BrokerError.OutcomeUnknown
}

/** The reasons why a call may fail. Only one that must not be sent twice ends with an unknown outcome. */
export type Reason = BrokerError.RequestReason | BrokerError.OutcomeUnknown

/** The JSON of an answer, its text, and the service's time from the request to the answer. */
export interface Reply {
  readonly json: unknown
  readonly text: string
  readonly at: ServerClock.Moment
  /** Makes the error for JSON that does not follow the contract. It quotes the beginning of the answer. */
  readonly unexpected: (detail: string) => BrokerError.ProtocolError
}
